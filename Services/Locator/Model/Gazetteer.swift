import Contracts
import Drafts
import TextSearch

/// The places that a directory has names of: regions, towns, what stands in addresses, and the cinemas themselves.
///
/// A place's point is the middle of its cinemas: good enough to look around from, and no survey.
nonisolated struct Gazetteer {
  enum Kind: String, CaseIterable {
    case region, city, address, cinema
  }

  struct Place: Equatable {
    var kind: Kind
    var name: String
    /// The id of the region that it is in.
    var region: String
    var position: Coordinate
    /// How many are there.
    var cinemas: Int
  }

  /// What has one name in one region is one place: districts and streets of other cities are called the same.
  private struct Key: Hashable, Comparable {
    var region: String
    var name: String

    static func < (left: Key, right: Key) -> Bool { (left.name, left.region) < (right.name, right.region) }
  }

  private let places: [Place]
  private let index: TextIndex

  init(_ cinemas: [Cinema]) {
    var found: [(place: Place, names: [String])] = []
    func add(_ kind: Kind, _ groups: [Key: [Cinema]], names: (String) -> [String]) {
      for (key, members) in groups.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
        let names = names(key.name)
        let point = Coordinate.middle(of: members.map(\.position))
        found.append(
          (Place(kind: kind, name: names[0], region: key.region, position: point, cinemas: members.count), names))
      }
    }
    add(.region, Dictionary(grouping: cinemas) { Key(region: $0.region, name: $0.region) }) { id in
      guard let region = KnownRegion.all.first(where: { $0.id == id }) else { return [id] }
      return [region.name, region.nameEnglish, id] + region.others
    }
    var (cities, addresses): ([Key: [Cinema]], [Key: [Cinema]]) = ([:], [:])
    for cinema in cinemas {
      if let city = cinema.city { cities[Key(region: cinema.region, name: city), default: []].append(cinema) }
      for word in Set(Self.words(cinema.address ?? "")) {
        addresses[Key(region: cinema.region, name: word), default: []].append(cinema)
      }
    }
    add(.city, cities) { [$0] }
    add(.address, addresses) { [$0] }
    for cinema in cinemas {
      found.append(
        (
          Place(
            kind: .cinema, name: cinema.name, region: cinema.region, position: cinema.position, cinemas: 1),
          [cinema.name] + [cinema.nameEnglish].compactMap(\.self) + (cinema.aliases ?? [])
        ))
    }
    places = found.map(\.place)
    index = TextIndex(found.map(\.names))
  }

  /// The best first; of equals the larger kind of place, and where there are more cinemas.
  func find(_ text: String, limit: Int) -> [Place] { index.search(text, limit: limit).map { places[$0.document] } }

  /// Districts and streets, without numbers: `종로구`, `새문안로`, `South Bank`.
  private static func words(_ address: String) -> [String] {
    let parts = address.split { $0 == "," || $0 == "(" || $0 == ")" }.map { $0.trimmed }
    let words = address.split { $0.isWhitespace || $0 == "," || $0 == "(" || $0 == ")" }.map(String.init)
    return (parts + words).filter { $0.count > 1 && !$0.contains(where: \.isNumber) }
  }
}
