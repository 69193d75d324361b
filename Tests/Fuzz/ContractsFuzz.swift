import Contracts
import RPC
import RandomContracts
import Wire

/// Any bytes are a message of any contract, from memory and by Codable: a value or a named error, and the same of both.
///
/// Input: which type (two bytes), a seed, then either a message or, with a seed other than 0, edits of a good one.
func fuzzContracts(_ input: UnsafeBufferPointer<UInt8>) {
  guard input.count >= 3 else { return }
  let message = messages[(Int(input[0]) << 8 | Int(input[1])) % messages.count]
  message(UInt64(input[2]), Array(input.dropFirst(3)))
}

/// Each request and what answers it.
private nonisolated(unsafe) let messages: [(UInt64, [UInt8]) -> Void] =
  AllContracts.requests.flatMap { both($0) } + AllContracts.streams.flatMap { both($0) }

private func both<Request: RPCRequest>(_: Request.Type) -> [(UInt64, [UInt8]) -> Void] {
  [{ read(Request.self, seed: $0, $1) }, { read(Request.Response.self, seed: $0, $1) }]
}

private func both<Request: RPCStreamRequest>(_: Request.Type) -> [(UInt64, [UInt8]) -> Void] {
  [{ read(Request.self, seed: $0, $1) }, { read(Request.Element.self, seed: $0, $1) }]
}

private func read<Value: Codable>(_ type: Value.Type, seed: UInt64, _ bytes: [UInt8]) {
  // Kept: what they write is theirs until the next call.
  let (plainEncoder, layoutEncoder) = (WireEncoder(usesLayouts: false), WireEncoder(usesLayouts: true))
  defer { withExtendedLifetime((plainEncoder, layoutEncoder)) {} }
  var bytes = bytes
  if seed > 0, let good = try? Array(plainEncoder.encodeSelfContained(RandomValue.make(type, seed: seed))) {
    bytes = edited(good, by: bytes)
  }
  func value(usingLayouts: Bool) -> Value? {
    let decoder = WireDecoder(usesLayouts: usingLayouts)
    return bytes.withUnsafeBytes { bytes in try? decoder.decodeSelfContained(type, from: bytes) }
  }
  let (plain, layout) = (value(usingLayouts: false), value(usingLayouts: true))
  precondition((plain == nil) == (layout == nil), "\(type) is read by one tier and refused by the other")
  guard let plain, let layout else { return }
  guard let written = try? Array(plainEncoder.encodeSelfContained(plain)),
    let again = try? Array(layoutEncoder.encodeSelfContained(layout))
  else { preconditionFailure("a \(type) that could be read cannot be written") }
  // The length only: a set or a dictionary has no order.
  precondition(written.count == again.count, "a \(type) is read as something else by the other tier")
}
