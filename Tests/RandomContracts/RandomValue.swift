import Calendars
import Clocks
import Contracts
import RPC

/// A value of any contract type, made up from a seed: every optional may be there or not, every list empty or long.
package struct RandomValue: Decoder {
  let random: RandomBox
  var depth = 0
  package var codingPath: [any CodingKey] { [] }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  package static func make<Value: Decodable>(_ type: Value.Type, seed: UInt64) throws -> Value {
    try RandomValue(random: RandomBox(seed: seed)).value(type)
  }

  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let written = try special(type) as? Value { return written }
    return try Value(from: RandomValue(random: random, depth: depth + 1))
  }

  /// What checks itself when it is decoded.
  private func special(_ type: any Decodable.Type) throws -> (any Decodable)? {
    switch type {
    case is Coordinate.Type:
      try Coordinate(latitude: random.double(in: -90...90), longitude: random.double(in: -180...180))
    case is CinemaID.Type: CinemaID(random.slug())
    case is FilmID.Type: FilmID(random.slug())
    case is ShowtimeID.Type: ShowtimeID(random.slug())
    case is StationID.Type: StationID(random.slug())
    case is UserID.Type: UserID(random.slug())
    case is PersonID.Type: PersonID(random.slug())
    case is RestaurantID.Type: RestaurantID(random.slug())
    case is PlanID.Type: PlanID(random.slug())
    case is CivilDate.Type:
      CivilDate(year: 2000 + random.below(60), month: 1 + random.below(12), day: 1 + random.below(28))
    case is ClockTime.Type: ClockTime(hour: random.below(24), minute: random.below(60))
    case is DisplayTime.Type: DisplayTime(minutes: random.below(1_800))
    case is ZoneName.Type: ZoneName(["Asia/Seoul", "Europe/London", "UTC"][random.below(3)])
    default: (type as? any CaseIterable.Type).map { anyCase(of: $0) as! any Decodable }
    }
  }

  /// An enum whose names are all known decodes from no other.
  private func anyCase<Value: CaseIterable>(of _: Value.Type) -> Any {
    let cases = Array(Value.allCases)
    return cases[random.below(cases.count)]
  }

  package func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed<Key>(decoder: self))
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    Unkeyed(decoder: self, count: depth > 6 ? 0 : random.below(5))
  }

  package func singleValueContainer() throws -> any SingleValueDecodingContainer { Single(decoder: self) }
}

/// Randomness that a decoder's copies share.
final class RandomBox {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
  func bits() -> UInt64 { random.next() >> UInt64(below(64)) }
  func double(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * Double(below(1 << 20)) / Double(1 << 20)
  }
  func slug() -> String { "a" + String(bits(), radix: 36) }
  func text() -> String {
    let words = [
      "", "괴물", "怪物", "a", "fifteen bytes..", "sixteen bytes...", "longer than what a string keeps in place", "é",
    ]
    return words[below(words.count)]
  }
}

private struct Single: SingleValueDecodingContainer {
  let decoder: RandomValue
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { decoder.random.below(3) == 0 }
  func decode(_: Bool.Type) throws -> Bool { decoder.random.below(2) == 0 }
  func decode(_: String.Type) throws -> String { decoder.random.text() }
  func decode(_: Double.Type) throws -> Double { decoder.random.double(in: -1e6...1e6) }
  func decode(_: Float.Type) throws -> Float { Float(decoder.random.below(1_000)) }
  func decode(_: Int.Type) throws -> Int { Int(truncatingIfNeeded: decoder.random.bits()) }
  func decode(_: Int8.Type) throws -> Int8 { Int8(truncatingIfNeeded: decoder.random.bits()) }
  func decode(_: Int16.Type) throws -> Int16 { Int16(truncatingIfNeeded: decoder.random.bits()) }
  func decode(_: Int32.Type) throws -> Int32 { Int32(truncatingIfNeeded: decoder.random.bits()) }
  func decode(_: Int64.Type) throws -> Int64 { Int64(truncatingIfNeeded: decoder.random.bits()) }
  func decode(_: UInt.Type) throws -> UInt { UInt(truncatingIfNeeded: decoder.random.bits()) }
  func decode(_: UInt8.Type) throws -> UInt8 { UInt8(truncatingIfNeeded: decoder.random.bits()) }
  func decode(_: UInt16.Type) throws -> UInt16 { UInt16(truncatingIfNeeded: decoder.random.bits()) }
  func decode(_: UInt32.Type) throws -> UInt32 { UInt32(truncatingIfNeeded: decoder.random.bits()) }
  func decode(_: UInt64.Type) throws -> UInt64 { decoder.random.bits() }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(type) }
}

private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: RandomValue
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_: Key) -> Bool { decoder.random.below(4) > 0 }
  func decodeNil(forKey _: Key) throws -> Bool { decoder.random.below(3) == 0 }
  func decode(_ type: Bool.Type, forKey _: Key) throws -> Bool { try Single(decoder: decoder).decode(type) }
  func decode(_ type: String.Type, forKey _: Key) throws -> String { try Single(decoder: decoder).decode(type) }
  func decode(_ type: Double.Type, forKey _: Key) throws -> Double { try Single(decoder: decoder).decode(type) }
  func decode(_ type: Float.Type, forKey _: Key) throws -> Float { try Single(decoder: decoder).decode(type) }
  func decode(_ type: Int.Type, forKey _: Key) throws -> Int { try Single(decoder: decoder).decode(type) }
  func decode(_ type: Int8.Type, forKey _: Key) throws -> Int8 { try Single(decoder: decoder).decode(type) }
  func decode(_ type: Int16.Type, forKey _: Key) throws -> Int16 { try Single(decoder: decoder).decode(type) }
  func decode(_ type: Int32.Type, forKey _: Key) throws -> Int32 { try Single(decoder: decoder).decode(type) }
  func decode(_ type: Int64.Type, forKey _: Key) throws -> Int64 { try Single(decoder: decoder).decode(type) }
  func decode(_ type: UInt.Type, forKey _: Key) throws -> UInt { try Single(decoder: decoder).decode(type) }
  func decode(_ type: UInt8.Type, forKey _: Key) throws -> UInt8 { try Single(decoder: decoder).decode(type) }
  func decode(_ type: UInt16.Type, forKey _: Key) throws -> UInt16 { try Single(decoder: decoder).decode(type) }
  func decode(_ type: UInt32.Type, forKey _: Key) throws -> UInt32 { try Single(decoder: decoder).decode(type) }
  func decode(_ type: UInt64.Type, forKey _: Key) throws -> UInt64 { try Single(decoder: decoder).decode(type) }
  func decode<Value: Decodable>(_ type: Value.Type, forKey _: Key) throws -> Value { try decoder.value(type) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey _: Key
  ) throws -> KeyedDecodingContainer<Nested> { try decoder.container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey _: Key) throws -> any UnkeyedDecodingContainer { try decoder.unkeyedContainer() }
  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey _: Key) throws -> any Decoder { decoder }
}

private struct Unkeyed: UnkeyedDecodingContainer {
  let decoder: RandomValue
  let count: Int?
  var currentIndex = 0
  var codingPath: [any CodingKey] { [] }
  var isAtEnd: Bool { currentIndex >= count! }

  init(decoder: RandomValue, count: Int) {
    self.decoder = decoder
    self.count = count
  }

  mutating func decodeNil() throws -> Bool { false }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    currentIndex += 1
    return try Single(decoder: decoder).decode(type)
  }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> { try decoder.container(keyedBy: type) }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try decoder.unkeyedContainer() }
  mutating func superDecoder() throws -> any Decoder { decoder }
}
