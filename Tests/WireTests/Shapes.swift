import FoundationEssentials
import Wire

/// Values of every shape that Codable can take, for round trips.

struct Numbers: Codable, Equatable {
  var bool = true
  var int = Int.min
  var int8 = Int8.min
  var int16 = Int16.max
  var int32 = Int32.min
  var int64 = Int64.max
  var uint = UInt.max
  var uint8 = UInt8.max
  var uint16 = UInt16.max
  var uint32 = UInt32.max
  var uint64 = UInt64.max
  var double = -0.0
  var float = Float.leastNonzeroMagnitude
}

struct OptionalNumbers: Codable, Equatable {
  var bool: Bool?
  var int: Int?
  var int8: Int8?
  var int16: Int16?
  var int32: Int32?
  var int64: Int64?
  var uint: UInt?
  var uint8: UInt8?
  var uint16: UInt16?
  var uint32: UInt32?
  var uint64: UInt64?
  var double: Double?
  var float: Float?
  var string: String?
  var date: Date?
  var list: [Int]?
  var inner: Inner?
}

struct Inner: Codable, Hashable {
  var name: String
  var rank: Int
}

struct Texts: Codable, Equatable {
  var empty = ""
  var ascii = "a fairly plain sentence of more than fifteen bytes"
  var korean = "씨네큐브 광화문"
  var emoji = "👩‍👩‍👧‍👦🎬"
  var nul = "a\0b"
  var letter: String? = "z"
}

struct Foundational: Codable, Equatable {
  var data = Data([0, 1, 2, 255])
  var noData = Data()
  var date = Date(timeIntervalSinceReferenceDate: 812_345_678.123_456_7)
  var id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  var url = URL(string: "https://example.org/a?b=c#d")!
  var relative = URL(string: "films", relativeTo: URL(string: "https://example.org/"))!
}

struct Collections: Codable, Equatable {
  var ints = [1, -1, 1 << 40]
  var doubles = [0.5, .infinity, -1]
  var floats: [Float] = [0.5]
  var bools = [true, false]
  var bytes: [UInt8] = [0, 200]
  var strings = ["", "가", "long enough not to be small"]
  var none: [String] = []
  var nested = [[1], [], [2, 3]]
  var structs = [Inner(name: "a", rank: 1), Inner(name: "b", rank: -2)]
  var optionals: [Int?] = [nil, 1, nil]
  var doublyOptional: [Int??] = [.none, .some(.none), .some(.some(3))]
  var set: Set<Int> = [1, 2, 3]
  var structSet: Set<Inner> = [Inner(name: "c", rank: 3)]
  var noSet: Set<String> = []
  var byName = ["a": "b", "c": "d"]
  var byNameToInt = ["a": 1, "b": -300]
  var byNameToStruct = ["x": Inner(name: "y", rank: 0)]
  var byInt = [1: "a", 300: "b"]
  var byID = [UUID(uuid: (0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)): [1.5]]
  var byStruct = [Inner(name: "k", rank: 1): true]
  var byEnum = [Colour.red: 1]
  var toOptional: [String: Int?] = ["a": nil, "b": 2]
  var noMap: [String: Int] = [:]
  var dates = [Date(timeIntervalSinceReferenceDate: 1)]
  var contiguous: ContiguousArray = ["a", "b"]
  var range = 1..<5
  var data = [Data([1]), Data()]
}

enum Colour: String, Codable { case red, green }
enum Size: Int, Codable { case small, large = 1000 }

enum Event: Codable, Equatable {
  case started
  case moved(x: Int, y: Double)
  case said(String)
  case both(Inner, Inner?)
  indirect case wrapped(Event)
}

enum Format: GrowingEnum {
  case imax, dolby
  case unknown(String)
  static let known: [Format] = [.imax, .dolby]
  var rawValue: String {
    switch self {
    case .imax: "imax"
    case .dolby: "dolby"
    case .unknown(let name): name
    }
  }
}

struct Enums: Codable, Equatable {
  var colour = Colour.green
  var size = Size.large
  var maybe: Size? = .small
  var events: [Event] = [
    .started, .moved(x: 1, y: 2), .said("hm"), .both(Inner(name: "a", rank: 1), nil), .wrapped(.wrapped(.said("x"))),
  ]
  var formats: [Format] = [.imax, .unknown("4dx")]
}

struct Nesting: Codable, Equatable {
  var plain: Int??
  var nothing: Int??
  var nilInside: Int??
  var deep: Int???
  var inner: Inner??
}

struct Empty: Codable, Equatable {}

struct Tree: Codable, Equatable {
  var value: Int
  var children: [Tree]
}

struct Numbered: Codable, Equatable {
  var first: String
  var second: Int
  enum CodingKeys: Int, CodingKey {
    case first = 3
    case second = 200
  }
}

struct ZeroBased: Codable, Equatable {
  var a: Int
  var b: Int
  enum CodingKeys: Int, CodingKey { case a, b }
}

struct Wide: Codable, Equatable {
  var f1 = 1, f2 = 2, f3 = 3, f4 = 4, f5 = 5, f6 = 6, f7 = 7, f8 = 8, f9 = 9, f10 = 10
  var f11 = 11, f12 = 12, f13 = 13, f14 = 14, f15 = 15, f16 = "16", f17: Int? = nil, f18 = [18], f19 = 19.5
}

struct Generic<Value: Codable & Equatable>: Codable, Equatable {
  var value: Value
  var more: [Value]
}

struct Wrapper: Codable, Equatable {
  var id: Int64
  init(_ id: Int64) { self.id = id }
  init(from decoder: any Decoder) throws { id = try decoder.singleValueContainer().decode(Int64.self) }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

@propertyWrapper struct Clamped: Codable, Equatable {
  var wrappedValue: Int
}

struct Wrapped: Codable, Equatable {
  @Clamped var level: Int
  var id: Wrapper
}

class Animal: Codable {
  var name: String
  init(name: String) { self.name = name }
}

final class Dog: Animal {
  var tricks: [String]
  init(name: String, tricks: [String]) {
    self.tricks = tricks
    super.init(name: name)
  }
  enum CodingKeys: CodingKey { case tricks }
  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    tricks = try container.decode([String].self, forKey: .tricks)
    try super.init(from: container.superDecoder())
  }
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(tricks, forKey: .tricks)
    try super.encode(to: container.superEncoder())
  }
}
