package import Drafts
import JSON

/// Cinemas out of OpenStreetMap, as the Overpass API answers: `[out:json]; nwr[amenity=cinema](area); out center;`, or
/// `(nwr[amenity=cinema](area); >;); out;`, which tells of an outline by its nodes.
///
/// Its data is © OpenStreetMap contributors, under the Open Database License: say so where it is shown.
nonisolated package enum CinemaOpenStreetMap {
  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> DraftReading {
    let json = try CinemaGeoJSON.document(bytes, name)
    guard let elements = json["elements"]?.array else {
      throw UnreadableFile("\(name) has no elements; ask Overpass for [out:json]")
    }
    // "runtime error: Query timed out": what it tells then is a part.
    let remark = json["remark"]?.string
    if let remark, elements.isEmpty { throw UnreadableFile("\(name) holds nothing, as Overpass says: \(remark)") }
    var reading = DraftReading()
    if let remark {
      reading.remarks.append(DraftProblems(place: name, problems: ["it is not all, as Overpass says: \(remark)"]))
    }
    let outlines = OpenStreetMapOutlines(elements)
    for (index, json) in elements.enumerated() {
      guard let tags = json["tags"], isCinema(tagged: tags) else { continue }
      let element = OpenStreetMapElement(
        kind: json["type"]?.string ?? "element", number: json["id"]?.plainText ?? "\(index + 1)")
      var draft = draft(element, tags, "\(name) \(element)")
      if let point = point(of: json) ?? outlines.middle(of: json) { draft.stand(at: point) }
      reading.drafts.append(draft)
    }
    reading.nameDrafts()
    return reading
  }

  /// What other kinds of places say of themselves is looked at nowhere.
  static func mayBeCinema(_ tags: JSONValue?) -> Bool {
    guard let tags, (["amenity"] + past).contains(where: { tags[$0] != nil }) else { return true }
    return isCinema(tagged: tags)
  }

  private static func isCinema(tagged tags: JSONValue) -> Bool {
    isCinema(tags["amenity"]) || past.contains { isCinema(tags[$0]) }
  }

  /// Of places that were something once.
  static let past = ["disused", "abandoned", "was", "closed", "demolished", "removed", "razed", "historic"].map {
    "\($0):amenity"
  }

  /// Of a place that is several things at once: `cafe;cinema`.
  private static func isCinema(_ kinds: JSONValue?) -> Bool {
    kinds?.string?.split(separator: ";").contains { $0.trimmed == "cinema" } ?? false
  }

  /// A cinema of these tags, which stands nowhere yet.
  static func draft(_ element: OpenStreetMapElement, _ tags: JSONValue, _ place: String) -> CinemaDraft {
    func tag(_ names: String...) -> String? { names.lazy.compactMap { tags[$0]?.string }.first }
    var draft = CinemaDraft(place)
    draft[.name] = tag("name", "official_name", "name:en", "brand", "disused:name", "was:name", "old_name")
    draft[.nameEnglish] = tag("name:en", "int_name")
    let aliases = [tag("alt_name"), tag("short_name"), tag("old_name")].compactMap(\.self)
    if !aliases.isEmpty {
      let names = aliases.flatMap { $0.split(separator: ";") }.map(\.trimmed)
      draft[.aliases] = names.joined(separator: String(CinemaField.aliasSeparator))
    }
    draft[.country] = tag("addr:country")
    draft[.region] = tag("addr:province", "addr:state")
    draft[.city] = tag("addr:city", "addr:town", "addr:village", "addr:district")
    draft[.address] = tag("addr:full") ?? address(tag("addr:street", "addr:place"), tag("addr:housenumber"))
    draft[.screens] = tag("screen", "screens", "cinema:screens")
    draft[.website] = tag("website", "contact:website", "url")
    draft[.instagram] = tag("contact:instagram")
    draft[.active] = isCinema(tags["amenity"]) ? "1" : "0"
    draft.complete(as: element)
    return draft
  }

  /// A node's own point; of a way or relation what `out center`, `out bb` or `out geom` says of it.
  private static func point(of element: JSONValue) -> DraftPoint? {
    func point(_ value: JSONValue?, _ latitude: String = "lat", _ longitude: String = "lon") -> DraftPoint? {
      guard let latitude = value?[latitude]?.double, let longitude = value?[longitude]?.double else { return nil }
      return DraftPoint(latitude: latitude, longitude: longitude)
    }
    if let own = point(element) ?? point(element["center"]) { return own }
    let bounds = element["bounds"]
    let corners = [point(bounds, "minlat", "minlon"), point(bounds, "maxlat", "maxlon")].compactMap(\.self)
    if corners.count == 2 { return DraftPoint(middleOf: corners) }
    return DraftPoint(middleOf: element["geometry"]?.array?.compactMap { point($0) } ?? [])
  }

  private static func address(_ street: String?, _ number: String?) -> String? {
    guard let street else { return nil }
    return number.map { "\(street) \($0)" } ?? street
  }
}

/// The nodes of an answer, and which ways they make.
nonisolated private struct OpenStreetMapOutlines {
  private var nodes: [Int: DraftPoint] = [:]
  private var ways: [Int: [Int]] = [:]

  init(_ elements: [JSONValue]) {
    for element in elements {
      guard let number = element["id"]?.int else { continue }
      if element["type"] == "node", let latitude = element["lat"]?.double, let longitude = element["lon"]?.double {
        nodes[number] = DraftPoint(latitude: latitude, longitude: longitude)
      } else if element["type"] == "way" {
        ways[number] = Self.nodes(of: element)
      }
    }
  }

  private static func nodes(of way: JSONValue) -> [Int] { way["nodes"]?.array?.compactMap(\.int) ?? [] }

  /// Of a way by its nodes, of a relation by those of its members; nil where the answer does not hold them.
  func middle(of element: JSONValue) -> DraftPoint? {
    let members = (element["members"]?.array ?? []).flatMap { member -> [Int] in
      guard let number = member["ref"]?.int else { return [] }
      return member["type"] == "way" ? ways[number] ?? [] : member["type"] == "node" ? [number] : []
    }
    return DraftPoint(middleOf: (Self.nodes(of: element) + members).compactMap { nodes[$0] })
  }
}

/// What OpenStreetMap calls one of its places: `node/55`.
nonisolated struct OpenStreetMapElement: Hashable, Sendable, CustomStringConvertible {
  let kind: String
  let number: String

  init(kind: String, number: String) {
    self.kind = kind
    self.number = number
  }

  /// Of a row of Overpass' tables.
  init?(kind: String?, number: String?) {
    guard let kind, let number, Int64(number) ?? 0 > 0, ["node", "way", "relation"].contains(kind) else { return nil }
    self.init(kind: kind, number: number)
  }

  /// Of a feature that was made of one, as overpass-turbo or QuickOSM writes it.
  init?(of feature: JSONValue) {
    let properties = feature["properties"]
    let split = properties?["osm_type"]?.string.flatMap { kind in
      properties?["osm_id"].flatMap { $0.string ?? $0.int.map(String.init) }.map { "\(kind)/\($0)" }
    }
    let id = feature["id"]?.string ?? properties?["@id"]?.string ?? split
    guard let parts = id?.split(separator: "/"), parts.count == 2, ["node", "way", "relation"].contains(parts[0]),
      let number = Int64(parts[1]), number > 0
    else { return nil }
    self.init(kind: String(parts[0]), number: String(number))
  }

  var description: String { "\(kind)/\(number)" }
  var slug: String { "\(kind)-\(number)" }
}
