package import Drafts
import JSON
package import ServiceKit

nonisolated extension Report {
  package init(findings: [Finding]) {
    let columns = [Column("severity"), Column("rule"), Column("place"), Column("text", shrinks: true)]
    self.init(
      columns,
      rows: findings.map { finding in
        let tone: Tone = finding.severity == .problem ? .bad : .warning
        return [Cell(finding.severity.rawValue, tone), "\(finding.rule)", "\(finding.place)", "\(finding.text)"]
      })
  }
}

nonisolated extension Report.Cell {
  /// What was done to the fields of a record.
  ///
  /// - Parameter shown: what a line has room for; each field before and after, if it is not said.
  package init(fields: [FieldEdit], shown: String? = nil) {
    let changes = fields.map { "\($0.name): \($0.before ?? "–") → \($0.after ?? "–")" }
    let json = fields.map { field in
      JSONValue.object(
        JSONObject([
          ("name", .string(field.name)), ("before", field.before.map { .string($0) } ?? .null),
          ("after", field.after.map { .string($0) } ?? .null),
        ]))
    }
    self.init(shown ?? changes.joined(separator: ", "), json: .array(json))
  }

  package init(kind: EditKind) {
    let tone: Tone =
      switch kind {
      case .added: .good
      case .changed: .warning
      case .removed: .bad
      }
    self.init(kind.rawValue, tone)
  }
}
