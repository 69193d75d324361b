import JSON

/// Data as Nuxt and SvelteKit hand it over: a list of values in which lists and records hold the places of theirs.
///
///     [{"films": 1}, [2], {"title": 3, "shows": 4}, "Silt", [5], {"start": 6}, ["Date", "2026-11-27T19:30:00Z"]]
struct FlatTable {
  private let values: [JSONValue]

  /// Nil if the list is one like any other.
  init?(_ values: [JSONValue]) {
    guard values.count >= Self.valuesMin, values[0].object != nil || values[0].array != nil else { return nil }
    var hasObject = false
    var hasPlain = false
    for value in values {
      switch value {
      case .object(let object):
        guard object.allSatisfy({ Self.isPlace($0.value, values.count) }) else { return nil }
        hasObject = hasObject || !object.isEmpty
      case .array(let inner):
        guard Self.isTagged(inner) || inner.allSatisfy({ Self.isPlace($0, values.count) }) else { return nil }
      default: hasPlain = true
      }
    }
    guard hasObject, hasPlain else { return nil }
    self.values = values
  }

  private static let valuesMin = 4
  private static let depthMax = 64
  /// Values that several name are told again for each: a film of many showings.
  private static let repeatsMax = 8

  /// Numbers below nought stand for `undefined` and the like.
  private static func isPlace(_ value: JSONValue, _ count: Int) -> Bool {
    value.int.map { (-6..<count).contains($0) } ?? false
  }

  /// `["Date", "…"]`, `["Reactive", 1]`, `["Set", 4, 5]`
  private static func isTagged(_ values: [JSONValue]) -> Bool { values.first?.string != nil }

  func whole() -> JSONValue {
    var left = values.count * Self.repeatsMax
    return value(at: 0, depth: 0, left: &left)
  }

  private func value(at place: Int, depth: Int, left: inout Int) -> JSONValue {
    left -= 1
    guard values.indices.contains(place), depth < Self.depthMax, left > 0 else { return .null }
    switch values[place] {
    case .object(let object):
      var members: [(name: String, value: JSONValue)] = []
      for (name, place) in object { members.append((name, value(at: place.int ?? -1, depth: depth + 1, left: &left))) }
      return .object(JSONObject(members))
    case .array(let inner):
      guard let kind = inner.first?.string else {
        return .array(inner.map { value(at: $0.int ?? -1, depth: depth + 1, left: &left) })
      }
      switch kind {
      case "Date", "BigInt", "URL": return inner.count > 1 ? inner[1] : .null
      case "Set": return .array(inner.dropFirst().map { value(at: $0.int ?? -1, depth: depth + 1, left: &left) })
      default: return inner.count == 2 ? value(at: inner[1].int ?? -1, depth: depth + 1, left: &left) : .null
      }
    case let plain: return plain
    }
  }
}
