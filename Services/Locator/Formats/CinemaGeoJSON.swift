import CSV
package import Contracts
package import Drafts
import JSON
import TextSearch

/// The directory as GeoJSON (RFC 7946): a point for each cinema, its other fields as properties.
///
/// Read is what map programs write too: outlines of buildings, and places of OpenStreetMap with its tags; and a plain list of
/// objects whose fields are called as columns are.
nonisolated package enum CinemaGeoJSON {
  /// A directory of a million cinemas has some 15 values each.
  static let limits: JSONLimits = {
    var limits = JSONLimits(bytes: 512 << 20)
    limits.values = 50_000_000
    return limits
  }()

  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> DraftReading {
    let json = try document(bytes, name)
    var reading = DraftReading()
    if let records = json.array {
      for (index, record) in records.enumerated() {
        var draft = CinemaDraft("\(name) object \(index + 1)")
        draft.take(record)
        draft.complete()
        reading.drafts.append(draft)
      }
      reading.nameDrafts()
      return reading
    }
    guard let features = json["features"]?.array else {
      throw UnreadableFile("\(name) has no features; it must be a GeoJSON FeatureCollection or a list of objects")
    }
    for (index, feature) in features.enumerated() {
      let place = "\(name) feature \(index + 1)"
      let element = OpenStreetMapElement(of: feature)
      if element != nil, !CinemaOpenStreetMap.mayBeCinema(feature["properties"]) { continue }
      guard let point = point(of: feature["geometry"]) else {
        reading.problems.append(
          DraftProblems(place: place, problems: ["its geometry is no Point or Polygon with longitudes and latitudes"]))
        continue
      }
      var draft = CinemaDraft(place)
      if let element, let tags = feature["properties"], tags["amenity"] != nil || tags["disused:amenity"] != nil {
        draft = CinemaOpenStreetMap.draft(element, tags, place)
      } else {
        draft.take(feature["properties"])
        if draft[.id] == nil, let element {
          let name = draft[.nameEnglish] ?? draft[.name] ?? ""
          draft.naming = CinemaDraft.Naming(name: Slug.of(name), number: element.slug)
        } else if draft[.id] == nil {
          draft[.id] = feature["id"]?.plainText
        }
        draft.complete()
      }
      draft.stand(at: point)
      reading.drafts.append(draft)
    }
    reading.nameDrafts()
    return reading
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
    guard let kind = geometry?["type"]?.string, ["Point", "Polygon", "MultiPolygon"].contains(kind),
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
  fileprivate mutating func take(_ properties: JSONValue?) {
    for (name, value) in properties?.object ?? JSONObject() {
      let key = CSVTable.key(name)
      guard let field = CinemaField(rawValue: CinemaField.otherNames[key] ?? key) else { continue }
      self[field] = value.plainText ?? ""
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
