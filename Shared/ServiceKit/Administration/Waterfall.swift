/// A trace as a picture: each piece of work a bar, under that of which it is a part.
struct Waterfall {
  private let trace: TraceReport
  private static let barWidth = 32

  init(_ trace: TraceReport) { self.trace = trace }

  var report: Report {
    var report = Report([
      Report.Column("span", shrinks: true), Report.Column("bar"), Report.Column("took", alignment: .right),
      Report.Column("notes", shrinks: true),
    ])
    for (span, depth) in ordered() {
      let notes = (span.error.map { ["error: \($0)"] } ?? []) + span.notes
      report.append([
        Report.Cell(String(repeating: "  ", count: depth) + span.name, span.error == nil ? .plain : .bad),
        Report.Cell(bar(span), .dim), .duration(.microseconds(span.microseconds)), "\(notes.joined(separator: " "))",
      ])
    }
    if trace.dropped > 0 { report.append(["… \(trace.dropped) more", "", .none, "too many to keep"]) }
    return report
  }

  /// Children under their parents, in order of their start. Parents that are not here are in another process.
  private func ordered() -> [(span: SpanReport, depth: Int)] {
    let known = Set(trace.spans.map(\.id))
    let roots = trace.spans.filter { span in span.parent.map { !known.contains($0) } ?? true }
    let children = Dictionary(grouping: trace.spans) { $0.parent ?? "" }
    var result: [(span: SpanReport, depth: Int)] = []
    var rest = roots.reversed().map { (span: $0, depth: 0) }
    while let next = rest.popLast(), result.count < trace.spans.count {
      result.append(next)
      rest += (children[next.span.id] ?? []).reversed().map { (span: $0, depth: next.depth + 1) }
    }
    return result
  }

  private func bar(_ span: SpanReport) -> String {
    let whole = Double(max(trace.microseconds, 1))
    func column(_ microseconds: Int) -> Int {
      let place = Double(microseconds) / whole * Double(Self.barWidth)
      return Int(min(max(place, 0), Double(Self.barWidth)))
    }
    let start = min(column(span.startMicroseconds), Self.barWidth - 1)
    let end = min(max(column(span.startMicroseconds + span.microseconds), start + 1), Self.barWidth)
    return String(repeating: "·", count: start) + String(repeating: "█", count: end - start)
      + String(repeating: "·", count: Self.barWidth - end)
  }
}
