import Calendars
import Clocks
import Contracts
import HTTP
import JSON
import RPC

/// Festivals: their days as grids, their sessions, floors and files, what a user wants to see there, and the door.
final class FestivalsCoordinator: Coordinator {
  private let timetable: any RPCClient<TimetableAPI>
  private let bookmarks: any RPCClient<BookmarksAPI>

  init(timetable: any RPCClient<TimetableAPI>, bookmarks: any RPCClient<BookmarksAPI>) {
    self.timetable = timetable
    self.bookmarks = bookmarks
  }

  private static let id = PathField("id", "The festival's slug.", schema: FestivalID.schema)
  private static let session = PathField("session", "The session's id.", schema: SessionID.schema)
  private static let floor = PathField("floor", "The floor's slug.", schema: FloorID.schema)
  private static let activeOn = QueryField<CivilDate?>.written(
    "active_on", "Only those that this date is a day of.", as: CivilDate.self)
  private static let limit = QueryField<Int>.int("limit", "How many at most.", in: 1...100, default: 20)
  private static let sessionLimit = QueryField<Int>.int("limit", "How many at most.", in: 1...200, default: 100)
  private static let day = QueryField<CivilDate?>.written(
    "day", "Which day of the festival; today or the next one, if left out.", as: CivilDate.self)
  private static let onlyDay = QueryField<CivilDate?>.written("day", "Only of this day.", as: CivilDate.self)
  private static let track = QueryField<String?>.text("track", "Only of this track, by its slug.", length: 1...80)
  private static let screen = QueryField<String?>.text("screen", "Only in this screen, by its slug.", length: 1...80)
  private static let text = QueryField<String?>.text(
    "q", "A part of a title or of somebody's name; the best match first.", length: 1...100)
  private static let tag = QueryField<String?>.text(
    "tag", "Only with this flag, kind, language or level.", length: 1...80)
  private static let checkInForm = BodyForm(
    schema: .object([("code", .string("What the ticket's QR code says.", length: 1...512), true)]))
  private static let staff = RequestField(
    "X-Odi-Staff", "The token of the member of staff at the door.",
    schema: .string(pattern: "^[!-~]+$", length: 1...200))

  /// A drawing that comes with a policy of its own: beside it the page's, which forbids styles within, would hold too.
  private static let map = MediaType("image/svg+xml", isCompressible: true)
  /// Its members are described by whose format it is; `$schema` names where.
  private static let scheduleJSON = Schema.object(
    [
      ("$schema", .string(format: "uri"), true), ("generator", .object([], isOpen: true), true),
      ("schedule", .object([], isOpen: true), true),
    ], isOpen: true)

  /// Sessions of one agenda; nobody sees more in a week. The newest count.
  private static let agendaMax = 500
  /// No list of festivals or of sessions is longer.
  private static let offsetMax = 1_000_000

  var endpoints: [Endpoint] { reading + files + agenda }

