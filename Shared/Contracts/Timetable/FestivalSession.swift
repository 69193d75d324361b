package import Calendars
package import Clocks
import Wire

/// Something that takes place at a festival, once, in one room or in several at the same time.
package struct FestivalSession: Codable, Hashable, Sendable, WireLayout {
  /// At most 43 characters; the festival's own name for it wherever that can be one.
  package var id: SessionID
  /// What other programs call it: a UUID.
  package var guid: String?
  /// What iCalendar calls it, where it came from there.
  package var uid: String?
  /// What the printed programme calls it: `102`.
  package var code: String?
  package var title: String
  package var subtitle: String?
  /// The festival's day, which a screening at 00:45 may share with the evening before.
  package var day: CivilDate
  package var startsAt: WallTime
  /// Nil where nobody says it.
  package var endsAt: WallTime?
  /// The first is where it is listed. Empty: not decided.
  package var rooms: [RoomID]
  package var track: TrackID?
  package var speakers: [FestivalSpeaker]
  /// `talk`, `screening`, as the festival says.
  package var kind: String?
  package var language: String?
  package var level: String?
  package var abstract: String?
  package var details: String?
  package var url: String?
  package var film: FilmID?
  /// How long the film itself is, where that is known apart from the session.
  package var runtimeMinutes: Int?
  /// `gv`, `subtitles`…
  package var flags: [String]
  package var isSoldOut: Bool
  package var isCancelled: Bool
  /// How often what a calendar must show again was changed: its times, its rooms, whether it takes place.
  package var sequence: Int?
  /// When anything of it was changed last.
  package var changedAt: WallTime?

  package init(
    id: SessionID, guid: String? = nil, uid: String? = nil, code: String? = nil, title: String,
    subtitle: String? = nil, day: CivilDate, startsAt: WallTime, endsAt: WallTime? = nil, rooms: [RoomID] = [],
    track: TrackID? = nil, speakers: [FestivalSpeaker] = [], kind: String? = nil, language: String? = nil,
    level: String? = nil, abstract: String? = nil, details: String? = nil, url: String? = nil, film: FilmID? = nil,
    runtimeMinutes: Int? = nil, flags: [String] = [], isSoldOut: Bool = false, isCancelled: Bool = false,
    sequence: Int? = nil, changedAt: WallTime? = nil
  ) {
    self.id = id
    self.guid = guid
    self.uid = uid
    self.code = code
    self.title = title
    self.subtitle = subtitle
    self.day = day
    self.startsAt = startsAt
    self.endsAt = endsAt
    self.rooms = rooms
    self.track = track
    self.speakers = speakers
    self.kind = kind
    self.language = language
    self.level = level
    self.abstract = abstract
    self.details = details
    self.url = url
    self.film = film
    self.runtimeMinutes = runtimeMinutes
    self.flags = flags
    self.isSoldOut = isSoldOut
    self.isCancelled = isCancelled
    self.sequence = sequence
    self.changedAt = changedAt
  }
}

extension CalendarEvent {
  /// Behind an id of our own, to know it again in a calendar.
  package static let sessionMark = ".timetable.odi"

  /// A session for a calendar. In each that it stands in it is the same event, and the later description of it wins.
  package init(
    _ session: FestivalSession, at festival: FestivalID, start: CalendarTime, end: CalendarTime?, summary: String
  ) {
    self.init(
      uid: session.uid ?? "\(session.id)@\(festival)\(Self.sessionMark)", start: start, end: end, summary: summary)
    url = session.url
    status = session.isCancelled ? .cancelled : .confirmed
    sequence = session.sequence ?? 0
    stamp = session.changedAt
    modified = session.changedAt
  }
}

/// Who speaks, plays or presents.
package struct FestivalSpeaker: Codable, Hashable, Sendable, WireLayout {
  /// The festival's own name for them.
  package var id: String?
  package var name: String
  package var about: String?
  package var picture: String?

  package init(id: String? = nil, name: String, about: String? = nil, picture: String? = nil) {
    self.id = id
    self.name = name
    self.about = about
    self.picture = picture
  }
}
