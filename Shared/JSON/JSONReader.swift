/// One thing that is wrong with an input, and where.
package struct JSONIssue: Error, Hashable, Sendable, CustomStringConvertible {
  /// A JSON Pointer (RFC 6901), empty for the whole text.
  package let pointer: String
  /// What to do about it: `must be a whole number from 1 to 100`.
  package let detail: String
  /// The name that was meant, where one is near.
  package let didYouMean: String?

  package init(pointer: String, detail: String, didYouMean: String? = nil) {
    self.pointer = pointer
    self.detail = detail
    self.didYouMean = didYouMean
  }

  package var description: String {
    let place = pointer.isEmpty ? "the text" : pointer
    return "\(place): \(detail)" + (didYouMean.map { "; did you mean \($0)?" } ?? "")
  }
}

/// Everything that is wrong with an input.
package struct JSONIssues: Error, Hashable, Sendable, CustomStringConvertible {
  package let issues: [JSONIssue]

  package var description: String { issues.map(\.description).joined(separator: "\n") }
}

/// Takes the members of an object by name and type, and remembers what is wrong instead of stopping at the first.
///
///     var body = JSONReader(value)
///     let note = body.optional("note", as: String.self)
///     let rating = body.required("rating", as: Int.self, in: 1...5)
///     try body.finish()          // throws all of it at once, names that nobody asked for included
package struct JSONReader {
  /// Letters of a wrong text that a message shows.
  private static let quotedMax = 100

  private let object: JSONObject
  private let pointer: String
  private var known: [String] = []
  package private(set) var issues: [JSONIssue] = []

  package init(_ value: JSONValue, at pointer: String = "") {
    self.pointer = pointer
    object = value.object ?? JSONObject()
    if value.object == nil { issues = [JSONIssue(pointer: pointer, detail: "must be an object, not \(value.kind)")] }
  }

  /// The member, or `nil` with an issue noted if it is absent, null or of another type.
  package mutating func required<Value: JSONReadable>(_ name: String, as type: Value.Type = Value.self) -> Value? {
    known.append(name)
    guard let value = object[name] else {
      note(name, "is missing; give \(Value.wanted)")
      return nil
    }
    return read(name, value)
  }

  /// The member, or `nil` if it is absent or null. One of another type is an issue.
  package mutating func optional<Value: JSONReadable>(_ name: String, as type: Value.Type = Value.self) -> Value? {
    known.append(name)
    guard let value = object[name], !value.isNull else { return nil }
    return read(name, value)
  }

  package mutating func required<Value: JSONReadable & Comparable>(
    _ name: String, as type: Value.Type = Value.self, in range: ClosedRange<Value>
  ) -> Value? {
    held(name, required(name, as: type), to: range)
  }

  package mutating func optional<Value: JSONReadable & Comparable>(
    _ name: String, as type: Value.Type = Value.self, in range: ClosedRange<Value>
  ) -> Value? {
    held(name, optional(name, as: type), to: range)
  }

  /// Reads an object inside this one. `nil` if it is absent or null.
  package mutating func object<Result>(_ name: String, _ body: (inout JSONReader) -> Result) -> Result? {
    known.append(name)
    guard let value = object[name], !value.isNull else { return nil }
    return nested(value, at: place(name), body)
  }

  /// Reads each of an array's objects. Empty if it is absent or null.
  package mutating func objects<Result>(_ name: String, _ body: (inout JSONReader) -> Result) -> [Result] {
    known.append(name)
    guard let value = object[name], !value.isNull else { return [] }
    guard let array = value.array else {
      note(name, "must be an array, not \(value.kind)")
      return []
    }
    return array.enumerated().map { index, element in nested(element, at: "\(place(name))/\(index)", body) }
  }

  /// Notes something that only the caller knows to be wrong.
  package mutating func note(_ name: String, _ detail: String) {
    issues.append(JSONIssue(pointer: place(name), detail: detail))
  }

  /// Notes something about a value further inside: `/shows/time`.
  package mutating func note(at place: String, _ detail: String) {
    issues.append(JSONIssue(pointer: pointer + place, detail: detail))
  }

  /// Throws all that is wrong, names that were never asked for included.
  package mutating func finish() throws(JSONIssues) {
    noteUnknown()
    if !issues.isEmpty { throw JSONIssues(issues: issues) }
  }

  private mutating func noteUnknown() {
    for name in object.names where !known.contains(name) {
      let near = suggestion(for: name, among: known)
      issues.append(JSONIssue(pointer: place(name), detail: "unknown field", didYouMean: near))
    }
  }

  private mutating func nested<Result>(
    _ value: JSONValue, at pointer: String, _ body: (inout JSONReader) -> Result
  ) -> Result {
    var reader = JSONReader(value, at: pointer)
    let result = body(&reader)
    reader.noteUnknown()
    issues += reader.issues
    return result
  }

  private mutating func read<Value: JSONReadable>(_ name: String, _ value: JSONValue) -> Value? {
    let result = Value(json: value)
    if result == nil {
      let given = Value.isText ? value.string.map { "“\($0.prefix(Self.quotedMax))”" } : nil
      note(name, "must be \(Value.wanted), not \(given ?? value.kind)")
    }
    return result
  }

  private mutating func held<Value: Comparable>(
    _ name: String, _ value: Value?, to range: ClosedRange<Value>
  ) -> Value? {
    guard let value, !range.contains(value) else { return value }
    note(name, "must be from \(range.lowerBound) to \(range.upperBound)")
    return nil
  }

  private func place(_ name: String) -> String {
    let escaped = name.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
    return pointer + "/" + escaped.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
  }
}

/// A type that a JSON value can become.
package protocol JSONReadable {
  /// What a message asks for: `a string`.
  static var wanted: String { get }
  /// Whether it is a text of a certain form: one of another form is told as it is, and not only that it is a text.
  static var isText: Bool { get }
  init?(json: JSONValue)
}

extension JSONReadable {
  package static var isText: Bool { false }
}

extension JSONValue: JSONReadable {
  package static var wanted: String { "a value" }
  package init?(json: JSONValue) { self = json }
}

extension String: JSONReadable {
  package static var wanted: String { "a string" }
  package init?(json: JSONValue) {
    guard let value = json.string else { return nil }
    self = value
  }
}

extension Bool: JSONReadable {
  package static var wanted: String { "true or false" }
  package init?(json: JSONValue) {
    guard let value = json.bool else { return nil }
    self = value
  }
}

extension Int: JSONReadable {
  package static var wanted: String { "a whole number" }
  package init?(json: JSONValue) {
    // 196.0 is a whole number too.
    guard let value = json.int ?? json.double.flatMap({ Int(exactly: $0) }) else { return nil }
    self = value
  }
}

extension Double: JSONReadable {
  package static var wanted: String { "a number" }
  package init?(json: JSONValue) {
    guard let value = json.double else { return nil }
    self = value
  }
}

extension Array: JSONReadable where Element: JSONReadable {
  package static var wanted: String { "an array in which each is \(Element.wanted)" }
  package init?(json: JSONValue) {
    guard let values = json.array else { return nil }
    self = []
    reserveCapacity(values.count)
    for value in values {
      guard let element = Element(json: value) else { return nil }
      append(element)
    }
  }
}
