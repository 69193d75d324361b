package import Clocks
import EventLoops
import HTTP

/// Clients that an operator shut out, each until its time is up. They are forgotten with the process, as set limits are.
nonisolated package struct Bans {
  package struct Ban: Hashable, Sendable {
    package var until: WallTime
    package var reason: String?
    /// Requests that were turned away.
    package var refused = 0
  }

  /// A list that a person wrote. Who fends off more does so in front of the gateway.
  package static let most = 1_000

  /// By what is counted as one client.
  private var bans: [IPAddress: Ban] = [:]

  /// False if there are too many.
  mutating func add(_ network: IPAddress, until end: WallTime, reason: String?, now: WallTime) -> Bool {
    dropEnded(now)
    guard bans.count < Self.most || bans[network] != nil else { return false }
    bans[network] = Ban(until: end, reason: reason, refused: bans[network]?.refused ?? 0)
    return true
  }

  /// False if it was not shut out.
  mutating func lift(_ network: IPAddress, now: WallTime) -> Bool {
    dropEnded(now)
    return bans.removeValue(forKey: network) != nil
  }

  /// Those that hold, the first to end first.
  mutating func current(_ now: WallTime) -> [(network: IPAddress, ban: Ban)] {
    dropEnded(now)
    return bans.sorted { ($0.value.until, "\($0.key)") < ($1.value.until, "\($1.key)") }.map { ($0.key, $0.value) }
  }

  /// What a client that is shut out is told; nil for anybody else.
  mutating func refusal(of network: IPAddress, now: WallTime) -> Problem? {
    guard !bans.isEmpty, var ban = bans[network], ban.until > now else { return nil }
    ban.refused += 1
    bans[network] = ban
    return Problem(
      .forbidden, "this address is shut out until \(ban.until.stamp); write to whoever runs this server")
  }

  private mutating func dropEnded(_ now: WallTime) { bans = bans.filter { $0.value.until > now } }
}
