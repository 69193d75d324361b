import Testing

/// Tables, months and views of programmes, and parts of pages that are none.
@Suite struct ProgrammePartsTests {
  private func lines(
    _ text: String, zone: String = "Europe/London", at: String = "2026-11-20T09:00:00Z"
  ) throws -> [String] {
    try reading(text, zone: zone, at: at).lines
  }

  @Test("in a table whose cells span days, one over all of them is of each")
  func spans() throws {
    let found = try lines(
      """
      <title>苔座 上映スケジュール</title><table><tr><th colspan=4>11月</th></tr><tr><th>24</th><th>25</th><th>26</th><th>27</th></tr>
      <tr><td colspan=4>開場時間は各回上映の10分前です</td></tr>
      <tr><td colspan=2><span class=t>泥の牛</span><br>10:00</td><td colspan=2><span class=t>冬の岸</span><br>10:10</td></tr>
      <tr><td colspan=4><span class=t>声の庭</span><br>14:30</td></tr></table>
      """, zone: "Asia/Tokyo", at: "2026-11-20T09:00:00+09:00")
    #expect(found.count == 8)
    #expect(found.filter { $0.hasSuffix("声の庭") } == (24...27).map { "2026-11-\($0)T14:30:00+09:00 声の庭" })
  }

  @Test("of the months over a calendar the one with its year is shown, and the links beside it lead away")
  func leafing() throws {
    let found = try lines(
      """
      <title>Calendar</title><div class=pages><a href="/2026/10"><span>Oct</span></a> <a><span>November 2026</span><span>Nov 2026</span></a>
      <a href="/2026/12"><span>Dec</span></a></div><table><tr><th>Sun<th>Mon<th>Tue<th>Wed<th>Thu<th>Fri<th>Sat</tr>
      <tr><td><div class=d><a href=/d22>22</a></div><a href=/s>Silt</a><div>6:40 pm</div></td>
      <td><div class=d><a href=/d23>23</a></div><a href=/m>Marram</a><div>7:00 pm</div></td>
      <td><div class=d><a href=/d24>24</a></div><a href=/p>Peat</a><div>9:15 pm</div></td><td><td><td><td></tr></table>
      """, zone: "America/New_York", at: "2026-11-20T09:00:00-05:00")
    #expect(
      found == [
        "2026-11-22T18:40:00-05:00 Silt", "2026-11-23T19:00:00-05:00 Marram", "2026-11-24T21:15:00-05:00 Peat",
      ])
  }

  @Test(
    "a weekday between strokes is that of the date, and titles that nothing marks are read as the marked ones beside them"
  )
  func strokesAndMarks() throws {
    func row(_ clock: String, _ title: String) -> String {
      "<tr><td class=hour>\(clock)</td><td class=title><a href=/f>\(title)</a><br><span class=info>98 min.</span></td></tr>"
    }
    let found = try lines(
      "<title>Kino Mech - repertuar</title><table><tr><th colspan=2><h3>27 listopada 2026 /piątek/</h3></th></tr>"
        + row("14:15", "<b>MUŁ</b>") + row("16:15", "<b>TORF</b>") + row("21:30", "WĘZŁY") + "</table>",
      zone: "Europe/Warsaw", at: "2026-11-20T09:00:00+01:00")
    #expect(
      found == [
        "2026-11-27T14:15:00+01:00 MUŁ", "2026-11-27T16:15:00+01:00 TORF", "2026-11-27T21:30:00+01:00 WĘZŁY",
      ])
  }

  @Test("a second view that says more in its titles is joined with the first, and what only one of them has is told")
  func views() throws {
    let films = [("Silt", 24), ("Marram", 25), ("Peat", 26), ("Knots", 27), ("Bolt", 28)]
    let cards = films.map { "<div class=showing><h3>\($0.0)</h3><p class=start>Nov \($0.1) // 20:00</p></div>" }
    let rows = films.map {
      "<p class=day>\($0.1) Nov <span class=time>20:00</span> .... <a href=/e>Club shows \($0.0) (35mm)</a></p>"
    }
    let found = try lines(
      "<title>Moss Microplex</title>\(cards.joined())<div class=list>\(rows.joined())"
        + "<p class=day>29 Nov <span class=time>20:00</span> .... <a href=/e>Tide</a></p></div>")
    #expect(found == films.map { "2026-11-\($0.1)T20:00:00Z \($0.0)" } + ["2026-11-29T20:00:00Z Tide"])
  }

  @Test(
    "what is over and stands in the archive, or is announced, is no screening",
    arguments: [
      "<h1>Vergangene Filmaufführungen im Moss</h1><h2>Marram</h2><p>1 Nov 2026, 19:00</p>",
      "<h2>Past screenings</h2><h2>Marram</h2><p>1 Nov 2026, 19:00</p>",
      "<section><a href=/f><h2>Documentary Festival</h2><p>September 23rd – 27th 2027. Programme announced December 6th at 18.30.</p></a></section>",
    ])
  func archives(_ part: String) throws {
    let found = try lines(
      "<title>Moss Cinema</title><h2>Silt</h2><p>27 Nov 2026, 19:00</p><h2>Peat</h2><p>28 Nov 2026, 19:00</p>\(part)")
    #expect(found == ["2026-11-27T19:00:00Z Silt", "2026-11-28T19:00:00Z Peat"])
  }

  @Test("Past Lives is a film and no archive")
  func noArchive() throws {
    let found = try lines(
      "<title>Moss Cinema</title><h2>Past Lives</h2><p>18 Nov 2026, 19:00</p><h2>Peat</h2><p>28 Nov 2026, 19:00</p>")
    #expect(found == ["2026-11-18T19:00:00Z Past Lives", "2026-11-28T19:00:00Z Peat"])
  }

  @Test(
    "a showing is called off in many languages",
    arguments: ["ODPOVEDANO", "Odwołane", "Zrušeno", "Inställd", "Aflyst", "Peruttu", "İptal", "取消", "Отменён"])
  func calledOff(_ word: String) throws {
    func card(_ clock: String, _ title: String, _ badge: String) -> String {
      "<div class=card><p><small><b>\(clock) / Hall</b></small> \(badge)</p><h5>\(title)</h5></div>"
    }
    let found = try lines(
      "<title>Moss Cinema</title><h3>Sat 21 Nov</h3>" + card("11:00", "Silt", "")
        + card("18:00", "Marram", "<span class=badge>\(word)</span>") + card("20:15", "Peat", ""))
    #expect(found == ["2026-11-21T11:00:00Z Silt", "2026-11-21T20:15:00Z Peat"])
  }

  @Test("a link to a film's page is its title, whatever the link is called")
  func metaLinks() throws {
    func card(_ title: String, _ note: String, _ clock: String, _ id: Int) -> String {
      "<div class=card><div><a class='card__meta-item' href='/program/?filmId=\(id)'><span>\(title)</span></a><p class=preamble>\(note)</p>"
        + "<div class=meta><span class='card__meta-item'><time>lör 21/11 kl. \(clock)</time></span></div></div></div>"
    }
    let found = try lines(
      "<title>Moss Cinemateket</title>" + card("Silt, Ana Berg (35 mm)", "Ana Berg", "14:00", 1)
        + card("Marram, Ida Holm (DCP)", "Ida Holm 100 år", "16:30", 2)
        + card("Peat, Ana Berg", "Essä: Filmens historier", "18:00", 3),
      zone: "Europe/Stockholm", at: "2026-11-20T09:00:00+01:00")
    #expect(
      found == [
        "2026-11-21T14:00:00+01:00 Silt, Ana Berg (35 mm)", "2026-11-21T16:30:00+01:00 Marram, Ida Holm (DCP)",
        "2026-11-21T18:00:00+01:00 Peat, Ana Berg",
      ])
  }
}
