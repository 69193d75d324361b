package import Calendars
import Clocks
import JSON

/// The doors for fuzz targets: whatever the bytes are, every reader returns or refuses by name, and what it returns holds
/// what it promises.
package enum ExtractionFuzzing {
  private static let now = WallTime(milliseconds: 1_795_132_800_000)

  private static func reader(_ zones: ZoneDirectory) -> PageReader {
    var limits = ExtractionLimits()
    limits.steps = 3_000_000
    return PageReader(
      zone: .fixed(UTCOffset(seconds: 32_400) ?? .zero), capturedAt: now, zones: zones, limits: limits)
  }

  /// A page or a feed of any kind, as its bytes look.
  package static func page(_ bytes: [UInt8], zones: ZoneDirectory) {
    guard let found = try? reader(zones).read(bytes, as: PageSource(url: "https://cinema.example/d?day=2026-11-21"))
    else { return }
    check(found)
  }

  /// The same, told to be of a kind.
  package static func feed(_ bytes: [UInt8], type: String, zones: ZoneDirectory) {
    guard let found = try? reader(zones).read(bytes, as: PageSource(contentType: type)) else { return }
    check(found)
  }

  /// A page whose readers of markup get what the fuzzer makes: the bytes inside a script, an attribute, an item, a table.
  package static func parts(_ bytes: [UInt8], zones: ZoneDirectory) {
    let text = String(decoding: bytes, as: UTF8.self)
    let quoted = text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
    let pages = [
      "<script type=\"application/ld+json\">\(text)</script>", "<script>window.__NUXT__=\(text)</script>",
      "<i data-page=\"\(quoted)\">x</i>",
      "<div itemscope itemtype=\"https://schema.org/ScreeningEvent\"><b itemprop=name>x</b><i itemprop=startDate content=\"\(quoted)\"></i></div>",
      "<div typeof=ScreeningEvent><b property=name>x</b><i property=startDate content=\"\(quoted)\"></i></div>",
      "<table><tr><th>\(text)</th><th>Sat 21 Nov</th></tr><tr><td>Film</td><td>\(text)</td></tr></table>",
    ]
    // One of them for each input: an input that finds something need not be read six times.
    Self.page(Array(pages[Int(bytes.first ?? 0) % pages.count].utf8), zones: zones)
  }

  /// A title: what is left of it and what was taken are of it, and cleaning it again takes nothing more from its name.
  package static func title(_ bytes: [UInt8]) {
    let title = PrintedTitle(String(decoding: bytes, as: UTF8.self))
    precondition(title.printed.isEmpty || !title.film.isEmpty, "a title lost its name")
    precondition(title.film.utf8.count <= title.printed.utf8.count, "a name is longer than what was printed")
  }

  /// The first line is a rule, the rest a page.
  package static func rule(_ bytes: [UInt8], zones: ZoneDirectory) {
    let line = bytes.prefix { $0 != 0x0A }
    let page = Array(bytes.dropFirst(line.count + 1))
    if let rule = try? SiteRule.parse(Array(line)) {
      precondition((try? SiteRule.parse(rule.json)) == rule, "a rule reads back as another")
      if let report = try? reader(zones).run(rule, on: page) { check(report.extraction) }
    }
    _ = try? reader(zones).propose(for: page, as: PageSource(), site: "a", cinema: "a")
  }

  private static func check(_ found: Extraction) {
    for screening in found.screenings {
      precondition(!screening.title.isEmpty && !screening.filmTitle.isEmpty, "a screening without a title")
      precondition(
        (0...1).contains(screening.confidence) && !screening.foundBy.isEmpty, "a screening that nobody found")
      if let end = screening.end { precondition(end >= screening.start, "an end before its start") }
    }
    precondition(found.screenings.isEmpty != (found.reason == nil), "no screening and no reason")
  }
}
