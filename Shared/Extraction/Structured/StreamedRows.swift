import JSON

/// The rows of a stream in which React hands a page's data over: `7:["$","main",null,{…}]`, `6:T1f,text of 31 bytes`.
///
/// Rows name each other: `"$7"`, `"$L7"`, `"$7:props:films:0"`. What is named once stands where it is named.
struct StreamedRows {
  private let budget: WorkBudget
  private let levelsMax: Int
  private var rows: [String: JSONValue] = [:]
  private var order: [String] = []
  /// Values that may still be told again for another row that names them.
  private var left = 0
  /// Rows that are told whole.
  private var reached: Set<String> = []

  private static let idBytesMax = 8
  private static let repeatsMax = 4
  private static let depthMax = 48

  init(
    _ bytes: [UInt8], limits: ExtractionLimits, budget: WorkBudget, rowsMax: Int
  ) throws(ExtractionError) {
    self.budget = budget
    levelsMax = limits.depth
    try budget.spend(bytes.count / 8)
    var index = 0
    while index < bytes.count, order.count < rowsMax {
      guard let colon = bytes[index...].prefix(Self.idBytesMax + 1).firstIndex(of: UInt8(ascii: ":")),
        bytes[index..<colon].allSatisfy(Self.isHexadecimal)
      else {
        index = Self.lineEnd(bytes, index) + 1
        continue
      }
      let id = String(decoding: bytes[index..<colon], as: UTF8.self)
      index = colon + 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "T"),
        let comma = bytes[index...].prefix(Self.idBytesMax + 2).firstIndex(of: UInt8(ascii: ",")),
        let length = Int(String(decoding: bytes[(index + 1)..<comma], as: UTF8.self), radix: 16)
      {
        // A text has no end of line.
        let end = min(comma + 1 + max(length, 0), bytes.count)
        add(id, .string(String(decoding: bytes[(comma + 1)..<end], as: UTF8.self)))
        index = end
        continue
      }
      let end = Self.lineEnd(bytes, index)
      var line = bytes[index..<end]
      // What kind of row it is: a module, a hint, a debugger's.
      while let first = line.first, (0x41...0x5A).contains(first) { line = line.dropFirst() }
      if let first = line.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
        var json = LooseJSON(Array(line), budget: budget, limits: limits)
        if let value = try? json.document() { add(id, value) }
        if let exhausted = json.exhausted { throw exhausted }
      }
      index = end + 1
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool { isDigitByte(byte) || (0x61...0x66).contains(byte) }

  private static func lineEnd(_ bytes: [UInt8], _ start: Int) -> Int {
    bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
  }

  private mutating func add(_ id: String, _ value: JSONValue) {
    if rows[id] == nil { order.append(id) }
    rows[id] = value
  }

  /// The rows that no other names, with those that they name in their places; and those that name each other in a circle.
  mutating func values() throws(ExtractionError) -> [JSONValue] {
    var named: Set<String> = []
    var count = 0
    for id in order {
      guard let row = rows[id] else { continue }
      try collect(row, of: id, into: &named, &count)
    }
    left = count * Self.repeatsMax
    var values: [JSONValue] = []
    for id in order where !named.contains(id) { try append(id, to: &values) }
    for id in order where !reached.contains(id) { try append(id, to: &values) }
    return values
  }

  private mutating func append(_ id: String, to values: inout [JSONValue]) throws(ExtractionError) {
    guard let row = rows[id], row.string == nil else { return }
    reached.insert(id)
    values.append(try resolved(row, within: [id]))
  }

  private func collect(
    _ value: JSONValue, of row: String, into named: inout Set<String>, _ count: inout Int
  ) throws(ExtractionError) {
    count += 1
    switch value {
    case .string(let text):
      // Whoever names a part of a row leaves the others of it where they are.
      if let (id, path) = Self.reference(text), path.isEmpty, id != row, rows[id] != nil { named.insert(id) }
    case .array(let values):
      try budget.spend(values.count)
      for value in values { try collect(value, of: row, into: &named, &count) }
    case .object(let object):
      try budget.spend(object.count)
      for (_, value) in object { try collect(value, of: row, into: &named, &count) }
    case .null, .bool, .int, .double: break
    }
  }

  /// `$7`, `$L7`, `$@7`, `$7:props:films:0`
  private static func reference(_ text: String) -> (id: String, path: [Substring])? {
    guard text.utf8.first == UInt8(ascii: "$"), text.utf8.count <= 120 else { return nil }
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard var id = parts.first else { return nil }
    if let kind = id.utf8.first, kind == UInt8(ascii: "L") || kind == UInt8(ascii: "@") { id = id.dropFirst() }
    guard (1...idBytesMax).contains(id.utf8.count), id.utf8.allSatisfy(isHexadecimal) else { return nil }
    return (String(id), Array(parts.dropFirst()))
  }

  private mutating func resolved(
    _ value: JSONValue, within open: [String], depth: Int = 0
  ) throws(ExtractionError) -> JSONValue {
    left -= 1
    try budget.spend()
    switch value {
    case .string(let text):
      guard text.utf8.first == UInt8(ascii: "$"), text.utf8.count > 1 else { return value }
      if text.hasPrefix("$D") { return .string(String(text.dropFirst(2))) }
      if text.hasPrefix("$$") { return .string(String(text.dropFirst())) }
      if text == "$undefined" { return .null }
      guard let (id, path) = Self.reference(text), !open.contains(id), open.count < Self.depthMax,
        depth < levelsMax, left > 0, var row = rows[id]
      else { return value }
      for step in path {
        guard let inner = Self.member(row, step) else { return value }
        row = inner
      }
      if path.isEmpty { reached.insert(id) }
      return try resolved(row, within: open + [id], depth: depth + 1)
    case .array(let values):
      var resolved: [JSONValue] = []
      for value in values { resolved.append(try self.resolved(value, within: open, depth: depth + 1)) }
      return .array(resolved)
    case .object(let object):
      var members: [(name: String, value: JSONValue)] = []
      for (name, value) in object { members.append((name, try resolved(value, within: open, depth: depth + 1))) }
      return .object(JSONObject(members))
    case .null, .bool, .int, .double: return value
    }
  }

  private static func member(_ value: JSONValue, _ step: Substring) -> JSONValue? {
    if let array = value.array {
      // An element is ["$", type, key, props].
      if step == "props", array.count > 3 { return array[3] }
      return Int(step).flatMap { array.indices.contains($0) ? array[$0] : nil }
    }
    return value[String(step)]
  }
}
