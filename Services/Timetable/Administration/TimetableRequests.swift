package import Clocks
package import Contracts
package import Festivals
package import RPC

/// What the timetable's administrators may ask. Only `odi-timetable` itself asks, so these are no contracts between services.

/// Stores a festival with all its sessions in place of what was there, in one piece or in several.
nonisolated package struct PutFestival: RPCRequest {
  package typealias Service = TimetableAPI
  package typealias Response = ProgrammeEdit
  package static let method: MethodID = 0x0640
  package static let safety: Safety = .idempotent

  package var festival: Festival
  /// At most 500 in one request.
  package var sessions: [FestivalSession]
  /// Those of requests before this one, by the name that these were given.
  package var upload: String?
  /// More sessions will follow under this name: nothing is stored yet.
  package var hasMore: Bool
  package var editor: String
  package var isDryRun: Bool
  /// How many sessions were sent before these under this name; none, if nil. A service that does not have them all
  /// refuses the part, so that a festival never becomes the end of its own import.
  package var before: Int?
}

/// What an import changed, or would change.
nonisolated package struct ProgrammeEdit: Codable, Hashable, Sendable {
  package var isNew: Bool
  package var hasNewFacts = false
  package var added: [SessionID]
  package var altered: [SessionID]
  package var removed: [SessionID]

  var changed: [SessionID] { added + altered + removed }
  var isChange: Bool { isNew || hasNewFacts || !changed.isEmpty }
}

/// Takes a festival out, with its tickets.
nonisolated package struct RemoveFestival: RPCRequest {
  package typealias Service = TimetableAPI
  package typealias Response = Bool
  package static let method: MethodID = 0x0641
  package static let safety: Safety = .idempotent

  package var festival: FestivalID
  package var editor: String
}

/// Moves a session to another time or room, or cancels it. The response is the session as it is then.
nonisolated package struct ChangeSession: RPCRequest {
  package typealias Service = TimetableAPI
  package typealias Response = FestivalSession
  package static let method: MethodID = 0x0642
  package static let safety: Safety = .idempotent

  package var festival: FestivalID
  package var session: SessionID
  /// It keeps its length.
  package var startsAt: WallTime?
  package var rooms: [RoomID]?
  package var isCancelled: Bool?
  package var isSoldOut: Bool?
  package var editor: String
  package var isDryRun: Bool
}

/// Changes what no schedule says of a festival: where it is, who pays for it, on which floor its rooms are. What is nil
/// stays; an empty text takes away, but for names. The response is the festival as it is then.
nonisolated package struct ChangeFestival: RPCRequest, Hashable {
  package typealias Service = TimetableAPI
  package typealias Response = Festival
  package static let method: MethodID = 0x0648
  package static let safety: Safety = .idempotent

  package var festival: FestivalID
  package var name: String?
  package var subtitle: String?
  package var summary: String?
  package var venue: String?
  package var city: String?
  package var address: String?
  package var website: String?
  package var position: Coordinate?
  /// Behind all others, or, of the one of its name, what is not nil.
  package var sponsor: FestivalSponsor?
  /// By name.
  package var removedSponsor: String?
  package var room: RoomID?
  /// Of `room`.
  package var roomName: String?
  package var floor: String?
  package var capacity: Int?
  package var editor: String

  package init(festival: FestivalID, editor: String) {
    self.festival = festival
    self.editor = editor
  }
}

/// What is probably wrong with a programme.
nonisolated package struct FindingsOf: RPCRequest {
  package typealias Service = TimetableAPI
  package typealias Response = [ProgrammeFinding]
  package static let method: MethodID = 0x0643
  package static let safety: Safety = .read

  package var festival: FestivalID
}

/// Stores the map of a floor. The response names the rooms that it links to.
nonisolated package struct PutFloor: RPCRequest {
  package typealias Service = TimetableAPI
  package typealias Response = [RoomID]
  package static let method: MethodID = 0x0644
  package static let safety: Safety = .idempotent

  package var festival: FestivalID
  package var floor: FestivalFloor
  package var drawing: [UInt8]
  package var editor: String
}

/// A ticket as it is sold.
nonisolated package struct Ticket: Codable, Hashable, Sendable {
  /// What its QR code says.
  package var code: String
  package var holder: String?
  package var kind: String?
}

/// Adds tickets. The response is how many were new.
nonisolated package struct AddTickets: RPCRequest {
  package typealias Service = TimetableAPI
  package typealias Response = Int
  package static let method: MethodID = 0x0645
  package static let safety: Safety = .idempotent

  package var festival: FestivalID
  /// At most 1,000.
  package var tickets: [Ticket]
}

/// Gives a member of staff a new token, which is told once, or takes theirs away: then the response is empty.
nonisolated package struct ChangeStaff: RPCRequest {
  package typealias Service = TimetableAPI
  package typealias Response = String
  package static let method: MethodID = 0x0646
  package static let safety: Safety = .idempotent

  package var festival: FestivalID
  package var name: String
  package var isDismissed: Bool
}

/// How many came.
nonisolated package struct DoorStatisticsOf: RPCRequest {
  package typealias Service = TimetableAPI
  package typealias Response = DoorStatistics
  package static let method: MethodID = 0x0647
  package static let safety: Safety = .read

  package var festival: FestivalID
}

nonisolated package struct DoorStatistics: Codable, Hashable, Sendable {
  nonisolated package struct Member: Codable, Hashable, Sendable {
    package var name: String
    package var admitted: Int
  }

  package var tickets: Int
  package var admitted: Int
  package var staff: [Member]
}
