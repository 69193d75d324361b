import JSON

/// What a JSON value may be: the part of JSON Schema 2020-12 that the API's description needs.
nonisolated struct Schema: Sendable {
  var node: JSONObject
  /// What `node` refers to by name, described once for all.
  var definitions: [String: JSONObject] = [:]

  init(_ node: JSONObject, definitions: [String: JSONObject] = [:]) {
    self.node = node
    self.definitions = definitions
  }

  var json: JSONValue { .object(node) }
}

nonisolated extension Schema {
  /// `length` counts code points, as JSON Schema does.
  static func string(
    _ summary: String? = nil, format: String? = nil, pattern: String? = nil, length: ClosedRange<Int>? = nil,
    examples: [String] = []
  ) -> Schema {
    var node = JSONObject([("type", "string")])
    node["description"] = summary.map { .string($0) }
    node["format"] = format.map { .string($0) }
    node["pattern"] = pattern.map { .string($0) }
    if let length {
      if length.lowerBound > 0 { node["minLength"] = .int(Int64(length.lowerBound)) }
      node["maxLength"] = .int(Int64(length.upperBound))
    }
    if !examples.isEmpty { node["examples"] = .array(examples.map { .string($0) }) }
    return Schema(node)
  }

  static func integer(_ range: ClosedRange<Int>? = nil) -> Schema {
    var node = JSONObject([("type", "integer")])
    node["minimum"] = range.map { .int(Int64($0.lowerBound)) }
    node["maximum"] = range.map { .int(Int64($0.upperBound)) }
    return Schema(node)
  }

  static func number(_ range: ClosedRange<Double>? = nil) -> Schema {
    var node = JSONObject([("type", "number")])
    node["minimum"] = range.map { .double($0.lowerBound) }
    node["maximum"] = range.map { .double($0.upperBound) }
    return Schema(node)
  }

  static let boolean = Schema(JSONObject([("type", "boolean")]))
  static let null = Schema(JSONObject([("type", "null")]))

  static func words(_ words: [String]) -> Schema {
    Schema(JSONObject([("type", "string"), ("enum", .array(words.map { .string($0) }))]))
  }

  static func constant(_ value: JSONValue) -> Schema { Schema(JSONObject([("const", value)])) }

  static func array(of element: Schema, atMost: Int? = nil, atLeast: Int? = nil) -> Schema {
    var node = JSONObject([("type", "array"), ("items", element.json)])
    node["minItems"] = atLeast.map { .int(Int64($0)) }
    node["maxItems"] = atMost.map { .int(Int64($0)) }
    return Schema(node, definitions: element.definitions)
  }

  static func oneOf(_ choices: [Schema]) -> Schema {
    Schema(
      JSONObject([("oneOf", .array(choices.map(\.json)))]),
      definitions: choices.reduce(into: [:]) { $0.merge($1.definitions) { first, _ in first } })
  }

  /// An object with these members and, unless `isOpen`, no others.
  static func object(
    _ members: [(name: String, schema: Schema, isRequired: Bool)], isOpen: Bool = false, summary: String? = nil
  ) -> Schema {
    var node = JSONObject([("type", "object")])
    node["description"] = summary.map { .string($0) }
    // An open object of which nothing is known describes no members, which is not the same as having none.
    if !members.isEmpty || !isOpen {
      node["properties"] = .object(JSONObject(members.map { ($0.name, $0.schema.json) }))
    }
    let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { node["required"] = .array(required) }
    if !isOpen { node["additionalProperties"] = false }
    return Schema(
      node, definitions: members.reduce(into: [:]) { $0.merge($1.schema.definitions) { first, _ in first } })
  }

  var orNull: Schema {
    Schema(JSONObject([("anyOf", .array([json, Schema.null.json]))]), definitions: definitions)
  }

  func with(_ name: String, _ value: JSONValue) -> Schema {
    var schema = self
    // Nothing may stand beside a reference that would be read as part of it.
    if schema.node["$ref"] != nil { schema.node = JSONObject([("allOf", .array([json]))]) }
    schema.node[name] = value
    return schema
  }

  func described(_ summary: String) -> Schema { summary.isEmpty ? self : with("description", .string(summary)) }

  /// The same, described once under this name.
  func named(_ name: String) -> Schema {
    var definitions = definitions
    definitions[name] = node
    return Schema(JSONObject([("$ref", .string("#/components/schemas/\(name)"))]), definitions: definitions)
  }
}
