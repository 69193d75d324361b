import JSON

/// Data as programs hand it on, made plain before it is read: what frameworks flatten, pair or wrap.
///
///     {"type": "data", "data": [{"films": 1}, [2], {"title": 3}, "Silt"]}      a table of places
///     {"title": [0, "Silt"], "start": [3, "2026-11-27T19:30:00Z"]}             kinds beside values
///     {"id": "7", "attributes": {…}, "relationships": {"film": {"data": {…}}}} a record in parts
///     {"$date": {"$numberLong": "1795807800000"}}, "[{\"title\": …}]"          values in a wrapper
///     {"title": {"stringValue": "Silt"}}, {"title": {"S": "Silt"}}             values with their types
///     {"t": [{"code": 144, "$": "20:45"}]}                                     an element's text beside its attributes
struct PlainForms {
  let budget: WorkBudget
  let limits: ExtractionLimits
  /// That of the page and those of the place.
  var languages: [String] = []
  private let texts = Texts()

  /// What was made of texts: one that many places name is read once, and kept once.
  private final class Texts {
    var known: [String: Parsed?] = [:]
  }

  private struct Parsed {
    var value: JSONValue
    var levels: Int
  }

  /// The value in plain words; nil if it is plain already.
  ///
  /// - Parameter name: what it stands under.
  func plain(_ value: JSONValue, under name: String = "", depth: Int = 0) throws(ExtractionError) -> JSONValue? {
    guard depth < limits.depth else { return nil }
    switch value {
    case .array(let values):
      try budget.spend(values.count)
      if let whole = FlatTable(values)?.whole() { return try plain(whole, under: name, depth: depth + 1) ?? whole }
      var changed: [JSONValue]?
      for (index, value) in values.enumerated() {
        guard let new = try plain(value, under: name, depth: depth + 1) else { continue }
        if changed == nil { changed = values }
        changed?[index] = new
      }
      return changed.map(JSONValue.array)
    case .object(let object):
      try budget.spend(object.count)
      if let whole = Self.unpaired(object) { return try plain(whole, depth: depth + 1) ?? whole }
      if let inner = unwrapped(object) { return try plain(inner, depth: depth + 1) ?? inner }
      if let link = Self.link(object) { return link }
      let whole = Self.inOnePiece(object) ?? Self.withText(object, under: name)
      var changed = whole
      for (name, value) in whole ?? object {
        guard let new = try plain(value, under: name, depth: depth + 1) else { continue }
        if changed == nil { changed = object }
        changed?[name] = new
      }
      return changed.map(JSONValue.object)
    case .string(let text): return try parsed(text, depth: depth)
    case .double(let number):
      // A language without whole numbers writes seconds so.
      return Int64(exactly: number).map(JSONValue.int)
    case .null, .bool, .int: return nil
    }
  }

  // MARK: Text

  /// Less is no list of anything.
  private static let bytesMin = 40

  /// Data inside a text.
  private func parsed(_ text: String, depth: Int) throws(ExtractionError) -> JSONValue? {
    guard text.utf8.count >= Self.bytesMin, let first = text.utf8.first, let last = text.utf8.last,
      first == UInt8(ascii: "{") && last == UInt8(ascii: "}") || first == UInt8(ascii: "[") && last == UInt8(ascii: "]")
    else { return nil }
    try budget.spend(text.utf8.count / Self.bytesComparedInStep + 1)
    if let known = texts.known[text] {
      return known.flatMap { depth + $0.levels <= limits.depth ? $0.value : nil }
    }
    let value = try read(text, depth: depth)
    texts.known[text] = .some(value.map { Parsed(value: $0, levels: Self.levels(of: $0)) })
    return value
  }

  /// Of finding a text again.
  private static let bytesComparedInStep = 64

  private static func levels(of value: JSONValue) -> Int {
    switch value {
    case .array(let values): 1 + (values.lazy.map(levels).max() ?? 0)
    case .object(let object): 1 + (object.lazy.map { levels(of: $0.value) }.max() ?? 0)
    case .null, .bool, .int, .double, .string: 0
    }
  }

  private func read(_ text: String, depth: Int) throws(ExtractionError) -> JSONValue? {
    var limits = limits
    limits.depth -= depth
    var json = LooseJSON(Array(text.utf8), budget: budget, limits: limits)
    let value = try? json.document()
    if let exhausted = json.exhausted { throw exhausted }
    guard let value else { return nil }
    return try plain(value, depth: depth + 1) ?? value
  }

  // MARK: Pairs

  /// Properties of an island as Astro writes them: `[kind, value]`.
  private static func unpaired(_ object: JSONObject) -> JSONValue? {
    guard object.contains(where: { $0.value.array?.count == 2 }), let members = members(object),
      object.contains(where: { isTelling($0.value) })
    else { return nil }
    return .object(members)
  }

  /// A list or an object of pairs: a range of numbers holds none.
  private static func isTelling(_ pair: JSONValue) -> Bool {
    pair[1]?.array != nil || pair[1]?.object != nil || pair[1]?.string != nil
  }

