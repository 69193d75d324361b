import JSON

/// Values as stores of documents hand them on, each with its type.
///
///     {"title": {"stringValue": "Silt"}, "at": {"timestampValue": "2026-11-27T19:30:00Z"}}
///     {"title": {"S": "Silt"}, "minutes": {"N": "104"}}
///     {"Name": {"id": "a", "type": "title", "title": [{"plain_text": "Silt"}]}}
///     {"$date": {"$numberLong": "1795807800000"}}
enum TypedValues {
  /// What an object of one member that is called after a type holds.
  static func value(of object: JSONObject) -> JSONValue? {
    if let value = told(object) { return value }
    guard object.count == 1, let (name, value) = object.first else { return nil }
    switch name {
    case "$date", "$oid", "stringValue", "timestampValue", "booleanValue", "doubleValue", "referenceValue": return value
    case "$numberLong", "$numberInt", "$numberDouble", "$numberDecimal", "integerValue": return number(value)
    case "nullValue": return .null
    case "mapValue": return value["fields"] ?? (value.object?.isEmpty == true ? value : nil)
    case "arrayValue": return value["values"] ?? (value.object?.isEmpty == true ? .array([]) : nil)
    default: return nil
    }
  }

  /// `{"id": "a%3B", "type": "title", "title": [{"plain_text": "Silt"}]}`: the member that the type is called after.
  private static func told(_ object: JSONObject) -> JSONValue? {
    guard let type = object["type"]?.string, let value = object[type], object.count <= toldMax,
      object.names.allSatisfy({ $0 == type || $0 == "type" || $0 == "id" })
    else { return nil }
    if let parts = value.array, !parts.isEmpty, parts.allSatisfy({ $0["plain_text"]?.string != nil }) {
      return .string(parts.compactMap { $0["plain_text"]?.string }.joined())
    }
    if type == "date", let start = value["start"] { return start }
    return value["name"]?.string.map(JSONValue.string) ?? value
  }

  private static let toldMax = 3

  /// A record whose every field is an object of one member, its type's letter: one alone may be called so by chance.
  static func item(_ object: JSONObject) -> JSONValue? {
    guard object.count >= fieldsMin else { return nil }
    var members: [(name: String, value: JSONValue)] = []
    for (name, value) in object {
      guard let inner = value.object, let plain = lettered(inner) else { return nil }
      members.append((name, plain))
    }
    return .object(JSONObject(members))
  }

  /// A title and a start.
  private static let fieldsMin = 2

  private static func lettered(_ object: JSONObject) -> JSONValue? {
    guard object.count == 1, let (type, value) = object.first else { return nil }
    switch (type, value) {
    case ("S", .string): return value
    case ("N", .string): return number(value)
    case ("BOOL", .bool): return value
    case ("NULL", .bool): return .null
    case ("SS", .array), ("NS", .array): return value
    case ("L", .array(let values)):
      let list = values.map { $0.object.flatMap(lettered) }
      return list.contains(nil) ? nil : .array(list.compactMap(\.self))
    case ("M", .object(let inner)):
      var members: [(name: String, value: JSONValue)] = []
      for (name, value) in inner {
        guard let plain = value.object.flatMap(lettered) else { return nil }
        members.append((name, plain))
      }
      return .object(JSONObject(members))
    default: return nil
    }
  }

  private static func number(_ value: JSONValue) -> JSONValue {
    value.string.flatMap(Int64.init).map(JSONValue.int) ?? value
  }

  /// "projects/moss/databases/(default)/documents/shows/a0": where something is kept, and no title.
  static func isPath(_ text: String) -> Bool {
    !text.utf8.contains(0x20) && text.utf8.count { $0 == UInt8(ascii: "/") } >= pathSlashesMin
  }

  private static let pathSlashesMin = 3
}
