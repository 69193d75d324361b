import Calendars
import Clocks
package import Contracts
import JSON

/// One event as its readers get it, and who they are.
nonisolated package struct LiveNotice: Hashable, Sendable {
  package let name: String
  /// JSON, on one line.
  package let data: [UInt8]
  /// Whoever listens to one of these hears it.
  let topics: Set<LiveTopic>

  init(_ name: String, to topics: Set<LiveTopic>, _ members: (inout JSONWriter) -> Void) {
    var json = JSONWriter(capacity: 256)
    json.object(members)
    self.name = name
    self.topics = topics
    data = json.bytes
  }

  /// The event in a stream; `id` is given with the last of those that happened at once.
  func frame(id: LiveID?) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + 64)
    if let id, !id.isEmpty { bytes += Array("id: \(id)\n".utf8) }
    bytes += Array("event: \(name)\ndata: ".utf8)
    bytes += data
    bytes += [0x0A, 0x0A]
    return bytes
  }
}

nonisolated extension LiveNotice {
  /// What readers hear of one step of the schedule.
  package static func all(of event: ScheduleEvent) -> [LiveNotice] {
    var notices: [LiveNotice] = []
    if let source = event.source {
      notices.append(
        LiveNotice("source.state", to: [.sources, .cinema(source.cinema)]) { json in
          json.field("source_id", source.id)
          json.field("cinema_id", source.cinema)
          json.field("state", source.state.rawValue)
          json.field("as_of", ifPresent: source.asOf?.stamp)
          json.field("reason", ifPresent: source.problem)
        })
    }
    guard let change = event.change else { return notices }
    for showtime in change.changed {
      guard let name = name(of: showtime.kind) else { continue }
      let topics = Set([.cinema(change.cinema), .schedule] + (showtime.film.map { [LiveTopic.film($0)] } ?? []))
      notices.append(
        LiveNotice(name, to: topics) { json in
          json.field("showtime_id", showtime.id)
          json.field("cinema_id", change.cinema)
          json.field("film_id", ifPresent: showtime.film)
          json.field("date", change.date)
          json.field("before", ifPresent: showtime.before)
          json.field("after", ifPresent: showtime.after)
        })
    }
    for film in change.listed {
      notices.append(
        LiveNotice("film.listed", to: [.film(film), .cinema(change.cinema), .schedule]) { json in
          json.field("film_id", film)
          json.field("cinema_id", change.cinema)
          json.field("date", change.date)
        })
    }
    let films = Set(change.changed.compactMap(\.film) + change.listed)
    let topics = Set([LiveTopic.cinema(change.cinema), .schedule] + films.map(LiveTopic.film))
    notices.append(
      LiveNotice("schedule.changed", to: topics) { json in
        json.field("cinema_id", change.cinema)
        json.field("date", change.date)
        json.array("added", of: change.added)
        json.array("removed", of: change.removed)
        // One may have changed in several ways.
        json.array("changed", of: change.changed.map(\.id).eachOnce)
        json.field("as_of", change.asOf.stamp)
      })
    return notices
  }

  private static func name(of kind: ShowtimeChangeKind) -> String? {
    switch kind {
    case .moved: "showtime.moved"
    case .cancelled: "showtime.cancelled"
    case .soldOut: "showtime.sold_out"
    case .available: "showtime.available"
    case .screen, .details, .unknown: nil
    }
  }

  /// What readers hear of a change of a festival.
  static func all(of change: FestivalChange) -> [LiveNotice] {
    guard let festival = change.festival else { return [] }
    return [
      LiveNotice("festival.session.changed", to: [.festival(festival)]) { json in
        json.field("festival_id", festival)
        json.array("session_ids", of: change.sessions)
        json.field("rev", change.revision)
      }
    ]
  }

  /// What a user's devices hear of a change that one of them made.
  static func all(of event: ItemEvent) -> [LiveNotice] {
    var notices: [LiveNotice] = []
    if let change = event.change {
      let isFilm = change.kind == .film
      let verb = change.isRemoved ? "removed" : "put"
      notices.append(
        LiveNotice("\(isFilm ? "bookmark" : "favourite").\(verb)", to: [.me]) { json in
          if isFilm {
            json.field("film_id", change.id)
          } else {
            json.field("kind", change.kind.rawValue)
            json.field("id", change.id)
          }
          json.field("rev", change.revision)
        })
    }
    if event.settingsChanged == true {
      notices.append(LiveNotice("settings.changed", to: [.me]) { json in json.field("rev", event.revision) })
    }
    return notices
  }

  /// A film that the user saved begins to play.
  static func playing(_ film: FilmID, savedAs saved: FilmID, _ change: ScheduleChange) -> LiveNotice {
    LiveNotice("bookmark.playing", to: [.me]) { json in
      json.field("film_id", film)
      if saved != film { json.field("saved_as", saved) }
      json.field("cinema_id", change.cinema)
      json.field("date", change.date)
    }
  }

  /// What a station plays now, to whoever listens to it.
  static func nowPlaying(_ title: StationTitle) -> LiveNotice {
    LiveNotice("radio.now_playing", to: [.station(title.station), .radio]) { json in
      json.field("station_id", title.station)
      json.field("title", ifPresent: title.title)
      json.field("artist", ifPresent: title.artist)
      json.field("text", ifPresent: title.text)
      json.field("programme", ifPresent: title.programme)
      json.field("ends_at", ifPresent: title.endsAt?.stamp)
      json.field("as_of", title.asOf.stamp)
    }
  }

  /// A station cannot be heard any more.
  static func down(_ station: StationID, _ health: StationHealth) -> LiveNotice {
    LiveNotice("radio.down", to: [.station(station), .radio]) { json in
      json.field("station_id", station)
      json.field("state", "down")
      json.field("checked_at", health.checkedAt.stamp)
    }
  }

  static func hello(version: String, topics: [LiveTopic]) -> LiveNotice {
    LiveNotice("hello", to: []) { json in
      json.field("version", version)
      json.field("topics", topics.map(\.description))
    }
  }

  /// Nothing has happened; its id is a place to come back to. An id alone would do for a browser's own return, but a script
  /// that opens a stream anew knows only what events told it.
  static let place = LiveNotice("place", to: []) { _ in }

  /// Something was missed: read everything anew, then go on from here.
  static func reset(at id: LiveID) -> LiveNotice {
    LiveNotice("reset", to: []) { json in
      if !id.isEmpty { json.field("newest_id", id.description) }
    }
  }

  static func bye(after milliseconds: Int64) -> LiveNotice {
    LiveNotice("bye", to: []) { json in json.field("retry_ms", milliseconds) }
  }
}

nonisolated extension [ShowtimeID] {
  /// In their order.
  fileprivate var eachOnce: [ShowtimeID] {
    var seen: Set<ShowtimeID> = []
    return filter { seen.insert($0).inserted }
  }
}
