import CSV
package import Contracts
package import Drafts
import JSON

/// The directory as GeoJSON (RFC 7946): a point for each cinema, its other fields as properties.
///
/// Read is what map programs write too: outlines of buildings, and places of OpenStreetMap with its tags; and plain lists of
/// objects (``CinemaObjects``).
nonisolated package enum CinemaGeoJSON {
  /// A directory of a million cinemas has some 15 values each.
  static let limits: JSONLimits = {
    var limits = JSONLimits(bytes: 512 << 20)
    limits.values = 50_000_000
    return limits
  }()

  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> DraftReading {
    let (json, broken) = try documents(bytes, name)
    guard let features = json["features"]?.array ?? single(json) else {
      if var reading = CinemaObjects.read(json, named: name) {
        reading.problems = broken + reading.problems
        return reading
      }
      throw UnreadableFile("\(name) has no features; it must be a GeoJSON FeatureCollection or a list of objects")
    }
    var reading = DraftReading()
    reading.problems = broken
    for (index, feature) in features.enumerated() {
      let place = "\(name) feature \(index + 1)"
      let element = OpenStreetMapElement(of: feature)
      if element != nil, !CinemaOpenStreetMap.mayBeCinema(feature["properties"]) { continue }
      guard let point = point(of: feature["geometry"]) ?? CinemaObjects.point(of: feature["properties"]) else {
        reading.problems.append(
          DraftProblems(place: place, problems: ["its geometry is no Point or Polygon with longitudes and latitudes"]))
        continue
      }
      var draft = CinemaDraft(place)
      if let element, let tags = feature["properties"],
        (["amenity"] + CinemaOpenStreetMap.past).contains(where: { tags[$0] != nil })
      {
        draft = CinemaOpenStreetMap.draft(element, tags, place)
      } else {
        draft.take(feature["properties"])
        if draft[.id] == nil, element == nil { draft[.id] = feature["id"]?.plainText }
      }
      draft.stand(at: point)
      draft.complete(as: element)
      reading.drafts.append(draft)
    }
    reading.nameDrafts()
    return reading
  }

  private static func single(_ json: JSONValue) -> [JSONValue]? {
    if json["type"] == "Feature" { return [json] }
    return json.array.flatMap { list in list.isEmpty || list.contains { $0["type"] != "Feature" } ? nil : list }
  }

  /// A file as JSON, or as one JSON object a line; a line that is none is told, and the others are read.
  private static func documents(
    _ bytes: [UInt8], _ name: String
  ) throws(UnreadableFile) -> (json: JSONValue, broken: [DraftProblems]) {
    let whole: UnreadableFile
    do throws(UnreadableFile) { return (try document(bytes, name), []) } catch { whole = error }
    guard let lines = JSONLines(bytes.withoutByteOrderMark, limits: limits) else { throw whole }
    return (.array(lines.values), DraftProblems.ofLines(lines.broken, in: name))
  }

  /// A file as JSON.
  static func document(_ bytes: [UInt8], _ name: String) throws(UnreadableFile) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: bytes.withoutByteOrderMark, limits: limits)
    } catch {
      throw UnreadableFile("\(name): \(error)")
    }
  }

  /// The point, or the middle of the box around a building's outlines; nil of anything else.
  private static func point(of geometry: JSONValue?) -> DraftPoint? {
    guard let kind = geometry?["type"]?.string, ["Point", "MultiPoint", "Polygon", "MultiPolygon"].contains(kind),
      let coordinates = geometry?["coordinates"]
    else { return nil }
    return DraftPoint(middleOf: points(in: coordinates))
  }

  /// All points in lists of lists of them, however deep.
  private static func points(in coordinates: JSONValue) -> [DraftPoint] {
    guard let values = coordinates.array else { return [] }
    guard values.count >= 2, let longitude = values[0].double, let latitude = values[1].double else {
      return values.flatMap(points)
    }
    return [DraftPoint(latitude: latitude, longitude: longitude)]
  }

  package static func write(_ cinemas: [Cinema]) -> String {
    var json = JSONWriter(capacity: 512 * cinemas.count)
    json.object { json in
      json.field("type", "FeatureCollection")
      json.array("features") { json in
        for cinema in cinemas { json.value(Feature(cinema: cinema)) }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }

  private struct Feature: JSONWritable {
    let cinema: Cinema

    func write(to json: inout JSONWriter) {
      json.object { json in
        json.field("type", "Feature")
        json.field("id", cinema.id.text)
        json.object("geometry") { json in
          json.field("type", "Point")
          json.array("coordinates", of: [cinema.position.longitude, cinema.position.latitude])
        }
        json.object("properties") { json in
          for field in CinemaField.allCases where field != .latitude && field != .longitude {
            guard let text = field.text(of: cinema) else { continue }
            json.name(field.rawValue)
            json.value(text)
          }
        }
      }
    }
  }
}

nonisolated extension CinemaDraft {
  /// Fields that are called as ours are. One that is null has been emptied.
  mutating func take(_ properties: JSONValue?) {
    var plain: Set<CinemaField> = []
    for (name, value) in properties?.object ?? JSONObject() {
      guard let field = CinemaField.named(name), !plain.contains(field) else { continue }
      // What is called so stands before what only means it.
      if CSVTable.key(name) == field.rawValue { plain.insert(field) }
      if value.object == nil { self[field] = value.plainText ?? "" }
    }
  }
}

nonisolated extension JSONValue {
  /// A text, or a number or flag as one would write it in a table.
  var plainText: String? {
    switch self {
    case .string(let text): text
    case .int(let number): "\(number)"
    case .double(let number): "\(number)"
    case .bool(let flag): flag ? "1" : "0"
    case .array(let values): values.compactMap(\.plainText).joined(separator: String(CinemaField.aliasSeparator))
    case .null, .object: nil
    }
  }
}
