import Calendars
import JSON

/// Reads records' fields, and follows what they name.
struct RecordFactsReader {
  let clock: PageClock
  let index: RecordIndex
  let keys: RecordKeys

  /// Objects inside a record that are part of it: `schedule: {startsAt}`, `start: {dateTime}`.
  static let nestingMax = 3

  /// - Parameter name: of the list or the member that it stands in.
  func facts(of object: JSONObject, named name: RecordKey? = nil) -> RecordFacts {
    var facts = RecordFacts()
    // What is said in records of a map is said of them alone.
    if object.count > 1, RecordIndex.isMap(object) { return facts }
    take(object, into: &facts, prefix: "", nesting: 0)
    takeClocks(of: object, into: &facts)
    if facts.starts.isEmpty { takePair(of: object, into: &facts) }
    takeLoneDate(of: object, into: &facts)
    takeDescription(of: object, into: &facts)
    if facts.starts.isEmpty, let name { takeValue(of: object, named: name, into: &facts) }
    // `"showtimes": [{"name": "15:00"}]`
    if facts.starts.isEmpty, name?.thing == .shows, let title = facts.title?.text, RecordWalk.isClock(title),
      let moment = clock.moment(title)
    {
      facts.starts.append(.init(rank: 1, moment: moment))
      facts.title = nil
    }
    facts.starts.sort { $0.rank < $1.rank }
    facts.screen = facts.screen ?? facts.screenCode
    facts.venue = facts.venue ?? facts.addressName
    if !facts.starts.isEmpty, facts.title == nil, facts.filmTitle == nil {
      facts.joined =
        object.lazy.compactMap { index.record(joinedBy: $0.name, $0.value) }.first.flatMap(name(of:))
        ?? nameOfEvent(of: object)
    }
    // A summary is a title where nothing else is: calendars call it so.
    if let summary = facts.summary, facts.title.map({ $0.rank > 2 }) ?? true { facts.title = (1, summary) }
    return facts
  }

  func take(_ object: JSONObject, into facts: inout RecordFacts, prefix: String, nesting: Int) {
    for (name, value) in object {
      let own = keys[name]
      let key = prefix.isEmpty ? own : keys[prefix + "_" + name]
      if own.thing == .film { facts.isOfFilm = true }
      if own.isOfAddress, value.string?.isEmpty == false { facts.hasAddress = true }
      switch value {
      case .string(let text): take(text, key, own, into: &facts)
      case .int(let number): take(number, key, own, into: &facts)
      case .bool(let flag): take(flag, name, key, into: &facts)
      case .object(let inner): take(inner, name, own, into: &facts, nesting: nesting)
      case .array(let values): take(values, name, own, into: &facts)
      case .double, .null: break
      }
    }
  }

  /// `"hour": 7, "minute": 30, "ampm": "pm"`: a clock in fields of its own.
  private func takeClocks(of object: JSONObject, into facts: inout RecordFacts) {
    for (name, value) in object {
      let key = keys[name]
      guard let last = key.words.last, ClockFields.hours.contains(last),
        case .start(let rank) = keys[key.words.dropLast().joined(separator: "_") + "_time"].role,
        let time = ClockFields(object, keys: keys, before: Array(key.words.dropLast())).time(hour: value)
      else { continue }
      facts.starts.append(.init(rank: rank, moment: .time(time)))
    }
  }

  /// `"providerDate": "2026-11-27", "providerTime": "19:30"`: the one day and the one clock that share what stands before
  /// "date" and "time" are a start, whoever says it.
  private func takePair(of object: JSONObject, into facts: inout RecordFacts) {
    var days: [[String]: [CivilDate]] = [:]
    for (name, value) in object {
      guard let before = keys[name].beforeDate, days[before, default: []].count < 2, let text = value.string,
        case .date(let date)? = clock.moment(text)
      else { continue }
      days[before, default: []].append(date)
    }
    guard !days.isEmpty else { return }
    var pair: (CivilDate, DisplayTime)?
    for (name, value) in object {
      guard let before = keys[name].beforeTime, let days = days[before], let text = value.string,
        case .time(let time)? = clock.moment(text, expectsTime: true)
      else { continue }
      guard pair == nil, days.count == 1 else { return }
      pair = (days[0], time)
    }
    guard let (date, time) = pair else { return }
    facts.starts.append(.init(rank: Self.pairRank, moment: .date(date)))
    facts.starts.append(.init(rank: Self.pairRank, moment: .time(time)))
  }

