import Contracts
import HTTP
import JSON
import RPC

/// Radio stations: which there are, where their sound is, what they play, and the sound of those that we may pass on.
final class RadioCoordinator: Coordinator {
  private let radio: any RPCClient<RadioAPI>
  private let bookmarks: any RPCClient<BookmarksAPI>

  init(radio: any RPCClient<RadioAPI>, bookmarks: any RPCClient<BookmarksAPI>) {
    self.radio = radio
    self.bookmarks = bookmarks
  }

  static let id = PathField("id", "The station's id.", schema: StationID.schema)
  private static let section = QueryField<String?>.text("section", "Only of this section.", length: 1...80)
  private static let text = QueryField<String?>.text(
    "q", "A part of a name or tag, two letters of Korean or Japanese, or initial consonants.", length: 1...100)
  private static let favouritesFirst = QueryField<Bool>.flag(
    "favourites_first", "With a session: your favourites as a section of their own, before the others.")
  /// Of one user's; more are no list to start from.
  private static let favouritesMax = 200

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/stations", "stations", "Radio stations, section by section.", .radio, access: .maybeUser,
        query: [Self.section, Self.text, Self.favouritesFirst, QueryField<Language?>.language],
        answers: [.json("In the order of the sections.", ListPage<SectionItem>.schema)]
      ) { [self] asking in try await list(asking) },
      Endpoint(
        .get, "/v1/stations/{id}", "station", "A radio station.", .radio, parameters: [Self.id],
        query: [QueryField<Language?>.language], answers: [.json("The station.", StationItem.schema)]
      ) { [self] asking in try await station(asking) },
      Endpoint(
        .get, "/v1/stations/{id}/stream", "stationStream",
        "Where a station's sound is just now. Ask at each start: addresses run out.", .radio, parameters: [Self.id],
        answers: [.json("What a player opens.", StreamPage.schema)]
      ) { [self] asking in
        let request = ResolveStation(station: try asking.id(of: StationID.self))
        return .json(StreamPage(stream: try await radio.call(request, asking.options)))
      },
      Endpoint(
        .get, "/v1/stations/{id}/now_playing", "stationTitle", "What a station says that it plays.", .radio,
        parameters: [Self.id], answers: [.json("As far as it tells.", StationTitlePage.schema)]
      ) { [self] asking in
        let request = NowPlaying(station: try asking.id(of: StationID.self))
        return .json(StationTitlePage(title: try await radio.call(request, asking.options)))
      },
      Endpoint(
        .get, "/v1/stations/{id}/audio", "stationAudio",
        "A station's sound without end, where its rights allow to pass it on.", .radio, parameters: [Self.id],
        answers: [.other(MediaType("audio/*", isCompressible: false), "Sound, until one side closes.")]
      ) { [self] asking in try await audio(asking) },
    ]
  }

  // MARK: The list

  private func list(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (section, text) = (query.take(Self.section), query.take(Self.text))
    let isOwn = query.take(Self.favouritesFirst)
    _ = query.take(QueryField<Language?>.language)
    try query.finish()
    async let listed = radio.call(ListStations(section: section, text: text), asking.options)
    let user = isOwn ? asking.user : nil
    async let liked = favourites(of: user, asking)
    var sections = try await listed.sections
    let favourites = try await liked
    if let favourites, !favourites.isEmpty {
      let all = Dictionary(sections.flatMap(\.stations).map { ($0.id.text, $0) }) { first, _ in first }
      let own = favourites.compactMap { all[$0] }
      if !own.isEmpty {
        sections.insert(StationSection(id: "favourites", name: "즐겨찾기", nameEnglish: "Favourites", stations: own), at: 0)
      }
    }
    let isDemo = sections.contains { $0.stations.contains { $0.isDemo == true } }
    let isPartial = user != nil && favourites == nil
    var answer = Answer.json(
      ListPage(
        sections.map { SectionItem(section: $0, language: asking.language) },
        hint: sections.isEmpty ? "no station fits all of this" : nil,
        missing: isPartial ? ["favourites"] : [], isDemo: isDemo),
      isPartial: isPartial)
    // With a session the answer is of one person, whether or not they have favourites yet; what is kept without one is
    // not theirs.
    if asking.user == nil { answer.response = answer.response.cached(Self.asRightsGo) }
    answer.response.fields.append(HTTPField("Vary", "Accept-Language, Authorization, Cookie"))
    return answer
  }

  /// Not shared, as nothing is voided when rights end: not kept here for a while, nor for bad times.
  private func station(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    _ = query.take(QueryField<Language?>.language)
    try query.finish()
    let id = try asking.id(of: StationID.self)
    guard let station = try await radio.call(StationsByID(ids: [id]), asking.options).first else {
      throw Problem(.notFound, "no station has the id \(id)")
    }
    var answer = Answer.json(StationItem(station, in: asking.language))
    answer.response = answer.response.cached(Self.asRightsGo)
    answer.response.fields.append(HTTPField("Vary", "Accept-Language"))
    return answer
  }

  /// A right that ends takes the station from the public at once, so that no cache may show it without having asked.
  private static let asRightsGo = CacheControl.revalidate

  /// The ids of a user's stations, the newest first; nil if bookmarks cannot tell.
  private func favourites(of user: UserID?, _ asking: Asking) async throws -> [String]? {
    guard let user else { return nil }
    return try await optional { () throws(RPCError) in
      try await bookmarks.call(
        ListItems(user: user, kind: .station, limit: Self.favouritesMax), asking.optionsForExtras
      ).items.map(\.id)
    }
  }

  // MARK: Sound

  private func audio(_ asking: Asking) async throws -> Answer {
    var options = asking.options
    // It lasts as long as somebody listens; the radio service bounds how long the beginning is waited for.
    options.timeout = nil
    let request = StationAudio(
      station: try asking.id(of: StationID.self), asker: asking.client.network.map { "\($0)" })
    let stream = try await radio.stream(request, options)
    var pieces = stream.makeAsyncIterator()
    guard let first = try await pieces.next() else {
      throw RPCError(.unavailable, "the station ended before it began", retryAfter: .seconds(10))
    }
    var response = HTTPResponse(.ok, MediaType(first.soundType, isCompressible: false))
    response.fields = [HTTPField("Cache-Control", "no-store"), HTTPField("X-Accel-Buffering", "no")]
    response.body = .stream(SoundBody(first, pieces))
    return Answer(response)
  }
}

/// A station's sound on its way to one listener.
private final class SoundBody: HTTPStreamBody {
  private let first: AudioPiece
  private let rest: RPCStream<AudioPiece>.Iterator
  private var passing: Task<Void, Never>?
  private var isGone = false

  /// Half a minute of 128 kbit/s: who is so far behind does not listen any more.
  private static let queuedBytesMax = 512 << 10

  init(_ first: AudioPiece, _ rest: RPCStream<AudioPiece>.Iterator) {
    self.first = first
    self.rest = rest
  }

  func began(_ output: any HTTPOutput) {
    output.write(first.bytes)
    passing = Task { [self, rest] in
      var pieces = rest
      while let piece = try? await pieces.next(), output.queuedBytes < Self.queuedBytesMax {
        output.write(piece.bytes)
      }
      if !isGone { output.finish() }
    }
  }

  func draining() { passing?.cancel() }

  func ended() {
    isGone = true
    passing?.cancel()
  }
}

nonisolated extension AudioPiece {
  /// Only what is sound: another service's word decides how a browser treats the bytes.
  fileprivate var soundType: String {
    guard let mediaType, mediaType.hasPrefix("audio/"), mediaType.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      return "application/octet-stream"
    }
    return mediaType
  }
}
