/// A film that Korean or Chinese print sets in brackets of its own, with nothing around it but the name of a series and what
/// is done beside it: "숲톡: <서리꽃>", "[초록극장] <서리꽃> 씨네토크".
enum BracketedFilm {
  /// - Parameter inHeadline: of a post, whose "GV" and "씨네토크" are no part of the film's printed title; in a programme they
  ///   are, and only a series with its colon is none.
  static func name(in text: String, inHeadline: Bool) -> String? {
    guard text.utf8.count <= bytesMax, let open = text.unicodeScalars.firstIndex(where: { pairs[$0] != nil }),
      let close = pairs[text.unicodeScalars[open]],
      let end = text.unicodeScalars[open...].firstIndex(of: close),
      case let after = text.unicodeScalars.index(after: end),
      !text.unicodeScalars[after...].contains(where: { pairs[$0] != nil })
    else { return nil }
    let before = withoutLabels(String(text.unicodeScalars[..<open]))
    let behind = LineRest.trimmed(String(text.unicodeScalars[after...]))
    if inHeadline {
      guard before.isEmpty || isSeries(before) || PrintedTitle(before).isOnlyMarks,
        behind.isEmpty || PrintedTitle(behind).isOnlyMarks
      else { return nil }
    } else {
      guard isSeries(before), behind.isEmpty else { return nil }
    }
    let name = String(text.unicodeScalars[text.unicodeScalars.index(after: open)..<end]).trimmedText
    return name.hasLetters ? name : nil
  }

  /// "[초록극장]" in front is of no title.
  private static func withoutLabels(_ text: String) -> String {
    var rest = text.trimmedText
    while rest.hasPrefix("["), let end = rest.firstPlace(of: "]") { rest = String(rest[end.upperBound...]).trimmedText }
    return rest
  }

  /// "숲톡:", a short name with its colon.
  private static func isSeries(_ text: String) -> Bool {
    (text.hasSuffix(":") || text.hasSuffix("：")) && text.utf8.count <= seriesBytesMax
  }

  private static let bytesMax = 200
  private static let seriesBytesMax = 32
  private static let pairs: [Unicode.Scalar: Unicode.Scalar] = ["<": ">", "〈": "〉", "《": "》", "＜": "＞"]
}
