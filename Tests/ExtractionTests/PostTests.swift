import Extraction
import Testing

/// Programmes that a house prints in its posts.
@Suite("Posts")
struct PostTests {
  private static let programme = """
    <p><b>PROGRAMA</b></p><p><b>26 de novembro (quinta-feira)</b></p><p>15h: LODO</p><p>17h30: MARÉ BAIXA</p>
    <p><b>27 de novembro (sexta-feira)</b></p><p>15h: MARÉ BAIXA</p><p>19h: LODO</p><p>Ingressos: R$ 14,00.</p>
    """
  private static let shown = [
    "2026-11-26T15:00:00-03:00 LODO", "2026-11-26T17:30:00-03:00 MARÉ BAIXA", "2026-11-27T15:00:00-03:00 MARÉ BAIXA",
    "2026-11-27T19:00:00-03:00 LODO",
  ]

  private func read(
    _ text: String, _ type: String, at instant: String = "2026-11-25T09:00:00-03:00"
  ) throws -> Extraction {
    try reading(text, zone: "America/Sao_Paulo", at: instant, type: type)
  }

  private func escaped(_ markup: String) -> String {
    markup.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  @Test("a programme in an entry of Atom or RSS is read as a page; an entry about something else is none")
  func feeds() throws {
    let news = "<p>O longa <i>Lodo</i> recebeu ontem, às 20h, o prêmio do júri. Estreou em 2 de outubro de 2025.</p>"
    let atom = """
      <?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Cine</title>
      <entry><title>Programa de 26 a 27 de novembro</title><published>2026-11-24T18:21:00-03:00</published>
      <link rel="alternate" href="https://cine.example/p1"/><content type="html">\(escaped(Self.programme))</content></entry>
      <entry><title>Prêmio</title><published>2026-11-20T11:00:00-03:00</published>
      <content type="html">\(escaped(news))</content></entry></feed>
      """
    let found = try read(atom, "application/atom+xml")
    #expect(found.lines == Self.shown && found.screenings.first?.url == "https://cine.example/p1")
    let rss = """
      <?xml version="1.0"?><rss><channel><title>Cine</title><item><title>Programa</title>
      <pubDate>Tue, 24 Nov 2026 18:21:00 -0300</pubDate><description>Em breve</description>
      <content:encoded><![CDATA[\(Self.programme)]]></content:encoded></item></channel></rss>
      """
    #expect(try read(rss, "application/rss+xml").lines == Self.shown)
  }

  @Test("posts of a site's own program are read so, too, each on the day that it was written")
  func posts() throws {
    let text = Self.programme.replacing("\n", with: " ").replacing("\"", with: "\\\"")
    let json = """
      [{"id": 7, "date": "2026-11-24T18:21:00", "link": "https://cine.example/p1", "title": {"rendered": "Programa"},
        "content": {"rendered": "\(text)", "protected": false}}]
      """
    #expect(try read(json, "application/json").lines == Self.shown)
    let late = try read(json, "application/json", at: "2028-02-01T09:00:00-03:00")
    #expect(late.lines == Self.shown, "a year is that of the post")
  }

  @Test("posts whose titles begin with a day and a clock are showings, of the year in which they were written")
  func dated() throws {
    func post(_ title: String, _ written: String = "2026-11-20T11:02:41") -> String {
      #"{"id":1,"date":"\#(written)","link":"https://cine.example/1","title":{"rendered":"\#(title)"},"content":{"rendered":""}}"#
    }
    func found(_ posts: [String]) throws -> [String] {
      try reading(
        "[\(posts.joined(separator: ","))]", zone: "Asia/Jerusalem", at: "2026-11-25T09:00:00+02:00",
        type: "application/json"
      ).lines
    }
    let season = post("Season 2026-27 &#8211; 12 films")
    #expect(
      try found([post("3.12 14:00 | Silt &#8217;26 + talk"), season, post("26.12 20:30 | Marram")])
        == ["2026-12-03T14:00:00+02:00 Silt ’26 + talk", "2026-12-26T20:30:00+02:00 Marram"])
    #expect(
      try found([
        post("3.12 14:00 | Silt", "2025-11-20T11:02:41"), post("26.12 20:30 | Marram", "2025-11-20T11:02:41"),
      ]) == ["2025-12-03T14:00:00+02:00 Silt", "2025-12-26T20:30:00+02:00 Marram"])
    #expect(
      try found([post("3.12 14:00 - 16:00 | Silt – Marram"), post("4.12 18:00: Marram")])
        == ["2026-12-03T14:00:00+02:00 Silt – Marram", "2026-12-04T18:00:00+02:00 Marram"])
    #expect(try found([post("3.12 14:00 | Silt"), season]) == [], "one may be an announcement of anything")
    #expect(try found([post("Closed on 3.12 14:00 | Silt"), post("Closed on 4.12 14:00 | Marram")]) == [])
  }
}
