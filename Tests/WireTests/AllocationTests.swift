import CAllocations
import Testing
import Wire

/// What coding asks of malloc, counted on the thread that does it.
@Suite("Allocations")
struct AllocationTests {
  private func encoding<Value: Codable>(_ value: Value, usesLayouts: Bool) throws -> UInt64 {
    let encoder = WireEncoder(usesLayouts: usesLayouts)
    var sent = SentTables()
    for _ in 0..<3 { _ = sent.missing(of: try encoder.encode(value).tables) }
    let before = odi_allocations()
    let message = try encoder.encode(value)
    let names = sent.missing(of: message.tables)
    let after = odi_allocations()
    #expect(names.isEmpty)
    return after - before
  }

  private func decoding<Value: Codable>(_ value: Value, usesLayouts: Bool) throws -> UInt64 {
    let encoder = WireEncoder(usesLayouts: usesLayouts)
    let decoder = WireDecoder(usesLayouts: usesLayouts)
    let tables = ReceivedTables()
    var sent = SentTables()
    let message = try encoder.encode(value)
    try tables.learn(sent.missing(of: message.tables))
    for _ in 0..<3 { _ = try decoder.decode(Value.self, from: message.bytes, tables: tables) }
    let before = odi_allocations()
    let decoded = try decoder.decode(Value.self, from: message.bytes, tables: tables)
    let after = odi_allocations()
    withExtendedLifetime(decoded) {}
    return after - before
  }

  @Test("a warm encoder allocates nothing", arguments: [true, false])
  func warmEncode(usesLayouts: Bool) throws {
    #expect(try encoding(NearbyRequest.sample, usesLayouts: usesLayouts) == 0)
    #expect(try encoding(NearbyReply.sample, usesLayouts: usesLayouts) == 0)
    #expect(try encoding(Schedule.sample, usesLayouts: usesLayouts) == 0)
    #expect(try encoding(Blob.sample, usesLayouts: usesLayouts) == 0)
    #expect(try encoding(Doubles.sample, usesLayouts: usesLayouts) == 0)
    #expect(try encoding([Colour.red, .green], usesLayouts: usesLayouts) == 0)
  }

  @Test("a warm decoder allocates what the value itself is made of", arguments: [true, false])
  func warmDecode(usesLayouts: Bool) throws {
    #expect(try decoding(NearbyRequest.sample, usesLayouts: usesLayouts) == 0)
    // Eight strings of sixteen bytes or more, four arrays.
    #expect(try decoding(NearbyReply.sample, usesLayouts: usesLayouts) == 12)
    #expect(try decoding(Doubles.sample, usesLayouts: usesLayouts) == 1)
  }
}
