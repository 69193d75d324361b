/// The form of a language tag (RFC 5646), as `ko`, `ko-KR` or `zh-Hant-TW`: which words there are is not looked up.
package enum LanguageTag {
  /// The longest that everybody has to take.
  package static let bytesMax = 35
  private static let partsMax = 5

  package static func isWellFormed(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard text.utf8.count <= bytesMax, parts.count <= partsMax, let language = parts.first else { return false }
    func isPart(_ part: Substring) -> Bool {
      (1...8).contains(part.utf8.count) && part.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) }
    }
    return language.utf8.count >= 2 && language.utf8.allSatisfy(isLetter) && parts.allSatisfy(isPart)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte & 0xDF) }
}
