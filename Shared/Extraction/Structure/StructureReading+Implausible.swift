import Calendars

/// Times that stand alike, and as no screenings' do: all of one group are left out together.
extension StructureReading {
  /// Leaves out the groups that are not of screenings.
  mutating func refuseImplausible(_ places: inout [TimePlace]) {
    var (colons, evenings) = (0, 0)
    for place in places {
      guard case .times(let times) = atoms[place.atom].kind, times.indices.contains(place.index) else { continue }
      if times[place.index].text.utf8.contains(UInt8(ascii: ":")) { colons += 1 }
      if times[place.index].isPlainlyDotted { evenings += 1 }
    }
    hasColons = colons > 0 && evenings <= colons * AtomReader.plainlyMin
    // "Fri 17:00–23:00, Sat 14:00–20:00": hours of every week.
    places.removeAll { place in
      guard case .both = atoms[place.atom].kind, let line = atoms[place.atom].line, isLong(place) else { return false }
      return line.days.allSatisfy { $0.notes.contains(.inferredFromWeekday) }
    }
    refuseDays(&places)
    let groups = Dictionary(grouping: places, by: \.signature)
    let refused = groups.filter { !isPlausible($0.value) }
    guard !refused.isEmpty else { return }
    for group in refused.values {
      evidence.trace.add(
        .html, at: tree.name(group[0].path.first { !tree[$0].isText } ?? 0), .refused,
        "\(group.count) times like \(atoms[group[0].atom].text.shortened(to: 60)): they are not of screenings"
      )
    }
    places.removeAll { refused[$0.signature] != nil }
  }

  /// "11am–6pm", the same on several days, among films that print no end, or an evening's: an exhibition's hours. A long
  /// film is long among others that say how long they are.
  private mutating func refuseDays(_ places: inout [TimePlace]) {
    let printsEnds = Dictionary(grouping: places, by: \.signature).mapValues { group in
      group.contains { (time($0)?.minutesLong).map { $0 < Self.minutesMax } ?? false }
    }
    let days = places.filter { place in
      guard let time = time(place), let minutes = time.minutesLong, minutes >= Self.dayMinutesMin else { return false }
      return printsEnds[place.signature] == false && time.start.hour < Self.eveningHour
    }
    let repeated = Dictionary(grouping: days) { (time($0)?.text ?? "").foldedKey }.filter { $0.value.count > 1 }
    guard let first = repeated.values.first?.first else { return }
    evidence.trace.add(
      .html, at: tree.name(first.path.first { !tree[$0].isText } ?? 0), .refused,
      "\(repeated.values.map(\.count).reduce(0, +)) times like \(atoms[first.atom].text.shortened(to: 60)): "
        + "they last all day, as what is open does")
    places.removeAll { place in time(place).map { repeated[$0.text.foldedKey] != nil } ?? false }
  }

  /// The time of a place, where one is meant.
  private func time(_ place: TimePlace) -> PrintedTime? {
    switch atoms[place.atom].kind {
    case .times(let times): times.indices.contains(place.index) ? times[place.index] : nil
    case .both: atoms[place.atom].line.flatMap { $0.times.count == 1 ? $0.times[0] : nil }
    default: nil
    }
  }

  /// Hours of opening are longer than a double bill.
  static let dayMinutesMin = 360
  /// A long night of films begins in the evening.
  static let eveningHour = 18

  /// Screenings begin at the fives and end within an evening. A list of times that do not is of something else.
  func isPlausible(_ group: [TimePlace]) -> Bool {
    var odd = 0
    var all = 0
    var dotted = 0
    var spans = 0
    for place in group {
      if isLong(place) { spans += 1 }
      guard case .times(let times) = atoms[place.atom].kind, times.indices.contains(place.index) else { continue }
      all += 1
      if times[place.index].start.minute % 5 != 0 { odd += 1 }
      if times[place.index].isDotted { dotted += 1 }
    }
    // Hours of opening, of an exhibition.
    if spans * 2 > group.count { return false }
    // 12.50 in a column is a price where the page's times have colons.
    if hasColons, dotted == all, all > 0 { return false }
    return all == 0 || odd * 2 <= all || all <= 2
  }

  /// Longer than a film with all that goes with it.
  static let minutesMax = 270

  func isLong(_ place: TimePlace) -> Bool {
    let times: [PrintedTime]
    switch atoms[place.atom].kind {
    case .times(let found): times = found.indices.contains(place.index) ? [found[place.index]] : []
    case .both: times = atoms[place.atom].line?.times ?? []
    default: times = []
    }
    if let end = pairs.ends[place.atom], case .times(let ends) = atoms[end].kind,
      let end = ends.first,
      let start = times.first
    {
      return (end.start.minutes - start.start.minutes + 1_440) % 1_440 >= Self.minutesMax
    }
    return !times.isEmpty && times.allSatisfy { ($0.minutesLong ?? 0) >= Self.minutesMax }
  }
}
