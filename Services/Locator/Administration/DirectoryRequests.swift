package import Clocks
package import Contracts
package import RPC

/// What the locator's administrators may ask. Only `odi-locator` itself asks, so these are no contracts between services.

/// Stores cinemas in place of those with their ids. The response is what that changed, or with `isDryRun` would change.
nonisolated package struct PutCinemas: RPCRequest {
  package typealias Service = LocatorAPI
  package typealias Response = [CinemaEdit]
  package static let method: MethodID = 0x0140
  package static let safety: Safety = .idempotent

  /// At most 1,000.
  package var cinemas: [Cinema]
  /// Who it was, for the history.
  package var editor: String
  package var isDryRun: Bool
  /// Refused if one of them is there already.
  package var mustBeNew: Bool
  /// More will follow at once: the directory in memory can wait for the last.
  package var hasMore: Bool

  package init(
    cinemas: [Cinema], editor: String, isDryRun: Bool = false, mustBeNew: Bool = false, hasMore: Bool = false
  ) {
    self.cinemas = cinemas
    self.editor = editor
    self.isDryRun = isDryRun
    self.mustBeNew = mustBeNew
    self.hasMore = hasMore
  }
}

/// Takes a cinema out of the directory. One that has closed is better kept, inactive: its id is in people's bookmarks.
nonisolated package struct RemoveCinema: RPCRequest {
  package typealias Service = LocatorAPI
  package typealias Response = CinemaEdit
  package static let method: MethodID = 0x0141
  package static let safety: Safety = .idempotent

  package var id: CinemaID
  package var editor: String
  /// The cinema that those are told of who ask for this one.
  package var replacedBy: CinemaID?
}

/// The newest edits, newest first.
nonisolated package struct EditHistory: RPCRequest {
  package typealias Service = LocatorAPI
  package typealias Response = [CinemaEdit]
  package static let method: MethodID = 0x0142
  package static let safety: Safety = .read

  package var cinema: CinemaID?
  /// Only older ones.
  package var before: Int64?
  /// 1...1000.
  package var limit: Int
}

/// How large the directory is. With `isRebuilt` it is first made anew from what is stored.
nonisolated package struct DescribeDirectory: RPCRequest {
  package typealias Service = LocatorAPI
  package typealias Response = DirectoryStatistics
  package static let method: MethodID = 0x0143
  package static let safety: Safety = .idempotent

  package var isRebuilt: Bool
}

/// The cinemas that nobody has edited since, the longest left alone first.
nonisolated package struct StaleCinemas: RPCRequest {
  package typealias Service = LocatorAPI
  package typealias Response = [StaleCinema]
  package static let method: MethodID = 0x0145
  package static let safety: Safety = .read

  package var since: WallTime
  /// 1...`askedMax`.
  package var limit: Int

  /// As many as are told of.
  package static let limitMax = 1_000
  /// One more says that there are more.
  package static let askedMax = limitMax + 1
}

/// A cinema and when somebody last changed something of it.
nonisolated package struct StaleCinema: Codable, Hashable, Sendable {
  package var cinema: Cinema
  package var editedAt: WallTime
}

/// Adds the known cinemas that are not there yet.
nonisolated package struct SeedDirectory: RPCRequest {
  package typealias Service = LocatorAPI
  package typealias Response = [CinemaEdit]
  package static let method: MethodID = 0x0144
  package static let safety: Safety = .idempotent
}
