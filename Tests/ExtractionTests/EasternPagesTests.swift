import Calendars
import Extraction
import Testing

/// Pages of houses in Korea, Japan, Taiwan and China, each a shape that real ones have.
@Suite("Eastern pages")
struct EasternPagesTests {
  private static let tokyo = "Asia/Tokyo"
  private static let march = "2026-03-10T12:00:00+09:00"

  @Test("a run of days that is all of a cell heads its column, one day after the other")
  func weeksOverColumns() throws {
    let found = try reading(
      "<table><tr><td>3/14(土) - 3/15(日)</td><td>3/16(月)～3/18(水)</td></tr>"
        + "<tr><td><a href='#a'>声の庭<br>10:00</a></td><td><a href='#b'>冬の岸<br>12:30</a></td></tr></table>",
      zone: Self.tokyo, at: Self.march)
    #expect(
      found.lines == [
        "2026-03-14T10:00:00+09:00 声の庭", "2026-03-15T10:00:00+09:00 声の庭", "2026-03-16T12:30:00+09:00 冬の岸",
        "2026-03-17T12:30:00+09:00 冬の岸", "2026-03-18T12:30:00+09:00 冬の岸",
      ])
  }

  @Test("days that are labelled as a film's date the hours that are labelled as its own")
  func labelledPeriod() throws {
    func film(_ title: String, _ days: String, _ times: String) -> String {
      "<table><tr><td><b>\(title)</b></td></tr><tr><td>上映期間　\(days)</td></tr><tr><td>上映時間　\(times)</td></tr></table><hr>"
    }
    let page = film("声の庭", "2026/3/11（水）～2026/3/12（木）", "11：00／14：00") + film("冬の岸", "2026/3/18（水）～3/19（木）", "13：30")
    let found = try reading(page, zone: Self.tokyo, at: Self.march)
    #expect(
      found.lines == [
        "2026-03-11T11:00:00+09:00 声の庭", "2026-03-11T14:00:00+09:00 声の庭", "2026-03-12T11:00:00+09:00 声の庭",
        "2026-03-12T14:00:00+09:00 声の庭", "2026-03-18T13:30:00+09:00 冬の岸", "2026-03-19T13:30:00+09:00 冬の岸",
      ])
    // Without hours of its own it says when something is open.
    let exhibition = "<h3>声の庭</h3><p>期間 2026/3/11（水）～3/12（木）</p><p>10:00 – 18:00</p>"
    #expect(try reading(exhibition, zone: Self.tokyo, at: Self.march).lines == [])
  }

  @Test("a day's number, a point and its weekday, below a month; who made a film is not its title")
  func dottedDays() throws {
    func show(_ time: String, _ title: String, _ maker: String) -> String {
      "<dd><ul><li class='txt-time'><span>\(time)</span></li><li class='txt-room'>이끼극장 1관</li><li><p class='txt-1'>"
        + "<a href='/m/\(time)'>\(title)</a></p><p class='txt-2'><span class='name'><strong class='hidden'>감독</strong>\(maker)"
        + "</span></p></li></ul></dd>"
    }
    let found = try reading(
      "<dl><dt class='txt-month'>09월</dt><dd><dl><dt class='txt-day'>29.화</dt>\(show("14:00", "서리꽃", "김하나"))"
        + "\(show("16:30", "낮은 물", "이두리"))</dl><dl><dt class='txt-day'>30.수</dt>\(show("15:00", "긴 겨울", "박세나"))</dl></dd></dl>",
      at: "2026-09-20T09:00:00+09:00")
    #expect(
      found.lines == [
        "2026-09-29T14:00:00+09:00 서리꽃", "2026-09-29T16:30:00+09:00 낮은 물", "2026-09-30T15:00:00+09:00 긴 겨울",
      ])
    // The 29th of September is a Tuesday: no month makes it a Monday's before long.
    let wrong = try reading(
      "<dl><dt>09월</dt><dd><dl><dt class='txt-day'>29.월</dt>\(show("14:00", "서리꽃", "김하나"))</dl></dd></dl>",
      at: "2026-09-20T09:00:00+09:00")
    #expect(wrong.lines.allSatisfy { !$0.hasPrefix("2026-09-29") })
  }

  @Test("halls that end in 厅 are no titles, and neither are the steps of a booking")
  func hallsAndSteps() throws {
    func show(_ time: String, _ hall: String) -> String {
      "<ul class='list'><li><p class='begin'>\(time)</p></li><li><p>国语 2D</p><p class='two-line'>\(hall)</p></li></ul>"
    }
    let halls = try reading(
      "<div class='mname'><a href='/m/1'><span class='movie-name'>雾中来信</span></a></div><p class='day'>3月12日 星期四</p>"
        + show("10:30", "IMAX厅") + show("13:05", "3号厅 激光厅") + show("16:30", "IMAX厅"),
      zone: "Asia/Shanghai", at: "2026-03-10T12:00:00+08:00")
    #expect(halls.screenings.map(\.title) == ["雾中来信", "雾中来信", "雾中来信"])
    #expect(halls.screenings.map(\.screen) == ["IMAX厅", "3号厅 激光厅", "IMAX厅"])
    // Other halls vary in the same place, where the page calls one text a film's name.
    let named = try reading(
      "<div class='mname'><span class='movie-name'>雾中来信</span></div><p class='day'>3月12日 星期四</p>"
        + show("10:30", "巨幕") + show("13:05", "情侣") + show("16:30", "巨幕"),
      zone: "Asia/Shanghai", at: "2026-03-10T12:00:00+08:00")
    #expect(named.screenings.map(\.title) == ["雾中来信", "雾中来信", "雾中来信"])
    let steps = try reading(
      "<div class='steps'><span>步驟1 選擇影片</span> <span id='s1'>霧中來信 Letters</span></div><div class='steps'><span>步驟2 選擇場次</span>"
        + "</div><table><tr><td>3月13日 星期五</td></tr><tr><td><a href='t?1'>14:20 <span>A廳</span></a></td></tr>"
        + "<tr><td><a href='t?2'>19:10 <span>B廳</span></a></td></tr></table>",
      zone: "Asia/Taipei", at: "2026-03-10T12:00:00+08:00")
    #expect(
      steps.lines == ["2026-03-13T14:20:00+08:00 霧中來信 Letters", "2026-03-13T19:10:00+08:00 霧中來信 Letters"])
  }

  @Test("a headline that announces a programme has the film in its brackets; notes end no showing")
  func headline() throws {
    let headline = "[초록상영관] &lt;서리꽃&gt; 상영일정 / 영화예매"
    let found = try reading(
      "<html><head><title>\(headline)</title></head><body><h1>\(headline)</h1><p>3월 13일(금)<br>10:30 조조<br>15:40</p>"
        + "<p>3월 15일(일)<br>12:20<br>18:10</p><p>3월 17일(화) 20:00 종영</p></body></html>",
      at: "2026-03-10T09:00:00+09:00")
    #expect(
      found.lines == [
        "2026-03-13T10:30:00+09:00 서리꽃", "2026-03-13T15:40:00+09:00 서리꽃", "2026-03-15T12:20:00+09:00 서리꽃",
        "2026-03-15T18:10:00+09:00 서리꽃", "2026-03-17T20:00:00+09:00 서리꽃",
      ])
    #expect(Set(found.screenings.map(\.venue)) == ["초록상영관"])
  }

  @Test("below the name of a programme the film stands in brackets")
  func seriesOverFilm() throws {
    func cell(_ text: String) -> String { "<td>\(text)</td>" }
    let found = try reading(
      "<h3>2026年3月13日（金）</h3><table><tr><td>11:00</td><td>13:10</td><td>20:50</td></tr><tr>"
        + cell("<a href='/w/7'>特集 青木真</a><br>『冬の岸』") + cell("<a href='/w/7'>特集 青木真</a><br>『声の庭』")
        + cell("<a href='/w/8'>遅い春</a>") + "</tr></table>",
      zone: Self.tokyo, at: Self.march)
    #expect(found.screenings.map(\.filmTitle) == ["冬の岸", "声の庭", "遅い春"])
  }
}
