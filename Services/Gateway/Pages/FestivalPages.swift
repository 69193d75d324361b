import Calendars
import Clocks
import Contracts
import Festivals
import JSON

/// A festival.
nonisolated struct FestivalItem: Shaped {
  var festival: Festival
  /// With sponsors and floors.
  var isWhole = false

  static let shape = Shape<FestivalItem>(
    "Festival", "Some days, some screens, and what takes place there. All times are in its own zone.",
    [
      .required("id", "Its slug.") { $0.festival.id },
      .required("name", "In the language of the place.") { $0.festival.name },
      .optional("subtitle", "A second name.") { $0.festival.subtitle },
      .optional("summary", "What it is.") { $0.isWhole ? $0.festival.summary : nil },
      .required("starts_on", "Its first day.") { $0.festival.startsOn },
      .required("ends_on", "Its last day.") { $0.festival.endsOn },
      .required("time_zone", "IANA.") { $0.festival.zone.text },
      .required("days", "Its days; one may have nothing in it.") { $0.festival.days.map(\.date) },
      .optional("venue", "Where.") { $0.festival.venue },
      .optional("city", "In which city.") { $0.festival.city },
      .optional("address", "As written there.") { $0.festival.address },
      .optional("position", "Where on the map.") { $0.festival.position.map { PlaceItem($0) } },
      .optional("maps", "Where maps show it.") { item in
        item.isWhole ? item.festival.mapLinks.map { MapLinksItem(links: $0) } : nil
      },
      .optional("website", "Its own page.") { $0.festival.website },
      .required("screens", "Its rooms, in its own order.") { $0.festival.rooms.map { ScreenItem(room: $0) } },
      .required("tracks", "Sections of its programme.") { $0.festival.tracks.map { TrackItem(track: $0) } },
      .optional("sponsors", "In its own order; those of one tier together.") { item in
        item.isWhole ? item.festival.sponsors.map { SponsorItem(sponsor: $0) } : nil
      },
      .optional("floors", "Floors that there is a map of.") { item in
        item.isWhole ? FloorItem.all(of: item.festival) : nil
      },
      .required("rev", "Of its timetable.") { $0.festival.revision },
      .mark("demo", "Invented, to try the software with.") { $0.festival.isDemo },
    ])
}

/// A room of a festival.
nonisolated struct ScreenItem: Shaped {
  var room: FestivalRoom

  static let shape = Shape<ScreenItem>(
    "FestivalScreen", "A screen, a hall, a garden.",
    [
      .required("id", "Its slug.") { $0.room.id },
      .required("name", "As signs say it.") { $0.room.name },
      .optional("floor", "On which floor.") { $0.room.floor },
      .optional("capacity", "How many people it holds.") { $0.room.capacity },
    ])
}

nonisolated struct TrackItem: Shaped {
  var track: FestivalTrack

  static let shape = Shape<TrackItem>(
    "FestivalTrack", "A section of a programme.",
    [
      .required("id", "Its slug.") { $0.track.id },
      .required("name", "As the programme says it.") { $0.track.name },
      .optional("color", "For a mark beside its sessions: `#b3261e`.") { $0.track.color },
    ])
}

nonisolated struct SponsorItem: Shaped {
  var sponsor: FestivalSponsor

  static let shape = Shape<SponsorItem>(
    "FestivalSponsor", "Who pays for it.",
    [
      .required("name", "Their name.") { $0.sponsor.name },
      .optional("url", "Their page.") { $0.sponsor.url },
      .optional("logo", "Their picture, at their place.") { $0.sponsor.logo },
      .optional("tier", "Any word; those of one word stand together.") { $0.sponsor.tier },
    ])
}

