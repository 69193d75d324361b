import Calendars
import JSON

/// What fields say that are called nothing we know, by what stands beside them.
extension RecordFactsReader {
  /// `"date_f": "2026-11-27", "time": "19:30"`: the one whole date beside a clock is its day, whatever it is called.
  func takeLoneDate(of object: JSONObject, into facts: inout RecordFacts) {
    guard !facts.starts.isEmpty, facts.dayNumber == nil,
      facts.starts.allSatisfy({ if case .time = $0.moment { true } else { false } })
    else { return }
    var found: CivilDate?
    for (name, value) in object {
      guard let text = value.string, text.utf8.count == Self.dateBytes, let date = CivilDate(text),
        clock.isPlausible(date), case let key = keys[name], key.role == nil, !key.isOfOtherTime
      else { continue }
      if found != nil { return }
      found = date
    }
    guard let found else { return }
    facts.starts.append(.init(rank: Self.loneRank, moment: .date(found)))
  }

  /// `"_id": 41, "eventid": 7`: a showing of its own, and the number of what is shown in it.
  func nameOfEvent(of object: JSONObject) -> String? {
    var ids = object.compactMap { name, value -> (isOwn: Bool, id: String)? in
      guard keys[name].role == .id, let id = value.string ?? value.int.map(String.init) else { return nil }
      return (!keys[name].isReference, id)
    }
    let own = Set(ids.filter(\.isOwn).map(\.id))
    ids.removeAll { $0.isOwn || own.contains($0.id) }
    return ids.count == 1 ? title(among: index.shown(keyed: ids[0].id)) : nil
  }

  /// `2026-11-27`
  private static let dateBytes = 10
  /// Behind all that is called a start.
  private static let loneRank = 7

  /// `"PerformanceDate": …, "PerformanceDescription": "Silt"`: a short text that is called as the start is.
  func takeDescription(of object: JSONObject, into facts: inout RecordFacts) {
    guard !facts.starts.isEmpty, facts.title == nil, facts.filmTitle == nil, facts.described == nil else { return }
    var whats: Set<[String]> = []
    for (name, _) in object where keys[name].isOfStart && keys[name].words.count > 1 {
      whats.insert(Array(keys[name].words.dropLast()))
    }
    for (name, value) in object {
      let words = keys[name].words.filter { $0 != "short" }
      guard let last = words.last, last == "description" || last == "text", whats.contains(Array(words.dropLast())),
        let text = value.string, text.utf8.count <= Self.descriptionBytesMax, text.hasLetters,
        !text.utf8.contains(UInt8(ascii: "<")), !text.hasSuffix("."), !text.holds(". "), clock.moment(text) == nil
      else { continue }
      facts.described = PlainText.of(text)
      return
    }
  }

  /// A longer one describes.
  private static let descriptionBytesMax = 80
}
