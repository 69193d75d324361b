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
    return try events.read([(document, "document")])
  }

  private static func value(
    _ text: [UInt8], _ budget: WorkBudget, _ limits: ExtractionLimits
  ) throws(LooseJSON.Failure) -> JSONValue {
    var json = LooseJSON(text, budget: budget, limits: limits)
    // Several values one after the other are read as a list.
    let first = try json.next()
    guard let second = try? json.next() else { return first }
    return .array([first, second])
  }

  /// `<!-- … -->`, `//<![CDATA[ … //]]>` around the data.
  private static func unwrap(_ text: inout [UInt8]) {
    let start = text.firstIndex { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") && !isCDATA(text) } ?? 0
    if start > 0, start < 64 { text.removeSubrange(..<start) }
  }

  private static func isCDATA(_ text: [UInt8]) -> Bool {
    text.prefix(64).split(separator: UInt8(ascii: "[")).contains { $0.elementsEqual("CDATA".utf8) }
  }
}
