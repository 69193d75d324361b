import Calendars

/// The platform's addresses for one venue.
nonisolated struct DtryxPlatform {
  let base: String
  let brand: String
  let cinema: String

  init(_ site: Site) {
    base = site.parameters["base"] ?? DtryxAdapter.base
    brand = site.parameters["brand"] ?? ""
    cinema = site.parameters["cinema"] ?? ""
  }

  private var visitor: String { "cgid=\(DtryxAdapter.visitor)" }
  private var venue: String { "BrandCd=\(brand)&CinemaCd=\(cinema)" }

  var calendar: PageRequest { PageRequest("calendar", "\(base)/cinema/main.do?\(visitor)&\(venue)") }

  func day(_ date: CivilDate) -> PageRequest {
    PageRequest(
      "day:\(date)", "\(base)/cinema/showseq_list.do?\(visitor)&ssid=&tokn=&\(venue)&PlaySDT=\(date)", .part,
      headers: [
        PageRequest.Header(name: "X-Requested-With", value: "XMLHttpRequest"),
        PageRequest.Header(name: "Referer", value: calendar.url),
      ])
  }

  func film(_ code: String) -> PageRequest {
    let number = code.split(separator: ":").last ?? ""
    return PageRequest("film:\(number)", "\(base)/movie/view.do?\(visitor)&MovieCd=\(number)", .extra)
  }

  /// Where a person books this showing.
  func booking(film: String, date: CivilDate, screen: String, sequence: String) -> String {
    "\(base)/reserve/movie.do?\(visitor)&CinemaCd=\(cinema)&MovieCd=\(film)&PlaySDT=\(date)"
      + "&ScreenCd=\(screen)&ShowSeq=\(sequence)"
  }
}
