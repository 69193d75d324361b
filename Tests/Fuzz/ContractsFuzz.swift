import Contracts
import RandomContracts

/// Any bytes are a message of any contract, from memory and by Codable: a value or a named error, and the same of both.
///
/// Input: which type (two bytes), a seed, then either a message or, with a seed other than 0, edits of a good one.
func fuzzContracts(_ input: UnsafeBufferPointer<UInt8>) {
  _ = everyType
  guard input.count >= 3 else { return }
  let type = types[(Int(input[0]) << 8 | Int(input[1])) % types.count]
  check(type, seed: UInt64(input[2]), Array(input.dropFirst(3)))
}

/// Each request that several services or all of them know, and what answers it.
private let types = MessageType.all(
  AllContracts.requests + CommonRequests.requests, AllContracts.streams + CommonRequests.streams)

/// Once, whatever comes first: inputs choose among hundreds of types, and a short run would leave some out.
private let everyType: Void = {
  for type in types {
    for seed in UInt64(0)...8 {
      // Good as it is, then with a change, an insertion, a removal and a cut.
      check(type, seed: seed, [])
      for edit in UInt8(0)..<4 { check(type, seed: seed, [UInt8(seed), 31 &* UInt8(seed), edit, 0x81]) }
    }
  }
}()

private func check(_ type: MessageType, seed: UInt64, _ bytes: [UInt8]) {
  if let disagreement = type.disagreement(seed: seed, bytes) { preconditionFailure(disagreement) }
}
