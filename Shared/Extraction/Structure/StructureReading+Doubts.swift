import Calendars
import HTML

/// Which groups are told, and why others are not.
extension StructureReading {
  /// A group of one or two times that is unlike the rest of the page is somebody's remark.
  static let remarkMax = 2
  static let programmeMin = 3

  mutating func tellGroups() {
    var told: [FoundTime: Set<String>] = [:]
    for outcome in outcomes {
      for candidate in outcome.candidates { told[candidate.start, default: []].insert(candidate.title) }
    }
    leaveOutArchive()
    joinViews()
    for (index, outcome) in outcomes.enumerated() where !outcome.candidates.isEmpty {
      if let why = doubt(index) ?? doubtOfEvening(index, told) {
        for candidate in outcome.candidates {
          evidence.trace.add(
            .html, at: candidate.place, .refused, "\(candidate.title), \(candidate.start): \(why)")
        }
        evidence.unread.append(
          Unread(
            what: "\(outcome.candidates[0].title), \(outcome.candidates[0].start)".shortened(
              to: 160), why: why))
        continue
      }
      evidence.candidates += outcome.candidates
      matches += outcome.matches
    }
  }

  /// What is over and stands behind a heading as "Past screenings" is no programme.
  private mutating func leaveOutArchive() {
    guard let place = tree.archive(of: atoms) else { return }
    for index in outcomes.indices where outcomes[index].candidates.count == outcomes[index].matches.count {
      let archived = Set(
        outcomes[index].candidates.indices.filter {
          outcomes[index].matches[$0].time > place && outcomes[index].candidates[$0].start.date < clock.today
        })
      guard !archived.isEmpty else { continue }
      for candidate in archived.sorted().map({ outcomes[index].candidates[$0] }) {
        evidence.trace.add(
          .html, at: candidate.place, .refused, "\(candidate.title), \(candidate.start): the page's archive has it")
      }
      outcomes[index].leaveOut(archived)
    }
  }

  /// Where a page tells its programme again in another view, with more in its titles, each is told by the shorter one:
  /// "The Tribe" and "The Tribe (Plemya)", "Possession" and "Hellfire Club presents Possession 35mm".
  private mutating func joinViews() {
    guard outcomes.count(where: { !$0.candidates.isEmpty }) > 1 else { return }
    var told: [FoundTime: [(group: Int, key: String)]] = [:]
    for (index, outcome) in outcomes.enumerated() {
      for candidate in outcome.candidates {
        told[candidate.start, default: []].append((index, candidate.title.foldedKey))
      }
    }
    for index in outcomes.indices where outcomes[index].candidates.count >= Self.viewMin {
      let candidates = outcomes[index].candidates
      var again = 0
      var longer: Set<Int> = []
      for (place, candidate) in candidates.enumerated() {
        let key = candidate.title.foldedKey
        let others = (told[candidate.start] ?? []).filter { $0.group != index && $0.key.utf8.count >= 3 }
        if others.contains(where: { $0.key == key }) {
          again += 1
        } else if others.contains(where: { key.contains($0.key) }) {
          again += 1
          longer.insert(place)
        }
      }
      guard again * 10 >= candidates.count * 7, !longer.isEmpty else { continue }
      for place in longer.sorted() {
        evidence.trace.add(
          .html, at: candidates[place].place, .joined,
          "\(candidates[place].title), \(candidates[place].start): another view of the page has it")
      }
      outcomes[index].leaveOut(longer)
    }
  }

  private static let viewMin = 4

  /// An evening's times under its name, "Screenings start 7.30pm", where each is told again with a film that stands lower.
  private func doubtOfEvening(_ index: Int, _ told: [FoundTime: Set<String>]) -> String? {
    let evening = outcomes[index]
    // One time on each day of a span; a film's own stands with its day.
    guard Set(evening.matches.map(\.time)).count < evening.candidates.count,
      let name = evening.candidates.first?.title, isNameOfPage(name, index)
    else { return nil }
    return evening.candidates.allSatisfy { told[$0.start]?.contains { $0 != name } ?? false }
      ? "films of its own stand at each of its times" : nil
  }

  /// All its titles are the page's first heading, and each line is none that can be booked.
  private func isNameOfPage(_ name: String, _ index: Int) -> Bool {
    outcomes[index].candidates.allSatisfy { $0.title == name && $0.url == nil }
      && outcomes[index].matches.allSatisfy { match in
        match.title.map { title in tree.path(title).prefix(3).contains { tree[$0].tag == "h1" } } ?? false
      }
  }

  /// Whether the page's title says that it is about jobs, hiring a room, or what people write of a film that is not
  /// named in it.
  private func isOfAnotherKind(_ outcome: GroupOutcome) -> Bool {
    let parts = PageIdentity.parts(reader.pageTitle ?? "")
    let titles = Set(outcome.candidates.map(\.title.foldedKey))
    let namesFilm = parts.contains { titles.contains($0.foldedKey) }
    return parts.contains { PageWords.isOtherPage($0, namesFilm: namesFilm) }
  }