nonisolated struct FloorItem: Shaped {
  var festival: FestivalID
  var floor: FestivalFloor

  static func all(of festival: Festival) -> [FloorItem] {
    festival.floors.map { FloorItem(festival: festival.id, floor: $0) }
  }

  static let shape = Shape<FloorItem>(
    "FestivalFloor", "A floor with its map.",
    [
      .required("id", "Its slug.") { $0.floor.id },
      .required("name", "As signs say it.") { $0.floor.name },
      .required("url", "The map, as SVG in which rooms are links.") {
        "/v1/festivals/\($0.festival)/floors/\($0.floor.id).svg"
      },
      .optional("rooms", "Slugs of the rooms that it links to.") { $0.floor.rooms },
    ])
}

nonisolated struct SpeakerItem: Shaped {
  var speaker: FestivalSpeaker

  static let shape = Shape<SpeakerItem>(
    "FestivalSpeaker", "Who speaks, plays or presents.",
    [
      .optional("id", "The festival's own name for them.") { $0.speaker.id },
      .required("name", "Their name.") { $0.speaker.name },
      .optional("about", "Who they are.") { $0.speaker.about },
      .optional("picture", "Their picture, at its place.") { $0.speaker.picture },
    ])
}

/// A session with what surrounds it.
nonisolated struct SessionItem: Shaped {
  var session: FestivalSession
  var festival: FestivalID
  var track: FestivalTrack?
  var zone: TimeZoneRules
  /// With its text in parts.
  var isWhole = false

  init(_ session: FestivalSession, of festival: Festival, in zone: TimeZoneRules, isWhole: Bool = false) {
    self.isWhole = isWhole
    self.session = session
    self.festival = festival.id
    self.zone = zone
    track = session.track.flatMap { id in festival.tracks.first { $0.id == id } }
  }

  static let shape = Shape<SessionItem>("FestivalSession", "Something that takes place at a festival, once.", members)

  static let members: [Shape<SessionItem>.Member] = [
    .required("id", "Its id, unique within its festival.") { $0.session.id },
    .required("festival_id", "At which festival.") { $0.festival },
    .optional("code", "What the printed programme calls it.") { $0.session.code },
    .required("title", "As the festival says it.") { $0.session.title },
    .optional("subtitle", "A second title.") { $0.session.subtitle },
    .required("day", "The festival's day, which 00:30 may share with the evening before.") { $0.session.day },
    .required("starts_at", "When it begins.") { $0.zone.timestamp(at: $0.session.startsAt) },
    .optional("ends_at", "When it ends; absent where nobody says it.") { item in
      item.session.endsAt.map { item.zone.timestamp(at: $0) }
    },
    .required("display_time", "Its start under its day: `24:30`.") { $0.displayTime },
    .required("screens", "Its rooms; the first is where it is listed.") { $0.session.rooms },
    .optional("track", "Its section.") { $0.track.map { TrackItem(track: $0) } },
    .optional("speakers", "Who speaks, plays or presents.") { item in
      item.session.speakers.isEmpty ? nil : item.session.speakers.map { SpeakerItem(speaker: $0) }
    },
    .optional("kind", "What it is, in the festival's words.") { $0.session.kind },
    .optional("language", "In which language.") { $0.session.language },
    .optional("level", "For whom, in the festival's words.") { $0.session.level },
    .optional("abstract", "A few sentences, as the festival wrote them.") { $0.session.abstract },
    .optional("description", "More of them.") { $0.session.details },
    .optional("prose", "The abstract and the description, in parts to be shown; of one session alone.") {
      $0.prose
    },
    .optional("url", "Its own page.") { $0.session.url },
    .optional("film_id", "The film that is shown.") { $0.session.film },
    .optional("flags", "Short marks: `gv`.") { $0.session.flags.isEmpty ? nil : $0.session.flags },
    .required("sold_out", "Whether there are no tickets left.") { $0.session.isSoldOut },
    .mark("cancelled", "It does not take place.") { $0.session.isCancelled },
  ]

  private var prose: [ProseItem]? {
    guard isWhole else { return nil }
    var texts = [session.abstract, session.details].compactMap(\.self)
    // Some say the one again at the beginning of the other.
    if texts.count == 2, texts[1].hasPrefix(texts[0]) { texts.removeFirst() }
    if texts.count == 2, texts[0].hasPrefix(texts[1]) { texts.removeLast() }
    return texts.isEmpty ? nil : texts.flatMap { SessionProse($0).blocks.map { ProseItem(block: $0) } }
  }

  private var displayTime: String {
    let local = zone.local(at: session.startsAt)
    let display = DisplayTime(local.time)
    return "\((local.date > session.day ? display.nextDay : nil) ?? display)"
  }
}

