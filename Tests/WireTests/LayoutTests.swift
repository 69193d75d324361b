import CAllocations
import Clocks
import FoundationEssentials
import Synchronization
import Testing
import Wire

/// A marked struct with a field of every kind.
private struct Everything: Codable, Equatable, WireLayout {
  var bool: Bool
  var int: Int
  var int8: Int8
  var uint16: UInt16
  var int64: Int64
  var uint64: UInt64
  var double: Double
  var float: Float
  var string: String
  var date: Date
  var maybeBool: Bool?
  var maybeInt: Int?
  var maybeInt32: Int32?
  var maybeInt64: Int64?
  var maybeDouble: Double?
  var maybeFloat: Float?
  var maybeString: String?
  var maybeDate: Date?
  var data: Data
  var maybeData: Data?
  var id: UUID
  var url: URL
  var colour: Colour
  var maybeColour: Colour?
  var event: Event
  var maybeEvent: Event?
  var format: Format
  var inner: Marked
  var maybeInner: Marked?
  var inners: [Marked]
  var maybeInners: [Marked]?
  var plainInner: Inner
  var maybePlain: Inner?
  var strings: [String]
  var ints: [Int]
  var optionals: [Int?]
  var byName: [String: String]
  var byNumber: [Int: Marked]
  var renamed: String
  var children: [Everything]

  enum CodingKeys: String, CodingKey {
    case bool, int, int8, uint16, int64, uint64, double, float, string, date, maybeBool, maybeInt, maybeInt32,
      maybeInt64
    case maybeDouble, maybeFloat, maybeString, maybeDate, data, maybeData, id, url, colour, maybeColour, event,
      maybeEvent
    case format, inner, maybeInner, inners, maybeInners, plainInner, maybePlain, strings, ints, optionals
    case byName = "by name"
    case byNumber
    case renamed = "other name"
    case children
  }

  init(_ random: inout SeededRandom, depth: Int = 2) {
    bool = .random(using: &random)
    int = random.integer()
    int8 = .random(in: .min ... .max, using: &random)
    uint16 = .random(in: .min ... .max, using: &random)
    int64 = Int64(random.integer())
    uint64 = random.next()
    double = Double(bitPattern: random.next() >> 2)
    float = .random(in: -1...1, using: &random)
    string = random.text()
    date = Date(timeIntervalSinceReferenceDate: .random(in: -1e9...1e9, using: &random))
    maybeBool = random.maybe { .random(using: &$0) }
    maybeInt = random.maybe { $0.integer() }
    maybeInt32 = random.maybe { Int32(truncatingIfNeeded: $0.integer()) }
    maybeInt64 = random.maybe { Int64($0.integer()) }
    maybeDouble = random.maybe { .random(in: 0...1, using: &$0) }
    maybeFloat = random.maybe { .random(in: 0...1, using: &$0) }
    maybeString = random.maybe { $0.text() }
    maybeDate = random.maybe { Date(timeIntervalSinceReferenceDate: Double($0.integer())) }
    data = Data(random.many(100) { UInt8(truncatingIfNeeded: $0.next()) })
    maybeData = random.maybe { Data($0.many { UInt8(truncatingIfNeeded: $0.next()) }) }
    id = UUID(uuid: unsafeBitCast((random.next(), random.next()), to: uuid_t.self))
    url = URL(string: "https://example.org/\(random.integer())")!
    colour = random.maybe { _ in Colour.red } ?? .green
    maybeColour = random.maybe { _ in .green }
    event = random.maybe { Event.said($0.text()) } ?? .started
    maybeEvent = random.maybe { .moved(x: $0.integer(), y: 1) }
    format = random.maybe { Format.unknown($0.text()) } ?? .imax
    inner = Marked(&random)
    maybeInner = random.maybe { Marked(&$0) }
    inners = random.many { Marked(&$0) }
    maybeInners = random.maybe { $0.many { Marked(&$0) } }
    plainInner = Inner(name: random.text(), rank: random.integer())
    maybePlain = random.maybe { Inner(name: $0.text(), rank: 1) }
    strings = random.many { $0.text() }
    ints = random.many { $0.integer() }
    optionals = random.many { $0.maybe { $0.integer() } }
    byName = [random.text(): random.text(), random.text(): random.text()]
    byNumber = [random.integer(): Marked(&random)]
    renamed = random.text()
    children = depth == 0 ? [] : random.many(2) { Everything(&$0, depth: depth - 1) }
  }
}

