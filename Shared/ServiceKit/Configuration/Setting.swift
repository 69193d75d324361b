import Crypto
package import JSON

/// Something that an operator can set, declared once: its flag, environment variable, place in the file, schema and
/// documentation all come from here.
nonisolated package struct Setting<Value: Sendable>: AnySetting {
  package let spec: SettingSpec

  private init(_ spec: SettingSpec) { self.spec = spec }
}

/// A setting whose type does not matter here.
nonisolated package protocol AnySetting: Sendable {
  var spec: SettingSpec { get }
}

/// What is known of a setting apart from its type.
nonisolated package struct SettingSpec: Sendable {
  /// Words joined by hyphens: `log-level`.
  package let name: String
  let doc: String
  /// The JSON Schema of its value.
  let schema: JSONObject
  /// What it is when nobody sets it; nil if it must be set or then has no value.
  let defaultText: String?
  let isRequired: Bool
  /// Its value is the path of a file that holds the secret.
  let isSecret: Bool
  let valueName: String
  let completion: Completion
  /// The value as a ``BoxedSetting``. From nil: when nobody sets it.
  let read: @Sendable (RawSetting?) throws(SettingProblem) -> any Sendable

  /// `--log-level` without the hyphens. A secret's says that it wants a file.
  package var flagName: String { isSecret ? name + "-file" : name }
  /// `log_level`
  var memberName: String { String(flagName.map { $0 == "-" ? "_" : $0 }) }
  /// `ODI_LOG_LEVEL`, and before it `ODI_LOCATOR_LOG_LEVEL`, so that services can share an environment.
  package func variableNames(service: String) -> [String] {
    let suffix = memberName.uppercased()
    return ["ODI_\(service.uppercased())_\(suffix)", "ODI_\(suffix)"]
  }
}

/// A value as it was written.
nonisolated package enum RawSetting: Sendable {
  case text(String)
  case json(JSONValue)

  var shown: String {
    switch self {
    case .text(let text): text
    case .json(.string(let text)): text
    case .json(let json): String(decoding: json.json, as: UTF8.self)
    }
  }
}

/// Why a value is not taken: `takes a whole number from 1 to 100`.
nonisolated package struct SettingProblem: Error, Sendable {
  let detail: String
}

/// A value kept in its own type among others, so that it is taken out as it was put in, optional or not.
nonisolated struct BoxedSetting<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

// MARK: - Making one

nonisolated extension Setting where Value: SettingValue {
  package static func value(_ name: String, _ doc: String, default value: Value) -> Setting {
    one(name, doc, default: value, wanted: Value.wanted, schema: Value.schema) { _ in true }
  }

  package static func value(
    _ name: String, _ doc: String, default value: Value, in range: ClosedRange<Value>
  ) -> Setting where Value: Comparable {
    var schema = Value.schema
    if schema["type"] != "string" {
      schema["minimum"] = range.lowerBound.json
      schema["maximum"] = range.upperBound.json
    }
    let wanted = "\(Value.wanted) from \(range.lowerBound.argument) to \(range.upperBound.argument)"
    return one(name, doc, default: value, wanted: wanted, schema: schema) { range.contains($0) }
  }

  /// One that has to be set.
  package static func required(_ name: String, _ doc: String) -> Setting {
    one(name, doc, default: nil, wanted: Value.wanted, schema: Value.schema) { _ in true }
  }

  private static func one(
    _ name: String, _ doc: String, default value: Value?, wanted: String, schema: JSONObject,
    isInRange: @escaping @Sendable (Value) -> Bool
  ) -> Setting {
    var schema = schema
    if let value { schema["default"] = value.json }
    return Setting(
      SettingSpec(
        name: name, doc: doc, schema: schema, defaultText: value?.argument, isRequired: value == nil, isSecret: false,
        valueName: Value.valueName, completion: Value.completion,
        read: { raw throws(SettingProblem) in
          guard let raw else {
            guard let value else { throw SettingProblem(detail: "is not set; it takes \(wanted)") }
            return BoxedSetting(value)
          }
          guard let value = Value(raw), isInRange(value) else {
            throw SettingProblem(detail: "takes \(wanted), not \(raw.shown)")
          }
          return BoxedSetting(value)
        }))
  }
}

