package import RPC
import Wire

/// A type that goes over the wire, whichever it is: what is asked of all of them alike.
package struct MessageType: Sendable {
  package let name: String
  private let compared: @Sendable (UInt64) throws -> String?
  private let readTwice: @Sendable (UInt64, [UInt8]) -> String?

  package init<Value: Codable & Sendable>(_: Value.Type) {
    name = "\(Value.self)"
    compared = { seed in try Self.difference(Value.self, seed) }
    readTwice = { seed, edits in Self.disagreement(Value.self, seed, edits) }
  }

  /// The requests, and what each is answered with.
  package static func all(
    _ requests: [any RPCRequest.Type], _ streams: [any RPCStreamRequest.Type] = []
  ) -> [MessageType] {
    requests.flatMap { both($0) } + streams.flatMap { both($0) }
  }

  private static func both<Request: RPCRequest>(_: Request.Type) -> [MessageType] {
    [MessageType(Request.self), MessageType(Request.Response.self)]
  }

  private static func both<Request: RPCStreamRequest>(_: Request.Type) -> [MessageType] {
    [MessageType(Request.self), MessageType(Request.Element.self)]
  }

  /// What is not the same from memory and by Codable, for a value made up from a seed; nil if nothing.
  package func difference(seed: UInt64) throws -> String? {
    try compared(seed).map { "\(name), seed \(seed): \($0)" }
  }

  /// What the two tiers make differently of any bytes: with seed 0 of `bytes` themselves, else of a good message that is
  /// changed by them. Nil if both refuse them, or both read the same.
  package func disagreement(seed: UInt64, _ bytes: [UInt8]) -> String? {
    readTwice(seed, bytes).map { "\(name), seed \(seed): \($0)" }
  }

  private static func difference<Value: Codable>(_ type: Value.Type, _ seed: UInt64) throws -> String? {
    // Kept: the bytes are theirs until the next call.
    let (plainEncoder, layoutEncoder) = (WireEncoder(usesLayouts: false), WireEncoder(usesLayouts: true))
    defer { withExtendedLifetime((plainEncoder, layoutEncoder)) {} }
    let value = try RandomValue.make(type, seed: seed)
    let plain = Array(try plainEncoder.encodeSelfContained(value))
    guard Array(try layoutEncoder.encodeSelfContained(value)) == plain else { return "is not written the same" }
    for usesLayouts in [false, true] {
      let decoder = WireDecoder(usesLayouts: usesLayouts)
      let back = try plain.withUnsafeBytes { try decoder.decodeSelfContained(type, from: $0) }
      guard Array(try plainEncoder.encodeSelfContained(back)) == plain else {
        return "comes back as something else \(usesLayouts ? "from memory" : "by Codable")"
      }
    }
    return nil
  }

  private static func disagreement<Value: Codable>(_ type: Value.Type, _ seed: UInt64, _ bytes: [UInt8]) -> String? {
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
    guard (plain == nil) == (layout == nil) else { return "is read by one tier and refused by the other" }
    guard let plain, let layout else { return nil }
    guard let written = try? Array(plainEncoder.encodeSelfContained(plain)),
      let again = try? Array(layoutEncoder.encodeSelfContained(layout))
    else { return "could be read and cannot be written" }
    // The length only: a set or a dictionary has no order.
    return written.count == again.count ? nil : "is read as something else by the other tier"
  }
}

/// Edits of four bytes: where (two bytes), what (change, insert, remove, cut), with which byte.
package func edited(_ bytes: [UInt8], by edits: [UInt8]) -> [UInt8] {
  var bytes = bytes
  for at in stride(from: 0, to: edits.count - 3, by: 4) where !bytes.isEmpty {
    let place = (Int(edits[at]) << 8 | Int(edits[at + 1])) % bytes.count
    switch edits[at + 2] % 4 {
    case 0: bytes[place] ^= edits[at + 3]
    case 1: bytes.insert(edits[at + 3], at: place)
    case 2: bytes.remove(at: place)
    default: bytes.removeLast(place)
    }
  }
  return bytes
}
