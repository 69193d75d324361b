import Calendars
import Contracts

/// A film as the server paints it: what it is, where and when.
nonisolated struct FilmView {
  let parts: PageParts
  let page: FilmPage
  let today: CivilDate

  private var words: Words { parts.words }
  private static let daysShown = 4
  private static let cinemasShown = 6

  func write(to html: inout HTMLWriter) {
    let film = parts.readable(page.film)
    let look = FilmLook(film)
    html.element("article.film-page", .init("data-key", look.id)) { html in
      html.element("div.film-head") { html in
        parts.poster(look, isLink: false, isFirst: true, to: &html)
        html.element("div.film-what") { html in
          html.element("h1", .init("lang", parts.foreign(look.title))) { $0.text(look.title) }
          parts.others(film, "p", isWhole: true, to: &html)
          parts.facts(film, to: &html)
          if let genres = film.genres, !genres.isEmpty {
            html.element("p.facts") { $0.text(genres.joined(separator: " · ")) }
          }
          html.element("div.doing") { html in
            parts.want(look, withWords: true, to: &html)
            html.element("button.btn.js", .init("type", "button"), .init("data-do", "share")) { html in
              parts.icon("share", to: &html)
              html.text(words("share"))
            }
          }
        }
      }
      if let synopsis = film.film.synopsis, !synopsis.isEmpty {
        html.element("p.synopsis", .init("lang", parts.foreign(synopsis))) { $0.text(synopsis) }
      }
      people(to: &html)
      html.element("section", .init("aria-labelledby", "where")) { html in
        html.element("h2", .init("id", "where")) { $0.text(words("film.where")) }
        shows(to: &html)
      }
      similar(to: &html)
      parts.credits([film.entry?.credit] + (page.similar ?? []).map { $0.entry?.credit }, to: &html)
    }
  }

  private func people(to html: inout HTMLWriter) {
    let people = self.people.filter { !$0.names.isEmpty }
    let rows = self.rows.filter { !$0.text.isEmpty }
    let videos = (page.film.entry?.videos ?? []).compactMap(FilmVideoItem.init)
    guard !people.isEmpty || !rows.isEmpty || !videos.isEmpty else { return }
    html.element("dl.people") { html in
      for (role, names) in people {
        html.element("div") { html in
          html.element("dt") { $0.text(words(role)) }
          html.element("dd") { html in
            for (place, name) in names.enumerated() {
              if place > 0 { html.text(", ") }
              html.element("a", .init("href", SearchView.address(name)), .init("lang", parts.foreign(name))) {
                $0.text(name)
              }
            }
          }
        }
      }
      for (role, text) in rows {
        html.element("div") { html in
          html.element("dt") { $0.text(words(role)) }
          html.element("dd") { $0.text(text) }
        }
      }
      guard !videos.isEmpty else { return }
      html.element("div") { html in
        html.element("dt") { $0.text(words("film.video")) }
        html.element("dd") { html in
          for (place, video) in videos.enumerated() {
            if place > 0 { html.text(", ") }
            html.element("a", .link("href", video.url), .init("target", "_blank"), .init("rel", "noopener")) {
              $0.text(video.video.name ?? words("film.video"))
            }
          }
        }
      }
    }
  }

  /// Whoever it is, what else they made is one press away.
  private var people: [(role: String, names: [String])] {
    let film = page.film.film
    return [
      ("film.director", film.directors), ("film.writers", page.film.entry?.writers), ("film.cast", film.cast),
    ].map { ($0, Array(($1 ?? []).prefix(8))) }
  }

  /// Since when it is shown, what people elsewhere think of it, what it cost and brought in.
  private var rows: [(role: String, text: String)] {
    let entry = page.film.entry
    func money(_ amount: Int64?) -> String { amount.map { "$" + Self.grouped($0) } ?? "" }
    var rating = ""
    if let score = entry?.score, let votes = entry?.votes, votes > 0 {
      let percent = Int((score * 10).rounded())
      rating = words("film.rating.text", ["percent": "\(percent)", "votes": Self.grouped(Int64(votes))])
    }
    return [
      ("film.released", entry?.releasedOn.map(parts.times.whole) ?? ""),
      ("film.rating", rating), ("film.budget", money(entry?.budget)),
      ("film.revenue", money(entry?.revenue)),
    ]
  }

  /// 3,000,000: the same in every language that we write.
  private static func grouped(_ number: Int64) -> String {
    let digits = Array(String(number))
    return digits.enumerated().map { place, digit in
      place > 0 && (digits.count - place) % 3 == 0 ? ",\(digit)" : "\(digit)"
    }.joined()
  }

  /// By day, then by cinema, nearest first. Farther ones than anybody goes are there for who asks for all.
  private func shows(to html: inout HTMLWriter) {
    let coming = (page.showtimes ?? []).filter { !parts.times.isPast($0.showtime) && $0.cinema != nil }
    guard !coming.isEmpty else {
      parts.notice("empty", words("film.departed"), words("film.departed.text"), to: &html)
      return
    }
    func isFar(_ showing: ShowingItem) -> Bool { showing.cinema?.metres ?? 0 > PageParts.tooFar }
    let reached = coming.contains { !isFar($0) } ? coming.filter { !isFar($0) } : coming
    let days = Dictionary(grouping: reached) { $0.showtime.showtime.serviceDate }.sorted { $0.key < $1.key }
    var isCut = reached.count < coming.count || days.count > Self.daysShown
    html.element("ol.by-day") { html in
      for (date, showings) in days.prefix(Self.daysShown) {
        let cinemas = Self.byCinema(showings)
        isCut = isCut || cinemas.count > Self.cinemasShown
        html.element("li", .init("data-key", "\(date)")) { html in
          html.element("h3") { html in
            // A date has its weekday already.
            guard date <= today + 1 else { return html.text(parts.times.long(date)) }
            html.text(parts.times.dayName(date, today: today) + " ")
            html.element("span.small") { $0.text(parts.times.long(date)) }
          }
          html.element("ul.by-cinema") { html in
            for (cinema, list) in cinemas.prefix(Self.cinemasShown) { self.cinema(cinema, date, list, to: &html) }
          }
        }
      }
    }
    isCut = isCut || days.contains { Self.byCinema($0.value).count > Self.cinemasShown }
    if isCut {
      html.element("button.btn", .init("type", "button"), .init("data-do", "more")) { $0.text(words("film.all")) }
    }
  }

  private func cinema(_ item: CinemaName, _ date: CivilDate, _ list: [ShowingItem], to html: inout HTMLWriter) {
    html.element("li", .init("data-key", item.cinema.id.text)) { html in
      html.element("p.at") { html in
        html.element("a", .init("href", "/cinemas/\(item.cinema.id)?date=\(date)")) { $0.text(parts.name(item.cinema)) }
        html.text(" ")
        html.element("span.small") { $0.text(item.metres.flatMap(parts.distance) ?? "") }
      }
      parts.chips(list.map(\.showtime), to: &html)
    }
  }

  /// In the order of their distance; of equals in the order of their first showing.
  private static func byCinema(_ showings: [ShowingItem]) -> [(CinemaName, [ShowingItem])] {
    var groups: [(cinema: CinemaName, list: [ShowingItem])] = []
    for showing in showings {
      guard let cinema = showing.cinema else { continue }
      if let index = groups.firstIndex(where: { $0.cinema.cinema.id == cinema.cinema.id }) {
        groups[index].list.append(showing)
      } else {
        groups.append((cinema, [showing]))
      }
    }
    return groups.enumerated().sorted {
      ($0.element.cinema.metres ?? .infinity, $0.offset) < ($1.element.cinema.metres ?? .infinity, $1.offset)
    }.map { ($0.element.cinema, $0.element.list) }
  }

  private func similar(to html: inout HTMLWriter) {
    guard let films = page.similar, !films.isEmpty else { return }
    html.element("section", .init("aria-labelledby", "similar")) { html in
      html.element("h2", .init("id", "similar")) { $0.text(words("film.similar")) }
      html.element("ul.wall") { html in
        for film in films {
          parts.card(film, to: &html)
        }
      }
    }
  }
}