private struct Marked: Codable, Equatable, WireLayout {
  var text: String
  var box: Counted
  var number: Int?

  init(_ random: inout SeededRandom) {
    text = random.text()
    box = Counted(random.integer())
    number = random.maybe { $0.integer() }
  }
}

/// An object that counts how many of its kind are alive.
private final class Counted: Codable, Equatable {
  static let alive = Atomic(0)
  let value: Int

  init(_ value: Int) {
    self.value = value
    Self.alive.add(1, ordering: .relaxed)
  }

  init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Int.self)
    Self.alive.add(1, ordering: .relaxed)
  }

  deinit { Self.alive.subtract(1, ordering: .relaxed) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }

  static func == (left: Counted, right: Counted) -> Bool { left.value == right.value }
}

/// Small enough to be read where every reader's value lands, with fields that are values of their own kind.
private struct SmallMarked: Codable, Equatable, WireLayout {
  var boxes: [Boxed]?
  var more: [Boxed]?
  var box: Boxed?
  var number: Int?
}

/// Knows only its own Codable.
private struct Boxed: Codable, Equatable {
  let value: Int

  init(_ value: Int) { self.value = value }
  init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Int.self) }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

// What keeps a marked type on the plain way.

private struct CustomEncode: Codable, WireLayout {
  var a = 1
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(a + 1, forKey: .a)
  }
}

private struct CustomDecode: Codable, WireLayout {
  var a = 1
  init() {}
  init(from decoder: any Decoder) throws {
    a = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .a) * 2
  }
}

private struct Omitting: Codable, WireLayout {
  var a = 1
  var cache = 0
  enum CodingKeys: CodingKey { case a }
}

private struct WithWrapper: Codable, WireLayout {
  @Clamped var level = 3
}

private final class MarkedClass: Codable, WireLayout {
  var a = 1
}

private enum MarkedEnum: String, Codable, WireLayout { case one }

private struct Reordered: Codable, WireLayout {
  var a = 1
  var b = 2
  enum CodingKeys: CodingKey { case b, a }
}

private struct TwiceOptional: Codable, WireLayout {
  var a: Int?? = 1
}

private struct Single: Codable, WireLayout {
  var a = 1
  init() {}
  init(from decoder: any Decoder) throws { a = try decoder.singleValueContainer().decode(Int.self) }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(a)
  }
}

@Suite("Layouts", .serialized)
struct LayoutTests {
  @Test("a field is read beside the fields before it, not over them")
  func fieldsDoNotOverlap() throws {
    let values: [SmallMarked] = [
      SmallMarked(boxes: [Boxed(1)], more: [Boxed(2), Boxed(3)], box: Boxed(4), number: 5),
      SmallMarked(boxes: nil, more: [Boxed(2)], box: Boxed(4), number: nil),
      SmallMarked(boxes: [Boxed(1), Boxed(7)], more: nil, box: nil, number: 5),
    ]
    for value in values + values {
      #expect(try Wire.decode(SmallMarked.self, from: Wire.encode(value)) == value)
    }
    #expect(WireLayouts.isRead(SmallMarked.self) == true)
  }

