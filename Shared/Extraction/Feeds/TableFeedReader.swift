import CSV
import Calendars
import JSON

/// Reads a programme that is kept as a table and handed on as text: `Date,Time,Title,Screen`.
struct TableFeedReader {
  let clock: PageClock
  let limits: ExtractionLimits
  let addressDate: CivilDate?

  /// Whether the first line names a start and a title. Markup does not begin so.
  static func isTable(_ bytes: [UInt8]) -> Bool {
    let line = bytes.prefix(headBytesMax).prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty, !line.contains(UInt8(ascii: "<")), !line.contains(UInt8(ascii: "{")),
      var reader = try? CSVReader(line), let names = (try? reader.next())?.fields, names.count >= columnsMin
    else { return false }
    let roles = names.map { RecordKey($0).role }
    return roles.contains { if case .start = $0 { true } else { false } }
      && roles.contains {
        switch $0 {
        case .title(let rank)?: rank <= 2
        case .film?: true
        default: false
        }
      }
  }

  private static let headBytesMax = 4_096
  /// A day, a time and what is shown, or more.
  private static let columnsMin = 2

  func read(_ bytes: [UInt8], budget: WorkBudget) throws(ExtractionError) -> Evidence {
    try budget.spend(bytes.count / Self.bytesInStep + 1)
    let rows: [JSONValue]
    do throws(CSVError) {
      rows = try self.rows(of: bytes)
    } catch {
      var evidence = Evidence()
      evidence.trace.add(.api, at: "line \(error.line)", .refused, error.reason)
      return evidence
    }
    return try RecordReader(clock: clock, limits: limits, reader: .api, addressDate: addressDate)
      .read(.array(rows), at: "rows", budget: budget)
  }

  private static let bytesInStep = 8

  private func rows(of bytes: [UInt8]) throws(CSVError) -> [JSONValue] {
    var reader = try CSVReader(bytes)
    guard let names = try reader.next()?.fields else { return [] }
    var rows: [JSONValue] = []
    while rows.count < limits.candidates, let record = try reader.next() {
      let fields = zip(names, record.fields).filter { !$0.isEmpty && !$1.isEmpty }
      rows.append(.object(JSONObject(fields.map { ($0, .string($1)) })))
    }
    return rows
  }
}
