import Calendars
import Clocks
import Contracts
import JSON

/// What octav answers: a conference (`/conference/lookup`), and its sessions (`/session/list`). We write both in one object.
enum OctavJSON {
  static func read(_ files: [[UInt8]], _ options: ReadingOptions) throws(ProgrammeError) -> FestivalProgramme {
    var conference: JSONValue?
    var sessions: [JSONValue] = []
    for file in files {
      let tree = try ScheduleJSON.tree(file)
      if tree.array?.first?["schedule"] != nil {
        throw ProgrammeError("the file has several schedules; import them one at a time")
      }
      if files.count == 1, SessionizeJSON.isOne(tree) { return try SessionizeJSON.read(tree, options) }
      // A row leaves out what it has no value for.
      let names = (tree.array ?? []).reduce(into: Set<String>()) { names, row in
        for (name, _) in row.object ?? JSONObject() { names.insert(name) }
      }
      if files.count == 1, let mapping = ColumnMapping.exported(names) {
        var options = options
        options.mapping = mapping
        return try MappedTable.read(json: file, options)
      }
      if let list = tree.array ?? tree["sessions"]?.array { sessions += list }
      if let part = tree["conference"] {
        conference = part
      } else if tree["dates"] != nil || tree["timezone"] != nil {
        conference = tree
      }
    }
    guard conference != nil || sessions.contains(where: { $0["starts_on"] != nil }) else {
      throw unknown
    }
    let zone = try ProgrammeTimes.zone(
      named: conference?["timezone"]?.string,
      offsets: sessions.compactMap { ProgrammeTimes.offset(of: $0["starts_on"]?.string) }, options)
    var draft = try ProgrammeDraft(
      slug: conference?["full_slug"]?.words ?? conference?["slug"]?.words, name: conference?["title"]?.words,
      zone: zone,
      options)
    var trackOfRoom: [String: String] = [:]
    if let conference { readFacts(conference, to: &draft, &trackOfRoom) }
    for session in sessions { try add(session, trackOfRoom, to: &draft) }
    return try draft.finished()
  }

  static let unknown = ProgrammeError(
    "this JSON is none that is known: it is no schedule.json of frab or pretalx, no answer of pretalx's API and none of "
      + "octav's; --mapping says what its members are")

  private static func readFacts(
    _ conference: JSONValue, to draft: inout ProgrammeDraft, _ trackOfRoom: inout [String: String]
  ) {
    draft.festival.subtitle = conference["sub_title"]?.words
    draft.festival.summary = conference["description"]?.words
    draft.festival.website = (conference["redirect_url"]?.string).flatMap(PentabarfXML.webAddress)
    for date in conference["dates"]?.array ?? [] {
      let opens = instant(date["open"], draft)
      guard let opens else { continue }
      // One that opens before the day's end is its own day all the same, where somebody says so.
      let day = date["odi_day"]?.string.flatMap { CivilDate($0) } ?? draft.festival.day(of: opens, in: draft.zone)
      draft.festival.days.append(FestivalDay(date: day, opensAt: opens, closesAt: instant(date["close"], draft)))
    }
    let venues = conference["venues"]?.array ?? []
    if let venue = venues.first {
      draft.festival.venue = venue["name"]?.words
      draft.festival.address = venue["address"]?.words
      if let latitude = venue["latitude"]?.double, let longitude = venue["longitude"]?.double {
        draft.festival.position = try? Coordinate(latitude: latitude, longitude: longitude)
      }
    }
    let tracks = (conference["tracks"]?.array ?? []).sorted {
      $0["sort_order"]?.int ?? 0 < $1["sort_order"]?.int ?? 0
    }
    // The conference prints its rooms in the order of their tracks; those without one follow.
    let order = Dictionary(
      tracks.enumerated().compactMap { place, track in track["room_id"]?.string.map { ($0, place) } }
    ) { first, _ in first }
    func place(_ room: JSONValue) -> Int { room["id"]?.string.flatMap { order[$0] } ?? tracks.count }
    for room in venues.flatMap({ $0["rooms"]?.array ?? [] }).sorted(by: { place($0) < place($1) }) {
      guard let name = room["name"]?.words else { continue }
      let id = room["id"]?.string
      _ = draft.room(name, id: id, slug: id, floor: room["floor"]?.words, capacity: room["capacity"]?.int)
    }
    for track in tracks {
      guard let name = track["name"]?.words else { continue }
      _ = draft.track(name, color: track["color"]?.string)
      if let room = track["room_id"]?.string, !room.isEmpty { trackOfRoom[room] = name }
    }
    draft.festival.sponsors = (conference["sponsors"]?.array ?? [])
      .sorted {
        ($0["group_name"]?.string ?? "~", $0["sort_order"]?.int ?? 0) < (
          $1["group_name"]?.string ?? "~", $1["sort_order"]?.int ?? 0
        )
      }
      .compactMap { sponsor in
        sponsor["name"]?.words.map {
          FestivalSponsor(
            name: $0, url: sponsor["url"]?.string.flatMap(PentabarfXML.webAddress),
            logo: sponsor["logo_url"]?.string.flatMap(PentabarfXML.webAddress), tier: sponsor["group_name"]?.words)
        }
      }
  }

