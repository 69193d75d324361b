import JSON

/// Where something stands in JSON: names with dots between them. Through a list it goes on in each of its items, or in the
/// one whose place it says: `who.name` is the name of each, `who.0.name` that of the first. `*` is every member of an object
/// that is used as a list: `days.*.rooms.*`.
struct JSONPath {
  private let steps: [String]

  /// Something found, and what encloses it, the innermost first.
  struct Place {
    let value: JSONValue
    let enclosing: [JSONValue]

    fileprivate func inner(_ value: JSONValue) -> Place { Place(value: value, enclosing: [self.value] + enclosing) }
  }

  init(_ text: String) { steps = text.split(separator: ".").map(String.init) }

  /// What stands there; the items of a list one by one.
  ///
  /// - Returns: isList: it may be several, also where there is one.
  func values(in root: JSONValue) -> (values: [JSONValue], isList: Bool) {
    let (places, isList) = places(in: root)
    return (places.map(\.value), isList)
  }

  /// The same, with what encloses each.
  func places(in root: JSONValue) -> (places: [Place], isList: Bool) {
    var isList = false
    var places = [Place(value: root, enclosing: [])]
    for step in steps { places = places.flatMap { Self.step(step, from: $0, &isList) } }
    let isOpened = places.contains { $0.value.array != nil }
    return (places.flatMap { place in place.value.array.map { $0.map(place.inner) } ?? [place] }, isList || isOpened)
  }

  private static func step(_ step: String, from place: Place, _ isList: inout Bool) -> [Place] {
    if step == "*" {
      isList = true
      let items = place.value.array ?? place.value.object?.map(\.value) ?? []
      return items.map(place.inner)
    }
    guard let items = place.value.array else { return [place.value[step]].compactMap(\.self).map(place.inner) }
    if let number = Int(step) { return [place.value[number]].compactMap(\.self).map(place.inner) }
    isList = true
    return items.flatMap { item in [item[step]].compactMap(\.self).map(place.inner(item).inner) }
  }

  /// How far it leads, and what is there, for a message: `shows is a list of 4; its items have hall, times`.
  func end(in root: JSONValue) -> String {
    var path: [String] = []
    var last = root
    for step in steps {
      guard let next = JSONPath(step).values(in: last).values.first else { break }
      path.append(step)
      last = JSONPath(step).places(in: last).isList && last[step]?.array != nil ? last[step]! : next
    }
    return "\(path.isEmpty ? "the file" : path.joined(separator: ".")) is \(Self.told(last))"
  }

  private static func told(_ value: JSONValue) -> String {
    func names(_ object: JSONObject?) -> String {
      (object ?? JSONObject()).prefix(namesTold).map(\.name).joined(separator: ", ")
    }
    guard let items = value.array else { return value.object.map { "an object with \(names($0))" } ?? value.kind }
    let inside = items.first?.object.map { "; its items have \(names($0))" } ?? ""
    return "a list of \(items.count)\(inside)"
  }

  private static let namesTold = 12
}