/// A part of what a festival wrote of a session.
nonisolated struct ProseItem: Shaped {
  var block: SessionProse.Block

  static let shape = Shape<ProseItem>(
    "FestivalProse", "A paragraph, a heading or a list, read from Markdown or HTML; all text is text.",
    [
      .required("kind", "What it is.", as: .words(SessionProse.Kind.allCases.map(\.rawValue))) {
        $0.block.kind.rawValue
      },
      .required("lines", "Of a list its items, of a paragraph what its breaks part; each in pieces that look alike.") {
        $0.block.lines.map { line in line.map { ProseRunItem(run: $0) } }
      },
    ])
}

nonisolated struct ProseRunItem: Shaped {
  var run: SessionProse.Run

  static let shape = Shape<ProseRunItem>(
    "FestivalProseRun", "",
    [
      .required("text", "") { $0.run.text },
      .optional("url", "Where it leads, in the web.") { $0.run.url },
      .mark("strong", "It is important.") { $0.run.isStrong },
      .mark("emphasis", "It is stressed.") { $0.run.isEmphasised },
    ])
}

/// A session in one room of a grid, or in none.
nonisolated struct GridCellItem: Shaped {
  var item: SessionItem
  var cell: GridDay.Placed

  static let shape = Shape<GridCellItem>(
    "FestivalGridCell", "A session in one screen of a grid.",
    [
      .optional("screen", "In which column; absent for a session that has no screen, or none yet.") { $0.cell.room },
      .required(
        "row", "Its first row and the row behind its last.",
        as: .array(of: .integer(0...100_000), atMost: 2, atLeast: 2)
      ) { [$0.cell.rows.lowerBound, $0.cell.rows.upperBound] },
      .required("lane", "Its place among those that overlap in this screen, from 0.") { $0.cell.lane },
      .required("lanes", "How many these are.") { $0.cell.lanes },
    ]
      + SessionItem.members.filter { "\($0.name)" != "speakers" }.map { $0.lifted { $0.item } } + [
        .optional("speakers", "Names of who speaks, plays or presents.") { cell in
          let names = cell.cell.session.speakers.map(\.name)
          return names.isEmpty ? nil : names
        }
      ])
}

/// A day of a festival, ready to be drawn.
nonisolated struct GridPage: Shaped {
  var grid: GridDay
  var cells: [GridCellItem]
  var zone: TimeZoneRules

  init(_ grid: GridDay, in zone: TimeZoneRules) {
    self.grid = grid
    self.zone = zone
    var festival = Festival(
      id: grid.festival, name: grid.name, zone: grid.zone, startsOn: grid.day, endsOn: grid.day)
    festival.tracks = grid.tracks
    cells = grid.placed.map { GridCellItem(item: SessionItem($0.session, of: festival, in: zone), cell: $0) }
  }

  static let shape = Shape<GridPage>(
    "FestivalTimetable", "One day of a festival as a grid: screens beside each other, time downwards.",
    [
      .required("festival_id", "Of which festival.") { $0.grid.festival },
      .required("name", "Its name.") { $0.grid.name },
      .required("day", "Which day.") { $0.grid.day },
      .required("days", "Its days.") { $0.grid.days },
      .required("time_zone", "IANA.") { $0.grid.zone.text },
      .required("slot_min", "How many minutes a row lasts: all starts and ends are whole rows.") {
        $0.grid.slotMinutes
      },
      .optional("starts_at", "When the first row begins; absent on a day without sessions.") { page in
        page.grid.rows == 0 ? nil : page.zone.timestamp(at: page.grid.startsAt)
      },
      .optional("ends_at", "When the last row ends.") { page in
        page.grid.rows == 0 ? nil : page.zone.timestamp(at: page.grid.endsAt)
      },
      .required("rows", "How many rows there are.") { $0.grid.rows },
      .required("gaps", "First rows, and rows behind the last, in which nothing takes place anywhere: fold them.") {
        $0.gaps
      },
      .required("screens", "Those that have something that day.") { $0.grid.rooms.map { ScreenItem(room: $0) } },
      .required("tracks", "Those that have something that day.") { $0.grid.tracks.map { TrackItem(track: $0) } },
      .required("sessions", "A cell for each screen that a session is in, and one for a session that is in none.") {
        $0.cells
      },
      .required("rev", "Of the timetable.") { $0.grid.revision },
      .mark("demo", "Invented, to try the software with.") { $0.grid.isDemo },
    ])

  private var gaps: [[Int]] {
    stride(from: 0, to: grid.gaps.count - 1, by: 2).map { [grid.gaps[$0], grid.gaps[$0 + 1]] }
  }
}

