import HTML
import JSON

/// Reads the events of `<script type="application/ld+json">`, each block for itself: a broken one costs no other.
struct JSONLDReader {
  let clock: PageClock
  let limits: ExtractionLimits

  func read(_ page: HTMLDocument, budget: WorkBudget) throws(ExtractionError) -> (Evidence, theatres: [String]) {
    var roots: [(value: JSONValue, place: String)] = []
    var problems = ExtractionTrace()
    let scripts = page.select("script[type]").filter { script in
      script["type"]?.lowercased().holds("ld+json") == true
    }
    for (number, script) in scripts.enumerated() {
      let place = "script \(number + 1)"
      var text = script.rawBytes
      try budget.spend(text.count / 16)
      JSONLDReader.unwrap(&text)
      do {
        roots.append((try JSONLDReader.value(text, budget, limits), place))
      } catch {
        // Once more with its references resolved: some pages write &quot; for ".
        let again = String(decoding: text, as: UTF8.self).resolvingCharacterReferences
        if let value = try? JSONLDReader.value(Array(again.utf8), budget, limits) {
          roots.append((value, place))
        } else {
          problems.add(.jsonLD, at: place, .refused, "no JSON at byte \(error.offset): \(error.reason)")
        }
      }
    }
    var events = SchemaEvents(clock: clock, reader: .jsonLD, budget: budget, limits: limits)
    var evidence = try events.read(roots)
    evidence.trace.append(problems)
    return (evidence, events.theatres)
  }

  /// A document that is JSON-LD itself.
  func read(document: JSONValue, budget: WorkBudget) throws(ExtractionError) -> Evidence {
    var events = SchemaEvents(clock: clock, reader: .jsonLD, budget: budget, limits: limits)
    return try events.read([(PrefixedNames.plain(document), "document")])
  }

  private static func value(
    _ text: [UInt8], _ budget: WorkBudget, _ limits: ExtractionLimits
  ) throws(LooseJSON.Failure) -> JSONValue {
    var json = LooseJSON(text, budget: budget, limits: limits)
    // Several values one after the other are read as a list.
    let values = try json.series()
    return PrefixedNames.plain(values.count == 1 ? values[0] : .array(values))
  }

  /// `<!-- … -->`, `//<![CDATA[ … //]]>` around the data.
  private static func unwrap(_ text: inout [UInt8]) {
    let head = text.prefix(wrapBytesMax)
    let mark = Array("CDATA[".utf8)
    let inside =
      head.indices.first { head[$0] == mark[0] && head[$0...].starts(with: mark) }.map { $0 + mark.count } ?? 0
    let start = head[inside...].firstIndex { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") } ?? 0
    if start > 0 { text.removeSubrange(..<start) }
  }

  /// A comment of a few words before the data.
  private static let wrapBytesMax = 64
}
