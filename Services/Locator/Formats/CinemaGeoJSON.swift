package import Contracts
import JSON

/// The directory as GeoJSON (RFC 7946): a point for each cinema, its other fields as properties.
nonisolated package enum CinemaGeoJSON {
  /// A directory of a million cinemas has some 15 values each.
  static let limits: JSONLimits = {
    var limits = JSONLimits(bytes: 512 << 20)
    limits.values = 50_000_000
    return limits
  }()

  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> DraftReading {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: bytes, limits: limits)
    } catch {
      throw UnreadableFile("\(name): \(error)")
    }
    guard let features = json["features"]?.array else {
      throw UnreadableFile("\(name) has no features; it must be a GeoJSON FeatureCollection")
    }
    var reading = DraftReading()
    for (index, feature) in features.enumerated() {
      let place = "\(name) feature \(index + 1)"
      guard let point = feature["geometry"], point["type"] == "Point", let position = point["coordinates"]?.array,
        position.count >= 2, let longitude = position[0].double, let latitude = position[1].double
      else {
        reading.problems.append(
          DraftProblems(place: place, problems: ["its geometry is no Point with a longitude and a latitude"]))
        continue
      }
      var draft = CinemaDraft(place)
      for (name, value) in feature["properties"]?.object ?? JSONObject() {
        let name = CinemaField.otherNames[name] ?? name
        if let field = CinemaField(rawValue: name) { draft[field] = value.plainText }
      }
      if draft[.id] == nil { draft[.id] = feature["id"]?.plainText }
      (draft[.latitude], draft[.longitude]) = ("\(latitude)", "\(longitude)")
      reading.drafts.append(draft)
    }
    return reading
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
