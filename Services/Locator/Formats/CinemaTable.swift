import CSV
package import Contracts
package import Drafts

/// The directory as CSV: a column for each field of ``CinemaField``; also as map programs and cities publish theirs.
nonisolated package enum CinemaTable {
  /// Whether a column holds points, each in one cell: "48.39, -4.48", "POINT (126.97 37.57)".
  private static func isPoint(_ column: String) -> Bool {
    ["wkt", "the_geom", "geom", "geometry", "geo", "point", "position", "latlng", "좌표"].contains(column)
      || ["coord", "gps", "geo_point", "geopoint"].contains(where: column.hasPrefix) && !isPart(column)
      || column.contains("lat") && (column.contains("lon") || column.contains("lng"))
  }

  /// `coord_x`, `gps_quality`: half a point, or what is said of one.
  private static func isPart(_ column: String) -> Bool {
    let last = column.split(separator: "_").last.map(String.init)
    return last.map(
      ["x", "y", "lat", "lon", "lng", "latitude", "longitude", "quality", "accuracy", "altitude", "source", "date"]
        .contains)
      ?? false
  }

  /// A column that holds points in some tables and addresses in others.
  private static let place = "location"

  private static let element = (kind: "@type", number: "@id")

  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> DraftReading {
    do throws(CSVError) {
      var table = try CSVTable(bytes, aliases: CinemaField.otherNames)
      let known = CinemaField.allCases.map(\.rawValue)
      let hasDegrees = table.has("lat") && table.has("lon")
      let point = table.columns.first(where: isPoint) ?? (table.has(place) && !hasDegrees ? place : nil)
      let others = try table.columns(
        otherThan: known + CinemaField.elsewhere + [point].compactMap(\.self) + [element.kind, element.number],
        required: point == nil ? ["name", "lat", "lon"] : ["name"])
      var reading = rows(of: &table, point, name)
      reading.nameDrafts()
      if let remark = CSVTable.remark(onUnread: others) {
        reading.remarks.append(DraftProblems(place: name, problems: [remark]))
      }
      return reading
    } catch {
      throw UnreadableFile("\(name): \(error)")
    }
  }

  private static func rows(of table: inout CSVTable, _ point: String?, _ name: String) -> DraftReading {
    var reading = DraftReading()
    while true {
      do throws(CSVError) {
        guard let row = try table.next() else { return reading }
        var draft = CinemaDraft("\(name):\(row.line)")
        // An empty cell says that there is nothing; a column that is not there says nothing.
        for field in CinemaField.allCases where table.has(field.rawValue) { draft[field] = row[field.rawValue] ?? "" }
        if let text = point.flatMap({ row[$0] }), draft.position == nil {
          if let point = DraftPoint(text) {
            draft.stand(at: point)
          } else if !table.has("lat"), let point {
            let problem = "\(point) is \(text); write two numbers such as 37.5663, 126.9779"
            reading.problems.append(DraftProblems(place: "\(name):\(row.line)", problems: [problem]))
            continue
          }
        }
        draft.complete(as: OpenStreetMapElement(kind: row[element.kind], number: row[element.number]))
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
