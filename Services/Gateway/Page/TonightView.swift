import Calendars
import Contracts

/// Tonight as the server paints it: which films start soon and can be reached on foot, or play on another day, each once, by the
/// clock; and where.
nonisolated struct TonightView {
  let parts: PageParts
  let place: PagePlace
  let view: Viewpoint
  let choice: TonightChoice
  let answer: TonightAnswer

  private var words: Words { parts.words }

  private typealias Pill = (text: String, address: String, isCurrent: Bool)
  private static let withins = [60, 120, 180]
  private static let walks = [15, 30]
  /// Nobody goes to another region for a film that starts soon.
  private static let tooFar = 30_000.0
  /// What is left of today, in minutes; the rest of the answer is tomorrow's.
  static let wholeDay = 720
  /// Days to choose from: the names of more would say nothing.
  private static let daysMost = 7
  /// Of the nearest cinemas so many can be chosen, and those that were.
  private static let cinemasMost = 6

  func write(to html: inout HTMLWriter) {
    html.element("div.tonight", .init("data-key", "tonight")) { html in
      html.element("h1") { $0.text(choice.date.map(parts.times.long) ?? words("tonight.title")) }
      html.element("div.choices") { html in
        times(to: &html)
        cinemas(to: &html)
        kinds(to: &html)
      }
      let coming = answer.items.filter(isComing)
      guard !coming.isEmpty else { return none(to: &html) }
      let films = coming.grouped { $0.film?.film.id.text ?? "untold-" + $0.showtime.showtime.title }
      html.element("ul.evening") { html in for (key, list) in films { row(key, list, to: &html) } }
      if answer.hasMore { html.element("p.small") { $0.text(words("tonight.more")) } }
      html.element("p.small") { $0.text(words("walk.rule")) }
    }
  }

  private func isComing(_ item: ShowingItem) -> Bool {
    guard !parts.times.isPast(item.showtime), let cinema = item.cinema else { return false }
    guard (cinema.metres ?? 0) <= Self.tooFar else { return false }
    return choice.date != nil || choice.within < Self.wholeDay
      || item.showtime.showtime.serviceDate == parts.times.today(in: view.rules(cinema.cinema.zone))
  }

  private func address(_ changes: KeyValuePairs<String, String?>) -> String { place.address("/tonight", changes) }

  // MARK: Choices

  private func times(to html: inout HTMLWriter) {
    let today = parts.today(answer.zone?.text, view)
    let days = (0..<Self.daysMost).map { number -> Pill in
      let day = today + number
      return (
        parts.times.dayName(day, today: today), address(["date": number == 0 ? nil : "\(day)"]),
        (choice.date ?? today) == day
      )
    }
    parts.pills(words("strip"), days, to: &html)
    if choice.date == nil { soon(to: &html) }
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

  /// What is there tonight, or was chosen, by kind; pressed again it is taken away.
  private func kinds(to html: inout HTMLWriter) {
    let isSold = answer.soldOut > 0 || choice.hidesSoldOut
    let kinds = ShowingKind.allCases
      .map { (kind: $0, members: $0.members(of: answer.attributes.map(\.id) + choice.attributes)) }
      .filter { !$0.members.isEmpty }
    guard isSold || !kinds.isEmpty else { return }
    html.element("div.filters") { html in
      for (kind, members) in kinds { self.members(members, of: kind, to: &html) }
      if isSold { seats(to: &html) }
    }
  }

  /// The nearest cinemas of all that is shown, and those that were chosen.
  private func cinemas(to html: inout HTMLWriter) {
    func isChosen(_ place: TonightPlace) -> Bool { choice.cinemas.contains(place.cinema.cinema.id) }
    let places = answer.cinemas.filter { ($0.cinema.metres ?? 0) <= Self.tooFar || isChosen($0) }.enumerated()
      .filter { $0.offset < Self.cinemasMost || isChosen($0.element) }.map(\.element)
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

  private func none(to html: inout HTMLWriter) {
    html.element("div.notice.empty") { html in
      html.element("p.notice-t") { html in
        html.text(choice.date.map { words("day.none.title", ["day": parts.times.long($0)]) } ?? words("tonight.none"))
      }
      if choice.date == nil { html.element("p") { $0.text(words("tonight.none.text")) } }
      html.element("p.doing") { html in
        func wider(_ address: String, _ text: String, replaces: Bool = true) {
          html.element("a.btn", .init("href", address), .flag("data-replace", replaces)) { $0.text(text) }
        }
        if choice.isNarrow { wider(address(["with": nil, "free": nil, "cinemas": nil]), words("tonight.every")) }
        if choice.date != nil { wider(address(["date": nil]), words("today")) }
        if choice.date == nil, choice.within < Self.wholeDay {
          wider(address(["within": "\(Self.wholeDay)"]), words("tonight.all"))
        }
        if choice.walk != nil { wider(address(["walk": nil]), words("tonight.anyWalk")) }
        if choice.date == nil, choice.within >= Self.wholeDay, choice.walk == nil, !choice.isNarrow {
          wider("/", words("tab.nearby"), replaces: false)
        }
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
          for (id, list) in items.grouped(by: { $0.showtime.showtime.cinema.text }) { place(id, list, to: &html) }
        }
      }
    }
  }

  private func place(_ id: String, _ items: [ShowingItem], to html: inout HTMLWriter) {
    guard let cinema = items[0].cinema else { return }
    html.element("li", .init("data-key", id)) { html in
      html.element("p.at") { html in
        html.element("a", .init("href", "/cinemas/\(id)")) { $0.text(parts.name(cinema.cinema)) }
        html.text(" ")
        html.element("span.small") { html in
          let way = cinema.metres.map { [parts.distance($0), parts.walk($0)].compactMap { $0 } } ?? []
          html.text(way.joined(separator: " · "))
        }
      }
      if choice.date == nil { html.element("p.leave") { $0.text(parts.times.clock(items[0].showtime.startsAt)) } }
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

/// What somebody chose of tonight, as the page's address has it.
nonisolated struct TonightChoice {
  var within = TonightQuestion.minutesUsual
  var walk: Int?
  var date: CivilDate?
  var cinemas: [CinemaID] = []
  var attributes: [String] = []
  var hidesSoldOut = false

  var isNarrow: Bool { !attributes.isEmpty || hidesSoldOut || !cinemas.isEmpty }

  /// What makes no sense is passed over: an address is for people.
  init(within: String?, walk: String?, date: String?, cinemas: String?, with: String?, free: String?) {
    if let minutes = within.flatMap({ Int($0) }), (5...1_440).contains(minutes) { self.within = minutes }
    self.walk = walk.flatMap { Int($0) }.flatMap { (1...600).contains($0) ? $0 : nil }
    attributes = (with ?? "").split(separator: ",").prefix(Self.attributesMax).map(String.init)
    self.date = date.flatMap { CivilDate($0) }
    self.cinemas = (cinemas ?? "").split(separator: ",").prefix(Self.cinemasMax).compactMap { CinemaID(String($0)) }
    hidesSoldOut = free != nil
  }

  /// More than there are groups to choose from.
  private static let attributesMax = 20
  /// As many as are looked at around somebody.
  private static let cinemasMax = 20
}