  private var reading: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/festivals", "festivals", "Festivals, those that end last first.", .festivals,
        query: [Self.activeOn, QueryField<Coordinate?>.near, Self.limit, QueryField<String?>.cursor],
        answers: [.json("With `near` the nearest first.", ListPage<FestivalItem>.schema)], isShared: true
      ) { [self] asking in try await list(asking) },
      Endpoint(
        .get, "/v1/festivals/{id}", "festival", "One festival.", .festivals, parameters: [Self.id],
        answers: [.json("With sponsors and floors.", FestivalItem.schema)], isShared: true
      ) { [self] asking in
        let festival = try await festival(asking)
        return .json(FestivalItem(festival: festival, isWhole: true), madeOf: [.festival(festival.id)])
      },
      Endpoint(
        .get, "/v1/festivals/{id}/timetable", "festivalTimetable", "A day of a festival as a grid.", .festivals,
        parameters: [Self.id], query: [Self.day, Self.track, Self.screen],
        answers: [.json("Ready to be drawn.", GridPage.schema)], isShared: true
      ) { [self] asking in
        var query = asking.query
        let (day, track, screen) = (query.take(Self.day), query.take(Self.track), query.take(Self.screen))
        try query.finish()
        let id = try asking.id(of: FestivalID.self)
        let grid = try await timetable.call(
          FestivalGrid(
            festival: id, day: day, track: try Self.slug(track, "track"), room: try Self.slug(screen, "screen")),
          asking.options)
        return .json(GridPage(grid, in: asking.view.rules(grid.zone)), madeOf: [.festival(id)])
      },
      Endpoint(
        .get, "/v1/festivals/{id}/sessions", "festivalSessions", "The sessions of a festival, by their start.",
        .festivals, parameters: [Self.id],
        query: [
          Self.text, Self.onlyDay, Self.track, Self.screen, Self.tag, Self.sessionLimit, QueryField<String?>.cursor,
        ], answers: [.json("With `q` the best match first.", ListPage<SessionItem>.schema)], isShared: true
      ) { [self] asking in try await sessions(asking) },
      Endpoint(
        .get, "/v1/festivals/{id}/sessions/{session}", "festivalSession", "One session.", .festivals,
        parameters: [Self.id, Self.session], answers: [.json("The session.", SessionItem.schema)], isShared: true
      ) { [self] asking in
        let (festival, session) = try await session(asking)
        let item = SessionItem(session, of: festival, in: asking.view.rules(festival.zone), isWhole: true)
        return .json(item, madeOf: [.festival(festival.id)])
      },
      Endpoint(
        .get, "/v1/festivals/{id}/sessions/{session}.ics", "festivalSessionICS", "One session, for a calendar.",
        .festivals, parameters: [Self.id, Self.session], answers: [.other(.calendar, "One event.")], isShared: true
      ) { [self] asking in
        let (festival, session) = try await session(asking)
        let feed = SessionFeed([session], of: festival, name: nil, asking.view)
        return Answer(HTTPResponse(.ok, .calendar, feed.written), madeOf: [.festival(festival.id)])
      },
    ]
  }

  private var files: [Endpoint] {
    let kinds: [(name: String, format: FestivalFormat, type: MediaType, operation: String, summary: String)] = [
      (
        "schedule.json", .json, .json, "festivalScheduleJSON",
        "A festival as frab's and pretalx's apps read it, in JSON."
      ),
      ("schedule.xml", .xml, .xml, "festivalScheduleXML", "A festival as frab's and pretalx's apps read it, in XML."),
      ("schedule.ics", .ics, .calendar, "festivalCalendar", "A festival's programme, to subscribe to."),
    ]
    return kinds.map { kind in
      let answer =
        kind.type == .json
        ? AnswerForm.json("schedule.json", Self.scheduleJSON)
        : AnswerForm.other(kind.type, "The whole programme.")
      return Endpoint(
        .get, "/v1/festivals/{id}/\(kind.name)", kind.operation, kind.summary, .festivals, parameters: [Self.id],
        query: [Self.onlyDay], answers: [answer], isShared: true
      ) { [self] asking in
        var query = asking.query
        let day = query.take(Self.onlyDay)
        try query.finish()
        let id = try asking.id(of: FestivalID.self)
        let file = try await timetable.call(ExportFestival(festival: id, format: kind.format, day: day), asking.options)
        return Answer(HTTPResponse(.ok, kind.type, file.bytes), madeOf: [.festival(id)])
      }
    } + [
      Endpoint(
        .get, "/v1/festivals/{id}/floors", "festivalFloors", "The floors that there is a map of.", .festivals,
        parameters: [Self.id], answers: [.json("In the festival's order.", ListPage<FloorItem>.schema)], isShared: true
      ) { [self] asking in
        let festival = try await festival(asking)
        return .json(ListPage(FloorItem.all(of: festival)), madeOf: [.festival(festival.id)])
      },
      Endpoint(
        .get, "/v1/festivals/{id}/floors/{floor}.svg", "festivalFloor", "The map of a floor; rooms in it are links.",
        .festivals, parameters: [Self.id, Self.floor], answers: [.other(.svg, "A drawing in which nothing acts.")],
        isShared: true
      ) { [self] asking in
        try asking.query.finish()
        let id = try asking.id(of: FestivalID.self)
        let floor = try asking.id(1, of: FloorID.self)
        let drawing = try await timetable.call(FloorPlan(festival: id, floor: floor), asking.options)
        // The timetable let nothing through that acts; the browser is told so all the same.
        return Answer(HTTPResponse(.ok, Self.map, Array(drawing.svg.utf8)), madeOf: [.festival(id)])
          .with(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-top-navigation-by-user-activation")
      },
    ]
  }

  private var agenda: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/me/festivals/{id}/agenda", "agenda", "What you want to see at a festival, by start.", .festivals,
        access: .user, parameters: [Self.id],
        answers: [.json("With what of it is at the same time.", AgendaPage.schema)]
      ) { [self] asking in try await agenda(asking) },
      Endpoint(
        .put, "/v1/me/festivals/{id}/agenda/{session}", "putAgenda", "Puts a session on your agenda.", .festivals,
        access: .user, parameters: [Self.id, Self.session], fields: [.idempotencyKey],
        answers: [
          .json(.created, "It was not there before.", SessionItem.schema),
          .json("It was there already.", SessionItem.schema),
        ]
      ) { [self] asking in
        let user = try asking.someone()
        let (festival, session) = try await session(asking)
        var options = asking.options
        options.key = try asking.key(for: user)
        let receipt = try await bookmarks.call(
          SaveItem(user: user, kind: .session, id: session.id.saved(at: festival.id)), options)
        let item = SessionItem(session, of: festival, in: asking.view.rules(festival.zone))
        return Answer.json(item, receipt.didChange ? .created : .ok).replayed(receipt.isReplay)
      },
      Endpoint(
        .delete, "/v1/me/festivals/{id}/agenda/{session}", "removeAgenda", "Takes a session off your agenda.",
        .festivals, access: .user, parameters: [Self.id, Self.session], fields: [.idempotencyKey],
        answers: [.nothing(.noContent, "It is not there.")]
      ) { [self] asking in
        let user = try asking.someone()
        let id = try asking.id(1, of: SessionID.self).saved(at: try asking.id(of: FestivalID.self))
        var options = asking.options
        options.key = try asking.key(for: user)
        let receipt = try await bookmarks.call(RemoveItem(user: user, kind: .session, id: id), options)
        return Answer.nothing.with("X-Odi-Rev", String(receipt.revision)).replayed(receipt.isReplay)
      },
      Endpoint(
        .post, "/v1/festivals/{id}/checkins", "checkIn", "Lets somebody in, once.", .festivals, parameters: [Self.id],
        fields: [Self.staff, .idempotencyKey], body: Self.checkInForm,
        answers: [
          .json("Let this one in.", CheckInPage.schema),
          .json(.conflict, "The ticket was shown before.", CheckInPage.schema),
        ]
      ) { [self] asking in try await checkIn(asking) },
    ]
  }

  // MARK: Reading

  private func list(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (activeOn, near, limit) = (query.take(Self.activeOn), query.take(.near), query.take(Self.limit))
    let cursor = query.take(.cursor)
    try query.finish()
    let offset = try asking.offset(of: cursor, atMost: Self.offsetMax)
    // One more than is shown tells whether there are more.
    let found = try await timetable.call(
      ListFestivals(activeOn: activeOn, limit: limit + 1, offset: offset, near: near), asking.options)
    let items = found.prefix(limit).map { FestivalItem(festival: $0) }
    let next = asking.cursor(after: found.count > limit ? String(offset + limit) : nil)
    var answer = Answer.json(
      ListPage(items, next: next, isDemo: items.contains { $0.festival.isDemo }), madeOf: [.festivals])
    answer.response.fields += asking.link(to: next)
    return answer
  }

  private func sessions(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (text, day, track) = (query.take(Self.text), query.take(Self.onlyDay), query.take(Self.track))
    let (screen, tag) = (query.take(Self.screen), query.take(Self.tag))
    let (limit, cursor) = (query.take(Self.sessionLimit), query.take(.cursor))
    try query.finish()
    let offset = try asking.offset(of: cursor, atMost: Self.offsetMax)
    let id = try asking.id(of: FestivalID.self)
    let request = FindSessions(
      festival: id, text: text, day: day, track: try Self.slug(track, "track"), room: try Self.slug(screen, "screen"),
      tag: tag, offset: offset, limit: limit)
    let page = try await timetable.call(request, asking.options)
    let zone = asking.view.rules(page.festival.zone)
    let next = asking.cursor(after: page.hasMore ? String(request.offset + page.sessions.count) : nil)
    var answer = Answer.json(
      ListPage(
        page.sessions.map { SessionItem($0, of: page.festival, in: zone) }, next: next,
        hint: page.sessions.isEmpty ? "no session fits all of this" : nil, isDemo: page.festival.isDemo),
      madeOf: [.festival(id)])
    answer.response.fields += asking.link(to: next)
    return answer
  }

  private func festival(_ asking: Asking) async throws -> Festival {
    try asking.query.finish()
    let id = try asking.id(of: FestivalID.self)
    let found = try await timetable.call(ListFestivals(ids: [id], limit: 1), asking.options)
    guard let festival = found.first else { throw Problem(.notFound, "there is no festival \(id)") }
    return festival
  }

  private func session(_ asking: Asking) async throws -> (Festival, FestivalSession) {
    try asking.query.finish()
    let festival = try asking.id(of: FestivalID.self)
    let id = try asking.id(1, of: SessionID.self)
    let set = try await timetable.call(SessionsByID(festival: festival, ids: [id]), asking.options)
    guard let session = set.sessions.first else { throw Problem(.notFound, "\(festival) has no session \(id)") }
    return (set.festival, session)
  }

  private static func slug<Subject>(_ text: String?, _ name: String) throws -> ID<Subject>? {
    guard let text else { return nil }
    guard let id = ID<Subject>(text) else {
      throw Problem(.validation, "1 problem", errors: [.init(parameter: name, detail: "must be \(ID<Subject>.form)")])
    }
    return id
  }

  // MARK: The agenda

  private func agenda(_ asking: Asking) async throws -> Answer {
    let user = try asking.someone()
    let festival = try asking.id(of: FestivalID.self)
    let ids = try await saved(at: festival, by: user, asking)
    let set = try await timetable.call(SessionsByID(festival: festival, ids: ids), asking.options)
    let zone = asking.view.rules(set.festival.zone)
    let there = Set(set.sessions.map(\.id))
    return .json(
      AgendaPage(
        items: set.sessions.map { SessionItem($0, of: set.festival, in: zone) }, conflicts: set.conflicts,
        gone: ids.filter { !there.contains($0) }))
  }

  /// The sessions of one festival that a user saved, whatever they saved of others.
  private func saved(at festival: FestivalID, by user: UserID, _ asking: Asking) async throws -> [SessionID] {
    let mark = "\(festival)."
    let ids = try await bookmarks.everything(savedBy: user, of: .session, asking.options).lazy.compactMap { item in
      item.id.hasPrefix(mark) ? SessionID(String(item.id.dropFirst(mark.count))) : nil
    }
    return Array(ids.prefix(Self.agendaMax))
  }

  // MARK: The door

  private func checkIn(_ asking: Asking) async throws -> Answer {
    let festival = try asking.id(of: FestivalID.self)
    var body = try asking.body()
    let code: String? = body.required("code")
    if let code, code.isEmpty || code.unicodeScalars.count > 512 { body.note("code", "must have 1 to 512 characters") }
    try body.finish()
    guard let staff = asking.request["x-odi-staff"], let code else {
      throw Problem(.forbidden, "the door is for staff; send your token as X-Odi-Staff")
    }
    var options = asking.options
    // Doors are nobody's session, so the timetable holds the key against the member of staff. Without one, a call that
    // is made again because its answer was lost would turn away whom it let in.
    options.key = try asking.key(for: nil) ?? .fresh()
    let receipt = try await timetable.call(CheckInTicket(festival: festival, code: code, staff: staff), options)
    return Answer.json(CheckInPage(receipt: receipt), receipt.isFirst ? .ok : .conflict).replayed(receipt.isReplay)
  }
}
