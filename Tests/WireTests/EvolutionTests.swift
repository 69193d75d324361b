import FoundationEssentials
import Testing
import Wire

/// Two ages of a contract: what one writes, the other reads, over a connection and from a file.
@Suite("Evolution")
struct EvolutionTests {
  private func read<Old: Encodable, New: Decodable>(_ old: Old, as new: New.Type = New.self) throws -> New {
    let connection = Connection()
    _ = try Wire.decode(New.self, from: Wire.encode(old))
    return try connection.send(old)
  }

  private func refusal<Old: Encodable, New: Decodable>(_ old: Old, as new: New.Type) -> WireError? {
    failure { try read(old, as: new) }
  }

  struct First: Codable, Equatable {
    var name = "n"
    var rank = 3
  }

  @Test("an optional field added is nil from the old, skipped by the old")
  func optionalAdded() throws {
    struct Second: Codable, Equatable {
      var name = "n"
      var added: [String: [Inner]]? = ["x": [Inner(name: "i", rank: 1)]]
      var rank = 3
      var last: Date? = Date(timeIntervalSinceReferenceDate: 0)
    }
    #expect(try read(First(), as: Second.self) == Second(added: nil, last: nil))
    #expect(try read(Second(), as: First.self) == First())
    #expect(try read([Second(), Second(added: nil)], as: [First].self) == [First(), First()])
  }

  @Test("an optional field removed is nil to the old, skipped by the new")
  func optionalRemoved() throws {
    struct Second: Codable, Equatable {
      var name = "n"
    }
    struct Loose: Codable, Equatable {
      var name = "n"
      var rank: Int? = 3
    }
    #expect(try read(Second(), as: Loose.self) == Loose(rank: nil))
    #expect(try read(Loose(), as: Second.self) == Second())
  }

  @Test("fields declared in another order are found")
  func reordered() throws {
    struct Backwards: Codable, Equatable {
      var rank = 3
      var name = "n"
    }
    #expect(try read([First(), First()], as: [Backwards].self) == [Backwards(), Backwards()])
    #expect(try read(Backwards(), as: First.self) == First())
  }

  @Test("a required field added is missingField from the old")
  func requiredAdded() throws {
    struct Second: Codable {
      var name = "n"
      var added = 1
      var rank = 3
    }
    let error = refusal(["list": [First()]], as: [String: [Second]].self)
    #expect(error?.code == .missingField)
    #expect(error?.path.hasSuffix("added") == true)
    #expect(try read(Second(), as: First.self) == First())
  }

  @Test("a renamed key is a removal and an addition")
  func renamed() throws {
    struct Second: Codable {
      var title = "n"
      var rank = 3
    }
    #expect(refusal(First(), as: Second.self)?.code == .missingField)
    #expect(refusal(Second(), as: First.self)?.path == "name")
  }

  @Test("a renamed property that keeps its key changes nothing")
  func renamedProperty() throws {
    struct Second: Codable, Equatable {
      var title = "n"
      var position = 3
      enum CodingKeys: String, CodingKey {
        case title = "name"
        case position = "rank"
      }
    }
    #expect(try read(First(), as: Second.self) == Second())
    #expect(try read(Second(), as: First.self) == First())
  }

  struct One<Value: Codable & Equatable>: Codable, Equatable { var value: Value }

  @Test("numbers are read as any number that holds them exactly")
  func numbers() throws {
    #expect(try read(One(value: 300), as: One<Int16>.self).value == 300)
    #expect(try read(One(value: 300), as: One<UInt64>.self).value == 300)
    #expect(try read(One(value: UInt64.max), as: One<UInt64>.self).value == .max)
    #expect(try read(One(value: 300), as: One<Double>.self).value == 300)
    #expect(try read(One(value: 300.0), as: One<UInt16>.self).value == 300)
    #expect(try read(One(value: Float(0.5)), as: One<Double>.self).value == 0.5)
    #expect(try read(One(value: 0.5), as: One<Float>.self).value == 0.5)
    #expect(try read([1, 2, 3], as: [Double].self) == [1, 2, 3])
    #expect(refusal(One(value: 300), as: One<Int8>.self)?.code == .outOfRange)
    #expect(refusal(One(value: -1), as: One<UInt>.self)?.code == .outOfRange)
    #expect(refusal(One(value: UInt64.max), as: One<Int>.self)?.code == .outOfRange)
    #expect(refusal(One(value: 0.5), as: One<Int>.self)?.code == .outOfRange)
    #expect(refusal(One(value: 0.1), as: One<Float>.self)?.code == .outOfRange)
    #expect(refusal(One(value: Double.nan), as: One<Int>.self)?.code == .outOfRange)
    #expect(refusal([1, 2, 300], as: [Int8].self)?.path == "[2]")
  }

