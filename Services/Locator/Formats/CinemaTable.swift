import CSV
package import Contracts
package import Drafts

/// The directory as CSV: a column for each field of ``CinemaField``.
nonisolated package enum CinemaTable {
  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> DraftReading {
    do throws(CSVError) {
      var table = try CSVTable(bytes, aliases: CinemaField.otherNames)
      let known = CinemaField.allCases.map(\.rawValue)
      // One column of both, where there are no two.
      let point = table.has("lat") || table.has("lon") ? nil : pointColumns.first(where: table.has)
      let others = try table.columns(
        otherThan: known + CinemaField.elsewhere + [point].compactMap(\.self),
        required: ["name"] + (point == nil ? ["lat", "lon"] : []))
      var reading = rows(of: &table, name, point: point)
      reading.nameDrafts()
      if let remark = CSVTable.remark(onUnread: others) {
        reading.remarks.append(DraftProblems(place: name, problems: [remark]))
      }
      return reading
    } catch {
      throw UnreadableFile("\(name): \(error)")
    }
  }

  private static let pointColumns = [
    "location", "coordinates", "coordinate", "coords", "position", "latlng", "lat_lng", "lat_lon", "point", "geo",
    "geom",
    "geometry", "wkt", "gps",
  ]

  private static func rows(of table: inout CSVTable, _ name: String, point: String?) -> DraftReading {
    var reading = DraftReading()
    while true {
      do throws(CSVError) {
        guard let row = try table.next() else { return reading }
        var draft = CinemaDraft("\(name):\(row.line)")
        // An empty cell says that there is nothing; a column that is not there says nothing.
        for field in CinemaField.allCases where table.has(field.rawValue) { draft[field] = row[field.rawValue] ?? "" }
        for field in [CinemaField.latitude, .longitude] {
          guard let text = draft[field] else { continue }
          let plain = table.hasDecimalCommas ? text.withDecimalPoint : text
          draft[field] = DraftPoint.degrees(plain).map { "\($0)" } ?? plain
        }
        if let text = point.flatMap({ row[$0] }) {
          if let point = DraftPoint(printed: text) {
            draft.stand(at: point)
          } else {
            (draft[.latitude], draft[.longitude]) = (text, text)
          }
        }
        draft.complete()
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
