import CSV
package import Contracts
package import Drafts

/// The catalogue as CSV: a column for each field of ``FilmField``; also as others write it (``ForeignTable``).
package enum FilmTable {
  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> FilmReading {
    var table: CSVTable
    let others: [String]
    let (rest, linesAbove) = FilmPreamble.skipped(in: bytes)
    do throws(CSVError) {
      table = try CSVTable(rest, aliases: FilmField.otherNames)
      others = try table.columns(
        otherThan: FilmField.allCases.map(\.rawValue) + ForeignTable.columns(where: table.has))
    } catch {
      throw UnreadableFile("\(name): line \(error.line + linesAbove): \(error.reason)")
    }
    guard titles.contains(where: table.has) else {
      throw UnreadableFile("\(name): there is no column of titles; name one \(titles.joined(separator: ", "))")
    }
    var reading = rows(of: &table, name, linesAbove)
    let unread = [reading.remark, CSVTable.remark(onUnread: others)].compactMap(\.self)
    reading.remark = unread.isEmpty ? nil : "\(name): \(unread.joined(separator: "; "))"
    return reading
  }

  static let titles = ["title", "title_en", "title_ko", "title_ja", "original_title"]

  private static func rows(of table: inout CSVTable, _ name: String, _ linesAbove: Int) -> FilmReading {
    var reading = FilmReading()
    var foreign = ForeignTable(has: table.has)
    while true {
      do throws(CSVError) {
        guard let row = try table.next() else { break }
        var draft = FilmDraft("\(name):\(row.line + linesAbove)")
        for field in FilmField.allCases { draft[field] = row[field.rawValue] }
        if foreign.take({ row[$0] }, into: &draft) { reading.drafts.append(draft) }
      } catch {
        reading.problems.append(DraftProblems(place: "\(name):\(error.line + linesAbove)", problems: [error.reason]))
      }
    }
    reading.drafts = foreign.settled(reading.drafts)
    reading.remark = foreign.remark
    return reading
  }

  package static func write(_ films: [CatalogueFilm]) -> String {
    var writer = CSVWriter(FilmField.allCases.map(\.rawValue))
    for film in films { writer.write(FilmField.allCases.map { $0.text(of: film) }) }
    return writer.text
  }
}

/// Lines above a table: of whom a list is, and what it is called.
enum FilmPreamble {
  private static let linesMax = 12
  private static let letterboxd = Array("Letterboxd list export".utf8)

  /// The bytes from the line of names on, and how many lines stand above it; all of them where no line names titles.
  static func skipped(in bytes: [UInt8]) -> (rest: ArraySlice<UInt8>, linesAbove: Int) {
    let all = bytes.withoutByteOrderMark
    // Above its films a list of Letterboxd has a table of itself.
    let isList = all.starts(with: letterboxd)
    var (rest, lines) = (all, 0)
    while lines < linesMax, !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      if let names = try? CSVTable(line, aliases: FilmField.otherNames), names.columns.count > 1 || lines == 0,
        FilmTable.titles.contains(where: names.has), !isList || names.has("position")
      {
        return (lines == 0 ? bytes[...] : rest, lines)
      }
      rest = rest[line.endIndex...].dropFirst()
      lines += 1
    }
    return (bytes[...], 0)
  }
}
