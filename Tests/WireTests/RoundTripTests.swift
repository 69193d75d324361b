import FoundationEssentials
import Testing
import Wire

@Suite("Round trips")
struct RoundTripTests {
  private func check<Value: Codable & Equatable>(_ value: Value, _ place: SourceLocation = #_sourceLocation) throws {
    let connection = Connection()
    #expect(try connection.send(value) == value, sourceLocation: place)
    // The second time through everything is warm and no name is sent.
    let named = connection.definitionBytes
    #expect(try connection.send(value) == value, sourceLocation: place)
    #expect(connection.definitionBytes == named, sourceLocation: place)
    #expect(try Wire.decode(Value.self, from: Wire.encode(value)) == value, sourceLocation: place)
    #expect(try connection.send([value, value]) == [value, value], sourceLocation: place)
    #expect(try connection.send(["a": value]) == ["a": value], sourceLocation: place)
    #expect(try connection.send(value, as: Value?.self) == value, sourceLocation: place)
  }

  @Test("numbers of every width come back at both ends of their range")
  func numbers() throws {
    try check(Numbers())
    try check(OptionalNumbers())
    try check(
      OptionalNumbers(
        bool: false, int: 1, int8: -1, int16: 2, int32: -2, int64: 3, uint: 4, uint8: 5, uint16: 6, uint32: 7,
        uint64: 1 << 63, double: .pi, float: 1.5, string: "s", date: .distantPast, list: [],
        inner: .init(name: "", rank: 0)))
    for bit in 0..<64 {
      try check(UInt64(1) << bit)
      try check(Int64(bitPattern: 1 << bit))
      try check(~Int64(bitPattern: 1 << bit))
    }
  }

  @Test("strings, dates, ids, addresses and bytes come back")
  func leaves() throws {
    try check(Texts())
    try check(Foundational())
    try check("top level")
    try check(true)
    try check(1.5)
  }

  @Test("lists, sets and maps of anything come back")
  func collections() throws {
    try check(Collections())
    try check([Int]())
    try check(Array(0..<5000))
    try check((0..<5000).map { "\($0)" })
    try check((0..<5000).map { Inner(name: "\($0)", rank: $0) })
    try check((0..<2000).map { $0 % 3 == 0 ? nil : $0 } as [Int?])
    try check(Dictionary(uniqueKeysWithValues: (0..<3000).map { ("\($0)", $0) }))
  }

  @Test("enums come back, with and without values")
  func enums() throws {
    try check(Enums())
    try check(Event.both(Inner(name: "", rank: 0), Inner(name: "", rank: 1)))
    try check(Colour.red)
    try check(Format.unknown("x"))
  }

  @Test("a nil inside an optional is not the nil around it")
  func nesting() throws {
    let value = Nesting(plain: 5, nothing: nil, nilInside: .some(nil), deep: .some(.some(nil)), inner: .some(nil))
    try check(value)
    let back = try Connection().send(value, as: Nesting.self)
    #expect(back.nilInside == .some(.none))
    #expect(back.deep == .some(.some(.none)))
    try check([.none, .some(.none), .some(.some(.none)), .some(.some(.some(1)))] as [Int???])
  }

  @Test("structs of every make come back")
  func structs() throws {
    try check(Empty())
    try check(Wide())
    try check(Numbered(first: "a", second: 1))
    try check(ZeroBased(a: 1, b: 2))
    try check(Generic(value: Inner(name: "n", rank: 1), more: []))
    try check(Generic(value: "s", more: ["t"]))
    try check(Wrapped(level: 3, id: Wrapper(-4)))
    var tree = Tree(value: 0, children: [])
    for depth in 1..<20 { tree = Tree(value: depth, children: [tree, Tree(value: -depth, children: [])]) }
    try check(tree)
  }

  @Test("a class comes back with what its superclass holds")
  func classes() throws {
    let back = try Connection().send(
      [Dog(name: "Rex", tricks: ["sit"]), Dog(name: "Fifi", tricks: [])], as: [Dog].self)
    #expect(back.map(\.name) == ["Rex", "Fifi"])
    #expect(back.map(\.tricks) == [["sit"], []])
  }
}
