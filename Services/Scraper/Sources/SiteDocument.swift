import JSON

/// A site file's document as people read it: members in one order, on one line what fits.
nonisolated struct SiteDocument {
  private let document: JSONValue

  private static let width = 100
  /// What it is, where it is read, how often, by what, and how it is judged. Others follow as they were.
  private static let order = [
    "$schema", "site", "cinema", "zone", "enabled", "adapter", "params", "venue", "credit", "place", "page", "start",
    "schedule", "prefer", "days", "films", "expect", "fixtures",
  ]

  init(_ document: JSONValue) { self.document = document }

  /// With one more member, or with another value for it.
  func with(_ name: String, _ value: JSONValue) -> SiteDocument {
    guard let object = document.object else { return self }
    let others = object.filter { $0.name != name }.map { ($0.name, $0.value) }
    return SiteDocument(.object(JSONObject(others + [(name, value)])))
  }

  var text: String {
    guard let object = document.object else { return Self.flat(document) + "\n" }
    func place(_ name: String) -> Int { Self.order.firstIndex(of: name) ?? Self.order.count }
    let members = object.enumerated().sorted {
      (place($0.element.name), $0.offset) < (place($1.element.name), $1.offset)
    }
    let sorted = JSONObject(members.map { ($0.element.name, $0.element.value) })
    return Self.broken(.object(sorted), depth: 0) + "\n"
  }

  private static func written(_ value: JSONValue, depth: Int) -> String {
    let flat = flat(value)
    return flat.utf8.count + 2 * depth <= width ? flat : broken(value, depth: depth)
  }

  private static func broken(_ value: JSONValue, depth: Int) -> String {
    let inner = String(repeating: "  ", count: depth + 1)
    func lines(_ parts: [String], _ open: String, _ close: String) -> String {
      "\(open)\n\(parts.map { inner + $0 }.joined(separator: ",\n"))\n\(String(repeating: "  ", count: depth))\(close)"
    }
    switch value {
    case .object(let object):
      let parts = object.map { flat(.string($0.name)) + ": " + written($0.value, depth: depth + 1) }
      return parts.isEmpty ? "{}" : lines(parts, "{", "}")
    case .array(let values):
      return values.isEmpty ? "[]" : lines(values.map { written($0, depth: depth + 1) }, "[", "]")
    default: return flat(value)
    }
  }

  private static func flat(_ value: JSONValue) -> String {
    switch value {
    case .object(let object):
      object.isEmpty
        ? "{}" : "{ \(object.map { "\(flat(.string($0.name))): \(flat($0.value))" }.joined(separator: ", ")) }"
    case .array(let values): "[\(values.map(flat).joined(separator: ", "))]"
    default: String(decoding: value.json, as: UTF8.self)
    }
  }
}
