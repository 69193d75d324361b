package import Clocks
package import Contracts
import Crypto

/// Where a page of items, newest first, ended.
nonisolated package struct ItemCursor: Hashable, Sendable {
  package var savedAt: WallTime
  package var kind: String
  package var id: String

  package init(_ item: SavedItem) {
    savedAt = item.savedAt
    kind = item.kind.rawValue
    id = item.id
  }

  /// Nil for text that no page gave out.
  package init?(_ text: String) {
    guard text.utf8.count <= 256, let bytes = Base64URL.decode(text),
      let plain = String(validating: bytes, as: UTF8.self)
    else { return nil }
    let parts = plain.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let milliseconds = Int64(parts[0]) else { return nil }
    savedAt = WallTime(milliseconds: milliseconds)
    kind = String(parts[1])
    id = String(parts[2])
  }

  package var text: String { Base64URL.encode("\(savedAt.milliseconds) \(kind) \(id)".utf8) }
}
