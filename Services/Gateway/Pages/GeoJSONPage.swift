import Calendars
import Contracts
import JSON

/// Cinemas for a map: GeoJSON (RFC 7946), which has the longitude first.
nonisolated struct GeoJSONPage: Presentable {
  var box: Box?
  /// The day that was asked about; nil: today.
  var date: CivilDate?
  var points: [Point]
  /// Why there may be more of them.
  var hint: String?
  /// What the scraper would have told.
  var missing: [String] = []
  var isDemo: Bool

  struct Point: Equatable, Sendable {
    var cinema: Cinema
    /// On that day; nil: not known.
    var isOpen: Bool?
    var nextShowtime: Timestamp?
  }

  /// - Parameters:
  ///   - coming: the showings of that day, or of the next 24 hours, by start
  ///   - days: that day, of some of the cinemas
  init(
    _ cinemas: [Cinema], box: Box?, date: CivilDate? = nil, coming: ShowtimePage?, days: [CinemaCalendar]?,
    view: Viewpoint
  ) {
    self.box = box
    self.date = date
    let next = Dictionary(coming?.showtimes.map { ($0.cinema, $0.startsAt) } ?? []) { min($0, $1) }
    let today = Dictionary(days?.map { ($0.cinema, $0) } ?? []) { first, _ in first }
    points = cinemas.map { cinema in
      let status = today[cinema.id]?.days.first?.status
      return Point(
        cinema: cinema, isOpen: status == .open ? true : status == .closed ? false : nil,
        nextShowtime: next[cinema.id].map { view.rules(cinema.zone).timestamp(at: $0) })
    }
    if !cinemas.isEmpty { missing = [("showtimes", coming == nil), ("days", days == nil)].filter(\.1).map(\.0) }
    isDemo = coming?.sources.contains { $0.isDemo == true } ?? false
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.field("type", "FeatureCollection")
      if let box {
        json.array(
          "bbox",
          of: [
            box.southWest.longitude, box.southWest.latitude, box.northEast.longitude, box.northEast.latitude,
          ])
      }
      json.array("features") { json in
        for point in points { write(point, &json) }
      }
      json.field("hint", ifPresent: hint)
      if !missing.isEmpty { json.field("missing", missing) }
      if isDemo { json.field("demo", true) }
    }
  }

  private func write(_ point: Point, _ json: inout JSONWriter) {
    json.object { json in
      json.field("type", "Feature")
      json.field("id", point.cinema.id)
      json.object("geometry") { json in
        json.field("type", "Point")
        json.array("coordinates", of: [point.cinema.position.longitude, point.cinema.position.latitude])
      }
      json.object("properties") { json in
        json.field("name", point.cinema.name)
        json.field("name_en", ifPresent: point.cinema.nameEnglish)
        json.field("region", point.cinema.region)
        json.field("date", ifPresent: date)
        json.field(date == nil ? "open_today" : "open", ifPresent: point.isOpen)
        json.field("next_showtime", ifPresent: point.nextShowtime)
      }
    }
  }

  static var schema: Schema {
    let point = Schema.object(
      [
        ("type", .constant("Point"), true), ("coordinates", .array(of: .number(), atMost: 2, atLeast: 2), true),
      ], isOpen: true)
    let properties = Schema.object(
      [
        ("name", .string(), true), ("name_en", .string(), false), ("region", .string(), true),
        ("open_today", .boolean, false), ("date", CivilDate.schema, false), ("open", .boolean, false),
        ("next_showtime", Timestamp.schema, false),
      ], isOpen: true)
    let feature = Schema.object(
      [
        ("type", .constant("Feature"), true), ("id", CinemaID.schema, true), ("geometry", point, true),
        ("properties", properties, true),
      ], isOpen: true)
    return .object(
      [
        ("type", .constant("FeatureCollection"), true),
        ("bbox", .array(of: .number(), atMost: 4, atLeast: 4), false), ("features", .array(of: feature), true),
      ] + [ListMembers.hint, ListMembers.missing] + ListMembers.marks, isOpen: true)
  }
}
