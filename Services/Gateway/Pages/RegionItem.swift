import Contracts
import JSON

/// A part of a country that people name when they say where they are.
nonisolated struct RegionItem: Shaped, Equatable {
  var region: Region

  static let shape = Shape<RegionItem>(
    "Region", "A part of a country.",
    [
      .required("id", "Its slug.") { $0.region.id },
      .required("name", "In the language of the place.") { $0.region.name },
      .optional("name_en", "In English.") { $0.region.nameEnglish },
      .required("country", "ISO 3166, two capitals.") { $0.region.country },
      .required("cinemas", "How many.") { $0.region.cinemas },
      .required("center", "The middle of its cinemas.") { PlaceItem($0.region.center.toMetres) },
    ])
}

nonisolated extension Coordinate {
  /// With six decimals, a tenth of a metre: what was reckoned has more, which nobody measured.
  fileprivate var toMetres: Coordinate {
    func rounded(_ degrees: Double) -> Double { (degrees * 1_000_000).rounded() / 1_000_000 }
    return (try? Coordinate(latitude: rounded(latitude), longitude: rounded(longitude))) ?? self
  }
}
