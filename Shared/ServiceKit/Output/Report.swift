package import JSON

/// What a command found: rows of named cells, before anybody has decided how they look.
nonisolated package struct Report: Sendable {
  package struct Column: Sendable {
    /// The name in JSON, in TSV and in `--fields`.
    let name: String
    let title: String
    let alignment: Alignment
    /// Gives way when the terminal is too narrow.
    let shrinks: Bool
    /// Its cells are ids, with blanks between them: of each as many as there is room for, at least one, and none cut.
    let holdsIDs: Bool
    /// Shown to people. The others are there for machines and for `--fields`.
    let isVisible: Bool

    package init(
      _ name: String, title: String? = nil, alignment: Alignment = .left, shrinks: Bool = false,
      ids: Bool = false, visible: Bool = true
    ) {
      self.name = name
      self.title = title ?? name.replacingUnderscores
      self.alignment = alignment
      self.shrinks = shrinks || ids
      holdsIDs = ids
      isVisible = visible
    }
  }

  package struct Cell: Sendable {
    /// What a person reads.
    let text: String
    let json: JSONValue
    let tone: Tone

    package init(_ text: String, json: JSONValue? = nil, _ tone: Tone = .plain) {
      self.text = text
      self.json = json ?? .string(text)
      self.tone = tone
    }

    package static let none = Cell("–", json: .null, .dim)
  }

  enum Layout: Sendable { case rows, item }

  let layout: Layout
  let columns: [Column]
  private(set) var rows: [[Cell]]
  /// What `--json` writes instead of the rows, when an API has a shape for it.
  let document: JSONValue?

  /// Many things of a kind.
  package init(_ columns: [Column], rows: [[Cell]] = [], document: JSONValue? = nil) {
    layout = .rows
    self.columns = columns
    self.rows = []
    self.document = document
    for row in rows { append(row) }
  }

  /// One thing: a line a field.
  package init(item fields: [(Column, Cell)], document: JSONValue? = nil) {
    layout = .item
    columns = fields.map(\.0)
    rows = [fields.map(\.1)]
    self.document = document
  }

  package mutating func append(_ row: [Cell]) {
    precondition(row.count == columns.count, "a row has \(row.count) cells for \(columns.count) columns")
    rows.append(row)
  }

  package var isEmpty: Bool { rows.isEmpty }
}

/// What a cell means, said by colour on top of its text, never instead of it.
nonisolated package enum Tone: Sendable {
  case plain, dim, bold, good, warning, bad

  var escape: String? {
    switch self {
    case .plain: nil
    case .dim: "\u{1b}[2m"
    case .bold: "\u{1b}[1m"
    case .good: "\u{1b}[32m"
    case .warning: "\u{1b}[33m"
    case .bad: "\u{1b}[31m"
    }
  }

  package func paint(_ text: String, _ inColour: Bool) -> String {
    guard inColour, let escape else { return text }
    return escape + text + "\u{1b}[0m"
  }
}

nonisolated extension Report.Cell: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self.init(value) }
}

nonisolated extension Report.Cell {
  package static func text(_ text: String?, _ tone: Tone = .plain) -> Report.Cell {
    text.map { Report.Cell($0, tone) } ?? .none
  }

  package static func number(_ number: Int?, _ tone: Tone = .plain) -> Report.Cell {
    number.map { Report.Cell(String($0), json: .int(Int64($0)), tone) } ?? .none
  }

  package static func number(_ number: Double?, digits: Int, _ tone: Tone = .plain) -> Report.Cell {
    number.map { Report.Cell($0.fixed(digits), json: .double($0), tone) } ?? .none
  }

  package static func flag(_ flag: Bool, _ tone: Tone = .plain) -> Report.Cell {
    Report.Cell(flag ? "yes" : "no", json: .bool(flag), tone)
  }

  /// Told to people in the unit that fits, to machines in seconds.
  package static func duration(_ duration: Duration?, _ tone: Tone = .plain) -> Report.Cell {
    duration.map { Report.Cell($0.spoken, json: .double($0 / .seconds(1)), tone) } ?? .none
  }

  package static func bytes(_ count: Int?, _ tone: Tone = .plain) -> Report.Cell {
    count.map { Report.Cell($0.spokenBytes, json: .int(Int64($0)), tone) } ?? .none
  }
}

nonisolated extension String {
  fileprivate var replacingUnderscores: String { String(map { $0 == "_" ? " " : $0 }) }
}
