import JSON

/// JSON-LD whose context gives schema.org's words a prefix: `{"@context": {"s": "http://schema.org/"}, "s:name": "Silt"}`.
enum PrefixedNames {
  private static let depthMax = 64

  /// The same without the prefix.
  static func plain(_ root: JSONValue) -> JSONValue {
    let contexts = (root.array ?? [root]).prefix(rootsMax).compactMap { $0["@context"] }
    var prefixes: Set<String> = []
    for context in contexts {
      for part in context.array ?? [context] {
        for (name, value) in part.object ?? JSONObject() where isOurs(value) && !name.hasPrefix("@") {
          prefixes.insert(name)
        }
      }
    }
    if prefixes.isEmpty { return root }
    return plain(root, prefixes, depth: 0)
  }

  private static let rootsMax = 64

  private static func isOurs(_ value: JSONValue) -> Bool {
    value.string.map { $0.hasSuffix("schema.org/") || $0.hasSuffix("schema.org#") } ?? false
  }

  private static func plain(_ value: JSONValue, _ prefixes: Set<String>, depth: Int) -> JSONValue {
    guard depth < depthMax else { return value }
    switch value {
    case .array(let values): return .array(values.map { plain($0, prefixes, depth: depth + 1) })
    case .object(let object):
      return .object(
        JSONObject(object.map { (name($0.name, prefixes), plain($0.value, prefixes, depth: depth + 1)) }))
    case .null, .bool, .int, .double, .string: return value
    }
  }

  private static func name(_ name: String, _ prefixes: Set<String>) -> String {
    guard let mark = name.firstIndex(of: ":"), prefixes.contains(String(name[..<mark])) else { return name }
    return String(name[name.index(after: mark)...])
  }
}
