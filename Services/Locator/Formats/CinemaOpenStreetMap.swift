import JSON
import TextSearch

/// Cinemas out of OpenStreetMap, as the Overpass API answers: `[out:json]; nwr[amenity=cinema](area); out center;`.
///
/// Its data is © OpenStreetMap contributors, under the Open Database License: say so where it is shown.
nonisolated package enum CinemaOpenStreetMap {
  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> DraftReading {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: bytes, limits: CinemaGeoJSON.limits)
    } catch {
      throw UnreadableFile("\(name): \(error)")
    }
    guard let elements = json["elements"]?.array else {
      throw UnreadableFile("\(name) has no elements; ask Overpass for [out:json]")
    }
    var reading = DraftReading()
    for (index, element) in elements.enumerated() {
      guard let tags = element["tags"], tags["amenity"] == "cinema" || tags["disused:amenity"] == "cinema" else {
        continue
      }
      let number = element["id"]?.int.map(String.init) ?? "\(index + 1)"
      let kind = element["type"]?.string ?? "element"
      reading.drafts.append(draft(element, tags, "\(kind)/\(number)", in: name))
    }
    return reading
  }

  private static func draft(_ element: JSONValue, _ tags: JSONValue, _ key: String, in file: String) -> CinemaDraft {
    func tag(_ names: String...) -> String? { names.lazy.compactMap { tags[$0]?.string }.first }
    var draft = CinemaDraft("\(file) \(key)")
    draft[.name] = tag("name")
    draft[.nameEnglish] = tag("name:en", "int_name")
    draft[.aliases] = [tag("alt_name"), tag("short_name"), tag("old_name")].compactMap { $0 }.joined(separator: "|")
    draft[.id] =
      Slug.of(draft[.nameEnglish] ?? draft[.name] ?? "") ?? "osm-\(key.split(separator: "/").joined(separator: "-"))"
    draft[.country] = tag("addr:country")
    draft[.region] = tag("addr:province", "addr:state", "addr:city")
    draft[.city] = tag("addr:city", "addr:district")
    draft[.address] = tag("addr:full") ?? address(tag("addr:street"), tag("addr:housenumber"))
    let point = element["lat"] == nil ? element["center"] : element
    draft[.latitude] = point?["lat"]?.double.map { "\($0)" }
    draft[.longitude] = point?["lon"]?.double.map { "\($0)" }
    draft[.screens] = tag("screen")
    draft[.website] = tag("website", "contact:website", "url")
    draft[.instagram] = tag("contact:instagram")
    draft[.active] = tags["amenity"] == "cinema" ? "1" : "0"
    return draft
  }

  private static func address(_ street: String?, _ number: String?) -> String? {
    guard let street else { return nil }
    return number.map { "\(street) \($0)" } ?? street
  }
}
