package import Contracts
package import Drafts
import JSON

/// Restaurants as JSON: our own, `{"data":[…]}` with the names of the columns, or an answer that somebody saved of
/// Recruit's gourmet guide.
nonisolated package enum RestaurantJSON {
  /// A file of a few hundred thousand restaurants.
  private static let valuesMax = 20_000_000

  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> DraftReading {
    var limits = JSONLimits(bytes: max(bytes.count, 1))
    limits.values = valuesMax
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: bytes.withoutByteOrderMark.withoutCallback, limits: limits)
    } catch {
      throw UnreadableFile("\(name): \(error)")
    }
    var reading = DraftReading()
    if let shops = HotPepperShop.all(in: value["results"] ?? value) {
      reading.drafts = shops.enumerated().map { HotPepperShop.draft($1, "\(name):shop \($0 + 1)") }
      return reading
    }
    if let error = value["results"]?["error"] {
      throw UnreadableFile("\(name): it is an error that the guide answered, and no list: \(GuideError(told: error))")
    }
    guard let places = value["data"]?.array ?? value.array else {
      throw UnreadableFile("\(name): there is neither data nor results.shop in it; each is a list of restaurants")
    }
    try checkMembers(of: places, name)
    for (index, place) in places.enumerated() {
      let label = "\(name):\(index + 1)"
      guard let object = place.object else {
        reading.problems.append(DraftProblems(place: label, problems: ["it is \(place.kind), not an object"]))
        continue
      }
      if HotPepperShop.isOne(place) {
        reading.drafts.append(HotPepperShop.draft(place, label))
        continue
      }
      var draft = RestaurantDraft(label)
      var problems: [String] = []
      for (member, value) in object {
        let column = RestaurantField.otherNames[member] ?? member
        if RestaurantField.columns.contains(column) {
          // An empty text says that there is nothing, null says nothing.
          draft[column] = value.string ?? value.shown
        } else {
          let near = suggestion(for: member, among: RestaurantField.columns).map { "; did you mean \($0)?" } ?? ""
          problems.append("unknown member \(member)\(near)")
        }
      }
      if problems.isEmpty {
        reading.drafts.append(draft)
      } else {
        reading.problems.append(DraftProblems(place: label, problems: problems))
      }
    }
    if places.count > 1, reading.drafts.isEmpty, let first = reading.problems.first {
      throw UnreadableFile("\(name): none of its \(places.count) rows can be read; the first: \(first.line)")
    }
    return reading
  }

  /// A list of something else is refused as a whole, as a table without these columns is.
  private static func checkMembers(of places: [JSONValue], _ name: String) throws(UnreadableFile) {
    let members = places.lazy.map { place in
      Set((place.object ?? JSONObject()).lazy.map { RestaurantField.otherNames[$0.name] ?? $0.name })
    }
    guard !places.isEmpty, !members.contains(where: { $0.isSuperset(of: RestaurantField.required) }) else { return }
    let first = members.first { !$0.isEmpty }?.sorted().prefix(8).joined(separator: ", ") ?? "no members"
    throw UnreadableFile(
      "\(name): none of its \(places.count) rows has \(RestaurantField.required.joined(separator: ", ")), "
        + "as each restaurant does; the first has \(first)")
  }

  package static func write(_ restaurants: [Restaurant]) -> String {
    var json = JSONWriter(capacity: restaurants.count * 1_024)
    json.object { json in
      json.array("data") { json in
        for place in restaurants {
          json.object { json in
            for (column, text) in place.texts {
              guard let text else { continue }
              json.name(column)
              text.write(to: &json)
            }
          }
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }
}
