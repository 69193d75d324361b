import Observability

/// How text stands on a terminal, where a Korean or Japanese character takes two columns.
nonisolated extension String {
  /// The columns it takes.
  package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  func padded(to width: Int, alignment: Alignment = .left) -> String {
    let space = String(repeating: " ", count: Swift.max(0, width - displayWidth))
    return alignment == .left ? self + space : space + self
  }

  /// The beginning that fits, with an ellipsis if something is missing.
  func truncated(to width: Int) -> String {
    guard displayWidth > width else { return self }
    var result = ""
    var taken = 0
    for character in self {
      guard taken + character.displayWidth <= width - 1 else { break }
      result.append(character)
      taken += character.displayWidth
    }
    return width > 0 ? result + "…" : ""
  }

  /// Whole words, as many as fit and at least the first, and how many more there are: `emu rio +12`.
  func listed(to width: Int) -> String {
    guard displayWidth > width else { return self }
    let words = split(separator: " ").map(String.init)
    for count in stride(from: words.count - 1, to: 0, by: -1) {
      let text = Self.list(words, showing: count)
      if text.displayWidth <= width || count == 1 { return text }
    }
    return self
  }

  /// The least that `listed` gives.
  var shortestList: String {
    let words = split(separator: " ").map(String.init)
    return words.count > 1 ? Self.list(words, showing: 1) : self
  }

  private static func list(_ words: [String], showing count: Int) -> String {
    words.prefix(count).joined(separator: " ") + " +\(words.count - count)"
  }

  /// Lines of whole words; a word wider than a line has one to itself.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if line.displayWidth + 1 + String(word).displayWidth <= width {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return lines + [line]
  }
}

nonisolated package enum Alignment: Sendable { case left, right }

/// The text with everything escaped that could move a cursor, end a line or turn the direction of writing.
nonisolated package func printable(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: \.isUnsafeInLine) else { return text }
  return text.unicodeScalars.reduce(into: "") { result, scalar in
    if scalar == "\n" {
      result += "\\n"
    } else if scalar.isUnsafeInLine {
      result += "\\u{\(String(scalar.value, radix: 16))}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
}

nonisolated extension Character {
  /// A character is as wide as its widest part; an emoji selector makes it two.
  var displayWidth: Int {
    if isASCII { return 1 }
    let parts = unicodeScalars
    if parts.contains("\u{fe0f}") { return 2 }
    return parts.map(\.displayWidth).max() ?? 0
  }
}

nonisolated extension Unicode.Scalar {
  fileprivate var displayWidth: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    return Self.wide.contains { $0.contains(value) } ? 2 : 1
  }

  /// Unicode's East Asian width W and F, in ranges wide enough to be read.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x231a...0x231b, 0x2329...0x232a, 0x23e9...0x23ec, 0x23f0...0x23f0, 0x23f3...0x23f3,
    0x25fd...0x25fe, 0x2614...0x2615, 0x2648...0x2653, 0x267f...0x267f, 0x2693...0x2693, 0x26a1...0x26a1,
    0x26aa...0x26ab, 0x26bd...0x26be, 0x26c4...0x26c5, 0x26ce...0x26ce, 0x26d4...0x26d4, 0x26ea...0x26ea,
    0x26f2...0x26f3, 0x26f5...0x26f5, 0x26fa...0x26fa, 0x26fd...0x26fd, 0x2705...0x2705, 0x270a...0x270b,
    0x2728...0x2728, 0x274c...0x274c, 0x274e...0x274e, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
    0x27b0...0x27b0, 0x27bf...0x27bf, 0x2b1b...0x2b1c, 0x2b50...0x2b50, 0x2b55...0x2b55, 0x2e80...0x303e,
    0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff,
    0xfe10...0xfe19, 0xfe30...0xfe6b, 0xff01...0xff60, 0xffe0...0xffe6, 0x16fe0...0x18cff, 0x1b000...0x1b2ff,
    0x1f004...0x1f004, 0x1f0cf...0x1f0cf, 0x1f18e...0x1f18e, 0x1f191...0x1f19a, 0x1f200...0x1f265, 0x1f300...0x1f320,
    0x1f32d...0x1f335, 0x1f337...0x1f37c, 0x1f37e...0x1f393, 0x1f3a0...0x1f3ca, 0x1f3cf...0x1f3d3, 0x1f3e0...0x1f3f0,
    0x1f3f4...0x1f3f4, 0x1f3f8...0x1f43e, 0x1f440...0x1f440, 0x1f442...0x1f4fc, 0x1f4ff...0x1f53d, 0x1f54b...0x1f54e,
    0x1f550...0x1f567, 0x1f57a...0x1f57a, 0x1f595...0x1f596, 0x1f5a4...0x1f5a4, 0x1f5fb...0x1f64f, 0x1f680...0x1f6c5,
    0x1f6cc...0x1f6cc, 0x1f6d0...0x1f6d2, 0x1f6d5...0x1f6d7, 0x1f6dc...0x1f6df, 0x1f6eb...0x1f6ec, 0x1f6f4...0x1f6fc,
    0x1f7e0...0x1f7eb, 0x1f7f0...0x1f7f0, 0x1f90c...0x1f93a, 0x1f93c...0x1f945, 0x1f947...0x1f9ff, 0x1fa70...0x1faff,
    0x20000...0x3fffd,
  ]
}
