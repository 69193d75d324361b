/// One line, before it is rendered.
package struct LogRecord: Sendable {
  package struct Fact: Sendable, Equatable {
    package var name: String
    package var value: LogValue
  }

  /// Counts the lines of this process from 1.
  package var serial: UInt64
  /// Microseconds since 1970.
  package var time: Int64
  package var level: Log.Level
  package var message: StaticString
  /// The span in which it was said.
  package var span: TraceContext?
  package var facts: [Fact]

  /// The line as bytes, without a line end. Control characters never pass, in either format.
  package func render(as format: LogFormat, into line: inout [UInt8]) {
    switch format {
    case .json: renderJSON(into: &line)
    case .text(let colour): renderText(into: &line, colour: colour)
    }
  }

  package func rendered(as format: LogFormat) -> String {
    var line: [UInt8] = []
    render(as: format, into: &line)
    return String(decoding: line, as: UTF8.self)
  }

  var approximateBytes: Int {
    facts.reduce(MemoryLayout<LogRecord>.size) { sum, fact in
      guard case .string(let text) = fact.value else { return sum + MemoryLayout<Fact>.size + fact.name.utf8.count }
      return sum + MemoryLayout<Fact>.size + fact.name.utf8.count + text.utf8.count
    }
  }

  static func facts(_ facts: Facts, limits: LogLimits) -> [Fact] {
    facts.prefix(limits.facts).map { name, value in
      guard case .string(let text) = value, text.utf8.count > limits.valueBytes else {
        return Fact(name: name, value: value)
      }
      return Fact(name: name, value: .string(cut(text, to: limits.valueBytes)))
    }
  }

  static func merge(_ outer: [Fact], _ inner: [Fact]) -> [Fact] {
    if inner.isEmpty { return outer }
    if outer.isEmpty { return inner }
    return outer.filter { fact in !inner.contains { $0.name == fact.name } } + inner
  }

  private static func cut(_ text: String, to bytes: Int) -> String {
    var end = text.utf8.index(text.startIndex, offsetBy: bytes)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return String(text[..<end]) + "…"
  }
}

// MARK: - JSON

extension LogRecord {
  // A fact of one of these names would make two members of the same name.
  private static let reserved: Set = ["ts", "level", "msg", "trace_id", "span_id"]

  private func renderJSON(into line: inout [UInt8]) {
    line.append(ascii: "{\"ts\":\"")
    line.append(timestamp: time, fractionDigits: 6)
    line.append(ascii: "\",\"level\":\"")
    line.append(ascii: level.description)
    line.append(ascii: "\",\"msg\":")
    line.append(jsonString: "\(message)")
    if let span {
      line.append(ascii: ",\"trace_id\":\"")
      line.append(ascii: span.traceID.description)
      line.append(ascii: "\",\"span_id\":\"")
      line.append(ascii: span.spanID.description)
      line.append(ascii: "\"")
    }
    for fact in facts {
      line.append(ascii: ",")
      line.append(jsonString: Self.memberName(of: fact))
      line.append(ascii: ":")
      switch fact.value {
      case .string(let text): line.append(jsonString: text)
      case .int(let number): line.append(ascii: String(number))
      case .double(let number): line.append(ascii: number.isFinite ? "\(number)" : "\"\(number)\"")
      case .bool(let flag): line.append(ascii: flag ? "true" : "false")
      case .duration(let duration): line.append(milliseconds: duration)
      }
    }
    line.append(ascii: "}")
  }

  private static func memberName(of fact: Fact) -> String {
    if case .duration = fact.value { return fact.name + "_ms" }
    return reserved.contains(fact.name) ? "fact." + fact.name : fact.name
  }
}

// MARK: - Text

extension LogRecord {
  private func renderText(into line: inout [UInt8], colour: Bool) {
    line.append(timestamp: time, fractionDigits: 3)
    line.append(ascii: " ")
    if colour { line.append(ascii: level.colour) }
    line.append(ascii: level.label)
    if colour { line.append(ascii: "\u{1b}[0m") }
    line.append(ascii: " ")
    line.append(escaped: "\(message)", quote: nil)
    for fact in facts {
      line.append(ascii: " ")
      if colour { line.append(ascii: "\u{1b}[2m") }
      line.append(escaped: fact.name, quote: nil)
      line.append(ascii: "=")
      if colour { line.append(ascii: "\u{1b}[0m") }
      switch fact.value {
      case .string(let text):
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x3d }
        line.append(escaped: text, quote: isPlain ? nil : UInt8(ascii: "\""))
      case .int(let number): line.append(ascii: String(number))
      case .double(let number): line.append(ascii: "\(number)")
      case .bool(let flag): line.append(ascii: flag ? "true" : "false")
      case .duration(let duration):
        line.append(milliseconds: duration)
        line.append(ascii: "ms")
      }
    }
    if let span {
      line.append(ascii: " trace=")
      line.append(ascii: span.traceID.description)
    }
  }
}

extension Log.Level {
  /// Five letters, for lines that people read.
  package var label: String {
    switch self {
    case .debug: "DEBUG"
    case .info: "INFO "
    case .warning: "WARN "
    case .error: "ERROR"
    }
  }

  fileprivate var colour: String {
    switch self {
    case .debug: "\u{1b}[2m"
    case .info: "\u{1b}[32m"
    case .warning: "\u{1b}[33m"
    case .error: "\u{1b}[1;31m"
    }
  }
}
