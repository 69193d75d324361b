import Clocks
package import Contracts
import Crypto
package import RPC

/// An idempotency key with the fingerprint of the request that it came with.
nonisolated package struct WriteKey: Hashable, Sendable {
  package let key: IdempotencyKey
  /// Tells this request from any other of the same key. 16 bytes.
  package let fingerprint: [UInt8]

  package init(_ key: IdempotencyKey, _ request: some FingerprintedRequest) {
    self.key = key
    var text = Fingerprint(of: type(of: request).method)
    request.add(to: &text)
    fingerprint = text.digest
  }

  package var keyBytes: [UInt8] { withUnsafeBytes(of: key.bits.bigEndian) { Array($0) } }
}

/// A request that says what of it makes it another request.
nonisolated package protocol FingerprintedRequest: RPCRequest {
  func add(to fingerprint: inout Fingerprint)
}

/// What a request says, in one way only: each value with its length before it.
nonisolated package struct Fingerprint {
  private var bytes: [UInt8] = []

  init(of method: MethodID) { add(Int64(method)) }

  mutating func add(_ number: Int64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }

  mutating func add(_ digest: [UInt8]) {
    add(Int64(digest.count))
    bytes += digest
  }

  mutating func add(_ text: String?) {
    guard let text else { return add(-1) }
    add(Int64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  var digest: [UInt8] { Array(SHA256.digest(of: bytes).prefix(16)) }
}

nonisolated extension OpenUser: FingerprintedRequest {
  package func add(to fingerprint: inout Fingerprint) { fingerprint.add(locale) }
}

nonisolated extension SaveItem: FingerprintedRequest {
  package func add(to fingerprint: inout Fingerprint) {
    // What somebody asked for: sent again it may be taken for another thing, or for itself again.
    for text in [kind.rawValue, insteadOf ?? id, note] { fingerprint.add(text) }
  }
}

nonisolated extension RemoveItem: FingerprintedRequest {
  package func add(to fingerprint: inout Fingerprint) {
    for text in [kind.rawValue, id] { fingerprint.add(text) }
  }
}

nonisolated extension ImportItems: FingerprintedRequest {
  package func add(to fingerprint: inout Fingerprint) {
    if let asked { return fingerprint.add(asked) }
    for item in items {
      for text in [item.kind.rawValue, item.id, item.note] { fingerprint.add(text) }
    }
  }
}

nonisolated extension SavePlan: FingerprintedRequest {
  package func add(to fingerprint: inout Fingerprint) {
    fingerprint.add(id?.text)
    if let asked { return fingerprint.add(asked) }
    fingerprint.add(ifRevision ?? -1)
    for text in [content.title, content.note, content.show.showtime.text, content.dinner?.restaurant.text] {
      fingerprint.add(text)
    }
    fingerprint.add(content.dinner?.mode.rawValue)
    // The times are looked up anew each time; a repeated request is no other because a showing has moved.
  }
}

nonisolated extension RecordViews: FingerprintedRequest {
  package func add(to fingerprint: inout Fingerprint) {
    if let asked { return fingerprint.add(asked) }
    for view in views {
      for text in [view.kind.rawValue, view.id] { fingerprint.add(text) }
      fingerprint.add(view.at?.milliseconds ?? -1)
    }
  }
}
