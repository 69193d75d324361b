import Contracts
import RPC
import RandomContracts
import Testing
import Wire

@Suite("Contracts on the wire")
struct ContractLayoutTests {
  private static let seeds: ClosedRange<UInt64> = 1...40

  @Test("every request and answer is written the same from memory and by Codable, and reads as what it was")
  func everyType() throws {
    for request in AllContracts.requests { try check(request) }
    for stream in AllContracts.streams { try check(stream) }
  }

  @Test("no contract type has left the layout tier", arguments: [true, false])
  func noRefusals(writing: Bool) throws {
    try everyType()
    let contracts = WireLayouts.refusals.filter { !$0.type.contains("Test") }
    #expect(contracts.isEmpty, "\(contracts)")
  }

  private func check<Request: RPCRequest>(_ request: Request.Type) throws {
    try compare(request)
    try compare(Request.Response.self)
  }

  private func check<Request: RPCStreamRequest>(_ request: Request.Type) throws {
    try compare(request)
    try compare(Request.Element.self)
  }

  private func compare<Value: Codable>(_ type: Value.Type) throws {
    // Kept: the bytes are theirs until the next call.
    let (plainEncoder, layoutEncoder) = (WireEncoder(usesLayouts: false), WireEncoder(usesLayouts: true))
    defer { withExtendedLifetime((plainEncoder, layoutEncoder)) {} }
    for seed in Self.seeds {
      let value = try RandomValue.make(type, seed: seed)
      let plain = Array(try plainEncoder.encodeSelfContained(value))
      let layout = Array(try layoutEncoder.encodeSelfContained(value))
      #expect(plain == layout, "\(type), seed \(seed)")
      for usesLayouts in [false, true] {
        let decoder = WireDecoder(usesLayouts: usesLayouts)
        let back = try plain.withUnsafeBytes { try decoder.decodeSelfContained(type, from: $0) }
        #expect(Array(try plainEncoder.encodeSelfContained(back)) == plain, "\(type), seed \(seed)")
      }
    }
  }
}