  private static func members(_ object: JSONObject) -> JSONObject? {
    var members: [(name: String, value: JSONValue)] = []
    for (name, value) in object {
      guard let plain = value.array.flatMap(ofPair) else { return nil }
      members.append((name, plain))
    }
    return JSONObject(members)
  }

  private static func ofPair(_ pair: [JSONValue]) -> JSONValue? {
    guard let kind = pair.first?.int, (1...2).contains(pair.count) else { return nil }
    guard pair.count == 2 else { return kind == 0 ? .null : nil }
    switch (kind, pair[1]) {
    case (0, .object(let object)): return members(object).map(JSONValue.object)
    case (0, .array): return nil
    case (1, .array(let values)), (5, .array(let values)):
      var list: [JSONValue] = []
      for value in values {
        guard let plain = value.array.flatMap(ofPair) else { return nil }
        list.append(plain)
      }
      return .array(list)
    case (0, let value), (2...11, let value): return value
    default: return nil
    }
  }

  // MARK: Wrappers

  /// `{"$date": …}`, `{"$numberLong": "…"}`, `{"en-GB": …}`: the one value that is meant.
  private func unwrapped(_ object: JSONObject) -> JSONValue? {
    guard let (_, value) = object.first else { return nil }
    if let value = TypedValues.value(of: object) ?? TypedValues.item(object) { return value }
    guard object.count <= Self.languagesMax, object.allSatisfy({ Self.isLanguage($0.name) }) else { return nil }
    return RecordText.inOneLanguage(object, of: languages) ?? value
  }

  /// An element of XML as JSON: its text is what the list or the field is called after.
  private static func withText(_ object: JSONObject, under name: String) -> JSONObject? {
    guard object.count > 1, !name.isEmpty, object[name] == nil,
      let mark = textNames.first(where: { object[$0]?.string != nil })
    else { return nil }
    return JSONObject(object.map { ($0.name == mark ? name : $0.name, $0.value) })
  }

  private static let textNames = ["$", "#text", "_text"]

  private static let languagesMax = 24

  /// `en-GB`, `pt_BR`
  private static func isLanguage(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    return bytes.count == 5 && (bytes[2] == UInt8(ascii: "-") || bytes[2] == UInt8(ascii: "_"))
      && bytes[..<2].allSatisfy { (0x61...0x7A).contains($0) } && bytes[3...].allSatisfy { (0x41...0x5A).contains($0) }
  }

  // MARK: Records in parts

  /// A record whose fields stand in a part of it, and those that it names in another, as one record; a list of changes
  /// and who made them is left out. What it names is `{"__ref": id}`.
  private static func inOnePiece(_ object: JSONObject) -> JSONObject? {
    guard let part = ["attributes", "fields"].first(where: { object[$0]?.object != nil }),
      let fields = object[part]?.object,
      object.allSatisfy({ partNames.contains($0.name) || $0.name == "name" && isPath($0.value) })
    else { return related(object) }
    var whole = JSONObject()
    if let id = object["id"] ?? object["sys"]?["id"] { whole["id"] = id }
    if let type = object["type"] { whole["type"] = type }
    for (name, value) in fields { whole[name] = record(in: value) ?? value }
    for (name, value) in object["relationships"]?.object ?? JSONObject() where whole[name] == nil {
      whole[name] = value["data"].flatMap(named) ?? value
    }
    return whole
  }

  private static let partNames: Set<String> = [
    "id", "type", "attributes", "fields", "relationships", "sys", "metadata", "links", "meta", "createdTime",
    "createTime", "updateTime",
  ]

  /// `projects/moss/databases/(default)/documents/shows/a0`
  private static func isPath(_ value: JSONValue) -> Bool { value.string.map(TypedValues.isPath) ?? false }

  /// A record that holds others as `{"film": {"data": {…}}}`.
  private static func related(_ object: JSONObject) -> JSONObject? {
    var changed: JSONObject?
    for (name, value) in object {
      guard let new = record(in: value) else { continue }
      if changed == nil { changed = object }
      changed?[name] = new
    }
    return changed
  }

  /// What Strapi wraps.
  private static func record(in value: JSONValue) -> JSONValue? {
    guard let object = value.object, let data = object["data"]?.object, data["attributes"] != nil,
      object.names.allSatisfy(wrapperNames.contains)
    else { return nil }
    return .object(data)
  }

  private static let wrapperNames: Set<String> = ["data", "links", "meta"]

  /// `{"sys": {"type": "Link", "id": "4xQ"}}`
  private static func link(_ object: JSONObject) -> JSONValue? {
    guard object.count == 1, let system = object["sys"]?.object, system["type"]?.string == "Link",
      let id = system["id"]
    else { return nil }
    return .object(JSONObject([("__ref", id)]))
  }

  private static let linksMax = 5_000

  /// `{"type": "films", "id": "101"}`, or several.
  private static func named(_ data: JSONValue) -> JSONValue? {
    if let values = data.array {
      let records = values.prefix(linksMax).compactMap(named)
      return records.isEmpty ? nil : .array(records)
    }
    guard let type = data["type"]?.string, let id = data["id"], let text = id.string ?? id.int.map(String.init) else {
      return nil
    }
    return .object(JSONObject([("__ref", .string("\(type):\(text)"))]))
  }
}
