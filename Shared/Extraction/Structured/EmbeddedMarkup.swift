import Calendars
import JSON

/// HTML inside JSON, as scripts ask for parts of a page: `{"success": true, "html": "<div class=…"}`; or for days of it,
/// each beside its date: `[{"date": "2026-11-27", "program": "<div class=…"}]`.
struct EmbeddedMarkup {
  /// The parts as one page, each below the day that stands beside it.
  let page: [UInt8]

  /// A shorter text is a remark.
  private static let bytesMin = 200
  /// More are descriptions of something.
  private static let partsMax = 8
  /// Days of a programme.
  private static let daysMax = 62
  /// A list of instructions, each with its data.
  private static let depthMax = 4

  private struct Part {
    var day: CivilDate?
    var text: String
  }

  /// Nil where there is none, or it is what people wrote about something.
  init?(_ root: JSONValue, budget: WorkBudget) throws(ExtractionError) {
    var parts: [Part] = []
    try Self.collect(root, name: "", day: nil, depth: 0, into: &parts, budget: budget)
    let days = Set(parts.compactMap(\.day))
    guard !parts.isEmpty, parts.count <= Self.partsMax || days.count == parts.count else { return nil }
    page = Array(parts.map { ($0.day.map { "<h2>\($0)</h2>" } ?? "") + $0.text }.joined(separator: "\n").utf8)
  }

  private static func collect(
    _ value: JSONValue, name: String, day: CivilDate?, depth: Int, into parts: inout [Part], budget: WorkBudget
  ) throws(ExtractionError) {
    guard depth <= depthMax, parts.count <= daysMax else { return }
    switch value {
    case .array(let values):
      try budget.spend(values.count)
      for value in values { try collect(value, name: name, day: nil, depth: depth + 1, into: &parts, budget: budget) }
    case .object(let object):
      try budget.spend(object.count)
      let day = self.day(of: object)
      for (name, value) in object {
        try collect(value, name: name, day: day, depth: depth + 1, into: &parts, budget: budget)
      }
    case .string(let text):
      guard text.utf8.count >= bytesMin, !RecordKey.words(of: name).contains(where: prose.contains) else { return }
      try budget.spend(text.utf8.count / 16)
      if text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "<"), text.holds("</") {
        parts.append(Part(day: day, text: text))
      }
    case .null, .bool, .int, .double: break
    }
  }

  /// The one day that an object is of; when something was written has an hour, or is called so.
  private static func day(of object: JSONObject) -> CivilDate? {
    var found: CivilDate?
    for (name, value) in object {
      guard let text = value.string, text.utf8.count == dayBytes, let day = CivilDate(text),
        case let key = RecordKey(name), !key.isOfOtherTime
      else { continue }
      if let found, found != day { return nil }
      found = day
    }
    return found
  }

  /// `2026-11-27`
  private static let dayBytes = 10

  private static let prose: Set<String> = [
    "rendered", "description", "desc", "summary", "excerpt", "synopsis", "body", "text", "bio", "about", "intro",
    "note",
    "notes", "info", "story", "plot",
  ]
}
