import CSV
package import Contracts
package import Drafts

/// The catalogue as CSV: a column for each field of ``FilmField``; also as others write it (``ForeignTable``).
package enum FilmTable {
  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> FilmReading {
    var table: CSVTable
    let others: [String]
    do throws(CSVError) {
      table = try CSVTable(bytes, aliases: FilmField.otherNames)
      others = try table.columns(
        otherThan: FilmField.allCases.map(\.rawValue) + ForeignTable.Column.allCases.map(\.rawValue))
    } catch {
      throw UnreadableFile("\(name): \(error)")
    }
    let titles = ["title", "title_en", "title_ko", "title_ja", "original_title"]
    guard titles.contains(where: table.has) else {
      throw UnreadableFile("\(name): there is no column of titles; name one \(titles.joined(separator: ", "))")
    }
    var reading = rows(of: &table, name)
    let unread = [reading.remark, CSVTable.remark(onUnread: others)].compactMap(\.self)
    reading.remark = unread.isEmpty ? nil : "\(name): \(unread.joined(separator: "; "))"
    return reading
  }

  private static func rows(of table: inout CSVTable, _ name: String) -> FilmReading {
    var reading = FilmReading()
    var foreign = ForeignTable(table)
    while true {
      do throws(CSVError) {
        guard let row = try table.next() else { break }
        var draft = FilmDraft("\(name):\(row.line)")
        for field in FilmField.allCases { draft[field] = row[field.rawValue] }
        if foreign.take(row, into: &draft) { reading.drafts.append(draft) }
      } catch {
        reading.problems.append(DraftProblems(place: "\(name):\(error.line)", problems: [error.reason]))
      }
    }
    reading.drafts = foreign.parted(reading.drafts)
    if foreign.others > 0 {
      reading.remark = "not taken: \(foreign.others) of its rows, which are no films but series, episodes or games"
    }
    return reading
  }

  package static func write(_ films: [CatalogueFilm]) -> String {
    var writer = CSVWriter(FilmField.allCases.map(\.rawValue))
    for film in films { writer.write(FilmField.allCases.map { $0.text(of: film) }) }
    return writer.text
  }
}
