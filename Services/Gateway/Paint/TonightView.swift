import Calendars
import Contracts

/// Tonight as the server paints it: which films start soon and can be reached on foot, or play on another day, each once, by the
/// clock; and where.
nonisolated struct TonightView {
  let parts: PageParts
  let place: PagePlace
  let view: Viewpoint
  let answer: TonightAnswer
  private let choice: TonightChoice
  /// Where the nearest cinema is.
  private let today: CivilDate

  init(parts: PageParts, place: PagePlace, view: Viewpoint, choice: TonightChoice, answer: TonightAnswer) {
    self.parts = parts
    self.place = place
    self.view = view
    self.answer = answer
    today = parts.today(answer.zone?.text, view)
    self.choice = choice.settled(today: today)
  }

  private var words: Words { parts.words }

  private typealias Pill = (text: String, address: String, isCurrent: Bool)
  private static let withins = [60, 120, 180]
  private static let walks = [15, 30]
  /// Nobody goes to another region for a film that starts soon.
  private static let tooFar = 30_000.0
  /// What is left of today, in minutes; the rest of the answer is tomorrow's.
  static let wholeDay = TonightChoice.wholeDay
  /// Days to choose from: the names of more would say nothing.
  private static let daysMax = TonightQuestion.daysMax
  /// Times of day to choose from, before and after which somebody has time.
  private static let hours = 10...26
  /// Of the nearest cinemas so many can be chosen, and those that were.
  private static let cinemasMax = 6

  func write(to html: inout HTMLWriter) {
    html.element("div.tonight", .init("data-key", "tonight")) { html in
      html.element("h1") { $0.text(title) }
      html.element("div.choices") { html in
        times(to: &html)
        // Where there is little room, films come before all that they can be told apart by.
        html.element("details.more", .flag("open", choice.isNarrow || choice.until != nil)) { html in
          html.element("summary") { $0.text(words("tonight.filters")) }
          cinemas(to: &html)
          kinds(to: &html)
          hours(to: &html)
        }
      }
      let coming = choice.isNone ? [] : answer.items.filter(isComing)
      guard !coming.isEmpty else { return none(to: &html) }
      let films = coming.grouped { $0.film?.film.id.text ?? "untold-" + $0.showtime.showtime.title }
      if choice.isNarrow { told(films.count, to: &html) }
      html.element("ul.evening") { html in for (key, list) in films { row(key, list, to: &html) } }
      if answer.hasMore { html.element("p.small") { $0.text(words("tonight.more")) } }
      html.element("p.small") { $0.text(words("walk.rule")) }
      if !answer.missing.isEmpty { parts.part(address([:]), to: &html) }
    }
  }

  private var title: String {
    if let until = choice.until {
      return words("tonight.span", ["from": parts.times.long(choice.date ?? today), "to": parts.times.long(until)])
    }
    return choice.date.map(parts.times.long) ?? words(choice.walk == nil ? "tab.tonight" : "tonight.title")
  }

  private func isComing(_ item: ShowingItem) -> Bool {
    guard !parts.times.isPast(item.showtime), let cinema = item.cinema else { return false }
    guard (cinema.metres ?? 0) <= Self.tooFar else { return false }
    return choice.isOfDays || choice.within < Self.wholeDay
      || item.showtime.showtime.serviceDate == parts.times.today(in: view.rules(cinema.cinema.zone))
  }

  private func address(_ changes: KeyValuePairs<String, String?>) -> String { place.address("/tonight", changes) }

  // MARK: Choices

  private func times(to html: inout HTMLWriter) {
    let days = (0..<Self.daysMax).map { number -> Pill in
      let day = today + number
      return (
        parts.times.dayName(day, today: today), address(["date": number == 0 ? nil : "\(day)", "until": nil]),
        (choice.date ?? today) == day
      )
    }
    parts.pills(words("strip"), days, to: &html)
    if !choice.isOfDays { soon(to: &html) }
    let walks = Self.walks.map { minutes -> Pill in
      (words("dur.min", ["n": "\(minutes)"]), address(["walk": "\(minutes)"]), choice.walk == minutes)
    }
    let any: Pill = (words("tonight.any"), address(["walk": nil]), choice.walk == nil)
    parts.pills(words("tonight.walk"), walks + [any], to: &html)
  }

  private func soon(to html: inout HTMLWriter) {
    let withins = Self.withins.map { minutes -> Pill in
      (
        words("tonight.h", ["n": "\(minutes / 60)"]), address(["within": "\(minutes)"]),
        choice.within == minutes
      )
    }
    let all: Pill = (words("tonight.all"), address(["within": "\(Self.wholeDay)"]), choice.within == Self.wholeDay)
    parts.pills(words("tonight.within"), withins + [all], to: &html)
  }

  /// How many days, and at which times of them: a form, which needs a button where there is no script.
  private func hours(to html: inout HTMLWriter) {
    html.element("form.hours", .init("action", "/tonight")) { html in
      let first = choice.date ?? today
      let days = (1..<Self.daysMax).map { first + $0 }
      select(
        "until", words("tonight.until"), words("tonight.one"),
        days.map { ("\($0)", parts.times.dayName($0, today: today)) }, choice.until.map { "\($0)" }, to: &html)
      hour("after", words("tonight.after"), choice.after, to: &html)
      hour("before", words("tonight.before"), choice.before, to: &html)
      html.element("noscript") { html in html.element("button.pill") { $0.text(words("tonight.go")) } }
      for (name, value) in place.query where !["until", "after", "before"].contains(name) {
        html.element("input", .init("type", "hidden"), .init("name", name), .init("value", value))
      }
    }
  }

  private func hour(_ name: String, _ label: String, _ chosen: DisplayTime?, to html: inout HTMLWriter) {
    let usual = Self.hours.compactMap { DisplayTime(hour: $0, minute: 0) }
    let times = Set(usual + [chosen].compactMap { $0 }).sorted()
    select(
      name, label, words("tonight.any"), times.map { ("\($0)", parts.times.printed($0)) }, chosen.map { "\($0)" },
      to: &html)
  }

  private func select(
    _ name: String, _ label: String, _ usual: String, _ options: [(value: String, text: String)], _ chosen: String?,
    to html: inout HTMLWriter
  ) {
    html.element("label.choice") { html in
      html.element("span.small") { $0.text(label) }
      html.element("select", .init("name", name), .init("data-on-change", "hours")) { html in
        for (value, text) in [("", usual)] + options {
          html.element("option", .init("value", value), .flag("selected", value == chosen)) { $0.text(text) }
        }
      }
    }
  }

  /// What is there tonight, or was chosen, by kind; pressed again it is taken away.
  private func kinds(to html: inout HTMLWriter) {
    let isSold = answer.soldOut > 0 || choice.hidesSoldOut
    let kinds = ShowingKind.allCases
      .map { (kind: $0, members: $0.members(of: answer.attributes.map(\.id) + choice.attributes)) }
      .filter { !$0.members.isEmpty }
    guard isSold || !kinds.isEmpty || !answer.genres.isEmpty else { return }
    html.element("div.filters") { html in
      genres(to: &html)
      for (kind, members) in kinds { self.members(members, of: kind, to: &html) }
      if isSold { seats(to: &html) }
    }
  }

  /// The nearest cinemas of all that is shown, and those that were chosen.
  private func cinemas(to html: inout HTMLWriter) {
    func isChosen(_ place: TonightPlace) -> Bool { choice.cinemas.contains(place.cinema.cinema.id) }
    let places = answer.cinemas.filter { ($0.cinema.metres ?? 0) <= Self.tooFar || isChosen($0) }.enumerated()
      .filter { $0.offset < Self.cinemasMax || isChosen($0.element) }.map(\.element)
    guard places.count > 1 || places.contains(where: isChosen) else { return }
    parts.pills(
      words("tonight.cinemas"),
      places.map { place -> Pill in
        let cinema = place.cinema.cinema
        let isTaken = choice.cinemas.contains(cinema.id)
        let others = (choice.cinemas.filter { $0 != cinema.id } + (isTaken ? [] : [cinema.id])).map(\.text)
        return (
          parts.name(cinema), address(["cinemas": others.isEmpty ? nil : others.joined(separator: ",")]), isTaken
        )
      }, many: true, to: &html)
  }

  private func genres(to html: inout HTMLWriter) {
    guard !answer.genres.isEmpty else { return }
    let chosen = choice.genres.map(\.rawValue)
    parts.pills(
      words("tonight.genre"),
      answer.genres.map { genre -> Pill in
        let id = genre.genre.id
        let isTaken = chosen.contains(id)
        let others = chosen.filter { $0 != id } + (isTaken ? [] : [id])
        return (genre.name, address(["genre": others.isEmpty ? nil : others.joined(separator: ",")]), isTaken)
      }, many: true, to: &html)
  }

  private func members(_ members: [String], of kind: ShowingKind, to html: inout HTMLWriter) {
    parts.pills(
      words("tonight.kind.\(kind.rawValue)"),
      members.map { name -> Pill in
        let isTaken = choice.attributes.contains(name)
        let others = choice.attributes.filter { $0 != name } + (isTaken ? [] : [name])
        return (parts.word(of: name), address(["with": others.isEmpty ? nil : others.joined(separator: ",")]), isTaken)
      }, many: true, to: &html)
  }

  private func seats(to html: inout HTMLWriter) {
    parts.pills(
      words("tonight.seats"),
      [(words("tonight.free"), address(["free": choice.hidesSoldOut ? nil : "1"]), choice.hidesSoldOut)], many: true,
      to: &html)
  }

  // MARK: What came of them

  /// What narrows the list, in words.
  private var narrowing: String {
    let names = Dictionary(answer.genres.map { ($0.genre.id, $0.name) }) { first, _ in first }
    var told = choice.genres.compactMap { names[$0.rawValue] }
    if let after = choice.after { told.append(words("tonight.from", ["time": parts.times.printed(after)])) }
    if let before = choice.before { told.append(words("tonight.to", ["time": parts.times.printed(before)])) }
    told += choice.attributes.map(parts.word)
    let places = answer.cinemas.map(\.cinema.cinema)
    told += choice.cinemas.compactMap { id in places.first { $0.id == id }.map(parts.name) }
    if choice.hidesSoldOut { told.append(words("tonight.free")) }
    return told.joined(separator: " · ")
  }

  /// The same page without what narrows it.
  private var whole: String {
    address(["with": nil, "free": nil, "cinemas": nil, "genre": nil, "after": nil, "before": nil])
  }

  private func told(_ films: Int, to html: inout HTMLWriter) {
    html.element("p.small", .init("role", "status")) { html in
      html.text(words("tonight.told", ["n": "\(films)", "what": narrowing]) + " ")
      html.element("a", .init("href", whole), .flag("data-replace")) { $0.text(words("tonight.every")) }
    }
  }

  private func none(to html: inout HTMLWriter) {
    // Nobody knows that there is nothing.
    if !answer.missing.isEmpty { return parts.part(address([:]), to: &html) }
    html.element("div.notice.empty") { html in
      html.element("p.notice-t") { html in
        let day = choice.until == nil ? choice.date : nil
        html.text(
          choice.isNone
            ? words("tonight.nothing")
            : day.map { words("day.none.title", ["day": parts.times.long($0)]) } ?? words("tonight.none"))
      }
      if !narrowing.isEmpty {
        html.element("p") { $0.text(narrowing) }
      } else if !choice.isOfDays, !choice.isNone {
        html.element("p") { $0.text(words(choice.walk == nil ? "tonight.none.time" : "tonight.none.text")) }
      }
      html.element("p.doing") { html in
        func wider(_ address: String, _ text: String) {
          html.element("a.btn", .init("href", address), .flag("data-replace")) { $0.text(text) }
        }
        if choice.isNarrow { wider(whole, words("tonight.every")) }
        if choice.isOfDays { wider(address(["date": nil, "until": nil]), words("today")) }
        if !choice.isOfDays, choice.within < Self.wholeDay {
          wider(address(["within": "\(Self.wholeDay)"]), words("tonight.all"))
        }
        if choice.walk != nil { wider(address(["walk": nil]), words("tonight.anyWalk")) }
        if !choice.isOfDays { wider(address(["date": "\(today + 1)"]), words("tomorrow")) }
      }
    }
  }

  // MARK: A film

  private func row(_ key: String, _ items: [ShowingItem], to html: inout HTMLWriter) {
    let film = items[0].film.map { parts.readable($0) }
    let look = film.map { FilmLook($0) } ?? FilmLook(id: key, title: items[0].showtime.showtime.title, year: "")
    html.element("li", .init("data-key", key)) { html in
      parts.poster(look, isLink: film != nil, to: &html)
      html.element("div.evening-what") { html in
        html.element("h2.film-title") { html in
          guard let film else { return html.text(look.title) }
          html.element("a", .init("href", "/films/\(look.id)"), .init("lang", parts.foreign(look.title))) {
            $0.text(look.title)
          }
          parts.others(film, "span", to: &html)
        }
        if let film { parts.facts(film, to: &html) } else { html.element("p.facts") { _ in } }
        html.element("ul.by-cinema") { html in
          // Of several days each stands by itself.
          for (key, list) in items.grouped(by: key(of:)) { place(key, list, to: &html) }
        }
      }
    }
  }

  private func key(of item: ShowingItem) -> String {
    let show = item.showtime.showtime
    return choice.until == nil ? show.cinema.text : "\(show.serviceDate) \(show.cinema)"
  }

  private func place(_ key: String, _ items: [ShowingItem], to html: inout HTMLWriter) {
    guard let cinema = items[0].cinema else { return }
    html.element("li", .init("data-key", key)) { html in
      html.element("p.at") { html in
        if choice.until != nil { html.text(parts.times.long(items[0].showtime.showtime.serviceDate) + " ") }
        html.element("a", .init("href", "/cinemas/\(cinema.cinema.id)")) { $0.text(parts.name(cinema.cinema)) }
        html.text(" ")
        html.element("span.small") { html in
          let way = cinema.metres.map { [parts.distance($0), parts.walk($0)].compactMap { $0 } } ?? []
          html.text(way.joined(separator: " · "))
        }
      }
      // Nobody leaves for what is sold out.
      if !choice.isOfDays, let free = items.first(where: { $0.showtime.showtime.seats?.state != .soldOut }) {
        html.element("p.leave") { $0.text(parts.times.clock(free.showtime.startsAt)) }
      }
      parts.chips(items.map(\.showtime), to: &html)
    }
  }
}

nonisolated extension Array where Element == ShowingItem {
  /// In groups of what is alike, each in the place of its first.
  fileprivate func grouped(by key: (Element) -> String) -> [(key: String, members: [Element])] {
    var places: [String: Int] = [:]
    var groups: [(key: String, members: [Element])] = []
    for one in self {
      let key = key(one)
      if let place = places[key] {
        groups[place].members.append(one)
      } else {
        places[key] = groups.count
        groups.append((key, [one]))
      }
    }
    return groups
  }
}
