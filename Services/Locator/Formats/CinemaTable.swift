import CSV
package import Contracts

/// The directory as CSV: a column for each field of ``CinemaField``.
nonisolated package enum CinemaTable {
  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> DraftReading {
    do throws(CSVError) {
      var table = try CSVTable(bytes, aliases: CinemaField.otherNames)
      let known = CinemaField.allCases.map(\.rawValue)
      try table.check(known: known + CinemaField.elsewhere, required: ["id", "name", "lat", "lon"])
      return rows(of: &table, name)
    } catch {
      throw UnreadableFile("\(name): \(error)")
    }
  }

  private static func rows(of table: inout CSVTable, _ name: String) -> DraftReading {
    var reading = DraftReading()
    while true {
      do throws(CSVError) {
        guard let row = try table.next() else { return reading }
        var draft = CinemaDraft("\(name):\(row.line)")
        for field in CinemaField.allCases { draft[field] = row[field.rawValue] }
        reading.drafts.append(draft)
      } catch {
        reading.problems.append(DraftProblems(place: "\(name):\(error.line)", problems: [error.reason]))
      }
    }
  }

  package static func write(_ cinemas: [Cinema]) -> String {
    var writer = CSVWriter(CinemaField.allCases.map(\.rawValue))
    for cinema in cinemas { writer.write(CinemaField.allCases.map { $0.text(of: cinema) }) }
    return writer.text
  }
}
