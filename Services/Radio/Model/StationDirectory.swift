package import Clocks
package import Contracts
import TextSearch

/// All stations at one revision, with the index that finds them. It never changes: a change of the directory makes
/// another one.
nonisolated package final class StationDirectory: Sendable {
  package let revision: Int64
  /// By section, and in it in the order in which they were added.
  package let records: [StationRecord]
  private let places: [StationID: Int]
  private let names: TextIndex

  package static let empty = StationDirectory([], revision: 0)

  /// - Parameter records: in the order in which they were added.
  package init(_ records: [StationRecord], revision: Int64) {
    self.revision = revision
    self.records = records.enumerated().sorted { left, right in
      let (first, second) = (left.element.station.section, right.element.station.section)
      let (before, after) = (KnownSection.place(of: first), KnownSection.place(of: second))
      if before != after { return before < after }
      return first == second ? left.offset < right.offset : first < second
    }.map(\.element)
    places = Dictionary(
      self.records.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    names = TextIndex(self.records.map(\.searchedTexts))
  }

  package subscript(id: StationID) -> StationRecord? { places[id].map { records[$0] } }

  /// What the public may see, section by section; of a search the best first in each, and the best one's section first.
  package func list(_ request: ListStations, at time: WallTime) -> [StationSection] {
    let section = request.section.map(KnownSection.slug)
    var sections: [StationSection] = []
    var places: [String: Int] = [:]
    for record in found(request.text) where record.use(at: time) != nil {
      let slug = record.station.section
      guard section == nil || section == slug else { continue }
      if let place = places[slug] {
        sections[place].stations.append(record.station)
      } else {
        places[slug] = sections.count
        sections.append(StationSection(of: record.station))
      }
    }
    return sections
  }

  /// All of those that a text names, the best first; without one all.
  package func found(_ text: String?) -> [StationRecord] {
    guard let text else { return records }
    return names.search(text, limit: records.count) { $0 < $1 }.map { records[Int($0.document)] }
  }
}

nonisolated extension StationSection {
  fileprivate init(of station: Station) {
    let known = KnownSection.of(station.section)
    self.init(
      id: station.section, name: known?.name ?? station.section, nameEnglish: known?.nameEnglish, stations: [station])
  }
}

nonisolated extension StationRecord {
  /// Its names, then what it is about, in each language.
  fileprivate var searchedTexts: [String] {
    let tags = station.tags.flatMap { [$0] + (StationTag.named($0)?.names ?? []) }
    let section = KnownSection.of(station.section).map { [$0.name, $0.nameEnglish] } ?? []
    var texts = [station.name]
    for text in [station.nameEnglish].compactMap({ $0 }) + tags + section where !texts.contains(text) {
      texts.append(text)
    }
    return texts
  }
}
