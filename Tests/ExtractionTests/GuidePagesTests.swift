import Extraction
import Testing

/// Guides of a city and chains' pages: which house it is, and which week.
@Suite struct GuidePagesTests {
  private func shows(
    _ text: String, zone: String = "Europe/London", at: String = "2026-11-20T09:00:00Z"
  ) throws -> [String] {
    try reading(text, zone: zone, at: at).screenings.map { "\($0.start) \($0.title) @ \($0.venue ?? "-")" }
  }

  private static let cards = "<h3>Sat 21 Nov</h3><ul><li><b>Silt</b> 18:00</li><li><b>Marram</b> 20:00</li></ul>"

  @Test(
    "of a page's title the part is the house's name that a heading says alone",
    arguments: [
      "Moss Lara Cinema Salonu Seansları ve Filmleri | Guide.example",
      "Silt at Moss Lara Cinema in Moss: times | Guide",
    ])
  func namedByHeading(_ title: String) throws {
    let found = try shows(
      "<title>\(title)</title>"
        + "<h1>Moss Lara Cinema</h1>\(Self.cards)")
    #expect(
      found == [
        "2026-11-21T18:00:00Z Silt @ Moss Lara Cinema", "2026-11-21T20:00:00Z Marram @ Moss Lara Cinema",
      ])
  }

  @Test("a street and its number are no house's name")
  func streets() throws {
    let found = try shows(
      "<title>Vizcaya Cinema</title><div class=theatre><p>Calle 10 No. 32 - 115</p>\(Self.cards)</div>",
      zone: "America/Bogota", at: "2026-11-20T09:00:00-05:00")
    #expect(found.count == 2 && found.allSatisfy { $0.hasSuffix("@ Vizcaya Cinema") }, "\(found)")
  }

  @Test("a house in an element of its own and the hall behind a stroke are told apart")
  func houseAndHall() throws {
    let found = try reading(
      """
      <title>Programm | Moss Kino & Larch</title><h3>Sa 21.11.</h3>
      <div class=show><h4>Silt</h4><span>18:00</span> <span class=location><span class=in><span class=tag>Larch</span>
      | Großer Saal</span></span></div>
      <div class=show><h4>Marram</h4><span>20:00</span> <span class=location><span class=in><span class=tag>Moss Kino</span>
      | Kleiner Saal</span></span></div>
      """, zone: "Europe/Vienna", at: "2026-11-20T09:00:00+01:00")
    #expect(found.screenings.map(\.venue) == ["Larch", "Moss Kino"])
  }

  @Test(
    "a text behind a pin is where it is shown",
    arguments: [
      "<svg><use xlink:href='#pin'></use></svg>", "<i class='fa fa-map-marker'></i>", "<img src='/img/pin.svg' alt=''>",
    ])
  func pins(_ pin: String) throws {
    func card(_ title: String, _ clock: String, _ place: String) -> String {
      "<div class=card><h3>\(title)</h3><p>Sat 21 Nov \(clock)</p><p class=meta>\(pin) \(place)</p></div>"
    }
    let found = try shows(
      "<title>Programme | Film Society</title>" + card("Silt", "18:00", "Filmhouse - Room Victor")
        + card("Marram", "20:00", "Bio Skandia") + card("Peat", "21:00", "Bio Skandia"))
    #expect(
      found == [
        "2026-11-21T18:00:00Z Silt @ Filmhouse - Room Victor", "2026-11-21T20:00:00Z Marram @ Bio Skandia",
        "2026-11-21T21:00:00Z Peat @ Bio Skandia",
      ])
  }

  @Test("houses over the times of one film are its venues, also where the page says them twice")
  func housesTwice() throws {
    func show(_ number: Int, _ time: String) -> String {
      "<a href='/tickets?session=\(number)' class='btn'><div class=small>\(time)</div></a>"
    }
    let list =
      "<div class=row><div class='col mb'><p class='upper'>CINETECA DEL MUSGO</p>"
      + show(1, "Sat 21 Nov, 12:30 H") + show(2, "Sat 21 Nov, 19:00 H") + "</div><div class='col mb'>"
      + "<p class='upper'>CINETECA DE LAS ARTES</p>" + show(3, "Sat 21 Nov, 19:00 H") + "</div></div>"
    let found = try shows(
      """
      <title>Cineteca del Musgo - Silt</title><h1>Silt</h1><p>(Silt, Norway, 1986, 149 mins.)</p><h2>Horarios</h2>
      <div class="d-block d-md-none">\(list)</div><div class="d-none d-md-block">\(list)</div>
      """)
    #expect(
      found == [
        "2026-11-21T12:30:00Z Silt @ CINETECA DEL MUSGO", "2026-11-21T19:00:00Z Silt @ CINETECA DEL MUSGO",
        "2026-11-21T19:00:00Z Silt @ CINETECA DE LAS ARTES",
      ])
  }

  @Test("a guide's week goes around in one line or in two, with a remark behind a time, and heads with links to houses")
  func weeks() throws {
    let found = try shows(
      """
      <title>Κινηματογράφοι</title>
      <div class=item><h2><a href="/cinema/halls/asti-1">Άστυ</a></h2>
        <div><h3><a href="/film/silt">Ιλύς</a></h3><span class=time>Πέμ.-Τετ.: 18.00</span></div>
        <div><h3><a href="/film/marram">Αμμόχορτο</a></h3><span class=time>Πέμ.-Κυρ.: 20.30, Δευτ.-Τετ.: 22.40</span></div></div>
      <div class=item><h2><a href="/cinema/halls/dafni-2">Δάφνη</a></h2>
        <div><h3><a href="/film/peat">Τύρφη</a></h3><span class=time>Σάβ.-Κυρ.: 15.00 (μεταγλ.)</span></div>
        <div><h3><a href="/film/knots">Κόμποι</a></h3><span class=time>Τρ.: 20.00</span></div></div>
      <div class=comment>18/11/2026 - 00:47 <b>nikos</b></div>
      """, zone: "Europe/Athens", at: "2026-11-20T09:00:00+02:00")
    #expect(found.count == 17)
    #expect(found.filter { $0.contains("Ιλύς") }.first == "2026-11-19T18:00:00+02:00 Ιλύς @ Άστυ")
    #expect(found.filter { $0.contains("22:40") }.count == 3)
    #expect(
      found.filter { $0.contains("Δάφνη") } == [
        "2026-11-21T15:00:00+02:00 Τύρφη @ Δάφνη", "2026-11-22T15:00:00+02:00 Τύρφη @ Δάφνη",
        "2026-11-24T20:00:00+02:00 Κόμποι @ Δάφνη",
      ])
  }

  @Test("two lines that do not go around, or a day beyond the week, tell no week")
  func noWeeks() throws {
    let lines = [
      "Thu-Sun: 18.00|Thu-Sun: 20.30", "Thu-Sun: 18.00, Tue-Wed: 20.00|Thu-Sun: 18.00, Tue-Wed: 21.00",
      "Thu-Wed: 18.00|Thu-Wed: 20.30</span><p>Sat 5 December, 20:00: gala",
    ]
    for line in lines {
      let parts = line.split(separator: "|")
      let found = try shows(
        "<title>Moss</title><h3>Silt</h3><span>\(parts[0])</span><h3>Marram</h3><span>\(parts[1])</span>")
      #expect(!found.contains { $0.contains("Silt") }, "\(line): \(found)")
    }
  }

  @Test("the chosen one of a list of days says the year behind a stroke, and the weekday before a dash")
  func chosen() throws {
    let found = try shows(
      """
      <title>Moss Cinema</title><select name=fecha><option selected>HOY - Nov 20 / 2026<option>Sábado - Nov 21 / 2026</select>
      <div class=film><h3>Silt</h3><ul><li>12:50 pm<li>4:50 pm</ul></div><div class=film><h3>Peat</h3><ul><li>8:50 pm</ul></div>
      """, zone: "America/Bogota", at: "2026-11-20T09:00:00-05:00")
    #expect(
      found == [
        "2026-11-20T12:50:00-05:00 Silt @ Moss Cinema", "2026-11-20T16:50:00-05:00 Silt @ Moss Cinema",
        "2026-11-20T20:50:00-05:00 Peat @ Moss Cinema",
      ])
  }
}
