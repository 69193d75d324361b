import JSON
import Synchronization

/// Where a command's results go, in the form that was asked for.
///
/// Results go to standard output and nothing else does; messages, progress and questions go to standard error.
nonisolated package struct Output: Sendable {
  package enum Format: Sendable, Equatable { case table, json, jsonLines, tsv }

  package let terminal: Terminal
  package let format: Format
  package let fields: [String]?
  package let isQuiet: Bool
  let progress: ProgressStyle
  private let colourChoice: ColourChoice
  private let tally = Tally()

  package init(
    terminal: Terminal, format: Format = .table, fields: [String]? = nil, quiet: Bool = false,
    colour: ColourChoice = .auto, progress: ProgressStyle = .auto
  ) {
    self.terminal = terminal
    self.format = format
    self.fields = fields
    isQuiet = quiet
    colourChoice = colour
    self.progress = progress
  }

  /// Whether lists were written, and not one of them had anything in it.
  var foundNothing: Bool {
    tally.lists.load(ordering: .relaxed) > 0 && tally.found.load(ordering: .relaxed) == 0
  }

  /// Says to a person that nothing was found, unless they were told already.
  func noteNothing() {
    if foundNothing, format == .table, tally.notes.load(ordering: .relaxed) == 0 { note("nothing found") }
  }

  private final class Tally: Sendable {
    let lists = Atomic(0)
    let found = Atomic(0)
    let notes = Atomic(0)
  }

  /// Writes a report in the form that was asked for. A field that it does not have is the caller's mistake.
  package func write(_ report: Report) throws(CommandError) {
    let report = try fields.map { fields throws(CommandError) in try report.selecting(fields) } ?? report
    tally.lists.add(report.layout == .rows ? 1 : 0, ordering: .relaxed)
    tally.found.add(report.rows.count, ordering: .relaxed)
    switch format {
    case .table: terminal.writeOutput(table(report))
    case .json: terminal.writeOutput(text(report.json) + "\n")
    case .jsonLines: for row in report.rows { terminal.writeOutput(text(report.json(of: row)) + "\n") }
    case .tsv: terminal.writeOutput(report.tsv)
    }
  }

  /// A result that is text by its nature: a script, a page, a dump.
  package func write(_ text: String) {
    tally.found.add(1, ordering: .relaxed)
    terminal.writeOutput(text)
  }

  /// Tells the person something that is no result. `--quiet` keeps it back.
  package func note(_ message: String) {
    tally.notes.add(1, ordering: .relaxed)
    if !isQuiet { terminal.writeError(printable(message) + "\n") }
  }

  package func report(_ error: CommandError) {
    for (index, line) in error.lines.enumerated() {
      let tone: Tone = index == 0 ? .bad : .plain
      terminal.writeError(tone.paint(printable(line), coloursErrors) + "\n")
    }
  }

  package var coloursResults: Bool { terminal.wantsColour(colourChoice, isTerminal: terminal.outputIsTerminal) }
  package var coloursErrors: Bool { terminal.wantsColour(colourChoice, isTerminal: terminal.errorIsTerminal) }

  // MARK: For people

  private func table(_ report: Report) -> String {
    let visible =
      fields == nil ? report.columns.indices.filter { report.columns[$0].isVisible } : Array(report.columns.indices)
    let columns = visible.map { report.columns[$0] }
    let rows = report.rows.map { row in visible.map { row[$0] } }
    switch report.layout {
    case .item: return item(columns, rows.first ?? [])
    case .rows: return rows.isEmpty ? "" : grid(columns, rows)
    }
  }

  private func item(_ columns: [Report.Column], _ cells: [Report.Cell]) -> String {
    let width = columns.map(\.title.displayWidth).max() ?? 0
    return zip(columns, cells).map { column, cell in
      Tone.dim.paint(column.title.padded(to: width), coloursResults) + "  "
        + cell.tone.paint(printable(cell.text), coloursResults) + "\n"
    }.joined()
  }

  private func grid(_ columns: [Report.Column], _ rows: [[Report.Cell]]) -> String {
    let texts = rows.map { $0.map { printable($0.text) } }
    var widths = columns.indices.map { index in
      texts.reduce(columns[index].title.displayWidth) { max($0, $1[index].displayWidth) }
    }
    let floors = columns.indices.map { index in
      columns[index].holdsIDs
        ? texts.reduce(0) { max($0, $1[index].shortestList.displayWidth) } : Self.narrowest
    }
    shrink(&widths, columns, floors)
    // Titles help a person; the first line that a script reads is data.
    var text = terminal.outputIsTerminal ? line(columns.map { ($0.title, .dim) }, columns, widths) : ""
    for (row, texts) in zip(rows, texts) { text += line(Array(zip(texts, row.map(\.tone))), columns, widths) }
    return text
  }

  private func line(_ cells: [(String, Tone)], _ columns: [Report.Column], _ widths: [Int]) -> String {
    var text = ""
    // Nothing follows the last cell that holds something: no blanks at the end of a line.
    let last = cells.lastIndex { !$0.0.isEmpty } ?? -1
    for (index, (cell, tone)) in cells.prefix(last + 1).enumerated() {
      let shown =
        !terminal.outputIsTerminal
        ? cell
        : columns[index].holdsIDs
          ? cell.listed(to: widths[index]) : cell.truncated(to: widths[index])
      let isEnd = index == last && columns[index].alignment == .left
      let padded = isEnd ? shown : shown.padded(to: widths[index], alignment: columns[index].alignment)
      text += tone.paint(padded, coloursResults) + (index == last ? "" : "  ")
    }
    return text + "\n"
  }

  /// What a column of text keeps: less says nothing.
  private static let narrowest = 8

  /// Only a terminal has an edge; a file gets everything.
  private func shrink(_ widths: inout [Int], _ columns: [Report.Column], _ floors: [Int]) {
    guard terminal.outputIsTerminal else { return }
    var excess = widths.reduce(2 * (widths.count - 1), +) - terminal.width
    for index in columns.indices where columns[index].shrinks && excess > 0 {
      let step = min(excess, max(0, widths[index] - floors[index]))
      widths[index] -= step
      excess -= step
    }
  }

  private func text(_ json: JSONValue) -> String { String(decoding: json.json, as: UTF8.self) }
}

