/// One JSON object a line, as programs write what they append to (JSON Lines; RFC 8142 with its marks).
package struct JSONLines: Sendable {
  /// The objects, in their order.
  package private(set) var values: [JSONValue] = []
  /// The lines that are none, from 1, without blank ones.
  package private(set) var broken: [Int] = []

  /// Before a text, by RFC 8142.
  private static let recordSeparator: UInt8 = 0x1E

  /// Nil for what is one text, broken in the middle: hardly any line of it is an object.
  package init?(_ bytes: some Collection<UInt8>, limits: JSONLimits = JSONLimits()) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let text = line.drop { $0 == Self.recordSeparator }
      guard text.contains(where: { $0 > 0x20 }) else { continue }
      if let value = try? JSONValue(parsing: text, limits: limits), value.object != nil {
        values.append(value)
      } else {
        broken.append(index + 1)
      }
    }
    guard !values.isEmpty, values.count >= broken.count else { return nil }
  }
}
