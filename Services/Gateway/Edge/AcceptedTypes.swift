/// What a client takes for an answer, by its `Accept` field (RFC 9110, 12.5.1).
nonisolated struct AcceptedTypes {
  /// `type/subtype` in small letters, and how welcome it is.
  private var ranges: [(type: Substring, subtype: Substring, quality: Double)] = []
  /// Whether there is more than anybody reads: then nothing is refused.
  private let isCut: Bool

  /// More than any browser sends.
  private static let rangesMax = 32

  init(_ header: String) {
    let elements = header.lowercased().split(separator: ",")
    isCut = elements.count > Self.rangesMax
    for element in elements.prefix(Self.rangesMax) {
      let parts = element.split(separator: ";").map { part in
        part.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
      }
      guard let range = parts.first else { continue }
      // A lone star is no range, and sent all the same.
      let names = range == "*" ? ["*", "*"] : range.split(separator: "/", omittingEmptySubsequences: false)
      guard names.count == 2, !names[0].isEmpty, !names[1].isEmpty else { continue }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      ranges.append((names[0], names[1], quality))
    }
  }

  /// Whether one of these may be sent. Who says nothing that can be understood takes all of them.
  func takes(anyOf offered: [String]) -> Bool {
    isCut || ranges.isEmpty || offered.contains { quality(of: $0) > 0 }
  }

  /// Whether one of these is asked for by its name, as browsers ask for what they show.
  func names(anyOf offered: [String]) -> Bool {
    ranges.contains { range in range.quality > 0 && offered.contains("\(range.type)/\(range.subtype)") }
  }

  /// Of the ranges that fit, the narrowest counts.
  private func quality(of type: String) -> Double {
    let names = type.split(separator: "/", maxSplits: 1)
    guard names.count == 2 else { return 1 }
    var best = (narrowness: 0, quality: 0.0)
    for range in ranges {
      let narrowness = Self.narrowness(range.type, range.subtype, names[0], names[1])
      if narrowness > best.narrowness { best = (narrowness, range.quality) }
    }
    return best.quality
  }

  /// How exactly a range names a type; 0 if it does not.
  private static func narrowness(
    _ rangeType: Substring, _ rangeSubtype: Substring, _ type: Substring, _ subtype: Substring
  ) -> Int {
    if rangeType == "*" { return 1 }
    guard rangeType == type else { return 0 }
    if rangeSubtype == "*" { return 2 }
    if rangeSubtype == subtype { return 4 }
    // Pictures and sound come as they are kept, and nobody chooses of which kind; JSON of any kind is JSON.
    let isAnyKind = type == "image" || type == "audio" || rangeSubtype == "json" && subtype.hasSuffix("+json")
    return isAnyKind ? 3 : 0
  }
}
