import Calendars
import Clocks
import EventLoops
import Extraction
import Fetch
import HTML
import JSON
import ServiceKit

/// `extract`: what is shown when, by any page or feed, without a service and without configuration.
extension ScraperCommands {
  private enum ExtractLimits {
    static let bytes = 10 << 20
    /// Told to a person, who looks at the first ones.
    static let refusals = 40
  }

  var extract: Command {
    let source = Parameter<String>.argument("FILE|URL", "a page or a feed; - is the standard input", completion: .files)
    let base = Parameter<String?>.optionalOption("url", "the address that the file was fetched from")
    let zone = Self.zone
    let at = Parameter<String?>.optionalOption(
      "at", "when it was fetched, RFC 3339; decides about years that are not printed")
    let venue = Parameter<String?>.optionalOption("venue", "the venue's name, if the page does not tell it")
    let own = Self.privateHosts
    let explain = Parameter<Bool>.flag("explain", "tell what each reader looked at, where, and what became of it")
    return Command(
      "extract", "read what is shown when out of a page or a feed",
      discussion: """
        Understands schema.org as JSON-LD and microdata, iCalendar, JSON, and pages made for people. An address is \
        fetched once, if robots.txt allows it.
        """,
      examples: [
        .init("odi-scraper extract page.html --zone Asia/Seoul --json", "a page that was saved"),
        .init("odi-scraper extract https://cinema.example/whats-on --zone Europe/London", "one from the web"),
        .init("odi-scraper extract page.html --explain", "why something is missing, or wrong"),
      ],
      takes: [source, base, zone, at, venue, own, explain]
    ) { call, output in
      let rules = try Self.rules(call[zone], output)
      let captured = try Self.instant(call[at]) ?? time.wall
      let (bytes, page) = try await Self.page(call[source], base: call[base], own: call[own], time)
      var described = page
      described.venue = call[venue]
      let reader = PageReader(zone: rules, capturedAt: captured, zones: ZoneDirectory())
      let found: Extraction
      do throws(ExtractionError) {
        found = try reader.read(bytes, as: described)
      } catch {
        throw CommandError(.failed, "\(call[source]) cannot be read", why: error.description)
      }
      try output.write(ExtractedPage(found).report)
      if found.screenings.isEmpty { output.note("nothing found: \(found.reason ?? "the page lists nothing")") }
      if call[explain] { Self.explain(found.trace, output) }
      for piece in found.unread.prefix(20) { output.note("unread: \(piece.what): \(piece.why)") }
      return found.isBroken ? .failed : .done
    }
  }