/// What a user wants to see at a festival, and what of it nobody can see both of.
nonisolated struct AgendaPage: Presentable {
  var items: [SessionItem]
  var conflicts: [SessionConflict]
  /// Saved ones that the festival no longer has.
  var gone: [SessionID]

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.array("data", of: items)
      json.field("has_more", false)
      json.field("next_cursor", String?.none)
      json.array("conflicts", of: conflicts.map { ConflictItem(conflict: $0) })
      json.array("gone", of: gone)
    }
  }

  static var schema: Schema {
    .object(
      ListMembers.of(SessionItem.schema) + [
        ("conflicts", .array(of: ConflictItem.schema), true),
        ("gone", Schema.array(of: SessionID.schema).described("Saved, and no longer in the programme."), true),
      ], isOpen: true)
  }
}

nonisolated struct ConflictItem: Shaped {
  var conflict: SessionConflict

  static let shape = Shape<ConflictItem>(
    "AgendaConflict", "Two sessions at the same time.",
    [
      .required("sessions", "The earlier one first.") { [$0.conflict.first, $0.conflict.second] },
      .required("minutes", "How long both last at once.") { $0.conflict.minutes },
    ])
}

/// What a ticket's code did at the door.
nonisolated struct CheckInPage: Shaped {
  var receipt: CheckInReceipt

  static let shape = Shape<CheckInPage>(
    "CheckIn", "A ticket that was shown at the door.",
    [
      .required("admitted", "Whether to let this one in: false, if the ticket was shown before.") {
        $0.receipt.isFirst
      },
      .required("checked_in_at", "When it was shown first.") { Timestamp($0.receipt.checkedInAt) },
      .required("staff", "To whom.") { $0.receipt.staff },
      .optional("holder", "Whose it is.") { $0.receipt.holder },
      .optional("kind", "Of which kind.") { $0.receipt.kind },
    ])
}

/// A QR code that was found in a picture.
nonisolated struct FoundCodePage: Presentable {
  var codes: [CodeInPicture]

  func write(to json: inout JSONWriter) {
    json.object { json in json.array("results", of: codes.map { FoundCodeItem(code: $0) }) }
  }

  static var schema: Schema {
    .object([("results", .array(of: FoundCodeItem.schema), true)], isOpen: true)
  }
}

nonisolated struct FoundCodeItem: Shaped {
  var code: CodeInPicture

  static let shape = Shape<FoundCodeItem>(
    "FoundCode", "A QR code in a picture.",
    [
      .required("text", "What it says.") { $0.code.text },
      .required("points", "Its corners, x and y, in squares of the picture.") { item in
        stride(from: 0, to: item.code.points.count - 1, by: 2).map { [item.code.points[$0], item.code.points[$0 + 1]] }
      },
    ])
}
