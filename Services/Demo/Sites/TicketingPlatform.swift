import Calendars
import JSON

/// The ticketing platform of the Korean cinemas: days as HTML, a day's shows as JSON, a film as HTML found by position.
///
/// The shapes are those that the platform's clients rely on: a day is `a.btnDay` with `data-dt`, a closed one has exactly
/// the class `btnDay disabled`.
nonisolated enum TicketingPlatform {
  /// The constant that every client sends.
  static let clientID = "FE8EF4D2-F22D-4802-A39A-D58F23A29C1E"

  // MARK: Days

  static func calendar(of cinema: DemoCinema, _ days: [ProgrammeDay], _ style: SiteStyle) -> DemoDocument {
    let name = style.isRedesigned ? "schedule-v2" : "main-schedule"
    let slides = days.map { style.isRedesigned ? newSlide($0) : slide($0) }
    let none: Markup = days.isEmpty ? "<p class=\"nodata\">등록된 상영일정이 없습니다.</p>" : ""
    return .page(
      lang: "ko", title: cinema.name,
      """
      <div class="cinema-info"><h2>\(cinema.name)</h2><p class="addr">\(cinema.address)</p></div>
      <div class="\(name)">
      <div class="swiper-container"><div class="swiper-wrapper">
      \(slides)</div></div>
      \(none)</div>
      """)
  }

  private static func slide(_ day: ProgrammeDay) -> Markup {
    let style = day.isClosed ? "btnDay disabled" : "btnDay"
    return """
      <div class="swiper-slide"><a href="#" class="\(style)" data-dt="\(day.date.description)">\
      <span class="week">\(weekdays[day.date.weekday.rawValue - 1])</span><em class="day">\(day.date.day)</em></a></div>

      """
  }

  /// The same after a redesign: a button, and the date is somewhere else.
  private static func newSlide(_ day: ProgrammeDay) -> Markup {
    """
    <div class="swiper-slide"><button type="button" class="day-v2" data-ymd="\(compact(day.date))">\(day.date.day)</button></div>

    """
  }

  private static let weekdays = ["월", "화", "수", "목", "금", "토", "일"]

  private static func compact(_ date: CivilDate) -> String { String(date.description.filter { $0 != "-" }) }

  // MARK: Shows

  static func shows(of cinema: DemoCinema, _ day: ProgrammeDay?, base: String, _ style: SiteStyle) -> DemoDocument {
    var json = JSONWriter(capacity: 4_096)
    json.object { json in
      json.field("Demo", true)
      json.name(style.isRedesigned ? "ShowList" : "Showseqlist")
      json.array { json in
        guard let day, !day.isClosed, !style.isEmpty else { return }
        for show in day.shows where show.state != .cancelled {
          write(style.isHostile ? show.defaced : show, day, cinema, base, style, to: &json)
        }
      }
    }
    return .json(json.bytes)
  }

  private static func write(
    _ show: Show, _ day: ProgrammeDay, _ cinema: DemoCinema, _ base: String, _ style: SiteStyle,
    to json: inout JSONWriter
  ) {
    json.object { json in
      json.field("BrandCd", cinema.platform?.brand)
      json.field("CinemaCd", cinema.platform?.cinema)
      json.field("CinemaNm", cinema.name)
      json.field("PlaySDT", day.date.description)
      json.field("ScreenCd", screenCode(show))
      json.field("ScreenNm", style.isHostile ? HostileText.text(show.screen) : "\(show.screen + 1)관")
      json.field("ShowSeq", String(show.number))
      json.field("MovieCd", show.film.code)
      json.field("MovieNm", show.title(at: cinema))
      json.field("MovieNmNat", show.film.korean)
      json.field("MovieNmEng", show.film.english)
      json.field("Url", "\(base)/poster/\(show.film.code)_small.svg")
      json.field("RatingNm", show.film.rating.rawValue)
      json.field("RunningTime", String(show.film.minutes))
      json.field("StartTime", show.start.description)
      json.field("EndTime", show.end.description)
      json.field("TotalSeatCnt", show.seats)
      json.field("RemainSeatCnt", show.seatsLeft)
      json.field("NextSkipYn", show.isSoldOut ? "N" : "Y")
    }
  }

  /// No cinema here has ten screens.
  private static func screenCode(_ show: Show) -> String { "0\(show.screen + 1)" }

  // MARK: Open dates and cinemas

  /// What the booking page asks for: exact dates, or a brand's cinemas.
  static func booking(_ days: [ProgrammeDay], cinemas: [DemoCinema]) -> DemoDocument {
    var json = JSONWriter()
    json.object { json in
      json.field("Demo", true)
      json.array("PlaySdtList") { json in
        for day in days {
          json.object { json in
            json.field("PlaySDT", day.date.description)
            json.field("HiddenYn", day.isClosed ? "Y" : "N")
          }
        }
      }
      json.array("CinemaList") { json in
        for cinema in cinemas {
          json.object { json in
            json.field("BrandCd", cinema.platform?.brand)
            json.field("CinemaCd", cinema.platform?.cinema)
            json.field("CinemaNm", cinema.name)
          }
        }
      }
    }
    return .json(json.bytes)
  }

  // MARK: Films

  static func film(_ known: DemoFilm, base: String, _ style: SiteStyle) -> DemoDocument {
    let film = style.isHostile ? known.defaced : known
    let box = style.isRedesigned ? "film-card" : "info-box"
    return .page(
      lang: "ko", title: film.korean,
      """
      <div class="\(box)">
      <div class="poster"><img src="\(base)/poster/\(film.code)_small.svg" alt="\(film.korean)"></div>
      <h3 class="h3">\(film.korean)</h3>
      <h4 class="h4">\(film.english)</h4>
      <div class="etc"><span>\(film.rating.rawValue)</span><span>\(film.released)</span><span>\(film.genre)</span>\
      <span>\(film.minutes)분</span></div>
      </div>
      <div class="info2"><div class="txt">
      <span>\(film.synopsis)</span>
      <dl><dt>감독</dt><dd>\(film.director)</dd><dt>출연</dt><dd>\(film.cast)</dd></dl>
      </div></div>
      """)
  }

  /// Where a ticket would be bought.
  static func ticket(_ title: String) -> DemoDocument {
    .page(lang: "ko", title: title, "<h2>\(title)</h2><p>데모에서는 표를 팔지 않습니다. No ticket is sold here.</p>")
  }
}