  private static func instant(_ value: JSONValue?, _ draft: ProgrammeDraft) -> WallTime? {
    value?.string.flatMap { ISO8601Time($0)?.instant(in: draft.zone) }
  }

  private static func add(
    _ value: JSONValue, _ trackOfRoom: [String: String], to draft: inout ProgrammeDraft
  ) throws(ProgrammeError) {
    let id = value["id"]?.string
    guard let title = value["title"]?.words else {
      draft.leaveOut("the session \(id ?? "without an id") has no title; it is left out")
      return
    }
    guard let start = instant(value["starts_on"], draft) else {
      draft.leaveOut("\(title) (\(id ?? "without an id")) has no start; it is left out")
      return
    }
    guard value["status"]?.string != "rejected", value["status"]?.string != "pending" else {
      draft.leaveOut("\(title) (\(id ?? "without an id")) is \(value["status"]!.string!); it is left out")
      return
    }
    let roomID = value["room"]?["id"]?.string ?? value["room_id"]?.string
    let roomName = value["room"]?["name"]?.words ?? ""
    let capacity = value["room"]?["capacity"]?.int
    var rooms = [draft.room(roomName, id: roomID, slug: roomID, capacity: capacity)].compactMap(\.self)
    for more in value["more_rooms"]?.array ?? [] {
      let id = more["id"]?.string
      if let room = draft.room(more["name"]?.words ?? "", id: id, slug: id) { rooms.append(room) }
    }
    let track = value["track"]?["name"]?.words ?? roomID.flatMap { trackOfRoom[$0] }
    var session = FestivalSession(
      id: SessionID("x")!, guid: id, title: title,
      day: value["odi_day"]?.string.flatMap { CivilDate($0) } ?? draft.festival.day(of: start, in: draft.zone),
      startsAt: start,
      endsAt: (value["duration"]?.double ?? value["duration"]?.string.flatMap(Double.init))
        .flatMap { $0 >= 0 && $0 < 1e7 ? start.adding(seconds: Int64($0)) : nil },
      rooms: rooms, track: draft.track(track), kind: value["session_type"]?["name"]?.words,
      language: value["spoken_language"]?.words, level: value["material_level"]?.words,
      abstract: value["abstract"]?.words, url: value["slide_url"]?.string.flatMap(PentabarfXML.webAddress))
    session.speakers = (value["speakers"]?.array ?? [value["speaker"]].compactMap(\.self)).compactMap(speaker)
    if value["has_interpretation"]?.bool == true { session.flags.append("interpretation") }
    try draft.add(
      session, named: id, isCancelled: value["status"]?.string.map { $0 == "cancelled" },
      isSoldOut: value["sold_out"]?.bool)
  }

