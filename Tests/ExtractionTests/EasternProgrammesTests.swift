import Calendars
import Extraction
import Testing

/// More pages of houses, festivals and shops in Korea, Japan and Taiwan, each a shape that real ones have.
@Suite("Eastern programmes")
struct EasternProgrammesTests {
  private static let tokyo = "Asia/Tokyo"
  private static let taipei = "Asia/Taipei"
  private static let march = "2026-03-10T12:00:00+09:00"

  @Test("a row over all columns says the hour of the films below it, each on the days that it spans")
  func bands() throws {
    let page =
      "<table><tr><td>3/15</td><td>16</td><td>17</td><td>18</td></tr><tr><td>日</td><td>月</td><td>火</td><td>水</td></tr>"
      + "<tr><td colspan=4>連日10:50～ 朝の特集</td></tr>"
      + "<tr><td colspan=3><p><a href='a'>声の庭</a></p>1958年/95分</td><td><p><a href='b'>冬の岸</a></p>1960年/98分</td></tr>"
      + "<tr><td colspan=4>レイトショー 連日20:50～</td></tr>"
      + "<tr><td colspan=2><p><a href='c'>遅い春</a></p>1968年/88分</td><td colspan=2><p><a href='d'>石の道</a></p>1967年/91分</td></tr></table>"
    let found = try reading(page, zone: Self.tokyo, at: Self.march)
    #expect(
      found.lines == [
        "2026-03-15T10:50:00+09:00 声の庭", "2026-03-15T20:50:00+09:00 遅い春", "2026-03-16T10:50:00+09:00 声の庭",
        "2026-03-16T20:50:00+09:00 遅い春", "2026-03-17T10:50:00+09:00 声の庭", "2026-03-17T20:50:00+09:00 石の道",
        "2026-03-18T10:50:00+09:00 冬の岸", "2026-03-18T20:50:00+09:00 石の道",
      ])
  }

  @Test("a row over all columns of a table without days says the hour of one thing")
  func noBands() throws {
    let found = try reading(
      "<h3>2026年3月15日（日）</h3><table><tr><td colspan=3>19:30</td></tr><tr><td>前売</td><td><b>声の庭</b></td><td>全席自由</td></tr></table>",
      zone: Self.tokyo, at: Self.march)
    #expect(found.screenings.count <= 1)
  }

  @Test("the words with which each part of a festival's day begins are its house")
  func housesOverBlocks() throws {
    func block(_ house: String, _ shows: [(String, String)]) -> String {
      "<div class='li'><div class='li_tit'>\(house)</div><div class='li_cont'>"
        + shows.map {
          "<div class='it'><span class='time'>\($0.0)</span><a href='/f/\($0.1)'><span>\($0.1)</span></a></div>"
        }
        .joined() + "</div></div>"
    }
    let found = try reading(
      "<html><head><title>상영시간표 :: 이끼국제영화제</title></head><body><h3>2026년 3월 13일 (금)</h3>"
        + block("물가의극장 하늘관", [("10:00", "서리꽃"), ("13:30", "낮은 물")])
        + block("이끼시네마 3관", [("09:30", "긴 겨울"), ("16:00", "돌길")]) + "</body></html>",
      at: Self.march)
    #expect(
      found.screenings.map { "\($0.title) \($0.venue ?? "") \($0.screen ?? "")" } == [
        "긴 겨울 이끼시네마 3관 3관", "서리꽃 물가의극장 하늘관 ", "낮은 물 물가의극장 하늘관 ", "돌길 이끼시네마 3관 3관",
      ])
  }

  @Test("a date with room around its stroke and a weekday is one, and no title; how long a film is, is no time")
  func spacedDates() throws {
    let found = try reading(
      "<div class='info'><h3>霧中來信</h3><p>片　　長：1時52分</p></div><div class='box'><ul class='t'><li><div>03 / 12</div>"
        + "<div>星期四</div></li><li>12:40</li><li>17:05</li></ul><ul class='t'><li><div>03 / 13</div><div>星期五</div></li>"
        + "<li>10:30</li></ul></div><a class='btn' href='https://tickets.example/7'>立即購票</a>",
      zone: Self.taipei, at: "2026-03-10T12:00:00+08:00")
    #expect(
      found.lines == [
        "2026-03-12T12:40:00+08:00 霧中來信", "2026-03-12T17:05:00+08:00 霧中來信", "2026-03-13T10:30:00+08:00 霧中來信",
      ])
  }

  @Test("an exhibition's party and its tours show no film")
  func exhibition() throws {
    let found = try reading(
      "<div class='detail'><div class='title'>「河邊的石頭」聯展</div><p>活動時間：11:00 - 18:00</p><p>開幕茶會：2026-03-14 15:00</p>"
        + "<p>導覽場次：3/21（六）14:00、3/28（六）14:00</p></div>",
      zone: Self.taipei, at: "2026-03-10T12:00:00+08:00")
    #expect(found.lines == [])
  }

  @Test("a mark opens each film's part of a page; parts and rounds before times, and prices, are no titles")
  func markedSections() throws {
    let lines = [
      "● 9月7日（月）～", "『長い声』Part1 &amp; Part2（2022年）", "学生の方￥1000", "◆9/7（月）", "Part 1　11:00 / 19:00", "Part 2　16:00",
      "● 9月11日（金）", "【初上映】映画『冬の岸』", "➀12：00~　➁15:30~", "● 9月28日（月）19：00～", "上映会・交流会", "『声の庭』（2025）",
    ]
    let found = try reading(
      "<div class='entry-content'>\(lines.map { "<p>\($0)</p>" }.joined())</div>", zone: Self.tokyo,
      at: "2026-09-01T12:00:00+09:00")
    #expect(
      found.screenings.map { "\($0.start) \($0.filmTitle)" } == [
        "2026-09-07T11:00:00+09:00 『長い声』Part1 & Part2（2022年）", "2026-09-07T16:00:00+09:00 『長い声』Part1 & Part2（2022年）",
        "2026-09-07T19:00:00+09:00 『長い声』Part1 & Part2（2022年）", "2026-09-11T12:00:00+09:00 冬の岸",
        "2026-09-11T15:30:00+09:00 冬の岸", "2026-09-28T19:00:00+09:00 声の庭",
      ])
  }

  @Test("a shop sells each seat: one showing for each time")
  func seats() throws {
    let options = [
      "3.14 (SAT) - 14:00 - A1 [품절]", "3.14 (SAT) - 14:00 - A2", "3.15 (SUN) - 19:30 - A1", "3.15 (SUN) - 19:30 - B1",
    ]
    let found = try reading(
      "<h2>서리꽃</h2><select>\(options.map { "<option>서리꽃 \($0)</option>" }.joined())</select>", at: Self.march)
    #expect(found.lines == ["2026-03-14T14:00:00+09:00 서리꽃", "2026-03-15T19:30:00+09:00 서리꽃"])
  }

  @Test("a page's one labelled place, or a heading that says which house of a chain it is of, is the venue")
  func labelledVenue() throws {
    let labelled = try reading(
      "<h1>苔と石の映画祭</h1><div><p>会場</p></div><div><p>東京苔学院スペース・石</p></div><h2>声の庭</h2><p>3.14（土）14:00</p>"
        + "<h2>冬の岸</h2><p>3.15（日）15:30</p>",
      zone: Self.tokyo, at: Self.march)
    #expect(labelled.screenings.map(\.venue) == ["東京苔学院スペース・石", "東京苔学院スペース・石"])
    let branch = try reading(
      "<html><head><title>苔蘚影城 場次查詢</title></head><body><h2>台北信義苔蘚影城</h2><h3>霧中來信</h3><p>3月12日(星期四)</p>"
        + "<ul><li>11:35</li><li>16:10</li></ul></body></html>",
      zone: Self.taipei, at: "2026-03-10T12:00:00+08:00")
    #expect(Set(branch.screenings.map(\.venue)) == ["台北信義苔蘚影城"])
  }

  @Test("a hall in data is no house, whatever its field is called")
  func hallInData() throws {
    let found = try reading(
      #"{"stages": {"2026-03-13": {"霧中來信": [{"movie_show_time": "2026-03-13 11:30:00", "theater_name": "2廳"}]}}}"#,
      zone: Self.taipei, at: "2026-03-10T12:00:00+08:00", type: "application/json")
    #expect(found.lines == ["2026-03-13T11:30:00+08:00 霧中來信"])
    #expect(found.screenings.first?.screen == "2廳" && found.screenings.first?.venue == nil)
  }

  @Test("a table may name its days, its hours and its film in the first cell of each row")
  func rowHeads() throws {
    let found = try reading(
      "<table><tr><th>作品</th><td>声の庭</td></tr><tr><th>上映期間</th><td>3/14（土）～3/15（日）</td></tr><tr><th>上映時間</th>"
        + "<td>14:00</td></tr></table>",
      zone: Self.tokyo, at: Self.march)
    #expect(found.lines == ["2026-03-14T14:00:00+09:00 声の庭", "2026-03-15T14:00:00+09:00 声の庭"])
    // How long a film is, is no hour.
    let length = try reading(
      "<h3>声の庭</h3><p>上映期間 3/14（土）～3/15（日）</p><p>上映時間 1:48</p>", zone: Self.tokyo, at: Self.march)
    #expect(length.lines == [])
  }
}
