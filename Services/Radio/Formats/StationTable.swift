import CSV
import Contracts
package import Drafts

/// The directory as CSV: a column for each field of ``StationField``.
nonisolated package enum StationTable {
  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> StationReading {
    do throws(CSVError) {
      var table = try CSVTable(bytes, aliases: StationField.otherNames)
      let known = StationField.allCases.map(\.rawValue)
      try table.check(known: known + StationField.elsewhere, required: ["id", "name", "address"])
      return rows(of: &table, name)
    } catch {
      throw UnreadableFile("\(name): \(error)")
    }
  }

  private static func rows(of table: inout CSVTable, _ name: String) -> StationReading {
    var reading = StationReading()
    while true {
      do throws(CSVError) {
        guard let row = try table.next() else { return reading }
        var draft = StationDraft("\(name):\(row.line)")
        // An empty cell says that there is nothing; a column that is not there says nothing.
        for field in StationField.allCases where table.has(field.rawValue) { draft[field] = row[field.rawValue] ?? "" }
        reading.drafts.append(draft)
      } catch {
        reading.problems.append(DraftProblems(place: "\(name):\(error.line)", problems: [error.reason]))
      }
    }
  }

  package static func write(_ records: [StationRecord]) -> String {
    var writer = CSVWriter(StationField.allCases.map(\.rawValue))
    for record in records { writer.write(StationField.allCases.map { $0.text(of: record) }) }
    return writer.text
  }
}
