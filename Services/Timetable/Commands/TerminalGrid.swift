import Calendars
import Clocks
import Contracts
import ServiceKit

/// A day of a festival in a terminal: a column for each room, a line for each time at which something begins or ends.
///
/// Lines are not a scale: what would be blank is left out, so that a day fits a screen, and a gap says how long it is.
nonisolated struct TerminalGrid {
  private let grid: GridDay
  private let placed: [GridDay.Placed]
  private let zone: TimeZoneRules
  private let now: WallTime
  private let width: Int

  private static let timeWidth = 7
  private static let columnMin = 12
  private static let columnMax = 32

  init(_ grid: GridDay, zone: TimeZoneRules, now: WallTime, width: Int) {
    self.grid = grid
    placed = grid.placed
    self.zone = zone
    self.now = now
    self.width = max(40, min(width, 400))
  }

  /// As many rooms beside each other as the terminal is wide; the others below.
  func text(inColour: Bool) -> String {
    var text = "\(printable(grid.name)) · \(grid.day) · \(grid.zone)" + (grid.isDemo ? " · demo" : "") + "\n"
    guard !placed.isEmpty else { return text + "nothing takes place\n" }
    let perBlock = max(1, (width - Self.timeWidth) / (Self.columnMin + 1))
    var columns = (grid.rooms as [FestivalRoom?])[...]
    if placed.contains(where: { $0.room == nil }) { columns.append(nil) }
    while !columns.isEmpty {
      let block = Array(columns.prefix(perBlock))
      columns = columns.dropFirst(block.count)
      text += "\n" + draw(block, inColour)
    }
    return text
  }

  /// - Parameter rooms: `nil` is the column of those whose room is not told.
  private func draw(_ rooms: [FestivalRoom?], _ inColour: Bool) -> String {
    let column = min(Self.columnMax, (width - Self.timeWidth) / rooms.count - 1)
    let blank = String(repeating: " ", count: Self.timeWidth)
    var lines = [blank + rooms.map { " " + fitted(heading($0), column) }.joined()]
    lines.append(blank + rooms.map { _ in " " + String(repeating: "─", count: column) }.joined())
    let ids = Set(rooms.map { $0?.id })
    let cells = placed.filter { ids.contains($0.room) }
    var before: Int?
    var isNowShown = false
    let nowRow = row(of: now)
    for row in Set(cells.flatMap { [$0.rows.lowerBound, $0.rows.upperBound] }).sorted() {
      if let nowRow, !isNowShown, nowRow < row, before != nil {
        isNowShown = true
        lines.append(Tone.good.paint("\(clock(now)) ─now" + String(repeating: "─", count: min(column, 20)), inColour))
      }
      if let last = before, grid.isGap(last, row) {
        lines.append(Tone.dim.paint("   ⋮    \((row - last) * grid.slotMinutes) min", inColour))
      }
      lines += draw(row, cells, rooms, column, inColour)
      before = row
    }
    return lines.map(\.withoutBlanksAtEnd).joined(separator: "\n") + "\n"
  }

  /// A time with what begins then, and a second line where two begin in one room.
  private func draw(
    _ row: Int, _ cells: [GridDay.Placed], _ rooms: [FestivalRoom?], _ column: Int, _ inColour: Bool
  ) -> [String] {
    let begins = rooms.map { room in cells.filter { $0.room == room?.id && $0.rows.lowerBound == row } }
    let height = max(1, begins.map(\.count).max() ?? 1)
    return (0..<height).map { line in
      var text =
        line == 0 ? clock(instant(of: row)).padded(to: Self.timeWidth) : String(repeating: " ", count: Self.timeWidth)
      for (place, room) in rooms.enumerated() {
        text += " "
        if line < begins[place].count {
          let cell = begins[place][line]
          let title = fitted(mark(cell) + printable(cell.session.title), column)
          text += cell.session.isCancelled ? Tone.dim.paint(title, inColour) : title
        } else {
          let runs = cells.contains { $0.room == room?.id && $0.rows.lowerBound < row && row < $0.rows.upperBound }
          let ends = cells.contains { $0.room == room?.id && $0.rows.upperBound == row }
          text += Tone.dim.paint(fitted(runs ? "│" : ends ? "╵" : "", column), inColour)
        }
      }
      return text
    }
  }

  private func mark(_ cell: GridDay.Placed) -> String {
    if cell.session.isCancelled { return "✗ " }
    if cell.lanes > 1 { return "⚠ " }
    return cell.session.isSoldOut ? "● " : "┌ "
  }

  private func heading(_ room: FestivalRoom?) -> String {
    guard let room else { return "no room yet" }
    return printable(room.name) + (room.floor.map { " (\(printable($0)))" } ?? "")
  }

  // MARK: Time

  private func instant(of row: Int) -> WallTime {
    WallTime(milliseconds: grid.startsAt.milliseconds + Int64(row * grid.slotMinutes) * 60_000)
  }

  private func row(of instant: WallTime) -> Int? {
    guard grid.startsAt <= instant, instant < grid.endsAt else { return nil }
    return Int((instant.milliseconds - grid.startsAt.milliseconds) / (Int64(grid.slotMinutes) * 60_000))
  }

  /// `24:30` under the evening that it belongs to.
  private func clock(_ instant: WallTime) -> String {
    let local = zone.local(at: instant)
    let display = DisplayTime(local.time)
    return (local.date > grid.day ? display.nextDay : nil).map { "\($0)" } ?? "\(display)"
  }

  /// Cut or filled to a width on the screen; Korean and Japanese letters have two.
  private func fitted(_ text: String, _ width: Int) -> String {
    guard text.displayWidth > width else { return text.padded(to: width) }
    var cut = ""
    var used = 0
    for character in text {
      let wide = String(character).displayWidth
      guard used + wide < width else { break }
      cut.append(character)
      used += wide
    }
    return (cut + "…").padded(to: width)
  }
}

nonisolated extension GridDay {
  fileprivate func isGap(_ first: Int, _ end: Int) -> Bool {
    stride(from: 0, to: gaps.count - 1, by: 2).contains { gaps[$0] <= first && end <= gaps[$0 + 1] }
  }
}

nonisolated extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }

  fileprivate var withoutBlanksAtEnd: String {
    String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
  }
}
