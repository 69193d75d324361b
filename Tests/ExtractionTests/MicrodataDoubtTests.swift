import Extraction
import Testing

/// What schema.org's words say that is no showing.
@Suite struct MicrodataDoubtTests {
  private func lines(_ text: String) throws -> [String] {
    try reading(
      "<html><head><title>Moss Cinema</title></head><body>\(text)</body></html>", zone: "Europe/Paris",
      at: "2026-11-20T12:00:00Z", type: "text/html"
    ).lines
  }

  private func row(_ film: String, _ start: String, _ rest: String = "") -> String {
    #"<tr itemscope itemtype="http://schema.org/ScreeningEvent"><td><meta itemprop="name" content="\#(film)"></td>"#
      + start + rest + "</tr>"
  }

  @Test(
    "a start that is struck out, or an item that says that it is cancelled, is not told",
    arguments: [
      (#"<td itemprop="startDate" content="2026-11-28T18:00:00+01:00"><del>18h00</del></td>"#, ""),
      (#"<td><s><time itemprop="startDate" datetime="2026-11-28T18:00:00+01:00">18h00</time></s></td>"#, ""),
      (#"<td itemprop="startDate" content="2026-11-28T18:00:00+01:00">18h00</td>"#, "<td>Annulée</td>"),
      (
        #"<td itemprop="startDate" content="2026-11-28T18:00:00+01:00">18h00</td>"#,
        #"<td>Annulé<span itemprop="location" itemscope><meta itemprop="name" content="Moss"></span></td>"#
      ),
    ])
  func cancelled(_ start: String, _ rest: String) throws {
    let other = row("Silt", #"<td itemprop="startDate" content="2026-11-27T20:30:00+01:00">20h30</td>"#)
    #expect(try lines("<table>\(other)\(row("Marram", start, rest))</table>") == ["2026-11-27T20:30:00+01:00 Silt"])
  }

  @Test("data is silent about what the page says is cancelled; its status may be a node, or that it is put off")
  func silentData() throws {
    func script(_ status: String) -> String {
      #"<script type="application/ld+json">[{"@type":"ScreeningEvent","name":"Silt","startDate":"2026-11-27T20:00"},"#
        + #"{"@type":"ScreeningEvent","name":"Marram","startDate":"2026-11-28T20:00"\#(status)}]</script>"#
    }
    let shown = ["2026-11-27T20:00:00+01:00 Silt"]
    let page =
      "<div><h3>Silt</h3><p>27 novembre 2026 20h00</p></div><div><h3>Marram</h3><p>28 novembre 2026 20h00</p>"
      + "<p>Annulé</p></div>"
    #expect(try lines(script("") + page) == shown)
    #expect(try lines(script(#","eventStatus":{"@id":"https://schema.org/EventCancelled"}"#)) == shown)
    #expect(try lines(script(#","eventStatus":"EventPostponed""#)) == shown)
  }

  @Test("when a film came out is no showing, and a start may be printed behind its T")
  func releases() throws {
    #expect(
      try lines(
        #"<script type="application/ld+json">[{"@type":"Movie","name":"Silt","releasedEvent":{"@type":"#
          + #""PublicationEvent","startDate":"2026-11-27T20:00","location":{"@type":"Country","name":"FR"}}},"#
          + #"{"@type":"ScreeningEvent","name":"Marram","startDate":"2026-11-28T8:00PM"}]</script>"#)
        == ["2026-11-28T20:00:00+01:00 Marram"])
  }

  @Test("schema.org's words may have a prefix")
  func prefixed() throws {
    #expect(
      try lines(
        #"<script type="application/ld+json">{"@context":{"s":"http://schema.org/"},"@type":"s:ScreeningEvent","#
          + #""s:name":"Silt","s:startDate":"2026-11-28T20:00"}</script>"#) == ["2026-11-28T20:00:00+01:00 Silt"])
  }

  @Test(
    "a room with a number is no house where the house is known",
    arguments: [
      ("Screen 2", "Moss Cinema", "Screen 2"), ("Auditorium San Rocco", "Auditorium San Rocco", nil),
    ])
  func rooms(_ place: String, _ venue: String, _ screen: String?) throws {
    let found = try reading(
      "<html><head><title>Programme - Moss Cinema</title></head><body><script type=\"application/ld+json\">"
        + #"{"@type":"ScreeningEvent","name":"Silt","startDate":"2026-11-28T20:00","location":"\#(place)"}"#
        + "</script></body></html>", zone: "Europe/London", at: "2026-11-20T12:00:00Z", type: "text/html")
    #expect(found.screenings.map(\.venue) == [venue])
    #expect(found.screenings.map(\.screen) == [screen])
  }

  @Test("the label of a place in an element of its own is no part of its name")
  func labels() throws {
    func venue(_ name: String) throws -> [String?] {
      try reading(
        #"<body><div itemscope itemtype="https://schema.org/Event"><meta itemprop="name" content="Silt">"#
          + #"<time itemprop="startDate" content="2026-11-27T20:30:00">20:30</time><div itemprop="location" itemscope>"#
          + #"<address itemprop="name">\#(name)</address></div></div></body>"#, zone: "Europe/Paris",
        at: "2026-11-20T12:00:00Z", type: "text/html"
      ).screenings.map(\.venue)
    }
    for label in ["Adres", "Address", "Ort:", "Venue"] {
      #expect(try venue("<small>\(label)</small>Moss Hall") == ["Moss Hall"], "\(label)")
    }
    #expect(try venue("<b>Moss</b> Hall") == ["Moss Hall"])
    #expect(try venue("<b>Venue</b>") == ["Venue"])
  }

  @Test("where all places have the name of a cinema on tour, their addresses tell the halls; of a chain they do not")
  func touring() throws {
    func venues(_ places: [(String, String)]) throws -> Set<String?> {
      let rows = places.enumerated().map { index, place in
        row(
          "Silt", #"<td itemprop="startDate" content="2026-11-2\#(index + 6)T20:30:00+01:00">20h30</td>"#,
          #"<td><span itemprop="location" itemscope itemtype="http://schema.org/MovieTheater">"#
            + #"<meta itemprop="name" content="\#(place.0)"><meta itemprop="address" content="\#(place.1)"></span></td>"#
        )
      }
      let found = try reading(
        "<html><head><title>Silt</title></head><body><table>\(rows.joined())</table></body></html>",
        zone: "Europe/Paris", at: "2026-11-20T12:00:00Z", type: "text/html")
      #expect(found.screenings.count == places.count)
      return Set(found.screenings.map(\.venue))
    }
    #expect(
      try venues([("Moss Tour", "Fenby, Salle des fêtes"), ("Moss Tour", "Marram, Foyer communal")])
        == ["Fenby, Salle des fêtes", "Marram, Foyer communal"])
    let moss: Set<String?> = ["Moss Tour"]
    #expect(try venues([("Moss Tour", "Fenby, Norfolk"), ("Moss Tour", "Marram, Kent")]) == moss)
    #expect(try venues([("Moss Tour", "Fenby, 1 Hall Street"), ("Moss Tour", "Marram, 2 Hall Street")]) == moss)
    #expect(try venues([("Moss Tour", "Fenby, Salle des fêtes"), ("Moss Tour", "Fenby, Salle des fêtes")]) == moss)
    #expect(
      try venues([("Moss Tour", "Fenby, Salle des fêtes"), ("Fen Cinema", "Marram, Foyer communal")])
        == ["Moss Tour", "Fen Cinema"])
  }
}
