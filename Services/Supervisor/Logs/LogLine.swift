import JSON
package import Observability
import ServiceKit

/// One line of the suite's log, whichever service wrote it.
nonisolated package struct LogLine: Sendable {
  package let service: String
  package let level: Log.Level
  /// A JSON object without a line end.
  package let json: [UInt8]
  private let content: JSONObject

  /// Nil if it is no line of a log: a crash's last words, say.
  package init?(_ json: [UInt8]) {
    guard json.first == UInt8(ascii: "{"), let content = (try? JSONValue(parsing: json))?.object,
      content["msg"]?.string != nil, let service = content["service"]?.string
    else { return nil }
    self.service = service
    level = content["level"]?.string.flatMap(Log.Level.init) ?? .info
    self.json = json
    self.content = content
  }

  /// `03:12:44.120 locator    WARN  message  fact=value`, safe to show on a terminal.
  package func text(colour: Bool) -> String {
    let time = content["ts"]?.string.flatMap(Self.timeOfDay) ?? "--:--:--.---"
    var text = Tone.dim.paint(time, colour)
    text += " " + tone(of: service).paint(padded(service), colour)
    text += " " + level.tone.paint(level.label, colour)
    return text + " " + facts(colour: colour)
  }

  /// The message and what belongs to it.
  private func facts(colour: Bool) -> String {
    content.reduce(printable(content["msg"]?.string ?? "")) { text, member in
      guard !Self.known.contains(member.name) else { return text }
      return text + "  " + Tone.dim.paint(printable(member.name) + "=", colour) + printable(Self.text(of: member.value))
    }
  }

  private func padded(_ service: String) -> String {
    service + String(repeating: " ", count: max(0, Self.serviceWidth - service.utf8.count))
  }

  /// What was said, for where it is known who said it when.
  package var words: String {
    // A program's own words, such as an error before it could log, need nothing around them.
    if content["msg"]?.string == "\(SuiteLog.output)", let text = content["text"]?.string { return printable(text) }
    return facts(colour: false)
  }

  /// The longest service's name.
  private static let serviceWidth = 9
  /// Shown elsewhere in the line, or the same in every line.
  private static let known: Set = ["ts", "level", "msg", "service", "version", "host", "pid", "trace_id", "span_id"]

  /// `2026-11-20T05:02:31.123456Z`, of which the date and the microseconds help nobody who watches.
  private static func timeOfDay(_ timestamp: String) -> String? {
    let time = timestamp.utf8.drop { $0 != UInt8(ascii: "T") }.dropFirst()
    return time.count >= 12 ? String(time.prefix(12)) : nil
  }

  private static func text(of value: JSONValue) -> String {
    if let text = value.string { return text.utf8.contains(UInt8(ascii: " ")) ? "\"\(text)\"" : text }
    return String(decoding: value.json, as: UTF8.self)
  }

  private func tone(of service: String) -> Tone { service == Self.supervisor ? .bold : .plain }

  /// What the supervisor calls itself.
  package static let supervisor = "odi"
}

nonisolated extension Log.Level {
  fileprivate var tone: Tone {
    switch self {
    case .debug: .dim
    case .info: .good
    case .warning: .warning
    case .error: .bad
    }
  }
}