  /// `"dates": [{"value": "2026-11-27T19:30", "end_value": …}]`: the start is called by what it stands in.
  private func takeValue(of object: JSONObject, named name: RecordKey, into facts: inout RecordFacts) {
    guard case .start(let rank) = name.role else { return }
    // `<time price="5">16:00</time>`
    if name.isOfStart, let text = object["text"]?.string, RecordWalk.isClock(text) || name.isOfClock && isDigits(text),
      case .time(let time)? = clock.moment(text)
    {
      facts.starts.append(.init(rank: rank, moment: .time(time)))
      return
    }
    guard let text = object["value"]?.string, let moment = clock.moment(text), moment.isFull else { return }
    facts.starts.append(.init(rank: rank, moment: moment))
    if let text = object["end_value"]?.string, let end = clock.moment(text) { facts.ends.append(end) }
  }

  /// "1930": in a field of dates it would be a year.
  private func isDigits(_ text: String) -> Bool { text.utf8.count == 4 && text.utf8.allSatisfy(isDigitByte) }

  /// Behind all that is called a start.
  private static let pairRank = 7

  // MARK: Plain values

  func take(_ text: String, _ key: RecordKey, _ own: RecordKey, into facts: inout RecordFacts) {
    if text.isEmpty || Self.absent.contains(text) { return }
    if own.isFirstInstance || own.isLastInstance, let moment = clock.moment(text), moment.isFull {
      facts.isOfSeveral = true
      if own.isFirstInstance { facts.starts.append(.init(rank: 0, moment: moment)) } else { facts.lastStart = moment }
      return
    }
    if let last = own.words.last, Self.kinds.contains(last), Self.filmKinds.contains(text.foldedKey) {
      facts.isOfFilm = true
    }
    switch key.role ?? own.role {
    case .start(let rank):
      if let moment = clock.moment(text, expectsTime: true) {
        facts.starts.append(.init(rank: rank, moment: moment))
      } else if rank >= 6 {
        setTitle(text, rank: 3, &facts)
      } else if text.utf8.count <= 24 {
        facts.weekday = facts.weekday ?? text
      }
      if rank <= 2, facts.starts.isEmpty, facts.unreadStart == nil, isLikeStart(text) { facts.unreadStart = text }
    case .end:
      if let moment = clock.moment(text) { facts.ends.append(moment) } else if isFar(text) { facts.endsFar = true }
    case .title where key.words == ["summary"]: facts.summary = facts.summary ?? named(text)
    // {"name": "Screen 2", "list": [{"showingStart": …}]}
    case .title(rank: 2) where ScreenName.isOne(text): facts.screen = facts.screen ?? named(text)
    case .title(let rank): setTitle(text, rank: rank, &facts)
    case .film:
      if let film = index.record(named: text, key) { setFilm(film, &facts) } else { setTitle(text, rank: 1, &facts) }
    case .venue where key.words == ["site"] && text.utf8.allSatisfy({ (0x61...0x7A).contains($0) }): break
    // `"theater_film_name": "2廳"`
    case .venue where ScreenName.isNumberedHall(text): facts.screen = facts.screen ?? text.trimmedText
    case .venue:
      facts.venue = facts.venue ?? (index.record(named: text, key).flatMap(name(of:)) ?? named(text))
    case .screen:
      facts.screen = facts.screen ?? (index.record(named: text, key).flatMap(name(of:)) ?? named(text))
    case .url: if isAddress(text) { facts.url = facts.url ?? text.replacing("&amp;", with: "&") }
    case .id: facts.id = facts.id ?? text
    case .soldOut: facts.isSoldOut = facts.isSoldOut || isYes(text)
    case .cancelled: facts.isCancelled = facts.isCancelled || isYes(text)
    case .seatsLeft: facts.seatsLeft = facts.seatsLeft ?? Int(text)
    case .notes: if text.utf8.count < 200 { facts.notes.append(PlainText.of(text)) }
    case .minutes: facts.minutes = facts.minutes ?? minutes(text)
    case .zone: facts.zone = facts.zone ?? text
    case .status:
      takeStatus(text, into: &facts)
      if key.words.contains("availability") { facts.tellsStatus = true }
    case .seatsAll: break
    // `"is_deleted": "true"`
    case nil where text == "true" || text == "false": take(text == "true", own.words.joined(), own, into: &facts)
    case nil:
      if own.isReference { follow(own, text, into: &facts) } else { takeFlag(text, own, into: &facts) }
      // "Saturday 19th September 2026 @ 8:00 PM": a day that is displayed with its time is no post's.
      if own.words == ["display", "date"], let moment = clock.moment(text, expectsTime: true), moment.isFull {
        facts.starts.append(.init(rank: 1, moment: moment))
      }
      if own.words == ["description"] || own.words == ["short", "description"] && facts.described == nil,
        text.utf8.count <= Self.describedMax, text.hasLetters,
        !text.utf8.contains(UInt8(ascii: "<")), !text.hasSuffix("."), clock.moment(text) == nil
      {
        facts.described = PlainText.of(text)
      }
    }
  }

