package import Clocks
package import Contracts
import Crypto
import RPC

/// Codes with which another device becomes the same user, and the tries to guess one.
///
/// A code is two parts: three characters find it, five prove it and are compared in constant time. So a wrong try is
/// counted against the code that it was meant for, and against where it came from. Codes live in memory only: five
/// minutes, and not beyond the end of the process.
nonisolated package struct PairingDesk {
  package struct Limits: Sendable {
    package var life = Duration.seconds(300)
    /// Somebody who mistypes a code five times reads it anew.
    package var triesPerCode = 5
    package var triesPerOrigin = 5
    /// How long a wrong try counts against where it came from.
    package var originMemory = Duration.seconds(300)
    /// More people pairing a device within five minutes than this is an attack.
    package var codes = 10_000
    /// Origins remembered; of more, the one that tried longest ago is forgotten.
    package var origins = 10_000

    package init() {}
  }

  private struct Code {
    let user: UserID
    let proof: [UInt8]
    let expires: Instant
    var tries = 0
    var taken: Taker?
  }

  /// Who used a code: they may ask again, as an answer can be lost. Nobody else; and who has no session is only an
  /// address, which others share.
  package struct Taker: Hashable, Sendable {
    package var asking: UserID?
    package var origin: String

    package init(asking: UserID?, origin: String) {
      self.asking = asking
      self.origin = origin
    }
  }

  /// What a right code gives.
  package struct Grant: Hashable, Sendable {
    package let user: UserID
    fileprivate let name: String
    /// The same taker used it before.
    package let isAgain: Bool
  }

  private struct Origin {
    var tries = 0
    var since: Instant
  }

  private let limits: Limits
  private var codes: [String: Code] = [:]
  private var nameOfUser: [UserID: String] = [:]
  private var origins: RecencyMap<String, Origin>
  private var swept = Instant(nanoseconds: 0)

  package init(limits: Limits = Limits()) {
    self.limits = limits
    origins = RecencyMap(atMost: limits.origins)
  }

  /// Neither 0 and O nor 1, I and L, neither 2 and Z nor 5 and S nor 8 and B.
  static let alphabet = Array("ACDEFGHJKMNPQRTUVWXY34679".utf8)
  static let nameLength = 3
  private static let sweepPause = Duration.seconds(1)
  static let length = 8

  package var life: Duration { limits.life }
  package func count(at now: Instant) -> Int { codes.values.count { $0.expires > now && $0.taken == nil } }

  /// A new code; the user's old one does not hold any longer.
  package mutating func begin(
    _ user: UserID, now: Instant, random: inout some RandomNumberGenerator
  ) throws(BookmarkError) -> String {
    forget(user)
    if codes.count >= limits.codes { sweep(now) }
    guard codes.count < limits.codes else { throw .tooManyCodes }
    while true {
      let code = (0..<Self.length).map { _ in Self.alphabet.randomElement(using: &random)! }
      let name = String(decoding: code.prefix(Self.nameLength), as: UTF8.self)
      // Two codes of one name would share their tries.
      if let other = codes[name] {
        guard other.expires <= now else { continue }
        forget(other.user)
      }
      let proof = SHA256.digest(of: Array(code.dropFirst(Self.nameLength)))
      codes[name] = Code(user: user, proof: proof, expires: now + limits.life)
      nameOfUser[user] = name
      return String(decoding: code, as: UTF8.self)
    }
  }

  /// Whose code this is, if it holds and nobody else used it.
  package mutating func redeem(_ text: String, by taker: Taker, now: Instant) throws(BookmarkError) -> Grant {
    let tries = origins[taker.origin] ?? Origin(since: now)
    let wait = tries.since + limits.originMemory - now
    guard tries.tries < limits.triesPerOrigin || wait <= .zero else {
      throw .tooManyTries(limit: limits.triesPerOrigin, wait: wait)
    }
    let code = Self.normalised(text)
    let name = String(decoding: code.prefix(Self.nameLength), as: UTF8.self)
    let proof = SHA256.digest(of: Array(code.dropFirst(Self.nameLength)))
    guard code.count == Self.length, let known = codes[name], known.expires > now, known.tries < limits.triesPerCode,
      constantTimeEqual(proof, known.proof), known.taken.map({ $0 == taker && taker.asking != nil }) ?? true
    else {
      codes[name]?.tries += 1
      countWrongTry(from: taker.origin, now)
      throw .noSuchCode
    }
    codes[name]?.taken = taker
    return Grant(user: known.user, name: name, isAgain: known.taken != nil)
  }

  /// The grant came to nothing; the code holds again.
  package mutating func takeBack(_ grant: Grant) {
    guard !grant.isAgain else { return }
    codes[grant.name]?.taken = nil
  }

  /// The user is gone, and so is their code.
  package mutating func forget(_ user: UserID) {
    if let name = nameOfUser.removeValue(forKey: user) { codes[name] = nil }
  }

  private mutating func countWrongTry(from origin: String, _ now: Instant) {
    var tries = origins[origin] ?? Origin(since: now)
    if tries.since + limits.originMemory <= now { tries = Origin(since: now) }
    tries.tries += 1
    origins.set(origin, to: tries)
  }

  /// Makes room for others. It looks at every code, so it is not done for every request of a flood.
  private mutating func sweep(_ now: Instant) {
    guard now >= swept + Self.sweepPause else { return }
    swept = now
    for (name, code) in codes where code.expires <= now {
      codes[name] = nil
      nameOfUser[code.user] = nil
    }
  }

  /// As it was shown, however it was typed.
  private static func normalised(_ text: String) -> [UInt8] {
    text.utf8.prefix(64).compactMap { byte in
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "-"): nil
      case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
      default: byte
      }
    }
  }
}
