import Calendars
import Contracts

/// The pieces of a cinema: its card, its days, its doors to elsewhere.
nonisolated extension PageParts {
  /// A cinema's name for this reader: its own if it is in a script that is read here, else in English.
  func name(_ cinema: Cinema) -> String {
    guard let english = cinema.nameEnglish, foreign(cinema.name) != nil else { return cinema.name }
    return english
  }

  /// Metres. Nobody goes so far for a film; nor does it say anything how far that is.
  static let tooFar = 500_000.0

  /// Metres as people say them.
  func distance(_ metres: Double) -> String? {
    guard metres <= Self.tooFar else { return nil }
    let whole = Int(metres.rounded())
    if whole < 1_000 { return words("dist.m", ["n": "\(whole)"]) }
    if whole < 10_000 {
      let tenths = (whole + 50) / 100
      return words("dist.km", ["n": "\(tenths / 10).\(tenths % 10)"])
    }
    return words("dist.km", ["n": "\((whole + 500) / 1_000)"])
  }

  /// A walk of up to an hour and a quarter is offered as one.
  func walk(_ metres: Double) -> String? {
    let minutes = Walk.minutes(metres: metres)
    return (1...75).contains(minutes) ? words("walk", ["n": "\(minutes)"]) : nil
  }

  /// One of the closest cinemas: how far, and when the next film begins.
  func card(
    _ page: CinemaPage, today: CivilDate, isChosen: Bool, address: String, to html: inout HTMLWriter
  ) {
    let shows = page.programme?.date == today ? page.programme?.films.flatMap(\.showtimes) ?? [] : []
    let coming = shows.filter { !times.isPast($0) && $0.showtime.state != .cancelled }
      .sorted { $0.showtime.startsAt < $1.showtime.startsAt }
    let next = coming.first { $0.showtime.seats?.state != .soldOut } ?? coming.first
    let isClosed = page.days?.first { $0.day.date == today }?.day.status == .closed
    let later = page.days?.first { $0.day.date > today && $0.day.status == .open }?.day.date
    html.element("li", .init("data-key", page.cinema.id.text)) { html in
      html.element(
        "a", isClosed ? "card off" : next == nil ? "card done" : "card on",
        [.init("href", address), .flag("data-replace"), .init("aria-current", isChosen ? "true" : nil)]
      ) { html in
        html.element("span.card-n") { $0.text(name(page.cinema)) }
        html.element("span.card-d") { html in
          guard let metres = page.metres else { return }
          html.element("span") { $0.text(distance(metres) ?? "") }
          if let walk = walk(metres) { html.element("span") { $0.text(walk) } }
        }
        html.element("span.card-s") { html in
          if let next {
            html.text(words("card.next") + " ")
            html.element("b") { $0.text(times.chip(next)) }
          } else if isClosed {
            html.text(words("card.closed"))
          } else if page.programme != nil, page.days != nil {
            // What was not told is not called nothing.
            html.text(later.map { words("card.later", ["day": times.dayName($0, today: today)]) } ?? words("card.none"))
          }
        }
      }
    }
  }

  /// Fourteen days, closed ones told apart; a link each.
  func strip(
    _ known: [DayItem]?, chosen: CivilDate, today: CivilDate, address: (CivilDate) -> String, to html: inout HTMLWriter
  ) {
    // A cinema that nobody reads has none; where they have not come, their place is kept.
    if let known, known.isEmpty { return }
    let days = known ?? []
    html.element("div.strip", .init("role", "group"), .init("aria-label", words("strip"))) { html in
      stripButton(-1, to: &html)
      html.element("ol.days", .flag("data-strip")) { html in
        for (index, item) in days.enumerated() {
          let date = item.day.date
          let status = item.day.status.word
          html.element("li", .init("data-key", "\(date)")) { html in
            html.element(
              "a", status == "closed" ? "day off" : status == "unknown" ? "day unknown" : "day",
              [
                .init("href", address(date)), .init("data-w", "\(PageTimes.number(date))"),
                .init("aria-current", date == chosen ? "date" : nil), .init("data-date", "\(date)"),
              ]
            ) { html in
              html.element("span.day-w") { $0.text(times.dayName(date, today: today)) }
              html.element("span.day-n") { $0.text(date.day == 1 && index > 0 ? times.firstDay(date) : "\(date.day)") }
              html.element("span.vh") { $0.text(times.long(date)) }
              html.element("span.day-s") { html in
                switch status {
                case "closed": html.text(words("day.closed"))
                case "unknown": html.text(words("day.unknown"))
                default: if item.day.films > 0 { html.text(words("day.films", ["n": "\(item.day.films)"])) }
                }
              }
            }
          }
        }
      }
      stripButton(1, to: &html)
    }
  }

  /// Moves what lies beside it without dragging.
  func stripButton(_ step: Int, to html: inout HTMLWriter) {
    html.element(
      "button.strip-b.js", .init("type", "button"), .init("data-do", "strip"), .init("data-by", "\(step)"),
      .init("aria-label", words(step < 0 ? "strip.prev" : "strip.next"))
    ) { icon(step < 0 ? "prev" : "next", to: &$0) }
  }

  /// Where this is from, how old it is, and what to do if it is wrong.
  func asOf(_ freshness: FreshnessItem?, of cinema: CinemaID, to html: inout HTMLWriter) {
    let isStale = freshness?.isStale == true
    let link = freshness?.source?.url
    html.element("div.asof", .init("data-stale", isStale ? "true" : nil)) { html in
      html.element("p") { html in
        if let read = freshness?.asOf {
          html.element("time", .init("datetime", "\(read)"), .init("title", "\(read)")) { html in
            html.text(words(isStale ? "asof.stale" : "asof", ["ago": times.ago(read)]))
          }
        }
        guard let source = freshness?.source else { return }
        html.text((freshness?.asOf == nil ? "" : " · ") + words("source") + " ")
        html.element("a", .link("href", link), .init("rel", "noopener"), .init("target", "_blank")) {
          $0.text(source.name)
        }
        if source.isDemo {
          html.text(" ")
          html.element("span.demo") { $0.text(words("demo")) }
        }
      }
      html.element("details.report") { html in
        html.element("summary") { $0.text(words("report.ask")) }
        html.element("p") { html in
          html.text(words("report.text") + " ")
          if let link {
            html.element("a", .link("href", link), .init("rel", "noopener"), .init("target", "_blank")) { html in
              html.text(words("report.source"))
            }
          }
          html.text(" ")
          html.element(
            "button.plain.js", .init("type", "button"), .init("data-do", "report"), .init("data-subject", cinema.text)
          ) { $0.text(words("report.send")) }
        }
      }
    }
  }

  func notice(
    _ kind: String, _ title: String, _ text: String?, link: (address: String, text: String)? = nil,
    to html: inout HTMLWriter
  ) {
    html.element("div", "notice \(kind)", [.init("role", kind == "error" ? "alert" : nil)]) { html in
      html.element("p.notice-t") { $0.text(title) }
      if let text { html.element("p") { $0.text(text) } }
      guard let link else { return }
      html.element("p.doing") { html in
        html.element("a.btn", .init("href", link.address)) { $0.text(link.text) }
      }
    }
  }

  /// A service did not say all that it knows.
  ///
  /// - Parameter address: where it is asked again.
  func part(_ address: String, to html: inout HTMLWriter) {
    notice("part", words("missing"), nil, link: (address, words("retry")), to: &html)
  }

  /// A day's films, or why there are none and when the next ones are.
  func day(
    _ page: CinemaPage, _ programme: ProgrammeItem, today: CivilDate, address: (CivilDate) -> String,
    to html: inout HTMLWriter
  ) {
    if programme.films.isEmpty {
      emptyDay(page, programme.date, today: today, address: address, to: &html)
    } else {
      overDay(page, programme, today: today, address: address, to: &html)
      html.element("ul.films", .init("data-key", "films")) { html in
        for (place, group) in inOrder(programme.films).enumerated() { film(group, isFirst: place == 0, to: &html) }
      }
    }
    if page.cinema.isActive { asOf(programme.freshness, of: page.cinema.id, to: &html) }
  }

  /// Today's films are over: the next day that has some is one step away.
  private func overDay(
    _ page: CinemaPage, _ programme: ProgrammeItem, today: CivilDate, address: (CivilDate) -> String,
    to html: inout HTMLWriter
  ) {
    let date = programme.date
    guard date == today, programme.films.allSatisfy({ $0.showtimes.allSatisfy { times.isPast($0) } }) else { return }
    let next = page.days?.map(\.day).first { $0.date > date && $0.status == .open && $0.showtimes != 0 }
    html.element("p.over-day", .init("data-key", "over")) { html in
      html.element("span") { $0.text(words("day.over")) }
      guard let next else { return }
      html.element("a.btn", .init("href", address(next.date)), .flag("data-replace")) { html in
        html.text(words("day.see", ["day": times.dayName(next.date, today: today)]))
      }
    }
  }

  private func emptyDay(
    _ page: CinemaPage, _ date: CivilDate, today: CivilDate, address: (CivilDate) -> String, to html: inout HTMLWriter
  ) {
    if !page.cinema.isActive { return notice("empty", words("cinema.gone"), nil, to: &html) }
    let days = page.days?.map(\.day) ?? []
    let status = days.first { $0.date == date }?.status.word
    let next =
      days.first { $0.date > date && $0.status == .open && $0.showtimes != 0 }
      ?? days.first { $0.date != date && $0.status == .open && $0.showtimes != 0 }
    let key = status == "closed" ? "day.closed.title" : status == "unknown" ? "day.unknown.title" : "day.none.title"
    notice(
      "empty", words(key, ["day": times.long(date)]),
      next.map { words("day.next", ["day": times.long($0.date), "n": "\($0.films)"]) }
        ?? (status == "closed" ? nil : words("day.nothing")),
      link: next.map { next in
        (address(next.date), words("day.see", ["day": times.dayName(next.date, today: today)]))
      }, to: &html)
  }

  /// Address, and links out.
  func facts(of cinema: Cinema, to html: inout HTMLWriter) {
    if let address = cinema.address, !address.isEmpty {
      html.element("p.address", .init("lang", foreign(address))) { $0.text(address) }
    }
    let maps = cinema.mapLinks
    let places = [maps.naver, maps.kakao, maps.google, maps.apple, maps.openStreetMap]
    let links = [(cinema.website, words("link.website")), (cinema.instagram, "Instagram")] + zip(places, Self.mapNames)
    html.element("ul.links") { html in
      for (address, text) in links {
        guard let address, !address.isEmpty else { continue }
        html.element("li") { html in
          html.element("a", .link("href", address), .init("target", "_blank"), .init("rel", "noopener")) {
            $0.text(text)
          }
        }
      }
      html.element("li") { html in
        html.element("a", .init("href", "/v1/cinemas/\(cinema.id)/calendar.ics"), .flag("download")) { html in
          html.text(words("link.calendar"))
        }
      }
    }
  }
}
