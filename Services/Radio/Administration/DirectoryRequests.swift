package import Contracts
package import RPC

/// What the radio's administrators may ask. Only `odi-radio` itself asks, so these are no contracts between services.

/// Every station, shown to the public or not, with its address and how it was found.
nonisolated package struct AllStations: RPCRequest {
  package typealias Service = RadioAPI
  package typealias Response = [StationEntry]
  package static let method: MethodID = 0x0740
  package static let safety: Safety = .read

  /// Only these.
  package var ids: [StationID]?
  /// Only of this section.
  package var section: String?
  /// Only those that it names, the best first.
  package var text: String?
  /// Behind so many.
  package var offset: Int
  /// 1...500.
  package var limit: Int

  package init(
    ids: [StationID]? = nil, section: String? = nil, text: String? = nil, offset: Int = 0, limit: Int = 500
  ) {
    self.ids = ids
    self.section = section
    self.text = text
    self.offset = offset
    self.limit = limit
  }
}

/// A station as its operators see it.
nonisolated package struct StationEntry: Codable, Hashable, Sendable {
  package var record: StationRecord
  package var health: StationHealth?
  /// Why the public does not see it; nil if it does.
  package var hiddenBecause: String?
}

/// Stores stations in place of those with their ids. The response is what that changed, or with `isDryRun` would change.
nonisolated package struct PutStations: RPCRequest {
  package typealias Service = RadioAPI
  package typealias Response = [StationEdit]
  package static let method: MethodID = 0x0741
  package static let safety: Safety = .idempotent

  /// At most 500.
  package var records: [StationRecord]
  /// Who it was, for the history.
  package var editor: String
  package var isDryRun: Bool
  /// Refused if one of them is there already.
  package var mustBeNew: Bool

  package init(records: [StationRecord], editor: String, isDryRun: Bool = false, mustBeNew: Bool = false) {
    self.records = records
    self.editor = editor
    self.isDryRun = isDryRun
    self.mustBeNew = mustBeNew
  }
}

/// Takes a station out of the directory. One that has gone is better kept, inactive: its id is in people's favourites.
nonisolated package struct RemoveStation: RPCRequest {
  package typealias Service = RadioAPI
  package typealias Response = StationEdit
  package static let method: MethodID = 0x0742
  package static let safety: Safety = .idempotent

  package var id: StationID
  package var editor: String
}

/// The newest edits, newest first.
nonisolated package struct StationHistory: RPCRequest {
  package typealias Service = RadioAPI
  package typealias Response = [StationEdit]
  package static let method: MethodID = 0x0743
  package static let safety: Safety = .read

  package var station: StationID?
  /// Only older ones.
  package var before: Int64?
  /// 1...1000.
  package var limit: Int
}

/// Adds the known stations that are not there yet.
nonisolated package struct SeedStations: RPCRequest {
  package typealias Service = RadioAPI
  package typealias Response = [StationEdit]
  package static let method: MethodID = 0x0744
  package static let safety: Safety = .idempotent
}

/// Follows a station's address, or any address, and tells each step. Nothing that is known from before counts.
nonisolated package struct TraceStream: RPCRequest {
  package typealias Service = RadioAPI
  package typealias Response = Resolution
  package static let method: MethodID = 0x0745
  package static let safety: Safety = .read

  package var station: StationID?
  package var address: String?

  package init(station: StationID? = nil, address: String? = nil) {
    self.station = station
    self.address = address
  }
}

/// Tries stations' streams now, one element each as they end.
nonisolated package struct ProbeStations: RPCStreamRequest {
  package typealias Service = RadioAPI
  package typealias Element = StationProbe
  package static let method: MethodID = 0x0746

  /// Nil: all that are active, allowed or not.
  package var ids: [StationID]?
}

/// How one station was found. The first element has no station and tells how many there will be.
nonisolated package struct StationProbe: Codable, Hashable, Sendable {
  package var total: Int
  package var station: StationID?
  package var health: StationHealth?
  package var resolution: Resolution?
  /// What it says that it plays.
  package var title: String?
}
