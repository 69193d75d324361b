package import Calendars
package import Clocks
package import Contracts
package import Drafts
import Spatial
import TextSearch

/// What is probably wrong with a list of cinemas: the mistakes that lists of places really have.
nonisolated package struct Lint {
  /// What was found, and the cinemas as they should be of which there is no doubt.
  package struct Verdict: Sendable {
    package var findings: [Finding] = []
    package var mended: [Cinema] = []
  }

  /// A cinema and where it was written.
  package struct Entry: Sendable {
    package var place: String
    package var cinema: Cinema

    package init(_ place: String, _ cinema: Cinema) {
      self.place = place
      self.cinema = cinema
    }
  }

  private let entries: [Entry]
  private let globe: GlobeIndex
  private var verdict = Verdict()

  /// Two cinemas in one house are rare; one cinema twice in a list is not.
  static let duplicateMetres = 50.0
  /// A region whose bounds we do not know holds its cinemas within this of their middle: the largest are some 300 km.
  static let regionMetresMax = 400_000.0
  /// Zones follow the sun, but politics moves them by some hours.
  static let zoneHoursMax = 4.0

  /// - Parameters:
  ///   - entries: in the order in which they were written; a series that slipped by one row shows in it.
  ///   - time: for the offset of the zones.
  package static func verdict(on entries: [Entry], zones: ZoneDirectory, at time: WallTime) -> Verdict {
    var lint = Lint(entries)
    lint.lookForRepeatedIDs()
    lint.lookForDuplicates()
    let outside = lint.lookForPointsOutsideTheirRegion()
    lint.lookForSlippedSeries(outside)
    lint.lookForWrongZones(zones, time)
    return lint.verdict
  }

  private init(_ entries: [Entry]) {
    self.entries = entries
    globe = GlobeIndex(entries.map { ($0.cinema.position.latitude, $0.cinema.position.longitude) })
  }

  private mutating func note(_ severity: Finding.Severity, _ rule: String, _ entry: Int, _ text: String) {
    verdict.findings.append(Finding(severity, rule, at: entries[entry].place, text))
  }

  // MARK: Rules

  private mutating func lookForRepeatedIDs() {
    var first: [CinemaID: Int] = [:]
    for (index, entry) in entries.enumerated() {
      if let other = first[entry.cinema.id] {
        note(.problem, "repeated-id", index, "\(entry.cinema.id) is also at \(entries[other].place)")
      } else {
        first[entry.cinema.id] = index
      }
    }
  }

  private mutating func lookForDuplicates() {
    for (index, entry) in entries.enumerated() where entry.cinema.isActive {
      let position = entry.cinema.position
      let near = globe.nearest(
        20, latitude: position.latitude, longitude: position.longitude, metresMax: Self.duplicateMetres)
      for neighbour in near where neighbour.point < index && entries[neighbour.point].cinema.isActive {
        let other = entries[neighbour.point].cinema
        guard other.id != entry.cinema.id else { continue }
        note(
          .problem, "near-duplicate", index,
          "\(entry.cinema.name) is \(Int(neighbour.metres.rounded())) m from \(other.name) (\(entries[neighbour.point].place))"
        )
      }
    }
    var names: [String: Int] = [:]
    for (index, entry) in entries.enumerated() where entry.cinema.isActive {
      let key = "\(entry.cinema.country)/\(entry.cinema.region)/\(FoldedText(entry.cinema.name).text)"
      if let other = names.updateValue(index, forKey: key), entries[other].cinema.id != entry.cinema.id {
        note(
          .warning, "same-name", index,
          "\(entry.cinema.name) is in \(entry.cinema.region) twice, see \(entries[other].place)")
      }
    }
  }

  /// - Returns: the entries that are outside.
  private mutating func lookForPointsOutsideTheirRegion() -> Set<Int> {
    var outside: Set<Int> = []
    let middles = Dictionary(grouping: entries.indices) { entries[$0].cinema.region }.mapValues { members in
      Self.median(of: members.map { entries[$0].cinema.position })
    }
    for (index, entry) in entries.enumerated() {
      let cinema = entry.cinema
      if let region = KnownRegion.of(cinema.region), region.country == cinema.country {
        guard !region.box.contains(cinema.position) else { continue }
        outside.insert(index)
        let swapped = region.box.contains(latitude: cinema.position.longitude, longitude: cinema.position.latitude)
        let hint = swapped ? "; its latitude and longitude are swapped" : ""
        note(
          .problem, swapped ? "swapped" : "outside-region", index,
          "\(cinema.position.shown) is not in \(region.nameEnglish)\(hint)")
        if swapped, let turned = cinema.turned { verdict.mended.append(turned) }
      } else if let middle = middles[cinema.region] {
        let metres = middle.metres(to: cinema.position)
        guard metres > Self.regionMetresMax else { continue }
        outside.insert(index)
        let away = "\(cinema.position.shown) is \(Int(metres / 1_000)) km from the middle of \(cinema.region)"
        guard let turned = cinema.turned, middle.metres(to: turned.position) <= Self.regionMetresMax else {
          note(.warning, "outside-region", index, away)
          continue
        }
        note(.problem, "swapped", index, "\(away); its latitude and longitude are swapped")
        verdict.mended.append(turned)
      }
    }
    return outside
  }

  /// Where most of them are, however far away one of them stands; of two nobody knows which.
  private static func median(of points: [Coordinate]) -> Coordinate {
    guard points.count > 2 else { return Coordinate.middle(of: points) }
    let half = points.count / 2
    let median = try? Coordinate(
      latitude: points.map(\.latitude).sorted()[half], longitude: points.map(\.longitude).sorted()[half])
    return median ?? Coordinate.middle(of: points)
  }

  /// Rows whose points stand in the row above, or below: something was taken out of one list and not out of another.
  private mutating func lookForSlippedSeries(_ outside: Set<Int>) {
    let above = series(of: outside, step: -1)
    let below = series(of: outside, step: 1)
    // In a list that is sorted by place a neighbour's point may fit by chance; it did not slip both ways.
    let isBelow = below.map(\.count).reduce(0, +) >= above.map(\.count).reduce(0, +)
    for rows in isBelow ? below : above {
      note(
        .problem, "slipped-series", rows.lowerBound,
        "from here to \(entries[rows.upperBound - 1].place) each point stands in the row \(isBelow ? "below" : "above")"
      )
    }
  }

  /// Runs of two and more rows that are outside their region, and would be in it with their neighbour's point.
  private func series(of outside: Set<Int>, step: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for index in entries.indices where outside.contains(index) && fits(index, thePointOf: index + step) {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<(index + 1)
      } else {
        runs.append(index..<(index + 1))
      }
    }
    return runs.filter { $0.count >= 2 }
  }

  private func fits(_ index: Int, thePointOf other: Int) -> Bool {
    guard entries.indices.contains(other), let region = KnownRegion.of(entries[index].cinema.region) else {
      return false
    }
    return region.box.contains(entries[other].cinema.position)
  }

  private mutating func lookForWrongZones(_ zones: ZoneDirectory, _ time: WallTime) {
    for (index, entry) in entries.enumerated() {
      let cinema = entry.cinema
      guard let rules = try? zones.rules(for: cinema.zone) else {
        note(.problem, "unknown-zone", index, "this machine does not know the time zone \(cinema.zone)")
        continue
      }
      let hours = Double(rules.offset(at: time).seconds) / 3_600
      var away = abs(hours - cinema.position.longitude / 15)
      if away > 12 { away = 24 - away }
      if away > Self.zoneHoursMax {
        note(
          .problem, "wrong-zone", index,
          "\(cinema.zone) is \(Int(away.rounded())) hours from the sun at \(cinema.position.shown)")
      }
    }
  }
}

nonisolated extension MapBox {
  fileprivate func contains(_ position: Coordinate) -> Bool {
    contains(latitude: position.latitude, longitude: position.longitude)
  }
}

nonisolated extension Cinema {
  /// With latitude and longitude in each other's place.
  fileprivate var turned: Cinema? {
    var turned = self
    guard let point = try? Coordinate(latitude: position.longitude, longitude: position.latitude) else { return nil }
    turned.position = point
    return turned
  }
}

nonisolated extension Coordinate {
  var shown: String { "\(latitude),\(longitude)" }
}