// MARK: - For machines

nonisolated extension Report {
  func selecting(_ names: [String]) throws(CommandError) -> Report {
    var places: [Int] = []
    for name in names {
      guard let place = columns.firstIndex(where: { $0.name == name }) else {
        let near = suggestion(for: name, among: columns.map(\.name)).map { "did you mean \($0)?" }
        throw CommandError(
          .usage, "there is no field '\(printable(name))'",
          why: near ?? "the fields are \(columns.map(\.name).joined(separator: ","))")
      }
      places.append(place)
    }
    let selected = rows.map { row in places.map { row[$0] } }
    switch layout {
    case .rows: return Report(places.map { columns[$0] }, rows: selected)
    case .item: return Report(item: Array(zip(places.map { columns[$0] }, selected.first ?? [])))
    }
  }

  var json: JSONValue {
    if let document { return document }
    switch layout {
    case .item: return rows.first.map(json(of:)) ?? .null
    case .rows: return ["data": .array(rows.map(json(of:)))]
    }
  }

  func json(of row: [Cell]) -> JSONValue {
    .object(JSONObject(zip(columns.map(\.name), row.map(\.json))))
  }

  /// A header and a line a row. Machine values, not what people read; tabs, line ends and backslashes are escaped.
  var tsv: String {
    let lines = [columns.map(\.name)] + rows.map { row in row.map { Self.tsvText($0.json) } }
    return lines.map { $0.joined(separator: "\t") + "\n" }.joined()
  }

  private static func tsvText(_ value: JSONValue) -> String {
    switch value {
    case .null: return ""
    case .string(let text):
      return text.unicodeScalars.reduce(into: "") { result, scalar in
        switch scalar {
        case "\t": result += "\\t"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\\": result += "\\\\"
        default: result.unicodeScalars.append(scalar)
        }
      }
    case .bool, .int, .double, .array, .object: return String(decoding: value.json, as: UTF8.self)
    }
  }
}
