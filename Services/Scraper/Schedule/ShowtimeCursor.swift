import Clocks
import Contracts
import Crypto
import Wire

/// Where a page of showings ended, and of which question: it is of no use for another.
///
/// Written as base64url of `version u8 · question 8 · rank u32 · startsAt i64 · id`.
nonisolated struct ShowtimeCursor {
  var key: Key

  struct Key: Comparable {
    var rank: Int
    var startsAt: WallTime
    var id: ShowtimeID
    /// Where the showing is kept meanwhile; no part of the order.
    var place: Int

    static func < (left: Key, right: Key) -> Bool {
      (left.rank, left.startsAt, left.id) < (right.rank, right.startsAt, right.id)
    }

    static func == (left: Key, right: Key) -> Bool {
      (left.rank, left.startsAt, left.id) == (right.rank, right.startsAt, right.id)
    }
  }

  private static let version: UInt8 = 1
  private static let headBytes = 1 + 8 + 4 + 8

  init(key: Key) { self.key = key }

  init(_ text: String, of request: FindShowtimes) throws(CursorError) {
    guard let bytes = Base64URL.decode(text), bytes.count > Self.headBytes, bytes[0] == Self.version,
      let id = ShowtimeID(String(decoding: bytes[Self.headBytes...], as: UTF8.self))
    else { throw CursorError(description: "this is no cursor of ours; begin without one") }
    guard Array(bytes[1..<9]) == Self.question(request) else {
      throw CursorError(description: "the cursor belongs to another question; begin without it when a filter changes")
    }
    key = Key(
      rank: Int(Self.number(bytes[9..<13])),
      startsAt: WallTime(milliseconds: Int64(bitPattern: Self.number(bytes[13..<21]))),
      id: id, place: 0)
  }

  func text(of request: FindShowtimes) -> String {
    var bytes = [Self.version] + Self.question(request)
    bytes += withUnsafeBytes(of: UInt32(clamping: key.rank).bigEndian) { Array($0) }
    bytes += withUnsafeBytes(of: key.startsAt.milliseconds.bigEndian) { Array($0) }
    return Base64URL.encode(bytes + Array(key.id.text.utf8))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  /// A hash of everything but the page.
  private static func question(_ request: FindShowtimes) -> [UInt8] {
    var question = request
    question.after = nil
    question.limit = 0
    let bytes = (try? Wire.encode(question)) ?? []
    return Array(SHA256.digest(of: bytes).prefix(8))
  }
}

/// Why a page cannot be continued.
nonisolated package struct CursorError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
}
