import CSV
package import Contracts
package import Drafts

/// The directory as CSV: a column for each field of ``CinemaField``.
nonisolated package enum CinemaTable {
  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> DraftReading {
    do throws(CSVError) {
      var table = try CSVTable(bytes, aliases: CinemaField.otherNames)
      let known = CinemaField.allCases.map(\.rawValue)
      let others = try table.columns(
        otherThan: known + CinemaField.elsewhere, required: ["id", "name", "lat", "lon"])
      var reading = rows(of: &table, name)
      if let remark = CSVTable.remark(onUnread: others) {
        reading.remarks.append(DraftProblems(place: name, problems: [remark]))
      }
      return reading
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
        // An empty cell says that there is nothing; a column that is not there says nothing.
        for field in CinemaField.allCases where table.has(field.rawValue) { draft[field] = row[field.rawValue] ?? "" }
        if table.hasDecimalCommas {
          for field in [CinemaField.latitude, .longitude] {
            if let text = draft[field] { draft[field] = text.withDecimalPoint }
          }
        }
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

nonisolated extension String {
  /// `37,55` as `37.55`.
  fileprivate var withDecimalPoint: String { contains(".") ? self : String(map { $0 == "," ? "." : $0 }) }
}
