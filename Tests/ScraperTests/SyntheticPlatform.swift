import Calendars
import Clocks
import Contracts
import Scraper

/// Pages in the ticketing platform's shapes, made up for these tests.
enum SyntheticPlatform {
  static let seoul = try! ZoneDirectory().rules(for: ZoneName("Asia/Seoul")!)

  static func site(id: String = "test-emu", cinema: String = "emu", windowDays: Int = 3) -> Site {
    var site = Site(
      id: id, cinema: CinemaID(cinema)!, zone: ZoneName("Asia/Seoul")!, adapter: .dtryx, credit: "dtryx")
    site.parameters = ["brand": "indieart", "cinema": "000069"]
    site.rhythm.windowDays = windowDays
    site.isEnabled = true
    return site
  }

  /// - Parameter at: `2026-11-22T12:00:00+09:00`
  static func visit(_ at: String, site: Site = site(), scope: Visit.Scope = .window) -> Visit {
    Visit(site: site, zone: seoul, at: Timestamp(at)!.instant, scope: scope)
  }

  static func calendar(_ days: [(date: String, classes: String)]) -> Page {
    let links = days.map {
      #"<div class="swiper-slide"><a href="\#" class="\#($0.classes)" data-dt="\#($0.date)"></a></div>"#
    }
    return page(
      "calendar", "text/html; charset=utf-8",
      """
      <!DOCTYPE html><html><body><div class="main-schedule"><div class="swiper-container"><div class="swiper-wrapper">
      \(links.joined(separator: "\n"))</div></div></div></body></html>
      """)
  }

  struct Row {
    var title: String
    var start: String
    var end: String?
    var code = "000123"
    var screen = "1관"
    var sequence = "1"
    var left: Int?
    var total: Int? = 100
  }

  static func day(_ date: String, _ rows: [Row]) -> Page {
    let members = rows.map { row in
      var fields = [
        "MovieNm": row.title, "StartTime": row.start, "MovieCd": row.code, "ScreenNm": row.screen,
        "ScreenCd": "0\(row.screen.prefix(1))", "ShowSeq": row.sequence,
        "Url": "https://img.example/small/\(row.code).jpg",
        "NextSkipYn": "Y",
      ]
      fields["EndTime"] = row.end
      fields["RemainSeatCnt"] = row.left.map { "\($0)" }
      fields["TotalSeatCnt"] = row.total.map { "\($0)" }
      return "{" + fields.sorted { $0.key < $1.key }.map { #""\#($0.key)": "\#($0.value)""# }.joined(separator: ", ")
        + "}"
    }
    return page("day:\(date)", "application/json", #"{"Showseqlist": [\#(members.joined(separator: ","))]}"#)
  }

  static func film(
    _ code: String, title: String, facts: [String], people: [String] = [], story: String = "A story."
  ) -> Page {
    page(
      "film:\(code)", "text/html; charset=utf-8",
      """
      <html><body><div class="info-box"><div class="poster"><img src="/p/\(code).jpg"></div><h3 class="h3">\(title)</h3>
      <h4 class="h4">Original</h4><div class="etc">\(facts.map { "<span>\($0)</span>" }.joined())</div></div>
      <div class="info2"><div class="txt"><span>\(story)</span></div>
      <div class="txt"><dl>\(people.map { "<dd>\($0)</dd>" }.joined())</dl></div></div></body></html>
      """)
  }

  static func page(_ role: String, _ type: String, _ text: String) -> Page {
    Page(
      role: role, url: "https://platform.example/\(role)", contentType: type, fetchedAt: WallTime(milliseconds: 0),
      body: Array(text.utf8))
  }
}
