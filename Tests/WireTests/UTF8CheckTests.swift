import TestKit
import Testing

@testable import Wire

@Suite("UTF-8")
struct UTF8CheckTests {
  private func isValid(_ bytes: [UInt8]) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }

  private func agree(_ bytes: [UInt8]) -> Bool {
    let check = bytes.withUnsafeBytes { UTF8Check($0) }
    let isASCII = bytes.allSatisfy { $0 < 0x80 }
    return check == (isASCII ? .ascii : isValid(bytes) ? .valid : .invalid)
  }

  @Test("every sequence of bytes at a boundary of the rules is judged as the standard library judges it")
  func boundaries() {
    // The first and the last byte of each range of the rules, and those beside them.
    let edges: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
      0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF,
    ]
    var wrong: [[UInt8]] = []
    // Before and after them: nothing, and enough that they are read with others or alone.
    for (before, after) in [(0, 0), (0, 5), (9, 0), (9, 1)] {
      let (first, last) = ([UInt8](repeating: 0x61, count: before), [UInt8](repeating: 0x61, count: after))
      for one in edges {
        for two in edges {
          for three in edges {
            if !agree(first + [one, two, three] + last) { wrong.append([one, two, three]) }
            guard one >= 0xE0 else { continue }
            for four in edges where !agree(first + [one, two, three, four] + last) {
              wrong.append([one, two, three, four])
            }
          }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
  }

  @Test("of two characters of three bytes, which are looked at together, each is judged")
  func pairs() {
    let edges: [UInt8] = [0x41, 0x7F, 0x80, 0x9F, 0xA0, 0xBF, 0xC0, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0]
    var wrong: [[UInt8]] = []
    for one in edges {
      for two in edges {
        for three in edges {
          let character = [one, two, three]
          for bytes in [character + "서aa".utf8, "서".utf8 + character + "aa".utf8] where !agree(bytes) {
            wrong.append(bytes)
          }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
  }

  @Test("text of mixed scripts is read whole, and no cut of it is taken for text unless it is")
  func cuts() {
    let text = Array("서울특별시 kino – Ærø 🎬 미리내극장 naïve 映画館 end".utf8)
    #expect(agree(text))
    for start in text.indices {
      for end in start...text.count { #expect(agree(Array(text[start..<end])), "\(start)..<\(end)") }
    }
  }
}
