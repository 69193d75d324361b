/// The storage of a body that was sent, for the next one to be written into.
///
/// Bodies are too large for what malloc keeps at hand, and an answer is written and encoded within one step: one spare
/// goes round.
@MainActor
package enum SpareBody {
  private static var spare: [UInt8] = []
  /// Where the storage lies that was handed out last: no other is taken back, as it may be somebody's.
  private static var lent: UnsafeRawPointer?
  /// Most bodies are smaller; a larger one would hold memory that nothing needs again soon.
  private static let keptMax = 64 << 10

  /// An empty array with room for about so many bytes.
  package static func take(_ capacity: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    swap(&bytes, &spare)
    if bytes.capacity < capacity {
      bytes = []
      bytes.reserveCapacity(capacity)
    }
    lent = bytes.withUnsafeBytes { $0.baseAddress }
    return bytes
  }

  /// Takes back the body of an answer that was encoded. One that was kept elsewhere too stays there as it is.
  static func takeBack(from response: inout HTTPResponse) {
    guard case .bytes(var bytes) = response.body, bytes.capacity <= keptMax,
      lent == bytes.withUnsafeBytes({ $0.baseAddress })
    else { return }
    response.body = .none
    lent = nil
    bytes.removeAll(keepingCapacity: true)
    spare = bytes
  }
}
