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

  /// "48.39, -4.48", north first, as people write it; "POINT (126.97 37.57)", east first, as databases do.
  init?(_ text: String) {
    let isEastFirst = text.lowercased().contains("point")
    let inside = text.drop { !$0.isNumber && $0 != "-" && $0 != "." }.prefix { $0 != ")" && $0 != "]" }
    let degrees = Self.parts(of: inside).prefix(2).compactMap { Degrees(String($0)) }
    guard degrees.count == 2 else { return nil }
    self.init(latitude: degrees[isEastFirst ? 1 : 0].value, longitude: degrees[isEastFirst ? 0 : 1].value)
  }

  /// Where semicolons part two numbers, or "47,3 0,68" has a comma in each, commas part the digits.
  private static func parts(of text: Substring) -> [Substring] {
    if text.contains(";") { return text.split(separator: ";") }
    let words = text.split(separator: " ").map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
    if words.count == 2, words.allSatisfy({ $0.count { $0 == "," } == 1 && !$0.contains(".") }) { return words }
    return text.split(separator: text.contains(",") ? "," : " ")
  }

  /// With seven digits, as OpenStreetMap has them: a centimetre.
  private static func middle(_ numbers: [Double]) -> Double {
    let sum = (numbers.min() ?? 0) + (numbers.max() ?? 0)
    return (sum / 2 * 10_000_000).rounded() / 10_000_000
  }
}

nonisolated extension CinemaDraft {
  /// What is said of it nowhere by what else is: the region by the city; the id by the name, and where another cinema has that
  /// by its number in OpenStreetMap, its city or where it stands.
  mutating func complete(as element: OpenStreetMapElement? = nil) {
    if self[.region] == nil { self[.region] = said(.city) }
    guard self[.id] == nil, let name = said(.nameEnglish, .name) ?? (element == nil ? nil : "") else { return }
    let place = said(.city) ?? [self[.latitude], self[.longitude]].map { $0 ?? "" }.joined(separator: " ")
    naming = Naming(
      name: Slug.of(name) ?? (element == nil ? Slug.numbered(name, otherwise: "cinema") : nil),
      number: element?.slug ?? Slug.numbered(place, otherwise: "x"))
  }

  /// The first of these fields that holds something.
  private func said(_ fields: CinemaField...) -> String? {
    fields.compactMap { self[$0]?.trimmed }.first { !$0.isEmpty }
  }

  mutating func stand(at point: DraftPoint) {
    (self[.latitude], self[.longitude]) = ("\(point.latitude)", "\(point.longitude)")
  }
}
