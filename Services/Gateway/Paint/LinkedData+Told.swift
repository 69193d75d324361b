import JSON

/// Festivals and restaurants in schema.org's words, from what the API tells of them.
nonisolated extension LinkedData {
  /// A festival, and those of its sessions that the page shows.
  mutating func add(festival told: JSONValue, sessions: [JSONValue] = []) {
    var festival = name(of: told)
    festival["location"] = Self.thing(
      "Place", [("name", told["venue"] ?? told["city"]), ("address", told["address"] ?? told["city"])])
    festival["sameAs"] = Self.address(told["website"])
    let sponsors = (told["sponsors"]?.array ?? []).map { sponsor in
      Self.thing("Organization", [("name", sponsor["name"]), ("url", Self.address(sponsor["url"]))])
    }
    if !sponsors.isEmpty { festival["sponsor"] = .array(sponsors) }
    // One that takes several screens is told once for each.
    var seen: Set<String> = []
    let events = sessions.filter { seen.insert($0["id"]?.string ?? "").inserted }.map { event($0, of: told) }
    if !events.isEmpty { festival["subEvent"] = .array(events) }
    self.told.append(.object(festival))
  }

  /// One session, and of which festival it is.
  mutating func add(session told: JSONValue, of festival: JSONValue) {
    guard var event = event(told, of: festival).object else { return }
    event["superEvent"] = .object(name(of: festival))
    self.told.append(.object(event))
  }

  mutating func add(restaurant told: JSONValue) {
    self.told.append(
      Self.thing(
        "Restaurant",
        [
          ("name", told["name"]), ("alternateName", told["name_en"]), ("address", told["address"]),
          ("geo", Self.point(told["location"])), ("servesCuisine", told["genre"]?["name"]),
          ("priceRange", told["budget"]?["display"]), ("telephone", told["tel"]), ("url", Self.address(told["url"])),
        ]))
  }

  private func name(of festival: JSONValue) -> JSONObject {
    let page = festival["id"]?.string.map { JSONValue.string("\(base)/festivals/\($0)") }
    let whole = Self.thing(
      "Festival",
      [
        ("@id", page), ("name", festival["name"]), ("alternateName", festival["subtitle"]), ("url", page),
        ("startDate", festival["starts_on"]), ("endDate", festival["ends_on"]),
      ])
    return whole.object ?? JSONObject()
  }

  private func event(_ session: JSONValue, of festival: JSONValue) -> JSONValue {
    let rooms = (session["screens"]?.array ?? session["screen"].map { [$0] } ?? []).compactMap(\.string)
    let screens = festival["screens"]?.array ?? []
    let places = rooms.map { room in
      Self.thing("Place", [("name", screens.first { $0["id"]?.string == room }?["name"] ?? .string(room))])
    }
    let people = (session["speakers"]?.array ?? []).map { Self.thing("Person", [("name", $0["name"] ?? $0)]) }
    let ids = (festival["id"]?.string, session["id"]?.string)
    let film = session["film_id"]?.string.map { id in
      Self.thing("Movie", [("@id", .string("\(base)/films/\(id)")), ("name", session["title"])])
    }
    return Self.thing(
      film == nil ? "Event" : "ScreeningEvent",
      [
        ("name", session["title"]), ("alternateName", session["subtitle"]), ("startDate", session["starts_at"]),
        ("endDate", session["ends_at"]), ("description", session["abstract"]),
        ("url", ids.0.flatMap { id in ids.1.map { .string("\(base)/festivals/\(id)/sessions/\($0)") } }),
        ("location", places.isEmpty ? nil : .array(places)), ("performer", people.isEmpty ? nil : .array(people)),
        ("workPresented", film),
        ("eventStatus", session["cancelled"]?.bool == true ? "https://schema.org/EventCancelled" : nil),
      ])
  }

  /// Where something is on the globe.
  private static func point(_ place: JSONValue?) -> JSONValue? {
    guard let place else { return nil }
    return thing("GeoCoordinates", [("latitude", place["lat"]), ("longitude", place["lon"])])
  }

  /// An address that leads somewhere.
  private static func address(_ told: JSONValue?) -> JSONValue? {
    told?.string.map(HTMLWriter.safe).flatMap { $0 == "#" ? nil : .string($0) }
  }

  /// What is known of it; the rest is left out.
  private static func thing(_ type: String, _ members: [(String, JSONValue?)]) -> JSONValue {
    var thing = JSONObject()
    thing["@type"] = .string(type)
    for (name, value) in members where value != nil && value != .null { thing[name] = value }
    return .object(thing)
  }
}
