import Contracts
package import Drafts
import JSON

/// Stations as JSON: `{"stations": […]}` with the names of ``StationField``, rights as an object of their own; and the
/// lists of the app that came before this, `{"stationList": [{"section", "title", "subTitle", "streamURL"}]}`.
nonisolated package enum StationJSON {
  /// - Parameter isDemo: whether they are all invented.
  package static func read(
    _ bytes: [UInt8], named name: String, isDemo: Bool = false
  ) throws(UnreadableFile) -> StationReading {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: bytes.withoutByteOrderMark, limits: JSONLimits(bytes: StationFormat.bytesMax))
    } catch {
      throw UnreadableFile("\(name): \(error)")
    }
    guard let stations = value["stations"]?.array ?? value["stationList"]?.array ?? value.array ?? firstList(in: value)
    else {
      throw UnreadableFile("\(name) has no list of stations; write {\"stations\": [{\"id\", \"name\", \"address\"}]}")
    }
    var reading = StationReading()
    for (index, station) in stations.enumerated() {
      var draft = StationDraft("\(name):\(index + 1)")
      collect(station, prefix: "", into: &draft)
      draft.takeBetter { station[$0]?.string }
      if draft[.address] == nil { draft[.address] = firstStream(of: station) }
      if isDemo { draft[.demo] = "1" }
      if draft[.id] == nil, let title = draft[.name] {
        reading.add(draft, called: title)
      } else {
        reading.drafts.append(draft)
      }
    }
    return reading
  }

  private static func firstList(in value: JSONValue) -> [JSONValue]? {
    (value.object ?? JSONObject()).lazy.compactMap { $0.value.array }.first { $0.contains { $0.object != nil } }
  }

  /// Of a station that lists its streams the first.
  private static func firstStream(of station: JSONValue) -> String? {
    ["streams", "stream", "playlists", "stream_urls", "streamUrls", "urls"].lazy.compactMap { name in
      station[name].flatMap { firstAddress(in: $0) }
    }.first
  }

  /// The parser bounds how deep.
  private static func firstAddress(in value: JSONValue) -> String? {
    switch value {
    case .string(let text): text.hasPrefix("http://") || text.hasPrefix("https://") ? text : nil
    case .array(let values): values.lazy.compactMap(firstAddress).first
    case .object(let members): members.lazy.compactMap { firstAddress(in: $0.value) }.first
    case .null, .bool, .int, .double: nil
    }
  }

  private static func collect(_ value: JSONValue, prefix: String, into draft: inout StationDraft) {
    let members = value.object ?? JSONObject()
    // What is called so stands before what only means it, and of several that mean it the first.
    let own = members.filter { StationField(rawValue: prefix + $0.name.lowercased()) != nil }
    collect(own, prefix: prefix, into: &draft)
    collect(
      members.filter { StationField(rawValue: prefix + $0.name.lowercased()) == nil }, prefix: prefix, into: &draft)
  }

  private static func collect(
    _ members: [JSONObject.Element], prefix: String, into draft: inout StationDraft
  ) {
    for (name, member) in members {
      if name == "rights" {
        collect(member, prefix: "rights_", into: &draft)
        continue
      }
      let known = prefix + name.lowercased()
      guard let field = StationField(rawValue: StationField.otherNames[known] ?? known),
        field.rawValue == known || draft[field]?.isEmpty ?? true
      else { continue }
      switch member {
      case .string(let text): draft[field] = text
      case .bool(let flag): draft[field] = flag ? "1" : "0"
      case .int(let number): draft[field] = "\(number)"
      case .array(let parts):
        draft[field] = parts.compactMap(\.string).joined(separator: String(StationField.tagSeparator))
      case .null, .double, .object: break
      }
    }
  }

  package static func write(_ records: [StationRecord]) -> String {
    var json = JSONWriter()
    json.object { json in
      json.array("stations") { json in
        for record in records {
          json.object { json in
            for field in StationField.allCases where !StationField.rights.contains(field) {
              guard let text = field.text(of: record) else { continue }
              json.name(field.rawValue)
              json.value(text)
            }
            guard record.station.rights != nil else { return }
            json.object("rights") { json in
              for field in StationField.rights {
                guard let text = field.text(of: record) else { continue }
                json.name(String(field.rawValue.dropFirst("rights_".utf8.count)))
                json.value(text)
              }
            }
          }
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }
}
