/// Looking for texts in texts, byte by byte: the standard library's way costs twenty times as much, and pages are
/// searched for some hundred words at every line.
extension String {
  func holds(_ part: String) -> Bool { Self.offset(of: part, in: self, isLast: false) != nil }

  func firstPlace(of part: String) -> Range<String.Index>? { place(of: part, isLast: false) }

  func lastPlace(of part: String) -> Range<String.Index>? { place(of: part, isLast: true) }

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
