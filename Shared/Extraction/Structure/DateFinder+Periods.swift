import Calendars
import HTML

/// Runs of days in a table: those that head a column of it, and those that are labelled as a film's.
extension DateFinder {
  /// Whether a run of days is all that a cell says, above that of a time and over its column: what stands below it is shown
  /// on each of the days.
  ///
  ///     <tr><td>3/14(土) - 3/20(金)</td><td>3/21(土) - 3/27(金)</td></tr>
  ///     <tr><td>声の庭<br>10:00</td><td>冬の岸<br>12:30</td></tr>
  func headsColumn(_ index: Int, _ time: Int) -> Bool {
    let place = context.atoms[index].place
    guard context.atoms[index].line?.rest.isEmpty ?? true, let table = context.table(around: place),
      let grid = context.grid(table), let head = context.cell(of: place, in: grid),
      let cell = context.cell(of: context.atoms[time].place, in: grid),
      head.rows.upperBound <= cell.rows.lowerBound, head.columns.overlaps(cell.columns),
      context.range(in: head.place) == index..<index + 1
    else { return false }
    return context.times(in: tree[head.place].parent) == 0
  }

  /// A run of days in the first cells of a row whose other cells are films with their times, as other rows begin with days.
  func headsRow(_ index: Int, _ time: Int) -> Bool {
    let place = context.atoms[index].place
    guard context.atoms[index].line?.rest.isEmpty ?? true, let table = context.table(around: place),
      let grid = context.grid(table), let head = context.cell(of: place, in: grid),
      let cell = context.cell(of: context.atoms[time].place, in: grid), head.rows == cell.rows,
      head.columns.upperBound <= cell.columns.lowerBound, head.columns.lowerBound <= 1,
      context.range(in: head.place) == index..<index + 1
    else { return false }
    // A film beside its run and its hours is no day's.
    let others = grid.cells.prefix(Self.rowHeadsMax).filter {
      $0.columns == head.columns && $0.rows != head.rows
        && context.atoms[context.range(in: $0.place)].contains(where: \.isDate)
    }
    return !others.isEmpty && context.range(in: cell.place).contains { context.atoms[$0].isWords }
  }

  private static let rowHeadsMax = 256

  /// "上映期間 2026/3/18（水）～3/22（日）" right before "上映時間 13：30／18：30": the days of these times.
  func isPeriodOfTimes(_ index: Int, _ label: String) -> Bool {
    guard context.atoms[index].run != nil, PageWords.isPeriodLabel(label) else { return false }
    for other in context.atoms[(index + 1)...].prefix(Self.periodReach) {
      if other.isDate { return false }
      guard other.isTime else { continue }
      guard case .times(let times) = other.kind, let lead = other.line?.lead, PageWords.isHourLabel(lead) else {
        return false
      }
      // "上映時間 1:48" is how long a film lasts.
      return times.allSatisfy { time in
        let hour = time.text.utf8.prefix(while: isDigitByte)
        return hour.count > 1 || hour.first.map { $0 > UInt8(ascii: "4") } ?? true
      }
    }
    return false
  }

  /// Between a film's days and its hours stands little else.
  private static let periodReach = 4
}

extension PageWords {
  /// "上映期間": what stands behind it is from when to when a film is shown.
  static func isPeriodLabel(_ text: String) -> Bool { periodLabels.contains(text.foldedKey) }

  /// "上映時間": what stands behind it is at which hours a film is shown.
  static func isHourLabel(_ text: String) -> Bool { hourLabels.contains(text.foldedKey) }

  /// Either of them, where it is nothing else.
  static func labelsShowings(_ text: String) -> Bool {
    text.utf8.count <= labelBytesMax && text.utf8.contains { $0 >= 0xE0 }
      && (isPeriodLabel(text) || isHourLabel(text))
  }

  private static let labelBytesMax = 20
  private static let periodLabels: Set<String> = Set(
    [
      "上映期間", "期間", "上映日程", "放映期間", "放映期间", "상영기간", "상영 기간", "기간", "screening period", "run", "period",
    ].map(\.foldedKey))
  private static let hourLabels: Set<String> = Set(
    [
      "上映時間", "上映時刻", "開映時間", "時間", "時刻", "放映時間", "放映时间", "상영시간", "상영 시간", "시간", "screening times", "times",
      "showtimes",
    ].map(\.foldedKey))
}