  /// `"category": "film"`
  private static let kinds: Set<String> = ["category", "type", "kind", "genre"]
  private static let filmKinds: Set<String> = [
    "film", "films", "movie", "movies", "cinema", "kino", "screening", "screenings", "film screening", "filmscreening",
  ]

  /// What programs write where there is nothing.
  private static let absent: Set<String> = ["None", "none", "null", "NULL", "nil", "N/A", "n/a", "undefined", "-"]

  /// Whether a person would see a day or a clock in it.
  private func isLikeStart(_ text: String) -> Bool {
    text.utf8.count <= PageClock.fieldBytesMax && text.utf8.count(where: isDigitByte) >= 3 && clock.moment(text) == nil
  }

  /// "2125-01-01 00:00:00"
  private func isFar(_ text: String) -> Bool {
    guard text.utf8.count >= 10, let year = Int(text.prefix(4)), text.utf8.dropFirst(4).first == UInt8(ascii: "-")
    else {
      return false
    }
    return CivilDate(String(text.prefix(10))) != nil && year > clock.captured.year + Self.yearsMax
  }

  private static let yearsMax = 50

  /// A longer description says something of a film that has a name.
  private static let describedMax = 90

  func take(_ number: Int64, _ key: RecordKey, _ own: RecordKey, into facts: inout RecordFacts) {
    switch key.role ?? own.role {
    case .start(let rank):
      if let moment = moment(number, key) {
        facts.starts.append(.init(rank: rank, moment: moment))
      } else if (1...31).contains(number), own.words == ["date"] || own.words == ["day"] || own.words == ["dia"] {
        facts.dayNumber = Int(number)
      }
    case .end: if let moment = moment(number, key) { facts.ends.append(moment) }
    case .film: if let film = index.record(named: String(number), key) { setFilm(film, &facts) }
    case .venue: facts.venue = facts.venue ?? index.record(named: String(number), key).flatMap(name(of:))
    case .screen:
      let found = index.record(named: String(number), key).flatMap(name(of:))
      facts.screen = facts.screen ?? found ?? (Self.isRoom(String(number)) ? String(number) : nil)
    case .id: facts.id = facts.id ?? String(number)
    case .soldOut: facts.isSoldOut = facts.isSoldOut || number == 1
    case .seatsLeft: facts.seatsLeft = facts.seatsLeft ?? Int(number)
    case .minutes: facts.minutes = facts.minutes ?? minutes(number, key)
    case .title(rank: 0): setTitle(String(number), rank: 2, &facts)
    case .title(rank: 1): setTitle(String(number), rank: 2, &facts)
    default: if own.isReference { follow(own, String(number), into: &facts) }
    }
  }

  func take(_ flag: Bool, _ name: String, _ key: RecordKey, into facts: inout RecordFacts) {
    switch key.role {
    case .soldOut:
      facts.isSoldOut = facts.isSoldOut || flag
      facts.tellsStatus = true
    case .cancelled:
      facts.isCancelled = facts.isCancelled || flag
      facts.tellsStatus = true
    default:
      if flag ? key.isWithdrawal : key.isPublication { facts.withheld = Self.unpublished }
      if flag, key.isOfHire { facts.withheld = "it is for invited guests" }
      if flag, key.isYetToBeTold { facts.withheld = "its time is yet to be told" }
      if flag, !key.isOfSale { note(key, in: &facts) }
    }
  }

  private func note(_ key: RecordKey, in facts: inout RecordFacts) {
    let said = key.words.drop { $0 == "is" || $0 == "has" }
    if said.elementsEqual(["virtual"]) { facts.isVirtual = true }
    facts.notes.append(said.joined(separator: " "))
  }

  /// `"AD": "Y"`: the field's name is what is said.
  private func takeFlag(_ text: String, _ key: RecordKey, into facts: inout RecordFacts) {
    guard text == "Y" || text == "true", key.words.joined().utf8.count <= 24 else { return }
    note(key, in: &facts)
  }