  @Test("a value may become optional; a nil sent to the old is an error")
  func becomesOptional() throws {
    #expect(try read(One(value: "a"), as: One<String?>.self).value == "a")
    #expect(try read(One<Int?>(value: 1), as: One<Int>.self).value == 1)
    #expect(refusal(One<Int?>(value: nil), as: One<Int>.self)?.code == .missingValue)
    struct Loose: Codable {
      var name: String?
      var rank = 1
    }
    #expect(refusal(Loose(), as: First.self)?.code == .missingField)
    #expect(refusal([1, nil], as: [Int].self)?.code == .missingValue)
    #expect(refusal([1, nil], as: [Int].self)?.path == "[1]")
  }

  @Test("a value of another kind is typeMismatch")
  func anotherKind() {
    #expect(refusal(One(value: 1), as: One<String>.self)?.code == .typeMismatch)
    #expect(refusal(One(value: "1"), as: One<Int>.self)?.code == .typeMismatch)
    #expect(refusal(One(value: "1"), as: One<Bool>.self)?.code == .typeMismatch)
    #expect(refusal(One(value: true), as: One<Int>.self)?.code == .typeMismatch)
    #expect(refusal(One(value: 1), as: One<Bool>.self)?.code == .typeMismatch)
    #expect(refusal(One(value: 1), as: One<[Int]>.self)?.code == .typeMismatch)
    #expect(refusal(One(value: [1]), as: One<Int>.self)?.path == "value")
    #expect(refusal(One(value: First()), as: One<[Int]>.self)?.code == .typeMismatch)
    #expect(refusal(One(value: 1), as: One<First>.self)?.code == .typeMismatch)
    #expect(refusal(One(value: "x"), as: One<UUID>.self)?.code == .invalidValue)
  }

  @Test("text and bytes are read as each other, text only if it is UTF-8")
  func textAndBytes() throws {
    #expect(try read(One(value: "가"), as: One<Data>.self).value == Data("가".utf8))
    #expect(try read(One(value: Data("가".utf8)), as: One<String>.self).value == "가")
    #expect(refusal(One(value: Data([0xFF])), as: One<String>.self)?.code == .badString)
  }

  @Test("an unknown enum case is an error, but kept by a growing enum")
  func enums() throws {
    enum More: String, Codable { case red, green, blue }
    #expect(try read(One(value: More.red), as: One<Colour>.self).value == .red)
    #expect(refusal(One(value: More.blue), as: One<Colour>.self)?.code == .invalidValue)
    #expect(refusal(One(value: More.blue), as: One<Colour>.self)?.path == "value")
    #expect(try read(One(value: More.blue), as: One<Format>.self).value == .unknown("blue"))
    #expect(try read(One(value: Format.unknown("imax")), as: One<Format>.self).value == .imax)
    enum MoreEvents: Codable, Equatable { case started, stopped(Int) }
    #expect(try read(One(value: MoreEvents.started), as: One<Event>.self).value == .started)
    #expect(refusal(One(value: MoreEvents.stopped(1)), as: One<Event>.self)?.code == .typeMismatch)
  }

  @Test("integer keys mean the same under other names")
  func integerKeys() throws {
    struct Second: Codable, Equatable {
      var renamed = "a"
      var more: Int?
      enum CodingKeys: Int, CodingKey {
        case renamed = 3
        case more = 7
      }
    }
    #expect(try read(Numbered(first: "a", second: 1), as: Second.self) == Second())
    #expect(refusal(Second(), as: Numbered.self)?.path == "second")
  }

  @Test("fields with names are found by who has numbers for them too, and those with numbers are absent to names")
  func namesToNumbers() throws {
    struct Named: Codable, Equatable {
      var first: String? = "a"
      var second: Int? = 1
    }
    struct Counted: Codable, Equatable {
      var first: String? = "a"
      var second: Int? = 1
      enum CodingKeys: Int, CodingKey {
        case first = 1
        case second
      }
    }
    #expect(try read(Named(), as: Counted.self) == Counted())
    #expect(try read(Counted(), as: Named.self) == Named(first: nil, second: nil))
    #expect(try read(Named(), as: Numbered.self) == Numbered(first: "a", second: 1))
    #expect(refusal(Numbered(first: "a", second: 1), as: First.self)?.code == .missingField)
  }

  @Test("a struct, a dictionary and a map are read as each other")
  func recordsAndMaps() throws {
    struct Pair: Codable, Equatable { var a = 1, b = 2 }
    #expect(try read(Pair(), as: [String: Int].self) == ["a": 1, "b": 2])
    #expect(try read(["a": 1, "b": 2, "c": 3], as: Pair.self) == Pair())
  }

  @Test("what the maker of one version wrote in its file, another reads")
  func values() throws {
    let typed = try WireValue(parsing: #"{"lat": 37, "lon": 127.5, "limit": 3, "more": [0x00ff, nan]}"#)
    #expect(try read(typed, as: NearbyRequest.self) == NearbyRequest(lat: 37, lon: 127.5, limit: 3))
    #expect(try read(NearbyRequest.sample, as: WireValue.self)["limit"] == .int(10))
  }
}
