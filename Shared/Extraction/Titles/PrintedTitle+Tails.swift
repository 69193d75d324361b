/// What stands around a name without a mark of its own: which anniversary, in which language, in which format.
extension PrintedTitle {
  /// Of how a copy is, what one word behind a comma may say; "Sorry, Baby" is a name.
  private static let versions: Set<ScreeningAttribute> = [
    .subtitled, .dubbed, .originalVersion, .fourK, .film35mm, .film70mm, .film16mm, .imax, .threeD, .restored,
  ]

  static func isPartOfName(behindComma tail: String) -> Bool {
    let joints = [" + ", " – ", " - ", " | "].compactMap { tail.firstPlace(of: $0)?.lowerBound }
    let first = String(tail[..<(joints.min() ?? tail.endIndex)])
    return isWord(first) && !TitleMarks(first).attributes.isSubset(of: versions)
  }

  /// "Alien (1979) 4K Restoration": marks behind the year.
  mutating func takeMarks(behind year: Int, of kept: inout [Unicode.Scalar]) {
    let tail = Self.text(kept[year...]).trimmedText
    guard !tail.isEmpty, year > 0 else { return }
    let marks = TitleMarks(tail)
    guard marks.isAll, !marks.attributes.isEmpty else { return }
    attributes.formUnion(marks.attributes)
    remove(tail)
    kept = Array(kept[..<year])
  }

  mutating func takeTails() {
    takeAnniversary()
    takeLanguage()
    takeFormatJoint()
  }

  /// "Barry Lyndon 50th Anniversary"
  private mutating func takeAnniversary() {
    let words = film.unicodeScalars.split(whereSeparator: \.isBlank).map { String(Substring($0)) }
    guard words.count > 2, words[words.count - 1].lowercased() == "anniversary",
      case let number = words[words.count - 2].lowercased(), number.utf8.first.map(isDigitByte) ?? false,
      ["st", "nd", "rd", "th"].contains(where: number.hasSuffix)
    else { return }
    attributes.insert(.anniversary)
    remove(words.suffix(2).joined(separator: " "))
    film = words.dropLast(2).joined(separator: " ")
  }

  /// "Sirât - span./franz." before OmU: what is spoken, as German houses shorten it.
  private mutating func takeLanguage() {
    guard !attributes.isDisjoint(with: [.subtitled, .originalVersion]),
      let joint = [" - ", " – "].compactMap({ film.lastPlace(of: $0) }).max(by: { $0.lowerBound < $1.lowerBound })
    else { return }
    let tail = film[joint.upperBound...]
    guard (3...Self.languageBytesMax).contains(tail.utf8.count),
      tail.split(separator: "/").allSatisfy({ part in
        part.hasSuffix(".") && part.unicodeScalars.dropLast().allSatisfy { $0.properties.isLowercase }
      })
    else { return }
    remove(film[joint.lowerBound...])
    film = String(film[..<joint.lowerBound]).trimmedText
  }

  private static let languageBytesMax = 24

  /// "Oldboy w 4K": what led to the format that was taken.
  private mutating func takeFormatJoint() {
    guard !attributes.isDisjoint(with: Self.formats), let last = removed.last,
      last.utf8.contains(where: isDigitByte)
    else { return }
    let words = film.unicodeScalars.split(whereSeparator: \.isBlank).map { String(Substring($0)) }
    guard words.count > 1, let joint = words.last, Self.formatJoints.contains(joint) else { return }
    remove(joint)
    film = words.dropLast().joined(separator: " ")
  }

  private static let formats: Set<ScreeningAttribute> = [.fourK, .film35mm, .film70mm, .film16mm, .threeD]
  private static let formatJoints: Set<String> = [
    "w", "v", "ve", "in", "en", "em", "im", "på", "auf", "on", "au", "di",
  ]

  /// 4Kリマスター版『夏の終り』: the name is in the quotation marks, and before them how it is shown or in which series.
  mutating func takeNameInQuotes() {
    guard film.unicodeScalars.last == "』", let open = film.unicodeScalars.firstIndex(of: "『"),
      open > film.unicodeScalars.startIndex, film.unicodeScalars.count(where: { $0 == "『" }) == 1
    else { return }
    let before = String(film.unicodeScalars[..<open]).trimmedText
    let marks = TitleMarks(before)
    guard marks.isAll && !marks.attributes.isEmpty || marks.isStrand else { return }
    attributes.formUnion(marks.attributes)
    remove(before)
    film = String(film.unicodeScalars[film.unicodeScalars.index(after: open)...].dropLast()).trimmedText
  }
}