  @Test("a marked struct is the same bytes from memory as by its Codable, both ways")
  func sameBytes() throws {
    let layout = WireEncoder()
    let plain = WireEncoder(usesLayouts: false)
    let fastDecoder = WireDecoder()
    let plainDecoder = WireDecoder(usesLayouts: false)
    for seed in UInt64(0)..<150 {
      var random = SeededRandom(seed: seed)
      let value = Everything(&random)
      let expected = Array(try plain.encodeSelfContained(value))
      #expect(Array(try layout.encodeSelfContained(value)) == expected, "seed \(seed)")
      try expected.withUnsafeBytes { bytes in
        let fast = try fastDecoder.decodeSelfContained(Everything.self, from: bytes)
        #expect(fast == value, "seed \(seed)")
        #expect(try plainDecoder.decodeSelfContained(Everything.self, from: bytes) == value, "seed \(seed)")
      }
    }
    #expect(WireLayouts.isWritten(Everything.self) == true)
    #expect(WireLayouts.isRead(Everything.self) == true)
    #expect(WireLayouts.isWritten(Marked.self) == true)
    #expect(WireLayouts.isRead(Marked.self) == true)
  }

  @Test("the measured payloads take the fast way")
  func payloads() throws {
    func check<Value: Codable & Equatable>(_ value: Value) throws {
      let connection = Connection()
      for _ in 0..<3 { #expect(try connection.send(value) == value) }
      #expect(WireLayouts.isWritten(Value.self) == true)
      #expect(WireLayouts.isRead(Value.self) == true)
    }
    try check(NearbyRequest.sample)
    try check(NearbyReply.sample)
    try check(Schedule.sample)
    try check(Blob.sample)
    try check(Doubles.sample)
    #expect(WireLayouts.isRead(Cinema.self) == true)
    #expect(WireLayouts.isRead(Screening.self) == true)
  }

  @Test("a struct read from memory may come from an older, a newer or an unmarked writer")
  func evolution() throws {
    struct Other: Codable {
      var number: Int8?
      var added = ["x": [1, 2]]
      var text: String
      var box = 7.0
    }
    struct MarkedToo: Codable, Equatable, WireLayout {
      var text: String
      var box: Int
      var number: Int?
    }
    let connection = Connection()
    _ = try connection.send(
      [MarkedToo(text: "t", box: 1, number: 2), MarkedToo(text: "t", box: 1)], as: [MarkedToo].self)
    #expect(WireLayouts.isRead(MarkedToo.self) == true)
    let back = try connection.send(
      [Other(number: 5, text: "a long enough text"), Other(text: "b")], as: [MarkedToo].self)
    #expect(back == [MarkedToo(text: "a long enough text", box: 7, number: 5), MarkedToo(text: "b", box: 7)])
    let typed = try WireValue(parsing: #"{"box": 1, "text": "t", "more": null}"#)
    #expect(try connection.send(typed, as: MarkedToo.self) == MarkedToo(text: "t", box: 1))
    #expect(failure { try connection.send(["box": 1], as: MarkedToo.self) }?.path == "text")
  }

  @Test("a first message of any length is no dearer than the next: the mark is checked with a modest one")
  func longFirst() throws {
    struct Line: Codable, Equatable, WireLayout {
      var text: String
    }
    struct Page: Codable, Equatable, WireLayout {
      var lines: [Line]
      var limit: Int
    }
    let long = Page(lines: Array(repeating: Line(text: ""), count: 100_000), limit: 1)
    let short = Page(lines: [Line(text: "a")], limit: 1)
    let bytes = Array(try WireEncoder(usesLayouts: false).encodeSelfContained(long))
    let decoder = WireDecoder()
    func read() throws -> (Page, UInt64) {
      try bytes.withUnsafeBytes { bytes in
        let before = odi_allocated_bytes()
        let page = try decoder.decodeSelfContained(Page.self, from: bytes)
        return (page, odi_allocated_bytes() - before)
      }
    }
    let (first, cost) = try read()
    #expect(first == long)
    #expect(WireLayouts.isRead(Page.self) == nil)
    #expect(WireLayouts.isRead(Line.self) == true)
    #expect(try Wire.encode(long) == bytes)
    #expect(WireLayouts.isWritten(Page.self) == nil)
    #expect(try Wire.decode(Page.self, from: Wire.encode(short)) == short)
    #expect(WireLayouts.isRead(Page.self) == true && WireLayouts.isWritten(Page.self) == true)
    let (second, usual) = try read()
    #expect(second == long)
    #expect(cost < usual * 2 + 64 << 10, "\(cost) bytes, and \(usual) later")
  }

  @Test("checking the mark does not count against the message's own length")
  func checkedNearLimit() throws {
    struct Note: Codable, Equatable, WireLayout {
      var text: String
    }
    let encoder = WireEncoder(limits: WireLimits(messageBytes: 70_000))
    #expect(try encoder.encode(Note(text: String(repeating: "a", count: 60_000))).bytes.count > 60_000)
    #expect(WireLayouts.isWritten(Note.self) == true)
  }

  @Test("what the marker does not hold for stays on the plain way, and says so")
  func refusals() throws {
    func check<Value: Codable>(_ value: Value, _ reason: String, read: Bool = false) throws {
      let connection = Connection()
      let plain = WireEncoder(usesLayouts: false)
      for _ in 0..<3 {
        let expected = Array(try plain.encodeSelfContained(value))
        #expect(try Wire.encode(value) == expected)
        _ = try connection.send(value, as: Value.self)
      }
      #expect(WireLayouts.isRead(Value.self) == false, "\(Value.self)")
      let found = WireLayouts.refusals.filter { $0.type == "\(Value.self)" }
      #expect(found.contains { $0.reason.contains(reason) }, "\(found)")
    }
    let heard = Mutex<[String]>([])
    WireLayouts.observe { refusal in heard.withLock { $0.append(refusal.type) } }
    try check(CustomEncode(), "writes other bytes")
    try check(CustomDecode(), "makes another value")
    #expect(try Connection().send(CustomDecode(), as: CustomDecode.self).a == 2)
    try check(Omitting(), "2 stored properties and 1 keys")
    try check(WithWrapper(), "named like its property _level")
    try check(MarkedClass(), "not a struct")
    try check(MarkedEnum.one, "does not encode as a record")
    try check(Reordered(), "another order")
    try check(TwiceOptional(), "optional of an optional")
    try check(Single(), "does not encode as a record")
    #expect(heard.withLock { Set($0) }.isSuperset(of: ["CustomEncode", "WithWrapper", "Single"]))
  }

  @Test("a decode that fails half way destroys what it had built")
  func noLeak() throws {
    var random = SeededRandom(seed: 5)
    let value = Everything(&random)
    let bytes = try Wire.encode(value)
    _ = try Wire.decode(Everything.self, from: bytes)
    _ = try Wire.decode(Everything.self, from: bytes)
    #expect(WireLayouts.isRead(Everything.self) == true)
    let before = Counted.alive.load(ordering: .relaxed)
    let names = bytes.count - 8
    var refused = 0
    let decoder = WireDecoder()
    for seed in UInt64(0)..<400 {
      var random = SeededRandom(seed: seed)
      var broken = bytes
      broken[8 + Int.random(in: 0..<names / 2, using: &random)] = UInt8(truncatingIfNeeded: random.next())
      broken.withUnsafeBytes { bytes in
        if (try? decoder.decodeSelfContained(Everything.self, from: bytes)) == nil { refused += 1 }
      }
      #expect(Counted.alive.load(ordering: .relaxed) == before, "seed \(seed)")
    }
    #expect(refused > 100)
  }

  @Test("a list that is longer than room is made for comes back whole, and leaves nothing behind where it is cut")
  func longLists() throws {
    var random = SeededRandom(seed: 11)
    // The first of a type is not read into memory.
    let one = [Marked(&random)]
    #expect(try Wire.decode([Marked].self, from: Wire.encode(one)) == one)
    #expect(WireLayouts.isRead(Marked.self) == true)
    let many = (0..<5_000).map { _ in Marked(&random) }
    let bytes = try Wire.encode(many)
    #expect(try Wire.decode([Marked].self, from: bytes) == many)
    let before = Counted.alive.load(ordering: .relaxed)
    var broken = bytes
    for index in bytes.indices.dropFirst(bytes.count * 9 / 10).prefix(64) { broken[index] = 0xFF }
    #expect((try? Wire.decode([Marked].self, from: broken)) == nil)
    #expect(Counted.alive.load(ordering: .relaxed) == before)
  }
}
