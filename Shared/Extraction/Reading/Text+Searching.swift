/// Looking for texts in texts, byte by byte: the standard library's way costs twenty times as much, and pages are
/// searched for some hundred words at every line.
extension String {
  func holds(_ part: String) -> Bool { Self.offset(of: part, in: self, isLast: false) != nil }

  func firstPlace(of part: String) -> Range<String.Index>? { place(of: part, isLast: false) }

  func lastPlace(of part: String) -> Range<String.Index>? { place(of: part, isLast: true) }

  /// "poster.jpg", in small letters.
  var endsAsPicture: Bool {
    [".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif", ".svg"].contains { hasSuffix($0) }
  }

  private func place(of part: String, isLast: Bool) -> Range<String.Index>? {
    guard let offset = Self.offset(of: part, in: self, isLast: isLast) else { return nil }
    let start = utf8.index(utf8.startIndex, offsetBy: offset)
    return start..<utf8.index(start, offsetBy: part.utf8.count)
  }

  private static func offset(of part: String, in text: String, isLast: Bool) -> Int? {
    var (part, text) = (part, text)
    return text.withUTF8 { text in
      part.withUTF8 { part in
        guard let first = part.first, part.count <= text.count else { return nil }
        let last = text.count - part.count
        var step = 0
        while step <= last {
          let start = isLast ? last - step : step
          if text[start] == first {
            var index = 1
            while index < part.count, text[start + index] == part[index] { index += 1 }
            if index == part.count { return start }
          }
          step += 1
        }
        return nil
      }
    }
  }
}

/// Words to look for in texts, all in one pass.
struct WordList: Sendable {
  /// By their first bytes: which of `words` begin so.
  private let starts: [Range<Int>]
  private let words: [[UInt8]]

  init(_ words: [String]) {
    let sorted = Set(words).map { Array($0.utf8) }.filter { !$0.isEmpty }.sorted { $0.lexicographicallyPrecedes($1) }
    var starts = [Range<Int>](repeating: 0..<0, count: 256)
    for (place, word) in sorted.enumerated() {
      let first = Int(word[0])
      starts[first] = starts[first].isEmpty ? place..<place + 1 : starts[first].lowerBound..<place + 1
    }
    self.starts = starts
    self.words = sorted
  }

  /// Whether one of them stands somewhere in a text.
  func isIn(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { text in
      for index in text.indices {
        for place in starts[Int(text[index])] where begins(words[place], in: text, at: index) { return true }
      }
      return false
    }
  }

  private func begins(_ word: [UInt8], in text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    guard index + word.count <= text.count else { return false }
    var offset = 1
    while offset < word.count, text[index + offset] == word[offset] { offset += 1 }
    return offset == word.count
  }
}