  private static func explain(_ trace: ExtractionTrace, _ output: Output) {
    if trace.seen.isEmpty { output.note("no reader saw anything that looks like a screening") }
    for (reader, count) in trace.seen.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      output.note("\(reader.rawValue): \(count) seen")
    }
    for line in trace.structure { output.note("structure: \(line)") }
    // What was refused is what is missing; what was found stands above.
    let refused = trace.entries.filter { $0.outcome == .refused }
    for entry in refused.prefix(ExtractLimits.refusals) {
      output.note("\(entry.reader.rawValue) refused at \(entry.place): \(entry.what)")
    }
    if refused.count > ExtractLimits.refusals {
      output.note("\(refused.count - ExtractLimits.refusals) more were refused")
    }
  }

  static let zone = Parameter<String?>.optionalOption("zone", "where the venue is: Asia/Seoul; UTC without it")

  static func rules(_ named: String?, _ output: Output) throws(CommandError) -> TimeZoneRules {
    if named == nil {
      output.note("times that do not say their zone are taken to be in UTC; --zone Asia/Seoul says another")
    }
    return try rules(named ?? "UTC")
  }

  static func rules(_ name: String) throws(CommandError) -> TimeZoneRules {
    guard let zone = ZoneName(name) else {
      throw CommandError(.usage, "“\(name)” is no time zone", why: "give \(ZoneName.form)")
    }
    do throws(ZoneError) { return try ZoneDirectory().rules(for: zone) } catch {
      throw CommandError(.usage, "\(error)")
    }
  }

  static func instant(_ text: String?) throws(CommandError) -> WallTime? {
    guard let text else { return nil }
    guard let stamp = Timestamp(text) else {
      throw CommandError(.usage, "“\(text)” is no time", why: "give \(Timestamp.form)")
    }
    return stamp.instant
  }

  /// As the service's setting of that name.
  static let privateHosts = Parameter<[SocketAddress]>.options(
    "private-host", "an address of your own machines that a page may be read from: 10.0.0.5:80; repeatable")

  static func page(
    _ source: String, base: String?, own: [SocketAddress], _ time: any TimeSource
  ) async throws -> ([UInt8], PageSource) {
    guard source.hasPrefix("http://") || source.hasPrefix("https://") else {
      let bytes = try SiteFolder.contents(of: source, limit: ExtractLimits.bytes)
      return (bytes, PageSource(url: base))
    }
    let fetcher = Fetcher(addressGuard: AddressGuard(exceptions: Set(own)), time: time)
    defer { fetcher.close() }
    let url = try FetchURL(parsing: source)
    var robots = RobotsRecord()
    let (answer, _, problem) = try await fetcher.robots(of: url)
    robots.learn(answer, at: time.wall)
    let decision = robots.rules(at: time.wall).decision(on: url.target, agent: HostBook.agent)
    guard robots.isKnown(at: time.wall) else {
      throw unknownRobots(of: url, answer, problem)
    }
    guard decision.isAllowed else {
      throw CommandError(
        .failed, "robots.txt of \(url.origin) does not allow it",
        why: decision.rule.map { "line \(decision.line ?? 0): \($0)" },
        try: "save the page by hand, and extract the file")
    }
    let response = try await fetcher.fetch(FetchRequest(url))
    guard response.isSuccess else { throw CommandError(.failed, "the site answers \(response.status)") }
    return (
      response.body,
      PageSource(contentTypeField: response.headers["content-type"], url: base ?? response.url.description)
    )
  }

  private static func unknownRobots(
    of url: FetchURL, _ answer: RobotsRecord.Answer, _ problem: FetchError?
  ) -> CommandError {
    var failure = CommandError(
      .failed, "robots.txt of \(url.origin) cannot be had", why: problem?.description,
      try: "save the page by hand, and extract the file")
    if case .response(let status, _, _) = answer { failure.why = "the site answers \(status)" }
    if case .refused(let refusal)? = problem {
      let own = SocketAddress.ip(refusal.address, port: refusal.port)
      failure.remedy = "the same with --private-host \(own), if that machine is yours"
    }
    return failure
  }
}

/// What was found on a page, in the shape that `--json` writes.
nonisolated struct ExtractedPage {
  let extraction: Extraction

  init(_ extraction: Extraction) { self.extraction = extraction }

  var report: Report {
    Report(
      [
        Report.Column("starts_at"), Report.Column("film_title", shrinks: true), Report.Column("screen"),
        Report.Column("venue", shrinks: true), Report.Column("attributes", shrinks: true), Report.Column("found_by"),
        Report.Column("confidence", alignment: .right),
      ],
      rows: extraction.screenings.map { screening in
        [
          "\(screening.start)", "\(screening.filmTitle)", .text(screening.screen), .text(screening.venue),
          "\(Self.attributes(screening).joined(separator: " "))",
          "\(screening.foundBy.map(\.rawValue).joined(separator: " "))",
          .number(screening.confidence, digits: 2),
        ]
      },
      document: document)
  }

  private var document: JSONValue {
    [
      "screenings": .array(extraction.screenings.map(Self.json)),
      "unread": .array(extraction.unread.map { ["what": .string($0.what), "why": .string($0.why)] }),
    ]
  }

  private static func attributes(_ screening: FoundScreening) -> [String] {
    screening.attributes.map(\.rawValue).sorted()
  }

  private static func json(_ screening: FoundScreening) -> JSONValue {
    func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    return [
      "title": .string(screening.title), "film_title": .string(screening.filmTitle),
      "starts_at": .string(screening.start.description), "ends_at": text(screening.end?.description),
      "venue": text(screening.venue), "screen": text(screening.screen), "url": text(screening.url),
      "attributes": .array(attributes(screening).map { .string($0) }), "kind": .string(screening.kind.rawValue),
      "found_by": .array(screening.foundBy.map { .string($0.rawValue) }),
      "confidence": .double(screening.confidence),
    ]
  }
}