  func takeStatus(_ text: String, into facts: inout RecordFacts) {
    let folded = text.foldedKey
    if ["cancelled", "canceled", "eventcancelled", "abgesagt", "annule", "cancelado", "annullato"].contains(folded) {
      facts.isCancelled = true
    } else if ["soldout", "ausverkauft", "complet", "agotado", "esaurito", "uitverkocht", "매진", "満席"].contains(folded) {
      facts.isSoldOut = true
    } else if ["draft", "deleted", "hidden", "unpublished", "trash"].contains(folded) {
      facts.withheld = Self.unpublished
    }
  }

  private static let unpublished = "the source says that it is not to be shown"

  private func isYes(_ text: String) -> Bool {
    ["y", "yes", "true", "1", "soldout", "sold out", "sold-out"].contains(text.lowercased())
  }

  /// 1930, seconds since 1970, or 20261123.
  private func moment(_ number: Int64, _ key: RecordKey) -> PartialMoment? {
    if let epoch = clock.epoch(number) { return epoch }
    guard number >= 0, !key.isOfMilliseconds else { return nil }
    if key.words.contains("time"), number >= 100 {
      return DisplayTime(hour: Int(number / 100), minute: Int(number % 100)).map(PartialMoment.time)
    }
    // 20261123
    if number > 19_900_000, number < 20_910_000 {
      return CivilDate(year: Int(number / 10_000), month: Int(number / 100 % 100), day: Int(number % 100))
        .map(PartialMoment.date)
    }
    return nil
  }

  private func minutes(_ text: String) -> Int? {
    // PT2H10M, 02:10, 105', 105 min
    if let duration = ISODuration.minutes(text) { return duration }
    let parts = text.utf8.split(separator: UInt8(ascii: ":"))
    if parts.count >= 2, let hours = Int(Substring(parts[0])), let minutes = Int(Substring(parts[1])) {
      guard (0..<60).contains(minutes) else { return nil }
      // 125:00 is in minutes and seconds.
      if parts.count == 2, (24...600).contains(hours) { return hours }
      return (0..<24).contains(hours) ? hours * 60 + minutes : nil
    }
    return Int(text.prefix { $0.isNumber }).flatMap { (1...1_440).contains($0) ? $0 : nil }
  }

  /// A field in seconds is longer than any film in minutes.
  private func minutes(_ number: Int64, _ key: RecordKey) -> Int? {
    if number > 0, number <= 600 { return Int(number) }
    return number > 600 && number <= 86_400 && number % 60 == 0 ? Int(number / 60) : nil
  }

  private func isAddress(_ text: String) -> Bool {
    text.utf8.count <= 2_048 && !text.utf8.contains(UInt8(ascii: " ")) && !text.lowercased().endsAsPicture
      && (text.hasPrefix("http") || text.hasPrefix("/") || text.utf8.contains(UInt8(ascii: "/"))
        || text.utf8.contains(UInt8(ascii: "?")))
  }

  func named(_ text: String) -> String? {
    let plain = PlainText.of(text)
    return plain.isEmpty || plain.utf8.count > 200 || plain.hasPrefix("http") ? nil : plain
  }

  func setTitle(_ text: String, rank: Int, _ facts: inout RecordFacts) {
    guard facts.title.map({ rank < $0.rank }) ?? true, !TypedValues.isPath(text) else { return }
    let plain = PlainText.of(text)
    if let name = facts.title?.text, isNamedByTime(plain, name) { return }
    if !plain.isEmpty, plain.utf8.count <= 400 { facts.title = (rank, plain) }
  }

  /// "26 Nov 2026 - 14:30 @ Moss - SILT" of SILT: what is called by its time has a better name.
  func isNamedByTime(_ text: String, _ name: String) -> Bool {
    guard name != text, text.utf8.contains(where: isDigitByte), text.hasSuffix(name) else { return false }
    // Beside the start the doors may stand, in whatever order.
    return PrintedLine(String(text.dropLast(name.count)), clock: clock).map {
      $0.days.count == 1 && $0.days[0].day != nil && !$0.times.isEmpty
    } ?? false
  }

  func setFilm(_ film: JSONObject, _ facts: inout RecordFacts) {
    guard facts.filmTitle == nil, let name = name(of: film) else { return }
    facts.filmTitle = name
    facts.isOfFilm = true
  }
}
