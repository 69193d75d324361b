import Drafts
import JSON

/// Cinemas as a plain list of objects, as sites' own APIs tell them: `[{"name", "lat", "lng"}]`, `{"cinemas": […]}`.
nonisolated enum CinemaObjects {
  /// Nil where there is no list of objects that have names and stand somewhere.
  static func read(_ json: JSONValue, named name: String) -> DraftReading? {
    guard let list = lists(in: json).first(where: { $0.contains(where: isPlace) }) else { return nil }
    var reading = DraftReading()
    for (index, object) in list.enumerated() {
      var draft = CinemaDraft("\(name):\(index + 1)")
      for member in nested { draft.take(object[member]) }
      draft.take(object)
      if let point = point(of: object) { draft.stand(at: point) }
      draft.complete()
      reading.drafts.append(draft)
    }
    reading.nameDrafts()
    return reading
  }

  /// Answers have their lists some objects deep: `{"response": {"body": {"items": …}}}`.
  private static func lists(in json: JSONValue, depth: Int = 0) -> [[JSONValue]] {
    if let list = json.array { return [list] }
    guard depth < depthMax else { return [] }
    return (json.object ?? JSONObject()).flatMap { lists(in: $0.value, depth: depth + 1) }
  }

  private static let depthMax = 6

  private static func isPlace(_ object: JSONValue) -> Bool {
    let names = (object.object ?? JSONObject()).lazy.map(\.name)
    return names.contains { CinemaField.named($0) == .name } && point(of: object) != nil
  }

  /// Where an object says that it stands: itself, or in an object or a list of its own. GeoJSON's lists begin with the east.
  static func point(of object: JSONValue?) -> DraftPoint? {
    guard let object else { return nil }
    if let own = pair(object) { return own }
    for name in nested {
      guard let value = object[name] else { continue }
      if let point = pair(value) ?? value.string.flatMap({ DraftPoint($0) }) { return point }
      let list = (value["coordinates"] ?? value).array ?? []
      if list.count >= 2, let east = list[0].degrees, let north = list[1].degrees {
        return DraftPoint(latitude: north, longitude: east)
      }
    }
    return (object.object ?? JSONObject()).lazy.compactMap { $0.value.object == nil ? nil : pair($0.value) }.first
  }

  private static func pair(_ object: JSONValue) -> DraftPoint? {
    var (latitude, longitude): (Double?, Double?)
    for (name, value) in object.object ?? JSONObject() {
      switch CinemaField.named(name) {
      case .latitude: latitude = value.degrees
      case .longitude: longitude = value.degrees
      default: continue
      }
    }
    guard let latitude, let longitude else { return nil }
    return DraftPoint(latitude: latitude, longitude: longitude)
  }

  private static let nested = ["location", "geo", "position", "coordinates", "coords", "geometry", "address"]
}

nonisolated extension JSONValue {
  fileprivate var degrees: Double? { double ?? string.flatMap { Degrees($0)?.value } }
}
