/// A JSON text as a tree.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  /// A number without fraction and exponent that fits: exact.
  case int(Int64)
  /// Any other number: the nearest `Double`.
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue {
  package var isNull: Bool { self == .null }

  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  package var int: Int? {
    if case .int(let value) = self { Int(exactly: value) } else { nil }
  }

  /// Any number.
  package var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  package var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  package var object: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The member of that name; `nil` if this is no object or has none.
  package subscript(name: String) -> JSONValue? { object?[name] }

  /// The element at that place; `nil` if this is no array or is shorter.
  package subscript(index: Int) -> JSONValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// Of a list, or of the one object that stands in a list's place: what is made from XML has no lists of one.
  package var members: [JSONValue]? { array ?? object.map { _ in [self] } }

  /// What kind of value it is, for messages: `a string`.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .int, .double: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue: JSONWritable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .null: json.null()
    case .bool(let value): value.write(to: &json)
    case .int(let value): value.write(to: &json)
    case .double(let value): value.write(to: &json)
    case .string(let value): value.write(to: &json)
    case .array(let values): json.array(of: values)
    case .object(let object):
      json.object { json in
        for (name, value) in object {
          json.name(name)
          value.write(to: &json)
        }
      }
    }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(nilLiteral: ()) { self = .null }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int64) { self = .int(value) }
  package init(floatLiteral value: Double) { self = .double(value) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
}

/// The members of an object in the order in which they were written. No name occurs twice.
package struct JSONObject: Sendable, Hashable, RandomAccessCollection {
  private var members: [Member] = []
  /// Where each name is, once there are more members than are worth looking through.
  private var places: [String: Int] = [:]

  private struct Member: Sendable, Hashable {
    let name: String
    var value: JSONValue
  }

  private static let searched = 8

  package init() {}

  /// A later value of the same name replaces the earlier one.
  package init(_ members: some Sequence<(String, JSONValue)>) {
    for (name, value) in members { self[name] = value }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { members.count }
  package subscript(position: Int) -> (name: String, value: JSONValue) {
    (members[position].name, members[position].value)
  }

  package var names: [String] { members.map(\.name) }

  package subscript(name: String) -> JSONValue? {
    get { place(of: name).map { members[$0].value } }
    set {
      guard let newValue else {
        guard let place = place(of: name) else { return }
        members.remove(at: place)
        rebuildPlaces()
        return
      }
      if let place = place(of: name) { members[place].value = newValue } else { append(name, newValue) }
    }
  }

  /// `false`, and no change, if the name is there already.
  mutating func insert(_ name: String, _ value: JSONValue) -> Bool {
    guard place(of: name) == nil else { return false }
    append(name, value)
    return true
  }

  private func place(of name: String) -> Int? {
    members.count <= Self.searched ? members.firstIndex { $0.name == name } : places[name]
  }

  private mutating func append(_ name: String, _ value: JSONValue) {
    members.append(Member(name: name, value: value))
    if members.count == Self.searched + 1 {
      rebuildPlaces()
    } else if members.count > Self.searched {
      places[name] = members.count - 1
    }
  }

  private mutating func rebuildPlaces() {
    places = [:]
    guard members.count > Self.searched else { return }
    for (place, member) in members.enumerated() { places[member.name] = place }
  }
}