  private func doubt(_ index: Int) -> String? {
    let outcome = outcomes[index]
    // The times of posts, of comments, of what was shown last year: nobody can go there.
    if outcome.candidates.allSatisfy({ $0.start.date < clock.today }) {
      return "all times like it are over: a post's, or an archive's"
    }
    if arePosts(outcome) { return "they are over, and the newest stands first: posts" }
    if outcome.candidates.count <= Self.remarkMax, outcome.candidates.allSatisfy({ $0.url == nil }),
      isOfAnotherKind(outcome)
    {
      return "the page calls itself one of something else than a programme"
    }
    // "Fri 17:00" may be of any week. A programme of this one can be booked, as a rule.
    if outcome.areWeekdays.allSatisfy(\.self), outcome.candidates.allSatisfy({ $0.url == nil }), !isOfThisWeek(outcome)
    {
      return "its weekdays are of no week in particular, and nothing can be booked"
    }
    if outcome.areWeekdays.allSatisfy(\.self), outcome.matches.count <= Self.remarkMax, standsBesideDays(index) {
      return "its weekdays are of no week in particular, beside a programme with days"
    }
    // A line may tell each day of a week.
    let lines =
      outcome.signature.hasPrefix(Self.apart)
      ? outcome.candidates.count : Set(outcome.matches.map(\.time)).count
    if lines <= Self.remarkMax, standsBesideProgramme(index), !areLinks(outcome),
      outcome.isInline.allSatisfy(\.self) || outcome.areSentences.allSatisfy(\.self)
    {
      return "it stands in a line of its own, unlike the page's programme"
    }
    if lines <= Self.remarkMax, standsBesideProgramme(index), outcome.matches.allSatisfy(isOnSlide) {
      return "it stands on one of several slides, beside the page's programme"
    }
    if lines <= Self.remarkMax, outcome.matches.allSatisfy(isFar) {
      return "between it and what might be its title stand other times"
    }
    return nil
  }

  private func isOnSlide(_ match: StructureMatch) -> Bool {
    tree.path(match.time).prefix(Self.slideLevels).contains { tree[$0].words.contains(where: Self.slides.contains) }
  }

  private static let slideLevels = 5
  private static let slides: Set<String> = [
    "slide", "slider", "slideshow", "carousel", "swiper", "slick", "flexslider",
  ]

  /// Over by now, of several days, and from the newest to the oldest: no programme runs backwards.
  private func arePosts(_ outcome: GroupOutcome) -> Bool {
    let days = outcome.candidates.map(\.start.date)
    guard outcome.candidates.count == outcome.matches.count, Set(days).count >= Self.postDaysMin,
      outcome.candidates.allSatisfy({ $0.start.instant.map { $0 <= clock.capturedAt } ?? false })
    else { return false }
    let read = zip(outcome.matches, days).sorted { $0.0.time < $1.0.time }.map(\.1)
    return zip(read, read.dropFirst()).allSatisfy(>=)
  }

  private static let postDaysMin = 3

  private func standsBesideProgramme(_ index: Int) -> Bool {
    outcomes.indices.contains { other in
      other != index && outcomes[other].isInline.contains(false)
        && outcomes[other].candidates.count >= Self.programmeMin
    }
  }

  /// "Our series: Sundays, 12:00" beside what is shown on the 24th and the 25th.
  private func standsBesideDays(_ index: Int) -> Bool {
    outcomes.indices.contains { other in
      other != index && outcomes[other].candidates.count >= Self.programmeMin
        && outcomes[other].areWeekdays.allSatisfy { !$0 }
    }
  }

  /// "Vertigo (Fri. 5/19 @ 7:00PM)", all of it a link: somebody leads there.
  private func areLinks(_ outcome: GroupOutcome) -> Bool {
    outcome.areWeekdays.allSatisfy { !$0 }
      && outcome.matches.allSatisfy { match in tree.path(match.time).prefix(4).contains { tree[$0].node["href"] != nil }
      }
  }

  /// Whether a heading before its times says that they are of this week: "This week at the Moss".
  private func isOfThisWeek(_ outcome: GroupOutcome) -> Bool {
    guard let first = outcome.matches.map(\.time).min() else { return false }
    return atoms.prefix { $0.place < first }.contains { atom in
      atom.isWords && atom.text.utf8.count <= Self.weekBytesMax && PageWords.saysThisWeek(atom.text)
        && tree.path(atom.place).prefix(3).contains { ["h1", "h2", "h3", "h4"].contains(tree[$0].tag) }
    }
  }

  private static let weekBytesMax = 60

  /// Whether the title of a time is no heading, and others' times stand between the two.
  func isFar(_ match: StructureMatch) -> Bool {
    guard let title = match.title, title < match.time, context.times(from: title, to: match.time) > 0 else {
      return false
    }
    // In one row of a table the times of other days stand between them.
    let row = tree.path(match.time).first { tree[$0].tag == "tr" }
    if let row, tree.contains(row, title) { return false }
    return !tree.path(title).prefix(3).contains {
      ["h1", "h2", "h3", "h4", "th", "dt", "caption", "summary"].contains(tree[$0].tag)
        || tree[$0].words.contains {
          PageWords.title.contains($0) || PageWords.film.contains($0) || $0.hasSuffix("title")
        }
    }
  }
}
