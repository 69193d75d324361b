package import JSON

/// Files that people write: JSON with comments and commas at the end.
package enum JSONWithComments {
  /// Where a file cannot be read, and why.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Both from 1; the column counts bytes.
    package let line: Int
    package let column: Int
    package let reason: String

    package var description: String { "line \(line), column \(column): \(reason)" }
  }

  /// A rule has a hundred lines, a file of sites some thousands; a page saved by mistake has more.
  private static let bytesMax = 1 << 20

  package static func parse(_ bytes: [UInt8]) throws(Failure) -> JSONValue {
    guard bytes.count <= bytesMax else {
      throw Failure(line: 1, column: 1, reason: "the file has more than \(bytesMax) bytes")
    }
    var json = LooseJSON(bytes, budget: WorkBudget(bytesMax), limits: ExtractionLimits())
    do throws(LooseJSON.Failure) { return try json.document() } catch {
      let before = bytes.prefix(error.offset)
      throw Failure(
        line: before.count { $0 == 0x0A } + 1, column: error.offset - (before.lastIndex(of: 0x0A) ?? -1),
        reason: error.reason)
    }
  }
}
