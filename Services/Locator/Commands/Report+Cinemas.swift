import Calendars
import Clocks
import Contracts
import Directories
import Drafts
import JSON
import ServiceKit

/// How cinemas and what was done to them look.
nonisolated extension Report {
  /// - Parameter editedAt: when each was last changed, if that was asked for.
  init(cinemas: [Cinema], editedAt: [CinemaID: WallTime]? = nil) {
    let columns =
      [
        Column("id"), Column("name", shrinks: true), Column("name_en", shrinks: true), Column("city"), Column("region"),
        Column("country"), Column("lat", alignment: .right), Column("lon", alignment: .right), Column("active"),
        Column("address", shrinks: true, visible: false), Column("website", visible: false),
      ] + (editedAt == nil ? [] : [Column("edited_at")])
    self.init(
      columns,
      rows: cinemas.map { cinema in
        [
          "\(cinema.id.text)", "\(cinema.name)", .text(cinema.nameEnglish), .text(cinema.city), "\(cinema.region)",
          "\(cinema.country)", .degrees(cinema.position.latitude), .degrees(cinema.position.longitude),
          .flag(cinema.isActive, cinema.isActive ? .plain : .dim), .text(cinema.address), .text(cinema.website),
        ] + (editedAt.map { [.text($0[cinema.id].map { "\(Timestamp($0))" })] } ?? [])
      })
  }

  /// Every field, and where maps show it.
  init(cinema: Cinema) {
    let maps = cinema.mapLinks
    let links = [
      ("naver", maps.naver), ("kakao", maps.kakao), ("google", maps.google), ("apple", maps.apple),
      ("osm", maps.openStreetMap),
    ]
    let fields = CinemaField.allCases.map { field in (Column(field.rawValue), Cell(field, of: cinema)) }
    self.init(item: fields + links.map { (Column("map_\($0.0)"), Cell.text($0.1, .dim)) })
  }

  init(edits: [CinemaEdit]) {
    let columns = [
      Column("revision", alignment: .right), Column("at"), Column("editor"), Column("cinema"), Column("kind"),
      Column("fields", shrinks: true),
    ]
    self.init(
      columns,
      rows: edits.map { edit in
        [
          edit.revision > 0 ? .number(Int(edit.revision)) : .none, "\(Timestamp(edit.at))", "\(edit.editor)",
          "\(edit.cinema.text)", Cell(kind: edit.kind),
          Cell(fields: edit.fields, shown: edit.shownFields),
        ]
      })
  }
}

nonisolated extension Report.Cell {
  fileprivate static func degrees(_ value: Double) -> Report.Cell { .number(value, digits: 4) }

  fileprivate init(_ field: CinemaField, of cinema: Cinema) {
    switch field {
    case .latitude: self = .number(cinema.position.latitude, digits: 6)
    case .longitude: self = .number(cinema.position.longitude, digits: 6)
    case .screens: self = .number(cinema.screens)
    case .active: self = .flag(cinema.isActive, cinema.isActive ? .plain : .warning)
    case .aliases:
      let names = cinema.aliases ?? []
      self = Report.Cell(names.joined(separator: ", "), json: .array(names.map { .string($0) }))
    default: self = .text(field.text(of: cinema))
    }
  }
}

nonisolated extension CinemaEdit {
  /// What a line has room for: a cinema that comes or goes is its name, and the one in its place.
  fileprivate var shownFields: String? {
    switch kind {
    case .added: fields.first { $0.name == CinemaField.name.rawValue }?.after ?? ""
    case .removed:
      [
        fields.first { $0.name == CinemaField.name.rawValue }?.before,
        fields.first { $0.name == CinemaEdit.replacementField }?.after,
      ].compactMap(\.self).joined(separator: " → ")
    case .changed: nil
    }
  }
}