nonisolated extension Setting {
  /// One that may be without a value.
  package static func optional<Wrapped: SettingValue>(_ name: String, _ doc: String) -> Setting
  where Value == Wrapped? {
    Setting(
      SettingSpec(
        name: name, doc: doc, schema: Wrapped.schema, defaultText: nil, isRequired: false, isSecret: false,
        valueName: Wrapped.valueName, completion: Wrapped.completion,
        read: { raw throws(SettingProblem) in
          guard let raw else { return BoxedSetting<Value>(nil) }
          guard let value = Wrapped(raw) else {
            throw SettingProblem(detail: "takes \(Wrapped.wanted), not \(raw.shown)")
          }
          return BoxedSetting<Value>(value)
        }))
  }

  /// Any number of values: an array in the file, separated by commas elsewhere.
  package static func list<Element: SettingValue>(
    _ name: String, _ doc: String, default elements: [Element] = []
  ) -> Setting where Value == [Element] {
    let schema: JSONObject = JSONObject([
      ("type", "array"), ("items", .object(Element.schema)), ("default", .array(elements.map(\.json))),
    ])
    return Setting(
      SettingSpec(
        name: name, doc: doc, schema: schema, defaultText: elements.map(\.argument).joined(separator: ","),
        isRequired: false, isSecret: false, valueName: Element.valueName + ",…", completion: Element.completion,
        read: { raw throws(SettingProblem) in
          guard let raw else { return BoxedSetting(elements) }
          guard let values = Self.elements(of: raw, as: Element.self) else {
            throw SettingProblem(detail: "takes a list in which each is \(Element.wanted), not \(raw.shown)")
          }
          return BoxedSetting(values)
        }))
  }

  private static func elements<Element: SettingValue>(of raw: RawSetting, as type: Element.Type) -> [Element]? {
    let raws: [RawSetting]
    switch raw {
    case .text(let text): raws = text.split(separator: ",").map { .text(String($0)) }
    case .json(.array(let array)): raws = array.map(RawSetting.json)
    case .json: return nil
    }
    let values = raws.compactMap { Element($0) }
    return values.count == raws.count ? values : nil
  }
}

nonisolated extension Setting where Value == Secret? {
  /// A secret, from a file that is named by the setting. It can be given in no other way.
  ///
  /// - Parameter issuer: who gives it out; without one it is the operator who makes it.
  package static func secret(_ name: String, _ doc: String, issuer: String? = nil) -> Setting {
    Setting(
      SettingSpec(
        name: name, doc: doc, schema: String.schema, defaultText: nil, isRequired: false, isSecret: true,
        valueName: "FILE", completion: .files,
        read: { raw throws(SettingProblem) in
          guard let raw else { return BoxedSetting<Secret?>(nil) }
          guard let path = String(raw) else {
            throw SettingProblem(detail: "takes the path of a file, not \(raw.shown)")
          }
          do throws(SecretError) {
            return BoxedSetting<Secret?>(try Secret(contentsOfFile: path))
          } catch {
            throw SettingProblem(detail: "is refused: \(error.told(issuer: issuer))")
          }
        }))
  }
}

// MARK: - Values

/// A type that a setting can have: one word of text, or a JSON value.
nonisolated package protocol SettingValue: ArgumentValue {
  static var schema: JSONObject { get }
  init?(json: JSONValue)
  var json: JSONValue { get }
}

nonisolated extension SettingValue {
  init?(_ raw: RawSetting) {
    switch raw {
    case .text(let text): self.init(argument: text)
    case .json(let json): self.init(json: json)
    }
  }
}

/// Unless it says otherwise, a value is in JSON what it is on a command line: a string.
nonisolated extension SettingValue {
  package static var schema: JSONObject { JSONObject([("type", "string")]) }
  package init?(json: JSONValue) {
    guard let text = json.string else { return nil }
    self.init(argument: text)
  }
  package var json: JSONValue { .string(argument) }
}

nonisolated extension SettingValue where Self: RawRepresentable<String> & CaseIterable {
  package static var schema: JSONObject {
    JSONObject([("type", "string"), ("enum", .array(allCases.map { .string($0.rawValue) }))])
  }
}

nonisolated extension String: SettingValue {}

nonisolated extension Duration: SettingValue {
  package static var schema: JSONObject {
    JSONObject([("type", "string"), ("pattern", "^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$")])
  }
}

nonisolated extension Int: SettingValue {
  package static var schema: JSONObject { JSONObject([("type", "integer")]) }
  package var json: JSONValue { .int(Int64(self)) }
}

nonisolated extension Double: SettingValue {
  package static var schema: JSONObject { JSONObject([("type", "number")]) }
  package init?(json: JSONValue) {
    guard let value = json.double else { return nil }
    self = value
  }
  package var json: JSONValue { .double(self) }
}

nonisolated extension Bool: SettingValue {
  package static var schema: JSONObject { JSONObject([("type", "boolean")]) }
  package var json: JSONValue { .bool(self) }
}
