import CAllocations
import Clocks
import Testing
import Wire

/// Bytes that no honest writer sends. Whatever they are, decoding ends, in a value or an error.
@Suite("Hostile bytes")
struct HostileTests {
  private func decode<Value: Decodable>(
    _ bytes: [UInt8], as type: Value.Type, _ definitions: [UInt8] = []
  ) -> WireError? {
    failure {
      let received = ReceivedTables()
      try received.learn(definitions)
      return try bytes.withUnsafeBytes { bytes in
        Result { try WireDecoder().decode(type, from: bytes, tables: received) }
      }.get()
    }
  }

  private func varint(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  private struct Link: Codable {
    var next: [Link]?
  }

  /// A value of each shape, encoded: what is mutated and cut below.
  private static let seeds: [(bytes: [UInt8], decode: @Sendable (WireDecoder, UnsafeRawBufferPointer) -> WireError?)] =
    {
      func seed<Value: Codable & SendableMetatype>(
        _ value: Value
      ) -> (bytes: [UInt8], decode: @Sendable (WireDecoder, UnsafeRawBufferPointer) -> WireError?) {
        // The test's own values.
        let bytes = try! Wire.encode(value)
        return (bytes, { decoder, bytes in failure { try decoder.decodeSelfContained(Value.self, from: bytes) } })
      }
      return [
        seed(NearbyRequest.sample), seed(NearbyReply.sample), seed(Numbers()), seed(Texts()), seed(Foundational()),
        seed(Collections()), seed(Enums()), seed(Nesting(plain: 5, nilInside: .some(nil))), seed(Wide()),
        seed(Numbered(first: "a", second: 1)), seed(Tree(value: 1, children: [Tree(value: 2, children: [])])),
        seed(Dog(name: "Rex", tricks: ["sit"])),
        seed(try! WireValue(parsing: #"{"a": [1, {"b": null}], "c": 0x00ff}"#)),
      ]
    }()

  @Test("no value cut short is accepted", arguments: [true, false])
  func truncations(usesLayouts: Bool) {
    let decoder = WireDecoder(usesLayouts: usesLayouts)
    for (index, seed) in Self.seeds.enumerated() {
      #expect(seed.bytes.withUnsafeBytes { seed.decode(decoder, $0) } == nil)
      for count in 0..<seed.bytes.count {
        let error = seed.bytes.withUnsafeBytes { seed.decode(decoder, UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        #expect(error != nil, "value \(index) cut to \(count) of \(seed.bytes.count)")
      }
    }
  }

  @Test("200,000 mutants end in a value or an error", arguments: [true, false])
  func mutants(usesLayouts: Bool) {
    let decoder = WireDecoder(usesLayouts: usesLayouts)
    let each = 100_000 / Self.seeds.count + 1
    for (index, seed) in Self.seeds.enumerated() {
      var random = SeededRandom(seed: UInt64(index))
      for round in 0..<each {
        var bytes = seed.bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) where bytes.count > 8 {
          let at = Int.random(in: 8..<bytes.count, using: &random)
          switch Int.random(in: 0..<6, using: &random) {
          case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          case 1: bytes[at] = UInt8(truncatingIfNeeded: random.next())
          case 2: bytes.remove(at: at)
          case 3: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: at)
          case 4: bytes.insert(contentsOf: varint(random.next()), at: at)
          default: bytes.insert(contentsOf: bytes[Int.random(in: 8...at, using: &random)...at], at: at)
          }
        }
        _ = bytes.withUnsafeBytes { seed.decode(decoder, $0) }
        // Nothing is left behind that would spoil the next.
        if round.isMultiple(of: 64) {
          let error = seed.bytes.withUnsafeBytes { seed.decode(decoder, $0) }
          #expect(error == nil, "value \(index), round \(round)")
        }
      }
    }
  }

  @Test("a million values deep is tooDeep, whether read or skipped")
  func deep() {
    let lists = [UInt8](repeating: 0, count: 0) + [0x0C] + Array((0..<1_000_000).map { _ in [UInt8(4), 1] }.joined())
    let openLists = [0x0C] + Array((0..<1_000_000).map { _ in [UInt8(7), 4] }.joined())
    let records = [0x0B] + Array((0..<1_000_000).map { _ in [UInt8(0), 0x0B] }.joined())
    for bytes in [lists, openLists, records] {
      for code in [
        decode(bytes, as: WireValue.self)?.code, decode(bytes, as: [Link].self)?.code,
        decode(bytes, as: Link.self)?.code,
        decode(bytes, as: Empty.self)?.code,
      ] {
        #expect(code == .tooDeep || code == .typeMismatch || code == .truncated, "\(String(describing: code))")
      }
    }
    #expect(decode(lists, as: WireValue.self)?.code == .tooDeep)
    #expect(decode(openLists, as: WireValue.self)?.code == .tooDeep)
    #expect(decode(records, as: WireValue.self)?.code == .tooDeep)
    #expect(decode(records, as: Empty.self)?.code == .tooDeep)
  }

  @Test("values nested as deep as the limit pass both ways, one more does not")
  func depthLimit() throws {
    func chain(_ depth: Int) -> Tree {
      (0..<depth).reduce(Tree(value: 0, children: [])) { tree, _ in Tree(value: 1, children: [tree]) }
    }
    // Each link is a record in a list, and the last has a list of none.
    let deepest = chain(WireLimits.depth / 2 - 1)
    #expect(try Connection().send(deepest, as: Tree.self) == deepest)
    #expect(failure { try Connection().encode(chain(WireLimits.depth / 2)) }?.code == .tooDeep)
    #expect(failure { try Wire.encode(chain(2000)) }?.code == .tooDeep)
  }

  @Test("counts and lengths beyond the bytes are refused before anything is made for them")
  func counts() {
    for huge in [UInt64(1) << 20, 1 << 31, 1 << 32, 1 << 62, .max] {
      for kind in UInt8(0)..<7 {
        #expect(refusal([0x0C, kind] + varint(huge), as: [Int].self) == .truncated)
        #expect(refusal([0x0C, kind] + varint(huge) + [1, 2, 3], as: [String].self) == .truncated)
        #expect(refusal([0x0C, kind] + varint(huge) + [1, 2, 3], as: [Double].self) == .truncated)
        #expect(refusal([0x0C, kind | 8] + varint(huge) + [1, 2], as: [String: String].self) == .truncated)
      }
      #expect(refusal([0x0A] + varint(huge), as: String.self) == .truncated)
    }
    // The count is no better than the bytes: they are there, and would become more than they may.
    let empties = [UInt8](repeating: 0, count: 4 << 20)
    let count = varint(UInt64(empties.count))
    #expect(refusal([0x0C, 2] + count + empties, as: [String].self) == .tooLarge)
    #expect(refusal([0x0C, 2] + count + empties, as: Set<String>.self) == .tooLarge)
    let half = varint(UInt64(empties.count / 2))
    #expect(refusal([0x0C, 3] + half + empties, as: [Wide].self) == .tooLarge)
    #expect(refusal([0x0C, 3] + half + empties, as: [MarkedWide].self) == .tooLarge)
    #expect(refusal([0x0C, 2 | 8 | 2 << 4] + half + empties, as: [String: String].self) == .tooLarge)
    #expect(refusal([0x0C, 2 | 8 | 3 << 4] + varint(1 << 20) + empties, as: [String: MarkedWide].self) == .tooLarge)
  }

  /// A string that becomes 128 bytes.
  private struct Broad: Decodable {
    var numbers: InlineArray<14, Int> = .init(repeating: 0)
    var text: String

    init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
  }

  @Test("before an element has been read there is room for 64 KiB of them at the most")
  func initialRoom() {
    // All bytes that the count speaks of are there; the first string is no UTF-8.
    let strings = varint(1 << 17) + [1, 0xFF] + [UInt8](repeating: 0, count: 1 << 18)
    #expect(refusal([0x0C, 2] + strings, as: [String].self, taking: 64 << 10..<72 << 10) == .badString)
    #expect(refusal([0x0C, 2] + strings, as: [Broad].self, taking: 64 << 10..<72 << 10) == .badString)
    #expect(refusal([0x0C, 2] + strings, as: Set<String>.self, taking: 16 << 10..<64 << 10) == .badString)
    let map = [0x0C, 2 | 8 | 2 << 4] + strings
    #expect(refusal(map, as: [String: String].self, taking: 16 << 10..<64 << 10) == .badString)
    #expect(refusal(map, as: [String: Broad].self, taking: 32 << 10..<96 << 10) == .badString)
  }

  /// Why a message of a connection is refused, if no more was made on the way there.
  private func refusal<Value: Decodable>(
    _ bytes: [UInt8], as type: Value.Type, taking allowed: Range<UInt64> = 0..<16 << 10
  ) -> WireError.Code? {
    let decoder = WireDecoder(limits: WireLimits(messageBytes: 5 << 20))
    let tables = ReceivedTables()
    // Whatever the type's first value makes once for all is made before.
    for made in [false, true] {
      let before = odi_allocated_bytes()
      let error = bytes.withUnsafeBytes { bytes in failure { try decoder.decode(type, from: bytes, tables: tables) } }
      let taken = odi_allocated_bytes() - before
      if made {
        #expect(allowed.contains(taken), "\(type): \(taken) bytes")
        return error?.code
      }
    }
    return nil
  }

  private struct MarkedWide: Codable, WireLayout {
    var name: String?
    var other: String?
  }

  private struct PlainWide: Codable {
    var name: String?
    var other: String?
  }

  @Test("what the elements of open lists become is counted as they come")
  func openLists() {
    let decoder = WireDecoder(limits: WireLimits(messageBytes: 5 << 20))
    let empties = Array(repeatElement([UInt8(2), 0], count: 2 << 20).joined())
    func code<Value: Decodable>(_ bytes: [UInt8], as type: Value.Type) -> WireError.Code? {
      bytes.withUnsafeBytes { bytes in
        failure { try decoder.decode(type, from: bytes, tables: ReceivedTables()) }
      }?.code
    }
    // Thirty-two of forty megabytes, then the rest.
    #expect(code([0x0C, 7] + empties + [7], as: [String].self) == nil)
    let more = Array(repeatElement([UInt8(2), 0], count: (5 << 20) / 2 - 8).joined())
    #expect(code([0x0C, 7] + more + [7], as: [String].self) == nil)
    #expect(code([0x0C, 7] + more + [7], as: [String?].self) == nil)
    let records = Array(repeatElement([UInt8(3), 0, 0], count: 1 << 20).joined())
    #expect(code([0x0C, 7] + records + [7], as: [MarkedWide].self) == nil)
    #expect(code([0x0C, 7] + records + records[..<(3 << 19)] + [7], as: [MarkedWide].self) == .tooLarge)
    #expect(code([0x0C, 7] + records + records[..<(3 << 19)] + [7], as: [PlainWide].self) == .tooLarge)
  }

  @Test("numbers longer than they may be are malformed")
  func longNumbers() {
    let ones = [UInt8](repeating: 0xFF, count: 9)
    #expect(decode([0x08] + ones + [0x01], as: Int.self) == nil)
    #expect(decode([0x08] + ones + [0x02], as: Int.self)?.code == .malformed)
    #expect(decode([0x08] + ones + [0x03], as: UInt64.self)?.code == .malformed)
    #expect(decode([0x08, 0xFE] + ones.dropFirst() + [0x03], as: UInt64.self) == nil)
    #expect(decode([0x08] + ones + [0x80, 0], as: Int.self)?.code == .malformed)
    #expect(decode([0x0A] + ones + [0x02], as: String.self)?.code == .malformed)
    #expect(decode([0x0B] + ones + [0x7F, 0], as: Empty.self)?.code == .malformed)
  }

  @Test("strings are strict UTF-8")
  func strings() {
    for bytes: [UInt8] in [
      [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x8E], [0xFF], [0xE0, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0x80],
      [0xC3], Array("a string longer than fifteen bytes".utf8) + [0xFE],
    ] {
      #expect(decode([0x0A, UInt8(bytes.count)] + bytes, as: String.self)?.code == .badString)
      #expect(decode([0x0C, 2, 1, UInt8(bytes.count)] + bytes, as: [String].self)?.code == .badString)
    }
  }

  @Test("a message is one value: nothing before, nothing behind")
  func framing() {
    #expect(decode([0x08, 2], as: Int.self) == nil)
    #expect(decode([0x08, 2, 0], as: Int.self)?.code == .trailingBytes)
    #expect(decode([], as: Int.self)?.code == .truncated)
    for first in UInt8.min ... .max where first & ~7 != 0x08 || first == 0x0F {
      #expect(decode([first, 0, 0], as: Int.self)?.code == .malformed)
    }
  }

  @Test("tags, lists and marks of no meaning are malformed")
  func marks() {
    #expect(decode([0x0B, 0, 0x0F, 0], as: Empty.self)?.code == .malformed)
    #expect(decode([0x0B, 0, 0x03, 0], as: Empty.self)?.code == .malformed)
    #expect(decode([0x0B, 0, 0x07, 0, 0], as: Empty.self)?.code == .malformed)
    #expect(decode([0x0B, 1, 0x07, 0, 0], as: Empty.self) == nil)
    #expect(decode([0x0C, 0x7F, 0], as: [Int].self)?.code == .malformed)
    #expect(decode([0x0C, 0x80, 0], as: [Int].self)?.code == .malformed)
    #expect(decode([0x0C, 7, 0x08, 0], as: [Int].self)?.code == .malformed)
    #expect(decode([0x0C, 0x0F, 0, 0, 7], as: [Int: Int].self)?.code == .malformed)
  }

  @Test("a million small unknown fields are skipped")
  func unknownFields() {
    let fields = Array((0..<1_000_000).map { _ in [UInt8(0x08), 0] }.joined())
    #expect(decode([0x0B, 0] + fields + [0], as: Empty.self) == nil)
  }

  @Test("definitions are held to their limits and to what was said before")
  func definitions() {
    func learn(_ blocks: [UInt8]...) -> WireError.Code? {
      let received = ReceivedTables()
      return failure { for block in blocks { try received.learn(block) } }?.code
    }
    func block(_ id: UInt64, _ names: [String]) -> [UInt8] {
      varint(id) + varint(UInt64(names.count)) + names.flatMap { varint(UInt64($0.utf8.count)) + Array($0.utf8) }
    }
    #expect(learn(block(2, ["a"]), block(2, ["a", "b"]), block(3, [])) == nil)
    #expect(learn(block(2, ["a", "b"]), block(2, ["a"])) == .badTable)
    #expect(learn(block(2, ["a"]), block(2, ["b"])) == .badTable)
    #expect(learn(block(2, ["a", "a"])) == .badTable)
    #expect(learn(block(0, ["a"])) == .tooLarge)
    #expect(learn(block(1, ["a"])) == .tooLarge)
    #expect(learn(block(5000, ["a"])) == .tooLarge)
    #expect(learn(block(.max, ["a"])) == .tooLarge)
    #expect(learn(block(2, [String(repeating: "a", count: 256)])) == .tooLarge)
    #expect(learn(block(2, (0...1024).map { "\($0)" })) == .tooLarge)
    #expect(learn([2, 1, 1, 0xFF]) == .badString)
    #expect(learn([2, 3, 1, 0x61]) == .truncated)
    #expect(learn(varint(2) + varint(.max)) == .tooLarge)
    let wide = (0..<1000).map { String(repeating: "x", count: 200) + "\($0)" }
    #expect(learn(block(2, wide), block(3, wide)) == .tooLarge)
    #expect(learn(block(2, wide)) == nil)
    let record: [UInt8] = [0x0B, 2 << 1, 0x08, 2, 0]
    #expect(decode(record, as: Inner.self)?.code == .unknownTable)
    #expect(decode(record, as: [String: Int].self, block(2, ["a"])) == nil)
    #expect(decode([0x0B, 2 << 1, 0x10, 2, 0], as: [String: Int].self, block(2, ["a"]))?.code == .malformed)
  }

  @Test("a message over the limit is refused, coming and going")
  func messageLimit() throws {
    let limits = WireLimits(messageBytes: 1000)
    let encoder = WireEncoder(limits: limits)
    #expect(try encoder.encode(String(repeating: "a", count: 990)).bytes.count == 993)
    #expect(failure { try encoder.encode(String(repeating: "a", count: 1000)) }?.code == .tooLarge)
    #expect(failure { try encoder.encode((0..<2000).map { $0 }) }?.code == .tooLarge)
    #expect(failure { try encoder.encode([[String]](repeating: ["abc"], count: 300)) }?.code == .tooLarge)
    #expect(try encoder.encode(1).bytes.count == 2)
    let large = [UInt8](repeating: 0, count: 1001)
    let decoder = WireDecoder(limits: limits)
    let error = large.withUnsafeBytes { bytes in
      failure { try decoder.decode(Int.self, from: bytes, tables: ReceivedTables()) }
    }
    #expect(error?.code == .tooLarge)
  }

  @Test("a file of another version, or cut, is refused")
  func selfContained() throws {
    var bytes = try Wire.encode(Inner(name: "a", rank: 1))
    #expect(failure { try Wire.decode(Inner.self, from: []) }?.code == .truncated)
    bytes[7] = 2
    #expect(failure { try Wire.decode(Inner.self, from: bytes) }?.code == .malformed)
    bytes[7] = 1
    bytes[0] = 0xFF
    #expect(failure { try Wire.decode(Inner.self, from: bytes) }?.code == .truncated)
  }
}
