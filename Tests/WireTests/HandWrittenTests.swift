import FoundationEssentials
import Testing
import Wire

/// A key that is no enum.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

private enum Keys: CodingKey { case a, b, c, d }

/// Encodes and decodes with closures, so that a test can write its own `Codable`.
private struct Probe: Codable {
  nonisolated(unsafe) static var write: (any Encoder) throws -> Void = { _ in }
  nonisolated(unsafe) static var read: (any Decoder) throws -> Void = { _ in }
  init() {}
  init(from decoder: any Decoder) throws { try Self.read(decoder) }
  func encode(to encoder: any Encoder) throws { try Self.write(encoder) }
}

@Suite("Hand-written Codable", .serialized)
struct HandWrittenTests {
  private func write(_ body: @escaping (any Encoder) throws -> Void) throws -> WireValue {
    Probe.write = body
    return try WireValue(reading: Wire.encode(Probe()))
  }

  private func read(
    _ value: WireValue, _ body: @escaping (any Decoder) throws -> Void
  ) throws {
    Probe.read = body
    _ = try Wire.decode(Probe.self, from: Wire.encode(value))
  }

  private func parse(_ text: String) -> WireValue {
    // A test's own text.
    try! WireValue(parsing: text)
  }

  @Test("nested containers of every kind nest")
  func nested() throws {
    let value = try write { encoder in
      var top = encoder.container(keyedBy: Keys.self)
      try top.encode(1, forKey: .a)
      var record = top.nestedContainer(keyedBy: Keys.self, forKey: .b)
      try record.encode("x", forKey: .a)
      var list = record.nestedUnkeyedContainer(forKey: .b)
      try list.encode(1)
      try list.encodeNil()
      var inner = list.nestedUnkeyedContainer()
      try inner.encode(contentsOf: [true, false])
      var deepest = list.nestedContainer(keyedBy: AnyKey.self)
      try deepest.encode(2.5, forKey: AnyKey(stringValue: "any"))
      #expect(list.count == 4)
      try list.encode("after")
      try record.encode("y", forKey: .c)
      try top.encodeNil(forKey: .c)
      try top.encode([Int](), forKey: .d)
    }
    let expected =
      #"{"a": 1, "b": {"a": "x", "b": [1, null, [true, false], {"any": 2.5}, "after"], "c": "y"}, "c": null, "d": []}"#
    #expect(value.description == expected)
    try read(value) { decoder in
      let top = try decoder.container(keyedBy: Keys.self)
      #expect(try top.decode(Int.self, forKey: .a) == 1)
      let record = try top.nestedContainer(keyedBy: Keys.self, forKey: .b)
      var list = try record.nestedUnkeyedContainer(forKey: .b)
      #expect(list.count == 5)
      #expect(try list.decode(Int.self) == 1)
      #expect(try list.decodeNil())
      var inner = try list.nestedUnkeyedContainer()
      #expect(try inner.decode(Bool.self))
      #expect(try top.decodeNil(forKey: .c))
      #expect(try inner.decode(Bool.self) == false)
      #expect(inner.isAtEnd)
      let deepest = try list.nestedContainer(keyedBy: AnyKey.self)
      #expect(deepest.allKeys.map(\.stringValue) == ["any"])
      #expect(try deepest.decode(Double.self, forKey: AnyKey(stringValue: "any")) == 2.5)
      #expect(try list.decode(String.self) == "after")
      #expect(list.currentIndex == 5)
      #expect(throws: DecodingError.self) { try list.decode(String.self) }
      #expect(try record.decode(String.self, forKey: .c) == "y")
      #expect(Set(top.allKeys.map(\.stringValue)) == ["a", "b", "c", "d"])
      #expect(top.contains(.d))
    }
  }

  @Test("sibling containers may be written in turns")
  func interleaved() throws {
    let value = try write { encoder in
      var top = encoder.unkeyedContainer()
      var first = top.nestedContainer(keyedBy: Keys.self)
      var second = top.nestedUnkeyedContainer()
      let third = top.superEncoder()
      for round in 0..<40 {
        try first.encode("first \(round)", forKey: Keys.a)
        try second.encode(Inner(name: "second", rank: round))
        if round == 3 {
          var one = third.container(keyedBy: AnyKey.self)
          try one.encode(1, forKey: AnyKey(stringValue: "s"))
        }
        if round == 5 {
          var inside = first.nestedUnkeyedContainer(forKey: .b)
          try second.encode(true)
          try inside.encode("inside")
          try first.encode(0, forKey: .c)
          try inside.encode("inside again")
        }
      }
      try top.encode("end")
    }
    guard case .list(let parts) = value, case .record(let first) = parts[0], case .list(let second) = parts[1] else {
      Issue.record("\(value)")
      return
    }
    #expect(parts.count == 4)
    #expect(first.filter { $0.name == "a" }.map(\.value) == (0..<40).map { .string("first \($0)") })
    #expect(parts[0]["b"]?.description == #"["inside", "inside again"]"#)
    #expect(second.count == 41)
    #expect(second[40]["rank"] == .int(39))
    #expect(parts[2].description == #"{"s": 1}"#)
    #expect(parts[3] == .string("end"))
  }

