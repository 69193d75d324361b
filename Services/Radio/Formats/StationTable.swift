import CSV
import Contracts
package import Drafts

/// The directory as CSV: a column for each field of ``StationField``.
nonisolated package enum StationTable {
  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> StationReading {
    do throws(CSVError) {
      var table = try CSVTable(bytes, aliases: StationField.otherNames)
      let others = try table.columns(
        otherThan: StationField.allCases.map(\.rawValue) + StationField.elsewhere + StationField.better,
        required: ["name", "address"])
      var reading = rows(of: &table, name)
      if let remark = CSVTable.remark(onUnread: others) {
        reading.remarks.append(DraftProblems(place: name, problems: [remark]))
      }
      return reading
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
        draft.takeBetter { row[$0] }
        if table.has("id") || draft[.name] == nil {
          reading.drafts.append(draft)
        } else {
          reading.add(draft, called: draft[.name] ?? "")
        }
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

nonisolated extension StationDraft {
  /// Directories tell where an address led to when they asked it, and languages by code, beside what they were given.
  mutating func takeBetter(_ column: (String) -> String?) {
    if let address = column("url_resolved"), !address.isEmpty { self[.address] = address }
    if let codes = column("languagecodes"), !codes.isEmpty { self[.language] = codes }
  }
}
