import Synchronization

/// What a process counts about itself.
///
/// A series is made once and kept by whoever counts; making it again with the same labels gives the same one. Labels
/// come from the program or from a short list of the operator's (a site, a route), never from a user: series beyond a
/// family's limit are counted together under the value `other`. Safe to use from any thread.
package final class Metrics: Sendable {
  package typealias Labels = KeyValuePairs<String, String>

  package struct Limits: Sendable {
    /// Each series costs memory here and far more where they are collected.
    package var seriesPerFamily = 200
    package var labelBytes = 128

    package init() {}
  }

  enum Kind: Sendable { case counter, timeCounter, gauge, histogram(HistogramBounds) }

  enum Cell: Sendable {
    case integer(IntegerCell)
    case fraction(FractionCell)
    case distribution(DistributionCell)
  }

  struct Family: Sendable {
    var kind: Kind
    var help: String
    var labelNames: [String]
    var series: [[String]: Cell] = [:]
    var order: [[String]] = []
  }

  private struct State {
    var families: [String: Family] = [:]
    var collectors: [@Sendable () -> Void] = []
  }

  private let limits: Limits
  private let state = Mutex(State())

  package init(limits: Limits = Limits()) { self.limits = limits }

  /// A count of events; its name ends in `_total`.
  ///
  /// - Parameter seriesMax: for a family that by its nature has more series than others.
  package func counter(_ name: String, _ help: String, labels: Labels = [:], seriesMax: Int? = nil) -> Counter {
    precondition(name.hasSuffix("_total"), "\(name) counts up, so its name ends in _total")
    guard case .integer(let cell) = cell(name, help, .counter, labels, seriesMax) else { preconditionFailure() }
    return Counter(cell: cell)
  }

  /// Time spent in all; its name ends in `_seconds_total`.
  package func timeCounter(_ name: String, _ help: String, labels: Labels = [:]) -> TimeCounter {
    precondition(name.hasSuffix("_seconds_total"), "\(name) sums seconds, so its name ends in _seconds_total")
    guard case .integer(let cell) = cell(name, help, .timeCounter, labels) else { preconditionFailure() }
    return TimeCounter(cell: cell)
  }

  package func gauge(_ name: String, _ help: String, labels: Labels = [:]) -> Gauge {
    precondition(!name.hasSuffix("_total"), "\(name) can fall, so its name does not end in _total")
    guard case .fraction(let cell) = cell(name, help, .gauge, labels) else { preconditionFailure() }
    return Gauge(cell: cell)
  }

  /// A distribution of durations; its name ends in `_seconds`.
  package func histogram(
    _ name: String, _ help: String, labels: Labels = [:], bounds: HistogramBounds = .calls
  ) -> Histogram {
    precondition(name.hasSuffix("_seconds"), "\(name) measures durations, so its name ends in _seconds")
    guard case .distribution(let cell) = cell(name, help, .histogram(bounds), labels) else { preconditionFailure() }
    return Histogram(cell: cell)
  }

  /// Runs before each reading, to set gauges that are cheaper to ask for than to keep.
  package func beforeReading(_ collect: @escaping @Sendable () -> Void) {
    state.withLock { $0.collectors.append(collect) }
  }

  /// The families by name, after every collector has run.
  func read() -> [(name: String, family: Family)] {
    for collect in state.withLock({ $0.collectors }) { collect() }
    return state.withLock { $0.families }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func cell(
    _ name: String, _ help: String, _ kind: Kind, _ labels: Labels, _ seriesMax: Int? = nil
  ) -> Cell {
    func cell(of family: inout Family) -> Cell {
      precondition(family.labelNames == labels.map(\.key), "\(name) has the labels \(family.labelNames), in this order")
      precondition(family.kind.isSame(as: kind), "\(name) is a \(family.kind)")
      let values = labels.map { $0.value.cut(toBytes: limits.labelBytes) }
      if let cell = family.series[values] { return cell }
      let isFull = !values.isEmpty && family.series.count >= seriesMax ?? limits.seriesPerFamily
      let key = isFull ? values.map { _ in "other" } : values
      let cell = family.series[key] ?? kind.newCell()
      if family.series.updateValue(cell, forKey: key) == nil { family.order.append(key) }
      return cell
    }
    // In its place: a copy of a family would be made for each new series.
    return state.withLock { state in
      cell(of: &state.families[name, default: newFamily(name, help, kind, labels.map(\.key))])
    }
  }

  private func newFamily(_ name: String, _ help: String, _ kind: Kind, _ labelNames: [String]) -> Family {
    precondition(name.isMetricName(allowsColon: true), "\(name) is no metric name")
    for label in labelNames {
      let isOurs = label.isMetricName(allowsColon: false) && !label.hasPrefix("__") && label != "le"
      precondition(isOurs, "\(label) is no label name")
    }
    precondition(Set(labelNames).count == labelNames.count, "\(name) names a label twice")
    return Family(kind: kind, help: help, labelNames: labelNames)
  }
}

extension Metrics.Kind {
  func isSame(as other: Metrics.Kind) -> Bool {
    switch (self, other) {
    case (.counter, .counter), (.timeCounter, .timeCounter), (.gauge, .gauge), (.histogram, .histogram): true
    case (.counter, _), (.timeCounter, _), (.gauge, _), (.histogram, _): false
    }
  }

  fileprivate func newCell() -> Metrics.Cell {
    switch self {
    case .counter, .timeCounter: .integer(IntegerCell())
    case .gauge: .fraction(FractionCell())
    case .histogram: .distribution(DistributionCell())
    }
  }
}

extension String {
  fileprivate func isMetricName(allowsColon: Bool) -> Bool {
    guard let first = utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    return utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): true
      case UInt8(ascii: ":"): allowsColon
      default: false
      }
    }
  }

  fileprivate func cut(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(startIndex, offsetBy: limit)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end])
  }
}
