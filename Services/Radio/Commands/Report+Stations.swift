import Calendars
import Contracts
import Directories
import Drafts
import JSON
import ServiceKit

/// How stations and what was done to them look.
nonisolated extension Report {
  init(stations: [StationEntry]) {
    let columns = [
      Column("id"), Column("name", shrinks: true), Column("section"), Column("public"), Column("state"),
      Column("codec"), Column("kbps", alignment: .right), Column("address", shrinks: true),
      Column("name_en", visible: false), Column("tags", visible: false), Column("why_not", visible: false),
    ]
    self.init(
      columns,
      rows: stations.map { entry in
        let station = entry.record.station
        return [
          "\(station.id.text)", "\(station.name)", "\(station.section)",
          .flag(entry.hiddenBecause == nil, entry.hiddenBecause == nil ? .good : .dim), Cell(state: entry.health),
          .text(entry.health?.codec), .number(entry.health?.kilobits), "\(entry.record.address)",
          .text(station.nameEnglish), Cell(station.tags), .text(entry.hiddenBecause),
        ]
      })
  }

  /// Every field, and how it was found.
  init(station entry: StationEntry) {
    let fields = StationField.allCases.map { field in
      (Column(field.rawValue), field == .tags ? Cell(entry.record.station.tags) : .text(field.text(of: entry.record)))
    }
    self.init(
      item: fields + [
        (Column("public"), .flag(entry.hiddenBecause == nil, entry.hiddenBecause == nil ? .good : .warning)),
        (Column("why_not"), .text(entry.hiddenBecause)), (Column("state"), Cell(state: entry.health)),
        (Column("checked_at"), .text(entry.health.map { "\(Timestamp($0.checkedAt))" })),
        (Column("codec"), .text(entry.health?.codec)), (Column("kbps"), .number(entry.health?.kilobits)),
        (Column("problem"), .text(entry.health?.problem)),
      ])
  }

  init(edits: [StationEdit]) {
    let columns = [
      Column("revision", alignment: .right), Column("at"), Column("editor"), Column("station"), Column("kind"),
      Column("fields", shrinks: true),
    ]
    self.init(
      columns,
      rows: edits.map { edit in
        [
          edit.revision > 0 ? .number(Int(edit.revision)) : .none, "\(Timestamp(edit.at))", "\(edit.editor)",
          "\(edit.station.text)", Cell(kind: edit.kind),
          Cell(fields: edit.fields, shown: edit.shownFields),
        ]
      })
  }

  init(resolution: Resolution) {
    let columns = [
      Column("url", shrinks: true), Column("status", alignment: .right), Column("type"),
      Column("ms", alignment: .right), Column("finding", shrinks: true),
    ]
    self.init(
      columns,
      rows: resolution.steps.map { step in
        [
          "\(step.url)", .number(step.status), .text(step.mediaType), .number(step.milliseconds), "\(step.finding)",
        ]
      })
  }

  init(probes: [StationProbe]) {
    let columns = [
      Column("id"), Column("state"), Column("codec"), Column("kbps", alignment: .right), Column("kind"),
      Column("sends"), Column("title", shrinks: true), Column("problem", shrinks: true), Column("url", visible: false),
      Column("icy_name", visible: false),
    ]
    self.init(
      columns,
      rows: probes.map { probe in
        let stream = probe.resolution?.stream
        return [
          "\(probe.station?.text ?? "")", stream == nil ? Cell("silent", .bad) : Cell("alive", .good),
          .text(stream?.codec), .number(stream?.kilobits), .text(stream?.kind.rawValue),
          stream?.isSilent.map { $0 ? Cell("silence", .bad) : Cell("sound", .good) } ?? .none, .text(probe.title),
          .text(probe.resolution?.problem), .text(stream?.url), .text(stream?.name),
        ]
      })
  }
}

nonisolated extension Report.Cell {
  fileprivate init(state health: StationHealth?) {
    switch health?.state {
    case .alive: self.init("alive", .good)
    case .down: self.init("down", .bad)
    case .unknown, nil: self = .none
    }
  }

  fileprivate init(_ texts: [String]) {
    self.init(texts.joined(separator: ", "), json: .array(texts.map { .string($0) }))
  }
}

nonisolated extension StationEdit {
  /// What a line has room for: a station that comes or goes is its name.
  fileprivate var shownFields: String? {
    switch kind {
    case .added: fields.first { $0.name == StationField.name.rawValue }?.after ?? ""
    case .removed: fields.first { $0.name == StationField.name.rawValue }?.before ?? ""
    case .changed: nil
    }
  }
}
