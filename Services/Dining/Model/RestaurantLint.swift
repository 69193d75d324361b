import Calendars
package import Contracts
package import Drafts
import Spatial
import TextSearch

/// What is probably wrong with a list of restaurants.
nonisolated package struct RestaurantLint {
  /// A restaurant and where it was written.
  package struct Entry: Sendable {
    package var place: String
    package var restaurant: Restaurant

    package init(_ place: String, _ restaurant: Restaurant) {
      self.place = place
      self.restaurant = restaurant
    }
  }

  /// Two restaurants in one house are common; one with the same name is the same.
  private static let duplicateMetres = 100.0

  package static func findings(in entries: [Entry]) -> [Finding] {
    var findings: [Finding] = []
    func note(_ severity: Finding.Severity, _ rule: String, _ entry: Entry, _ text: String) {
      findings.append(Finding(severity, rule, at: entry.place, text))
    }
    var first: [RestaurantID: Int] = [:]
    let globe = GlobeIndex(
      entries.map { ($0.restaurant.position.latitude, $0.restaurant.position.longitude) })
    for (index, entry) in entries.enumerated() {
      let place = entry.restaurant
      if let other = first.updateValue(index, forKey: place.id) {
        note(.problem, "repeated-id", entry, "\(place.id) is also at \(entries[other].place)")
      }
      let near = globe.nearest(
        20, latitude: place.position.latitude, longitude: place.position.longitude, metresMax: duplicateMetres)
      for neighbour in near where neighbour.point < index {
        let other = entries[neighbour.point]
        guard other.restaurant.id != place.id, FoldedText(other.restaurant.name).text == FoldedText(place.name).text
        else { continue }
        note(.problem, "near-duplicate", entry, "\(place.name) is also at \(other.place), a few steps away")
      }
      if let known = KnownCountry.of(place.position), ["KR", "JP"].contains(place.country), known != place.country {
        note(
          .problem, "outside-country", entry, "\(place.position.latitude),\(place.position.longitude) is in \(known)")
      }
      let unread = OpeningHoursReader.read(open: place.openText, close: place.closeText).unread
      if place.openText == nil {
        note(.warning, "no-hours", entry, "nothing says when it is open; it is never offered for a certain hour")
      } else if place.hours.confidence == .unknown {
        note(.warning, "unread-hours", entry, "no hours could be read in “\(place.openText ?? "")”")
      } else if !unread.isEmpty {
        note(.warning, "partly-read-hours", entry, "left unread: \(unread.prefix(5).joined(separator: ", "))")
      }
    }
    return findings
  }
}