  private static func speaker(_ value: JSONValue) -> FestivalSpeaker? {
    // Both names, else the one that they go by.
    let names = [value["first_name"]?.words, value["last_name"]?.words].compactMap(\.self)
    guard let name = names.count == 2 ? names.joined(separator: " ") : value["nickname"]?.words ?? names.first else {
      return nil
    }
    return FestivalSpeaker(
      id: value["id"]?.string, name: name, picture: value["avatar_url"]?.string.flatMap(PentabarfXML.webAddress))
  }

  // MARK: Writing

  static func write(_ programme: FestivalProgramme) -> [UInt8] {
    let festival = programme.festival
    let rooms = Dictionary(festival.rooms.map { ($0.id, $0) }) { first, _ in first }
    let tracks = Dictionary(festival.tracks.map { ($0.id, $0) }) { first, _ in first }
    func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    func room(_ id: RoomID) -> JSONValue {
      let room = rooms[id]
      return [
        "id": .string(id.text), "name": text(room?.name), "capacity": room?.capacity.map { .int(Int64($0)) } ?? .null,
      ]
    }
    let conference: JSONValue = [
      "id": .string(NameNumber.guid(festival.id.text)), "slug": .string(festival.id.text),
      "full_slug": .string(festival.id.text), "title": .string(festival.name),
      "sub_title": text(festival.subtitle), "description": text(festival.summary),
      "redirect_url": text(festival.website), "timezone": .string(festival.zone.text), "status": "public",
      "dates": .array(
        festival.days.compactMap { day in
          day.opensAt.map { opens in
            [
              "odi_day": .string("\(day.date)"), "open": .string("\(Timestamp(opens))"),
              "close": text(day.closesAt.map { "\(Timestamp($0))" }),
            ]
          }
        }),
      "venues": [
        [
          "id": .string(NameNumber.guid("\(festival.id)/venue")), "name": text(festival.venue),
          "address": text(festival.address),
          "latitude": festival.position.map { .double($0.latitude) } ?? .null,
          "longitude": festival.position.map { .double($0.longitude) } ?? .null,
          "rooms": .array(festival.rooms.map { room($0.id) }),
        ]
      ],
      "tracks": .array(
        festival.tracks.enumerated().map { place, track in
          [
            "id": .string(track.id.text), "name": .string(track.name), "sort_order": .int(Int64(place)),
            "color": text(track.color),
          ]
        }),
      "sponsors": .array(
        festival.sponsors.enumerated().map { place, sponsor in
          [
            "name": .string(sponsor.name), "url": text(sponsor.url), "logo_url": text(sponsor.logo),
            "group_name": text(sponsor.tier), "sort_order": .int(Int64(place)),
          ]
        }),
    ]
    let sessions = programme.sessions.map { session -> JSONValue in
      let speakers = session.speakers.map { speaker -> JSONValue in
        ["id": text(speaker.id), "nickname": .string(speaker.name), "avatar_url": text(speaker.picture)]
      }
      return [
        "id": .string(session.id.text), "title": .string(session.title), "abstract": text(session.abstract),
        "odi_day": .string("\(session.day)"), "starts_on": .string("\(Timestamp(session.startsAt))"),
        "duration": session.endsAt.map { .int(session.startsAt.seconds(until: $0)) } ?? .null,
        "material_level": text(session.level), "spoken_language": text(session.language),
        "status": session.isCancelled ? "cancelled" : "accepted", "sold_out": .bool(session.isSoldOut),
        "room_id": text(session.rooms.first?.text), "room": session.rooms.first.map(room) ?? .null,
        "more_rooms": .array(session.rooms.dropFirst().map(room)),
        "track": session.track.flatMap { tracks[$0] }.map { ["name": .string($0.name)] } ?? .null,
        "session_type": ["name": text(session.kind)], "slide_url": text(session.url),
        "has_interpretation": .bool(session.flags.contains("interpretation")), "speaker": speakers.first ?? .null,
        "speakers": .array(speakers),
      ]
    }
    let root: JSONValue = ["conference": conference, "sessions": .array(sessions)]
    return root.json
  }
}
