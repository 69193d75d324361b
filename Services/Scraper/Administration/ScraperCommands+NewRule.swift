import Calendars
import Clocks
import Extraction
import JSON
import ServiceKit

/// `rule new`: a site file for a page, with a rule where one is needed.
extension ScraperCommands {
  var newRule: Command {
    let page = Self.page
    let site = Parameter<String>.option("site", "what the site is to be called", default: "new-site")
    let cinema = Parameter<String>.option("cinema", "the cinema's id", default: "new-cinema")
    let base = Parameter<String?>.optionalOption("url", "the address that a saved page was fetched from")
    return Command(
      "new", "propose a site file for a page",
      discussion: """
        With a rule of selectors if one reads the page; without one where the page needs none, because it says for \
        machines what is shown when. Where nothing can be proposed, it tells what was seen and what to try.
        """,
      examples: [
        .init("odi-scraper rule new https://cinema.example/whats-on --zone Europe/London", "fetched politely, once")
      ],
      takes: [page, base, site, cinema, Self.zone, Self.at, Self.privateHosts]
    ) { call, output in
      let (bytes, source) = try await Self.page(call[page], base: call[base], own: call[Self.privateHosts], time)
      let reader = PageReader(
        zone: try Self.rules(call[Self.zone], output), capturedAt: try Self.instant(call[Self.at]) ?? time.wall,
        zones: ZoneDirectory())
      let found: Extraction
      do throws(ExtractionError) { found = try reader.read(bytes, as: source) } catch {
        throw CommandError(.failed, "\(call[page]) cannot be read", why: error.description)
      }
      let zone = call[Self.zone] ?? "UTC"
      if source.url == nil { output.note("no address is known: write it behind start, or say --url") }
      if var proposal = try reader.propose(for: bytes, as: source, site: call[site], cinema: call[cinema]) {
        proposal.rule.zone = zone
        if let url = source.url { proposal.rule.start = [url] }
        output.note(
          "gives \(proposal.reproduced) of \(proposal.expected) screenings again, and \(proposal.extra) others")
        if let told = Self.toldForMachines(found) {
          output.note("\(told), which outlasts a redesign: \"adapter\": \"structured\" reads it without a rule")
        }
        let rule = try JSONValue(parsing: String(decoding: proposal.rule.json, as: UTF8.self))
        output.write(SiteDocument(rule).with("adapter", "rule").text)
        return .done
      }
      guard !found.screenings.isEmpty else {
        throw Self.nothingToPropose(found, PageFeeds(bytes, as: source), page: call[page], zone: call[Self.zone])
      }
      let isCalendar = found.screenings.allSatisfy { $0.foundBy == [.calendar] }
      output.note(
        "no rule is needed: \(found.screenings.count) screenings are found without one, by \(Self.readers(found)); "
          + "odi-scraper extract \(Self.again(call[page], zone: call[Self.zone])) shows them")
      output.write(
        SiteDocument([
          "site": .string(call[site]), "cinema": .string(call[cinema]), "zone": .string(zone),
          "adapter": isCalendar ? "ics" : "structured", "start": .array(source.url.map { [.string($0)] } ?? []),
        ]).text)
      return .done
    }
  }

  private static func readers(_ found: Extraction) -> String {
    Set(found.screenings.flatMap(\.foundBy)).map(\.rawValue).sorted().joined(separator: ", ")
  }

  /// `34 screenings are told by json-ld`; nil if the page says nothing, or only a part, for machines.
  private static func toldForMachines(_ found: Extraction) -> String? {
    let machines: Set<EvidenceReader> = [.jsonLD, .microdata, .rdfa, .calendar]
    let told = found.screenings.filter { !machines.isDisjoint(with: $0.foundBy) }
    guard !told.isEmpty, told.count == found.screenings.count else { return nil }
    let readers = Set(told.flatMap(\.foundBy)).intersection(machines).map(\.rawValue).sorted()
    return "\(told.count) screenings are told by \(readers.joined(separator: ", "))"
  }

  /// The same page for another command. What was read from a pipe is gone.
  private static func again(_ page: String, zone: String?) -> String {
    (page == "-" ? "FILE" : page.shellWord) + (zone.map { " --zone \($0)" } ?? "")
  }

  /// Pieces that are shown of what could not be read: enough to see of what kind they are.
  private static let piecesShown = 5

  private static func nothingToPropose(
    _ found: Extraction, _ feeds: PageFeeds, page: String, zone: String?
  ) -> CommandError {
    let seen = found.trace.seen.sorted { $0.key.rawValue < $1.key.rawValue }
    var details = seen.map { "\($0.key.rawValue): \($0.value) looked like screenings, and none is one" }
    if seen.isEmpty {
      details.append("seen: neither events for machines, nor titles with days and times")
    }
    details += found.unread.prefix(piecesShown).map { "unread: \($0.what): \($0.why)" }
    if found.unread.count > piecesShown { details.append("unread: \(found.unread.count - piecesShown) more") }
    details += feeds.addresses.map { "the page leads to a feed: \($0)" }
    if feeds.addresses.isEmpty {
      details.append(
        "no calendar or feed is linked; a page that a script fills is empty when it is fetched: save it "
          + "from a browser, or look for the address that the script reads")
    }
    let options = zone.map { " --zone \($0)" } ?? ""
    let remedy =
      feeds.addresses.first.map { "odi-scraper rule new \($0.shellWord)\(options)" }
      ?? "odi-scraper extract \(again(page, zone: zone)) --explain"
    return CommandError(
      .notFound, "no site file can be proposed for \(page)",
      why: found.reason ?? "nothing on the page says what is shown when", details: details, try: remedy)
  }
}
