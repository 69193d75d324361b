import Drafts
import TextSearch

/// Where a file puts a cinema, before anybody has looked whether there is such a place.
nonisolated struct DraftPoint: Hashable, Sendable {
  var latitude: Double
  var longitude: Double

  init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// "51.549, -0.0755", or `POINT(-0.0755 51.549)`, where the longitude comes first.
  init?(printed text: String) {
    let words = text.split { !($0.isNumber || $0 == "." || $0 == "-" || $0 == "+") }
    let degrees = words.compactMap { Double($0) }
    guard degrees.count == 2, words.count == 2 else { return nil }
    let isLongitudeFirst = text.uppercased().contains("POINT")
    self.init(
      latitude: degrees[isLongitudeFirst ? 1 : 0], longitude: degrees[isLongitudeFirst ? 0 : 1])
  }

  /// Degrees as a number, or in minutes and seconds: `51°32'56.4"N`; nil of anything else.
  static func degrees(_ text: String) -> Double? {
    if let number = Double(text) { return number }
    let parts = text.split { !($0.isNumber || $0 == ".") }.compactMap { Double($0) }
    guard text.contains("°"), (1...3).contains(parts.count), parts.dropFirst().allSatisfy({ $0 < 60 }) else {
      return nil
    }
    let degrees = zip(parts, [1.0, 60, 3_600]).reduce(0) { $0 + $1.0 / $1.1 }
    let isNegative = text.contains("-") || text.contains("−") || text.uppercased().contains { $0 == "S" || $0 == "W" }
    return ((isNegative ? -degrees : degrees) * 10_000_000).rounded() / 10_000_000
  }

  /// The middle of the box around some points; nil of none.
  init?(middleOf points: [DraftPoint]) {
    guard let first = points.first else { return nil }
    guard points.count > 1 else {
      self = first
      return
    }
    latitude = Self.middle(points.map(\.latitude))
    longitude = Self.middle(points.map(\.longitude))
  }

  /// With seven digits, as OpenStreetMap has them: a centimetre.
  private static func middle(_ numbers: [Double]) -> Double {
    let sum = (numbers.min() ?? 0) + (numbers.max() ?? 0)
    return (sum / 2 * 10_000_000).rounded() / 10_000_000
  }
}

nonisolated extension CinemaDraft {
  /// What a table without a column for it says by others: the region by the city, the id by the name.
  mutating func complete() {
    if self[.region] == nil { self[.region] = said(.city) }
    guard self[.id] == nil, naming == nil, let name = said(.nameEnglish, .name) else { return }
    naming = Naming(
      name: Slug.of(name) ?? Slug.numbered(name, otherwise: "cinema"),
      number: Slug.numbered(said(.city, .address) ?? "", otherwise: "other"))
  }

  /// The first of these fields that holds something.
  private func said(_ fields: CinemaField...) -> String? {
    fields.compactMap { self[$0]?.trimmed }.first { !$0.isEmpty }
  }

  mutating func stand(at point: DraftPoint) {
    (self[.latitude], self[.longitude]) = ("\(point.latitude)", "\(point.longitude)")
  }
}
