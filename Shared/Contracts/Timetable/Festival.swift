package import Calendars
package import Clocks
import Wire

/// A festival: some days, some rooms, and what takes place in them.
package struct Festival: Codable, Hashable, Sendable, WireLayout {
  /// A slug of at most 36 characters without a dot: `jiff-26`.
  package var id: FestivalID
  package var name: String
  package var subtitle: String?
  package var summary: String?
  package var venue: String?
  package var city: String?
  package var address: String?
  package var position: Coordinate?
  package var website: String?
  /// Every day, date and clock of it is in this zone, wherever the reader is.
  package var zone: ZoneName
  package var startsOn: CivilDate
  package var endsOn: CivilDate
  /// When a day of its programme ends; nil: 05:00.
  package var dayEnds: ClockTime?
  /// How long a row of its printed grid is.
  package var slotMinutes: Int?
  /// In their order. A day may have nothing in it.
  package var days: [FestivalDay]
  /// In the order in which the festival lists them.
  package var rooms: [FestivalRoom]
  package var tracks: [FestivalTrack]
  package var sponsors: [FestivalSponsor]
  package var floors: [FestivalFloor]
  package var isDemo: Bool
  /// Of the timetable, when it was last changed.
  package var revision: Int64

  package init(
    id: FestivalID, name: String, subtitle: String? = nil, summary: String? = nil, venue: String? = nil,
    city: String? = nil, address: String? = nil, position: Coordinate? = nil, website: String? = nil, zone: ZoneName,
    startsOn: CivilDate, endsOn: CivilDate, dayEnds: ClockTime? = nil, slotMinutes: Int? = nil,
    days: [FestivalDay] = [], rooms: [FestivalRoom] = [], tracks: [FestivalTrack] = [],
    sponsors: [FestivalSponsor] = [], floors: [FestivalFloor] = [], isDemo: Bool = false, revision: Int64 = 0
  ) {
    self.id = id
    self.name = name
    self.subtitle = subtitle
    self.summary = summary
    self.venue = venue
    self.city = city
    self.address = address
    self.position = position
    self.website = website
    self.zone = zone
    self.startsOn = startsOn
    self.endsOn = endsOn
    self.dayEnds = dayEnds
    self.slotMinutes = slotMinutes
    self.days = days
    self.rooms = rooms
    self.tracks = tracks
    self.sponsors = sponsors
    self.floors = floors
    self.isDemo = isDemo
    self.revision = revision
  }
}

extension Festival {
  /// Where maps show it, if somebody said where it is.
  package var mapLinks: MapLinks? {
    position.map { MapLinks(named: venue ?? name, at: $0, isKorean: zone.text == "Asia/Seoul") }
  }
}

package typealias FestivalID = ID<Festival>
package typealias RoomID = ID<FestivalRoom>
package typealias TrackID = ID<FestivalTrack>
package typealias FloorID = ID<FestivalFloor>
package typealias SessionID = ID<FestivalSession>

extension ID where Subject == FestivalSession {
  /// A session as people save it: a festival's id has no dot, so the two can be told apart again.
  package func saved(at festival: FestivalID) -> String { "\(festival).\(self)" }
}

/// One day of it, as the festival counts them: what starts after midnight may belong to the evening before.
package struct FestivalDay: Codable, Hashable, Sendable, WireLayout {
  package var date: CivilDate
  /// When doors open, where that is said.
  package var opensAt: WallTime?
  package var closesAt: WallTime?

  package init(date: CivilDate, opensAt: WallTime? = nil, closesAt: WallTime? = nil) {
    self.date = date
    self.opensAt = opensAt
    self.closesAt = closesAt
  }
}

/// A screen, a hall, a garden.
package struct FestivalRoom: Codable, Hashable, Sendable, WireLayout {
  package var id: RoomID
  package var name: String
  /// As signs say it: `2F`.
  package var floor: String?
  package var capacity: Int?

  package init(id: RoomID, name: String, floor: String? = nil, capacity: Int? = nil) {
    self.id = id
    self.name = name
    self.floor = floor
    self.capacity = capacity
  }
}

/// A section of the programme: a competition, a retrospective.
package struct FestivalTrack: Codable, Hashable, Sendable, WireLayout {
  package var id: TrackID
  package var name: String
  /// `#b3261e`
  package var color: String?

  package init(id: TrackID, name: String, color: String? = nil) {
    self.id = id
    self.name = name
    self.color = color
  }
}

package struct FestivalSponsor: Codable, Hashable, Sendable, WireLayout {
  package var name: String
  package var url: String?
  package var logo: String?
  /// `tier-1`, or any other word: those of one word stand together, in the order of the list.
  package var tier: String?

  package init(name: String, url: String? = nil, logo: String? = nil, tier: String? = nil) {
    self.name = name
    self.url = url
    self.logo = logo
    self.tier = tier
  }
}

/// A floor that there is a map of.
package struct FestivalFloor: Codable, Hashable, Sendable, WireLayout {
  package var id: FloorID
  package var name: String
  /// Those that its map links to, in the order of the drawing.
  package var rooms: [RoomID]?

  package init(id: FloorID, name: String, rooms: [RoomID]? = nil) {
    self.id = id
    self.name = name
    self.rooms = rooms
  }
}
