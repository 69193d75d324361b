import Contracts
import RandomContracts
import Testing
import Wire

@Suite("Contracts on the wire")
struct ContractLayoutTests {
  private static let types = MessageType.all(AllContracts.requests, AllContracts.streams)

  @Test("every request and answer is written the same from memory and by Codable, and reads as what it was")
  func everyType() throws {
    for type in Self.types {
      for seed in UInt64(1)...40 {
        let difference = try type.difference(seed: seed)
        #expect(difference == nil)
      }
    }
  }

  @Test("no contract type has left the layout tier", arguments: [true, false])
  func noRefusals(writing: Bool) throws {
    try everyType()
    let contracts = WireLayouts.refusals.filter { !$0.type.contains("Test") }
    #expect(contracts.isEmpty, "\(contracts)")
  }
}
