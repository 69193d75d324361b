/// Latin letters without what is above, below and through them.
enum LatinLetters {
  /// The letters that a lower-case letter is compared as; itself if it has nothing to lose.
  static func plain(_ letter: UInt32) -> [UInt32] {
    guard letter >= 0xc0, letter < 0x1f00 else { return letter == 0x307 ? [] : [letter] }
    return table[letter] ?? (isMark(letter) ? [] : [letter])
  }

  private static func isMark(_ value: UInt32) -> Bool {
    Unicode.Scalar(value)?.properties.generalCategory == .nonspacingMark
  }

  private static let table: [UInt32: [UInt32]] = {
    var table: [UInt32: [UInt32]] = [:]
    for (plain, letters) in accented {
      for letter in letters.unicodeScalars { table[letter.value] = plain.unicodeScalars.map(\.value) }
    }
    return table
  }()

  private static let accented = [
    ("a", "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặª"), ("b", "ḃḅḇƀ"), ("c", "çćĉċčḉ"), ("d", "ďḋḍḏḑḓđð"),
    ("e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệǝ"), ("f", "ḟ"), ("g", "ĝğġģǧǵḡ"), ("h", "ĥȟḣḥḧḩḫẖħ"), ("i", "ìíîïĩīĭįǐȉȋḭḯỉịı"),
    ("j", "ĵǰ"), ("k", "ķǩḱḳḵ"), ("l", "ĺļľḷḹḻḽłŀ"), ("m", "ḿṁṃ"), ("n", "ñńņňǹṅṇṉṋ"),
    ("o", "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợøº"), ("p", "ṕṗ"), ("r", "ŕŗřȑȓṙṛṝṟ"), ("s", "śŝşšșṡṣṥṧṩſ"),
    ("t", "ţťțṫṭṯṱẗŧ"), ("u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"), ("v", "ṽṿ"), ("w", "ŵẁẃẅẇẉẘ"), ("x", "ẋẍ"),
    ("y", "ýÿŷȳẏẙỳỵỷỹ"), ("z", "źżžẑẓẕ"), ("ss", "ß"), ("ae", "æǣǽ"), ("oe", "œ"), ("th", "þ"), ("ij", "ĳ"),
    ("nj", "ŉ"),
  ]
}
