import CSV
import Calendars
import Contracts
import JSON

/// Sessions as rows for other programs: our own table, or one in the form that a mapping declares. What is written is read
/// back by the same mapping.
extension MappedTable {
  /// With all our columns.
  static func write(_ programme: FestivalProgramme, _ zone: TimeZoneRules) -> [UInt8] {
    let writing = RowWriting(programme.festival, zone)
    let fields = Field.allCases.filter { $0 != .duration && $0 != .state }
    var writer = CSVWriter(fields.map(\.rawValue))
    for session in programme.sessions {
      writer.write(
        fields.map { field in
          let values = writing.values(of: session, field)
          return lists.contains(field) ? list(values) : values.first
        })
    }
    return writer.bytes
  }

  static func write(
    csv programme: FestivalProgramme, _ mapping: ColumnMapping, _ zone: TimeZoneRules
  ) throws(ProgrammeError) -> [UInt8] {
    let writing = RowWriting(programme.festival, zone)
    let columns = columns(of: mapping)
    var writer = CSVWriter(columns.map(\.name))
    for session in programme.sessions {
      var row: [String?] = []
      for (field, _) in columns {
        let values = writing.values(of: session, field)
        guard lists.contains(field) else {
          row.append(values.first)
          continue
        }
        if let torn = values.first(where: { parts(of: $0, field, mapping) != [$0] }) {
          throw ProgrammeError(
            "\(field.rawValue): \(torn) has in it what the mapping sets between names; give the mapping another separator"
          )
        }
        row.append(values.isEmpty ? nil : values.joined(separator: mapping.separator))
      }
      writer.write(row)
    }
    return writer.bytes
  }

  static func write(
    json programme: FestivalProgramme, _ mapping: ColumnMapping, _ zone: TimeZoneRules
  ) throws(ProgrammeError) -> [UInt8] {
    let writing = RowWriting(programme.festival, zone)
    let columns = try columns(of: mapping).map { field, path throws(ProgrammeError) in (field, try steps(of: path)) }
    var rows: [JSONValue] = []
    for session in programme.sessions {
      var row = JSONValue.object(JSONObject())
      for (field, path) in columns {
        let values = writing.values(of: session, field)
        guard !values.isEmpty else { continue }
        guard put(lists.contains(field) ? .many(values) : .one(values[0]), at: path[...], in: &row) else {
          throw ProgrammeError(
            "\(field.rawValue) is at \(path.joined(separator: ".")) in the mapping, where another field stands; it can be "
              + "read so, and not written")
        }
      }
      rows.append(row)
    }
    var tree = JSONValue.array(rows)
    for name in try steps(of: mapping.rows ?? "").reversed() { tree = .object(JSONObject([(name, tree)])) }
    var writer = JSONWriter()
    tree.write(to: &writer)
    return writer.bytes
  }

  // MARK: Fields

  static let lists: Set<Field> = [.rooms, .speakers, .flags]

  /// One for each column. An instant says more than its day.
  private static func columns(of mapping: ColumnMapping) -> [(field: Field, name: String)] {
    let order = [.start] + Field.allCases.filter { $0 != .start && $0 != .state }
    var seen: Set<String> = []
    let fields = Set(
      order.filter { field in
        let isTwice = field == .duration && mapping.columns[.end] != nil
        return !isTwice && mapping.columns[field].map { seen.insert($0).inserted } == true
      })
    return Field.allCases.filter(fields.contains).map { ($0, mapping.columns[$0]!) }
  }

  /// Between names stands `|`; in a name it is `\|`, and a backslash there is `\\`.
  private static func list(_ names: [String]) -> String {
    names.map { $0.replacing("\\", with: "\\\\").replacing("|", with: "\\|") }.joined(separator: "|")
  }

  // MARK: JSON

  private enum Said {
    case one(String)
    case many([String])
  }

  private static func steps(of path: String) throws(ProgrammeError) -> [String] {
    let steps = path.split(separator: ".").map(String.init)
    guard !steps.contains(where: { $0 == "*" || Int($0) != nil }) else {
      throw ProgrammeError(
        "the mapping goes through lists with \(path); what it says can be read, and not written: name members alone")
    }
    return steps
  }

  /// Puts it where the same path finds it: several values are a list, of texts or of objects with the path's last member.
  ///
  /// - Returns: false where something else stands.
  private static func put(_ said: Said, at path: ArraySlice<String>, in value: inout JSONValue) -> Bool {
    guard var object = value.object, let name = path.first else { return false }
    let rest = path.dropFirst()
    var inner = object[name]
    switch said {
    case .one(let text) where rest.isEmpty:
      guard inner == nil else { return false }
      inner = .string(text)
    case .many(let texts) where rest.isEmpty:
      guard inner == nil else { return false }
      inner = .array(texts.map { .string($0) })
    case .many(let texts) where rest.count == 1:
      var items = inner?.array ?? texts.map { _ in .object(JSONObject()) }
      guard inner == nil || inner?.array != nil, items.count == texts.count else { return false }
      for place in items.indices where !put(.one(texts[place]), at: rest, in: &items[place]) { return false }
      inner = .array(items)
    case .one, .many:
      var next = inner ?? .object(JSONObject())
      guard put(said, at: rest, in: &next) else { return false }
      inner = next
    }
    object[name] = inner
    value = .object(object)
    return true
  }
}

/// What the sessions of a festival say, field by field.
private struct RowWriting {
  private let festival: Festival
  private let zone: TimeZoneRules
  private let rooms: [RoomID: String]
  private let tracks: [TrackID: String]

  init(_ festival: Festival, _ zone: TimeZoneRules) {
    self.festival = festival
    self.zone = zone
    rooms = Dictionary(festival.rooms.map { ($0.id, $0.name) }) { first, _ in first }
    tracks = Dictionary(festival.tracks.map { ($0.id, $0.name) }) { first, _ in first }
  }

  func values(of session: FestivalSession, _ field: ColumnMapping.Field) -> [String] {
    switch field {
    case .rooms: session.rooms.map { rooms[$0] ?? $0.text }
    case .speakers: session.speakers.map(\.name)
    case .flags: session.flags
    default: [value(of: session, field)].compactMap(\.self)
    }
  }

  private func value(of session: FestivalSession, _ field: ColumnMapping.Field) -> String? {
    switch field {
    case .id: session.id.text
    case .code: session.code
    case .title: session.title
    case .subtitle: session.subtitle
    case .day: "\(session.day)"
    case .start: "\(zone.timestamp(at: session.startsAt))"
    case .end: session.endsAt.map { "\(zone.timestamp(at: $0))" }
    case .duration: session.endsAt.map { length(session.startsAt.seconds(until: $0)) }
    case .rooms, .speakers, .flags, .state: nil
    case .track: session.track.flatMap { tracks[$0] }
    case .kind: session.kind
    case .language: session.language
    case .level: session.level
    case .abstract: session.abstract
    case .details: session.details
    case .url: session.url
    case .film: session.film?.text
    case .runtime_min: session.runtimeMinutes.map { "\($0)" }
    case .sold_out: session.isSoldOut ? "yes" : nil
    case .cancelled: session.isCancelled ? "yes" : nil
    case .guid: session.guid
    case .festival: festival.id.text
    case .festival_name: festival.name
    case .time_zone: festival.zone.text
    }
  }

  /// `1:45`, `0:00:30`
  private func length(_ seconds: Int64) -> String {
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = "\(seconds / 3_600):\(two(seconds / 60 % 60))"
    return seconds % 60 == 0 ? minutes : "\(minutes):\(two(seconds % 60))"
  }
}
