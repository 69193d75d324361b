import JSON

/// HTML inside JSON, as scripts ask for parts of a page: `{"success": true, "html": "<div class=…"}`.
struct EmbeddedMarkup {
  /// The parts as one page.
  let page: [UInt8]

  /// A shorter text is a remark.
  private static let bytesMin = 200
  /// More are descriptions of something.
  private static let partsMax = 8
  /// A list of instructions, each with its data.
  private static let depthMax = 4

  /// Nil where there is none, or it is what people wrote about something.
  init?(_ root: JSONValue, budget: WorkBudget) throws(ExtractionError) {
    var parts: [String] = []
    try Self.collect(root, name: "", depth: 0, into: &parts, budget: budget)
    guard (1...Self.partsMax).contains(parts.count) else { return nil }
    page = Array(parts.joined(separator: "\n").utf8)
  }

  private static func collect(
    _ value: JSONValue, name: String, depth: Int, into parts: inout [String], budget: WorkBudget
  ) throws(ExtractionError) {
    guard depth <= depthMax, parts.count <= partsMax else { return }
    switch value {
    case .array(let values):
      try budget.spend(values.count)
      for value in values { try collect(value, name: name, depth: depth + 1, into: &parts, budget: budget) }
    case .object(let object):
      try budget.spend(object.count)
      for (name, value) in object {
        try collect(value, name: name, depth: depth + 1, into: &parts, budget: budget)
      }
    case .string(let text):
      guard text.utf8.count >= bytesMin, !RecordKey.words(of: name).contains(where: prose.contains) else { return }
      try budget.spend(text.utf8.count / 16)
      if text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "<"), text.holds("</") { parts.append(text) }
    case .null, .bool, .int, .double: break
    }
  }

  private static let prose: Set<String> = [
    "rendered", "description", "desc", "summary", "excerpt", "synopsis", "body", "text", "bio", "about", "intro",
    "note",
    "notes", "info", "story", "plot",
  ]
}
