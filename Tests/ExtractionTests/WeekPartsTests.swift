import Extraction
import Testing

/// Weeks in parts that are no tables, and houses by what stands around their names.
@Suite("Weeks in parts, and houses")
struct WeekPartsTests {
  private func page(
    _ body: String, title: String = "Moss Cinema", zone: String, url: String? = nil
  ) throws
    -> [String]
  {
    try reading(
      "<html><head><title>\(title)</title></head><body>\(body)</body></html>", zone: zone, at: "2026-11-20T09:00:00Z",
      url: url
    ).screenings.map { "\($0.start) \($0.title) | \($0.venue ?? "")" }
  }

  @Test("short weekdays of a week, each in a part over its times, are its days, also where one has none")
  func shortWeekdays() throws {
    let days = ["SEX": ["14:00", "20:30"], "SÁB": ["15:00"], "DOM": ["15:00", "18:00"], "SEG": [], "TER": ["20:30"]]
    let cells = ["SEX", "SÁB", "DOM", "SEG", "TER"].map { day in
      "<div class=cell><div class=day>\(day)</div><div class=times>"
        + days[day]!.map { "<div>\($0)</div>" }.joined() + "</div></div>"
    }.joined()
    let item = { (film: String) in
      "<div class=item><h3><a href=/\(film)>\(film)</a></h3><div class=row>\(cells)</div></div>"
    }
    let lines = try page(
      "<h4>Programação de 20 a 26 de novembro de 2026</h4>\(item("Silt"))", zone: "America/Sao_Paulo")
    #expect(
      lines.map { String($0.prefix(16)) } == [
        "2026-11-20T14:00", "2026-11-20T20:30", "2026-11-21T15:00", "2026-11-22T15:00", "2026-11-22T18:00",
        "2026-11-24T20:30",
      ], "\(lines)")
  }

  @Test("short words that only look like weekdays stay what they are where others stand among them")
  func otherWords() throws {
    let cells = ["FR", "EN", "NL", "DE", "IT", "ES"].map {
      "<div class=cell><div class=l>\($0)</div><div>14:00</div></div>"
    }
    let lines = try page(
      "<h2>Saturday 21 November</h2><div class=item><h3><a href=/s>Silt</a></h3><div class=row>\(cells.joined())</div></div>",
      zone: "Europe/London")
    #expect(lines.allSatisfy { $0.hasPrefix("2026-11-21T14:00") } && !lines.isEmpty, "\(lines)")
  }

  @Test("a row of nothing but days is over the last parts of the rows below, whatever these begin with")
  func gridBelowDays() throws {
    let days = (20...26).map { "<div class='col day'><span>\($0)/11</span></div>" }.joined()
    func row(_ version: String, _ times: [Int: [String]]) -> String {
      "<div class='row v'><div class='col-12 version'><span class=badge>\(version)</span></div>"
        + (20...26).map { day in
          "<div class='col times'>" + (times[day] ?? []).map { "<a href=/b/\(day)\($0)>\($0)</a>" }.joined() + "</div>"
        }.joined() + "</div>"
    }
    let lines = try page(
      "<h1>Silt</h1><h2>Horaires du 20 au 26 novembre</h2><div class=grid><div class='row days'>\(days)</div>"
        + row("VF", [20: ["13h45"], 22: ["13h45", "16h30"]]) + row("VOST", [24: ["19h15"]]) + "</div>",
      title: "Silt - Cinéma Moss", zone: "Europe/Paris")
    #expect(
      lines.map { String($0.prefix(16)) } == [
        "2026-11-20T13:45", "2026-11-22T13:45", "2026-11-22T16:30", "2026-11-24T19:15",
      ], "\(lines)")
  }

  @Test("of a guide's page the house is what its address ends with, behind words of a programme")
  func houseByAddress() throws {
    let shows = "<h2>Sat 21 November</h2><p>18:00 Silt</p><p>20:30 Marram</p>"
    let found = try page(
      "<h1>Cartelera Larch Proyecciones Madrid</h1>\(shows)", title: "Cartelera Larch Proyecciones Madrid Horarios",
      zone: "Europe/Madrid", url: "https://guide.example/cartelera/madrid/larch-proyecciones")
    #expect(found.count == 2 && found.allSatisfy { $0.hasSuffix("| Larch Proyecciones") }, "\(found)")
    // A film's page is called as its film, and no house.
    let film = try page(
      "<h1>River of Silt</h1><h2>Sat 21 November</h2><p>18:00</p><p>20:30</p>", title: "River of Silt",
      zone: "Europe/Madrid", url: "https://guide.example/films/river-of-silt")
    #expect(film.allSatisfy { !$0.hasSuffix("| River of Silt") }, "\(film)")
  }

  @Test("how many screens a house has is not its name, and neither are its street and its telephone")
  func besideNames() throws {
    func item(_ name: String, _ about: String, _ times: String...) -> String {
      "<li class=theater-item><div class=cinema-title><a href=/cinemas/\(name.lowercased())>\(name)</a></div><div class=cinema-subtitle>\(about)</div><ul>"
        + times.map { "<li class=time>\($0)</li>" }.joined() + "</ul></li>"
    }
    let listed = try page(
      "<h1>Silt</h1><h2>Sat 21 November</h2><ul>"
        + item("Cineplex Forum", "Cineplex • 22 salles • Moss", "18:00", "20:30")
        + item("Cineplex Larch", "Cineplex • 17 salles • Larch", "19:00") + "</ul>", title: "Silt - Guide",
      zone: "Europe/London")
    #expect(
      Set(listed.map { $0.split(separator: "| ").last ?? "" }) == ["Cineplex Forum", "Cineplex Larch"], "\(listed)")
    func box(_ name: String, _ street: String, _ phone: String, _ time: String) -> String {
      "<div class=theater-box><h3><a href='/home/Showtime?ID=\(time)'>\(name)</a><span class=l>\(street)</span><span class=tel>\(phone)</span></h3><ul><li><h6>\(time)</h6></li></ul></div>"
    }
    let eastern = try page(
      "<h1>河岸</h1><p>11/21 (六)</p><div class=theater-list>"
        + box("苔原大戲院", "台北市苔原區河岸路88號", "(02) 5555-0134", "13:00")
        + box("落葉影城", "台北市落葉區森林路17號3樓", "(02) 5555-0199", "15:30") + "</div>", title: "河岸", zone: "Asia/Taipei")
    #expect(Set(eastern.map { $0.split(separator: "| ").last ?? "" }) == ["苔原大戲院", "落葉影城"], "\(eastern)")
  }

  @Test("where one gives money is no film's title, and a film's heading ends before what is told of it")
  func besideTitles() throws {
    let lines = try page(
      "<div class=social><a href=/support class=give>Donate</a></div><h6><a href=/films>Films</a></h6><h2>SILT<div class=subtitle>Starts Friday, November 20</div></h2><p>A young engineer.</p><div class=buy><h5>Buy Tickets</h5><p><b>Friday, November 20</b><br><a href=/1>1:00 pm</a> <a href=/2>4:30 pm</a></p><p><b>Saturday, November 21</b><br><a href=/3>7:30 pm</a></p></div>",
      title: "SILT – Moss Film Institute", zone: "Europe/London")
    #expect(lines.count == 3 && lines.allSatisfy { $0.contains(" SILT |") }, "\(lines)")
  }
}
