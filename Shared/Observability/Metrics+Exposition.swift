import Clocks
import Synchronization

/// How metrics leave the process: the text that Prometheus collects, and samples for our own commands.
extension Metrics {
  package enum Exposition: Sendable {
    /// `text/plain; version=0.0.4`
    case prometheus
    /// `application/openmetrics-text; version=1.0.0`
    case openMetrics

    /// The newer one only for a collector that asks for it by name.
    package init(accept: String?) {
      self = accept?.contains("application/openmetrics-text") == true ? .openMetrics : .prometheus
    }
  }

  package func exposition(_ format: Exposition = .prometheus) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(16_384)
    for (name, family) in read() { Self.append(name, family, format, to: &text) }
    if format == .openMetrics { text.append(ascii: "# EOF\n") }
    return text
  }

  private static func append(_ name: String, _ family: Family, _ format: Exposition, to text: inout [UInt8]) {
    // OpenMetrics names a family of counters without the suffix that its samples have.
    let isCounter = family.kind.isSame(as: .counter) || family.kind.isSame(as: .timeCounter)
    let title = format == .openMetrics && isCounter ? String(name.dropLast("_total".count)) : name
    text.append(ascii: "# HELP \(title) ")
    text.append(metricText: family.help, escapesQuotes: format == .openMetrics)
    text.append(ascii: "\n# TYPE \(title) \(family.kind.word)\n")
    for values in family.order {
      guard let cell = family.series[values] else { continue }
      let labels = labelText(family.labelNames, values)
      switch cell {
      case .integer(let cell):
        let value = cell.value.load(ordering: .relaxed)
        let isTime = family.kind.isSame(as: .timeCounter)
        append(name, labels, isTime ? secondsText(UInt64(max(value, 0))) : String(value), to: &text)
      case .fraction(let cell):
        append(name, labels, numberText(Double(bitPattern: cell.bits.load(ordering: .relaxed))), to: &text)
      case .distribution(let cell):
        guard case .histogram(let bounds) = family.kind else { continue }
        append(name, labels, cell.distribution, bounds, to: &text)
      }
    }
  }

  private static func append(
    _ name: String, _ labels: [UInt8], _ distribution: Distribution, _ bounds: HistogramBounds, to text: inout [UInt8]
  ) {
    let bucket = name + "_bucket"
    let prefix = labels.isEmpty ? labels : labels + [UInt8(ascii: ",")]
    let counts = distribution.counts(upTo: bounds.nanoseconds)
    for (bound, count) in zip(bounds.nanoseconds.map(secondsText) + ["+Inf"], counts) {
      append(bucket, prefix + "le=\"\(bound)\"".utf8, String(count), to: &text)
    }
    append(name + "_sum", labels, secondsText(UInt64(max(distribution.sum.saturatedNanoseconds, 0))), to: &text)
    append(name + "_count", labels, String(counts.last ?? 0), to: &text)
  }

  private static func append(_ name: String, _ labels: [UInt8], _ value: String, to text: inout [UInt8]) {
    text.append(ascii: name)
    if !labels.isEmpty {
      text.append(ascii: "{")
      text.append(contentsOf: labels)
      text.append(ascii: "}")
    }
    text.append(ascii: " ")
    text.append(ascii: value)
    text.append(ascii: "\n")
  }

  /// What stands between the braces.
  private static func labelText(_ names: [String], _ values: [String]) -> [UInt8] {
    var text: [UInt8] = []
    for (name, value) in zip(names, values) {
      if !text.isEmpty { text.append(ascii: ",") }
      text.append(ascii: name)
      text.append(ascii: "=\"")
      text.append(metricText: value, escapesQuotes: true)
      text.append(ascii: "\"")
    }
    return text
  }

  private static func secondsText(_ nanoseconds: UInt64) -> String {
    numberText(Double(nanoseconds) / 1_000_000_000)
  }

  private static func numberText(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    return "\(value)"
  }
}

// MARK: - Samples

/// One series at one moment.
package struct MetricSample: Sendable {
  package enum Value: Sendable {
    case count(Int)
    case seconds(Double)
    case level(Double)
    case distribution(Distribution)
  }

  package var name: String
  package var help: String
  package var labels: [(name: String, value: String)]
  package var value: Value
}

extension Metrics {
  /// Every series, by name and then in the order in which they were made.
  package func samples() -> [MetricSample] {
    read().flatMap { name, family in
      family.order.compactMap { values in
        guard let cell = family.series[values] else { return nil }
        let labels = zip(family.labelNames, values).map { (name: $0, value: $1) }
        return MetricSample(name: name, help: family.help, labels: labels, value: cell.value(family.kind))
      }
    }
  }
}

extension Metrics.Cell {
  fileprivate func value(_ kind: Metrics.Kind) -> MetricSample.Value {
    switch self {
    case .integer(let cell):
      let value = cell.value.load(ordering: .relaxed)
      return kind.isSame(as: .timeCounter) ? .seconds(Double(value) / 1_000_000_000) : .count(value)
    case .fraction(let cell): return .level(Double(bitPattern: cell.bits.load(ordering: .relaxed)))
    case .distribution(let cell): return .distribution(cell.distribution)
    }
  }
}

extension Metrics.Kind {
  fileprivate var word: String {
    switch self {
    case .counter, .timeCounter: "counter"
    case .gauge: "gauge"
    case .histogram: "histogram"
    }
  }
}

extension [UInt8] {
  /// The format's own three escapes; quotes only inside quotes.
  fileprivate mutating func append(metricText text: String, escapesQuotes: Bool) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): append(ascii: "\\\\")
      case UInt8(ascii: "\n"): append(ascii: "\\n")
      case UInt8(ascii: "\"") where escapesQuotes: append(ascii: "\\\"")
      default: append(byte)
      }
    }
  }
}
