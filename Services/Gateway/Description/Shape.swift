import Calendars
import Contracts
import JSON

/// Something that the API answers: it knows how it looks in JSON, and how that is described.
nonisolated protocol Presentable: JSONWritable {
  static var schema: Schema { get }
}

/// The members of an object, declared once: what is written and what the API's description says come both from here.
///
///     static let shape = Shape<Region>("Region", [
///       .required("id", "Its slug.") { $0.id },
///       .optional("name_en", "In English.") { $0.nameEnglish },
///     ])
nonisolated struct Shape<Value>: Sendable {
  let name: String
  let summary: String
  let members: [Member]

  init(_ name: String, _ summary: String = "", _ members: [Member]) {
    self.name = name
    self.summary = summary
    self.members = members
  }

  struct Member: Sendable {
    let name: StaticString
    let isRequired: Bool
    let schema: @Sendable () -> Schema
    let write: @Sendable (Value, inout JSONWriter) -> Void
  }

  var schema: Schema {
    let members = members.map { (name: "\($0.name)", schema: $0.schema(), isRequired: $0.isRequired) }
    // Open, because a later version may say more and readers must not mind.
    return Schema.object(members, isOpen: true, summary: summary.isEmpty ? nil : summary).named(name)
  }
}

nonisolated extension Shape.Member {
  /// A member that is always there.
  static func required<Field: Presentable & SendableMetatype>(
    _ name: StaticString, _ summary: String, as schema: Schema? = nil,
    _ field: @escaping @Sendable (Value) -> Field
  ) -> Self {
    Self(
      name: name, isRequired: true, schema: { (schema ?? Field.schema).described(summary) },
      write: { value, json in json.field(name, field(value)) })
  }

  /// A member that is left out when it is not known or was not asked for.
  static func optional<Field: Presentable & SendableMetatype>(
    _ name: StaticString, _ summary: String, as schema: Schema? = nil,
    _ field: @escaping @Sendable (Value) -> Field?
  ) -> Self {
    Self(
      name: name, isRequired: false, schema: { (schema ?? Field.schema).described(summary) },
      write: { value, json in
        if let field = field(value) { json.field(name, field) }
      })
  }

  /// A member that is always there, and null when there is none.
  static func nullable<Field: Presentable & SendableMetatype>(
    _ name: StaticString, _ summary: String, as schema: Schema? = nil,
    _ field: @escaping @Sendable (Value) -> Field?
  ) -> Self {
    Self(
      name: name, isRequired: true, schema: { (schema ?? Field.schema).orNull.described(summary) },
      write: { value, json in json.field(name, field(value)) })
  }

  /// A member that stands only where it is true.
  static func mark(_ name: StaticString, _ summary: String, _ field: @escaping @Sendable (Value) -> Bool) -> Self {
    Self(
      name: name, isRequired: false, schema: { Schema.constant(true).described(summary) },
      write: { value, json in
        if field(value) { json.field(name, true) }
      })
  }
}

nonisolated extension Shape.Member {
  /// The same member of something that holds the value.
  func lifted<Outer>(_ inner: @escaping @Sendable (Outer) -> Value) -> Shape<Outer>.Member {
    let write = write
    return Shape<Outer>.Member(
      name: name, isRequired: isRequired, schema: schema, write: { outer, json in write(inner(outer), &json) })
  }
}

/// A value that looks as its shape says.
nonisolated protocol Shaped: Presentable {
  static var shape: Shape<Self> { get }
}

nonisolated extension Shaped {
  static var schema: Schema { shape.schema }

  func write(to json: inout JSONWriter) {
    json.object { json in
      for member in Self.shape.members { member.write(self, &json) }
    }
  }
}

// MARK: - Plain values

nonisolated extension String: Presentable {
  static var schema: Schema { .string() }
}

nonisolated extension Bool: Presentable {
  static var schema: Schema { .boolean }
}

nonisolated extension Int: Presentable {
  static var schema: Schema { .integer() }
}

nonisolated extension Int64: Presentable {
  static var schema: Schema { .integer() }
}

nonisolated extension Double: Presentable {
  static var schema: Schema { .number() }
}

nonisolated extension Array: Presentable where Element: Presentable {
  static var schema: Schema { .array(of: Element.schema) }
}

nonisolated extension ID: Presentable {
  static var schema: Schema { .string(pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*$", length: 1...80) }
  func write(to json: inout JSONWriter) { text.write(to: &json) }
}

nonisolated extension CivilDate: Presentable {
  static var schema: Schema { .string(format: "date") }
  func write(to json: inout JSONWriter) { description.write(to: &json) }
}

nonisolated extension DisplayTime: Presentable {
  static var schema: Schema { .string(pattern: "^[0-2][0-9]:[0-5][0-9]$", examples: ["24:30"]) }
  func write(to json: inout JSONWriter) { description.write(to: &json) }
}

nonisolated extension Timestamp: Presentable {
  static var schema: Schema { .string(format: "date-time") }
  func write(to json: inout JSONWriter) { description.write(to: &json) }
}

nonisolated extension ZoneName: Presentable {
  static var schema: Schema { .string(examples: ["Asia/Seoul"]) }
  func write(to json: inout JSONWriter) { text.write(to: &json) }
}