  @Test("a write that fails in a container written in turns leaves all containers as they were")
  func interleavedFailure() throws {
    struct Refusal: Error {}
    struct Refusing: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode("half", forKey: .a)
        var inner = container.nestedUnkeyedContainer(forKey: .b)
        try inner.encode(1)
        throw Refusal()
      }
    }
    let value = try write { encoder in
      var top = encoder.container(keyedBy: Keys.self)
      var first = top.nestedUnkeyedContainer(forKey: .a)
      var second = top.nestedUnkeyedContainer(forKey: .b)
      for round in 0..<3 {
        #expect(throws: Refusal.self) { try first.encode(Refusing()) }
        try first.encode(round)
        try? second.encode(Refusing())
        try second.encode(round)
        #expect(throws: Refusal.self) { try top.encode(Refusing(), forKey: .c) }
        #expect(throws: Refusal.self) { try top.encode([1: Refusing()], forKey: .c) }
      }
      try top.encode(9, forKey: .d)
    }
    #expect(value.description == #"{"a": [0, 1, 2], "b": [0, 1, 2], "d": 9}"#)
  }

  @Test("a type may write another's fields beside its own")
  func flattened() throws {
    struct Flat: Codable, Equatable {
      var inner = Inner(name: "n", rank: 3)
      var extra = ["x": 1, "y": 2]
      var own = 1.5
      enum CodingKeys: CodingKey { case own, last }
      init() {}
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(own, forKey: .own)
        try inner.encode(to: encoder)
        var any = encoder.container(keyedBy: AnyKey.self)
        for (key, value) in extra { try any.encode(value, forKey: AnyKey(stringValue: key)) }
        try container.encode("last", forKey: .last)
      }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        inner = try Inner(from: decoder)
        let any = try decoder.container(keyedBy: AnyKey.self)
        extra = [:]
        for key in any.allKeys {
          if let value = try? any.decode(Int.self, forKey: key), key.stringValue != "rank" {
            extra[key.stringValue] = value
          }
        }
        #expect(try container.decode(String.self, forKey: .last) == "last")
        own = try container.decode(Double.self, forKey: .own)
      }
    }
    let connection = Connection()
    #expect(try connection.send([Flat(), Flat()], as: [Flat].self) == [Flat(), Flat()])
    #expect(try Wire.decode(Flat.self, from: Wire.encode(Flat())) == Flat())
  }

  @Test("try? inside init(from:) leaves the decoder where it was")
  func attempts() throws {
    struct Loose: Decodable, Equatable {
      var text: String
      var number: Int
      enum CodingKeys: CodingKey { case text, number }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let inner = try? container.decode(Inner.self, forKey: .text) {
          text = inner.name
        } else if let list = try? container.decode([Inner].self, forKey: .text) {
          text = "\(list.count)"
        } else if let number = try? container.decode(Int.self, forKey: .text) {
          text = "number \(number)"
        } else {
          text = try container.decode(String.self, forKey: .text)
        }
        number = try container.decode(Int.self, forKey: .number)
      }
    }
    for (text, expected) in [
      (#"{"text": "t", "number": 1}"#, "t"), (#"{"text": 5, "number": 1}"#, "number 5"),
      (#"{"text": {"name": "n", "rank": 0}, "number": 1}"#, "n"),
      (#"{"number": 1, "text": [{"name": "n", "rank": 0}]}"#, "1"),
    ] {
      #expect(try Wire.decode(Loose.self, from: Wire.encode(parse(text))).text == expected)
    }
    struct Same<Value: Encodable>: Encodable {
      var text: Value
      var number = 1
    }
    let connection = Connection()
    #expect(try connection.send(Same(text: "t"), as: Loose.self).text == "t")
    #expect(try connection.send(Same(text: [Inner(name: "a", rank: 1)]), as: Loose.self).text == "1")
    #expect(try connection.send(Same(text: Inner(name: "a", rank: 1)), as: Loose.self).text == "a")
    let broken = Same(text: [Inner(name: "a", rank: 1), Inner(name: "b", rank: .max)] as [Inner?] + [nil])
    #expect(failure { try connection.send(broken, as: Loose.self) }?.code == .typeMismatch)
  }

  @Test("fields may be read in any order, twice, or not at all")
  func order() throws {
    try read(parse(#"{"a": 1, "b": 2, "c": 3}"#)) { decoder in
      let container = try decoder.container(keyedBy: Keys.self)
      for key in [Keys.c, .a, .b, .b, .a, .c] {
        #expect(try container.decode(Int.self, forKey: key) == [.a: 1, .b: 2, .c: 3][key])
      }
      #expect(try container.decodeIfPresent(Int.self, forKey: .d) == nil)
    }
    struct Three: Codable {
      var a = [1], b = "2", c = 3.0
    }
    struct Backwards: Decodable {
      enum CodingKeys: CodingKey { case a, b, c, d }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        #expect(try container.decode(Double.self, forKey: .c) == 3)
        #expect(try container.decode(Double.self, forKey: .c) == 3)
        #expect(try container.decodeIfPresent(Int.self, forKey: .d) == nil)
        #expect(try container.decode([Int].self, forKey: .a) == [1])
        #expect(try container.decode(String.self, forKey: .b) == "2")
      }
    }
    _ = try Connection().send([Three(), Three()], as: [Backwards].self)
  }

  @Test("the coding path is that of the value at hand")
  func path() throws {
    struct Outer: Codable {
      var list: [[String: Probe]]
    }
    let connection = Connection()
    func text(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: "/") }
    Probe.write = { encoder in
      #expect(text(encoder.codingPath) == "list/1/0")
      var container = encoder.container(keyedBy: Keys.self)
      try container.encodeNil(forKey: .a)
    }
    Probe.read = { decoder in
      #expect(text(decoder.codingPath).hasPrefix("list/1/"))
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "refused"))
    }
    let bytes = try connection.encode(Outer(list: [[:], ["k": Probe()]]))
    let error = failure { try connection.decode(Outer.self, from: bytes) }
    #expect(error?.code == .invalidValue)
    #expect(error?.path.hasPrefix("list[1]") == true)
    #expect(error?.detail == "refused")
  }

  @Test("an error that init(from:) throws is the cause")
  func cause() throws {
    struct Refusal: Error {}
    Probe.read = { _ in throw Refusal() }
    let error = failure { try Wire.decode([Probe].self, from: Wire.encode(parse("[1]"))) }
    #expect(error?.code == .invalidValue)
    #expect(error?.cause is Refusal)
  }

  @Test("containers that outlive their call refuse, and harm nothing")
  func escape() throws {
    nonisolated(unsafe) var kept: [() throws -> Void] = []
    Probe.write = { encoder in
      var keyed = encoder.container(keyedBy: Keys.self)
      var any = encoder.container(keyedBy: AnyKey.self)
      var nested = keyed.nestedContainer(keyedBy: Keys.self, forKey: .a)
      var list = keyed.nestedUnkeyedContainer(forKey: .b)
      let above = keyed.superEncoder(forKey: .c)
      kept += [
        { try keyed.encode(1, forKey: .a) }, { try keyed.encode([1], forKey: .b) }, { try keyed.encodeNil(forKey: .a) },
        { try any.encode(1, forKey: AnyKey(stringValue: "x")) }, { try nested.encode(1, forKey: .a) },
        { try list.encode(1) }, { try list.encodeNil() },
        {
          var single = above.singleValueContainer(); try single.encode(1)
        },
        {
          var single = encoder.singleValueContainer(); try single.encode("s")
        },
        {
          var again = encoder.container(keyedBy: Keys.self); try again.encode(1, forKey: .a)
        },
        {
          var again = encoder.unkeyedContainer(); try again.encode(1)
        },
        {
          var again = above.container(keyedBy: Keys.self); try again.encode(1, forKey: .a)
        },
        {
          _ = encoder.codingPath; _ = keyed.codingPath; _ = list.count
        },
      ]
    }
    Probe.read = { decoder in
      let keyed = try decoder.container(keyedBy: Keys.self)
      let any = try decoder.container(keyedBy: AnyKey.self)
      let nested = try keyed.nestedContainer(keyedBy: Keys.self, forKey: .a)
      var list = try keyed.nestedUnkeyedContainer(forKey: .b)
      let single = try keyed.superDecoder(forKey: .c).singleValueContainer()
      kept += [
        { _ = try keyed.decode(Int.self, forKey: .a) }, { _ = try keyed.decode([Int].self, forKey: .b) },
        { _ = try keyed.decodeIfPresent(String.self, forKey: .a) },
        { _ = try any.decode(Int.self, forKey: AnyKey(stringValue: "a")) },
        { _ = try nested.decode(Int.self, forKey: .a) }, { _ = try list.decode(Int.self) },
        { _ = try single.decode(Int.self) }, { _ = try decoder.container(keyedBy: Keys.self) },
        { _ = try decoder.unkeyedContainer() }, { _ = try decoder.singleValueContainer() },
        {
          _ = decoder.codingPath; _ = keyed.allKeys; _ = keyed.contains(.a); _ = single.decodeNil()
        },
      ]
    }
    // The coders are gone when the containers are used.
    let bytes = try Wire.encode(Probe())
    _ = try Wire.decode(Probe.self, from: Wire.encode(parse(#"{"a": {}, "b": [], "c": 1}"#)))
    #expect(bytes.count > 8)
    for use in kept { _ = try? use() }
    for use in kept.dropLast() {
      if let error = failure(use) { #expect(error.code == .misuse) }
    }
    #expect(try Connection().send(Numbers(), as: Numbers.self) == Numbers())
  }

  @Test("a coder that a value uses while it is coded refuses")
  func reentry() throws {
    let encoder = WireEncoder()
    Probe.write = { _ in _ = try encoder.encode(1) }
    #expect(failure { try encoder.encode(Probe()) }?.code == .misuse)
    #expect(try encoder.encode(1).bytes.count == 2)
  }
}
