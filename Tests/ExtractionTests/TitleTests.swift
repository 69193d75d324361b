import Testing

@testable import Extraction

/// Which of the texts around a time is its title, where several are marked as one.
@Suite struct TitleTests {
  static let page = "<title>Film: Silt – Moss Arts</title><h1>Film: Silt</h1>"

  @Test("the heading with which the page's title begins names what is shown, whatever stands nearer")
  func pageHeading() throws {
    let near =
      "<p class=dates>13 July 2026 – 11 Jan 2027</p><div><span class=row_title>Ages</span><span>16+</span></div>"
    let found = try reading(
      Self.page + near
        + "<section><h2>Dates &amp; Times</h2><div><span>Sat 21 Nov</span> <b>19:30</b></div><div><span>Sun 22 Nov</span>"
        + " <b>14:00</b></div></section>", zone: "Europe/London")
    #expect(found.screenings.map(\.title) == ["Film: Silt", "Film: Silt"])
    // Beside what is printed of one day it stands for another part's as well.
    let twice = try reading(
      "<title>Silt – Moss Arts</title><section><h1>Silt</h1><p>Friday 27 November 2026, 7.30pm</p></section>"
        + "<section><p>A silent film with organ.</p><div>Add to calendar <span>2026-11-27 19:30:00</span></div></section>",
      zone: "Europe/London")
    #expect(Set(twice.screenings.map(\.title)) == ["Silt"])
  }

  @Test("a heading of its own names a card, and the house's name nothing")
  func ownHeading() throws {
    let card = "<section><h2>More like this</h2><div><h3>The Sower</h3><p>Sat 28 November, 7.45pm</p></div></section>"
    let found = try reading(
      Self.page + "<ul><li>Sat 21 Nov <b>19:30</b></li><li>Sun 22 Nov <b>14:00</b></li></ul>" + card,
      zone: "Europe/London")
    #expect(found.screenings.map(\.title) == ["Film: Silt", "Film: Silt", "The Sower"])
    let alike = try reading(
      "<title>Silt | Moss</title><main><h1>Silt</h1><article><div class=when>Sat 21 Nov, 19:30</div>"
        + "<div class=when>Sun 22 Nov, 14:00</div></article><article><h3>The Sower</h3>"
        + "<div class=when>Sat 28 Nov, 19:45</div></article></main>", zone: "Europe/London")
    #expect(alike.screenings.map(\.title) == ["Silt", "Silt", "The Sower"])
    let logo = try reading(
      "<title>Moss – Home</title><h1><a href=/>Moss</a></h1><div><h3>Silt</h3><p>Sat 21 Nov <b>19:30</b></p></div>",
      zone: "Europe/London")
    #expect(logo.screenings.map(\.title) == ["Silt"])
  }

  @Test("what stands in a dialog, in a form or over a list to order it is no title of what is outside")
  func dialogs() throws {
    let times = "<ul><li>Sat 21 Nov <b>19:30</b></li><li>Sun 22 Nov <b>14:00</b></li></ul>"
    for apart in [
      "<div class=modal id=modal-news><h3 class=main-title>Hear from us</h3></div>",
      "<form><p class=quantity-heading>How many seats</p></form>",
      "<div role=dialog><h2 class=title>Hear from us</h2></div>",
      "<span class='SortByNameFilter'>Order them</span>",
    ] {
      let found = try reading("<div><h2>Silt</h2>\(apart)\(times)</div>", zone: "Europe/London")
      #expect(found.screenings.map(\.title) == ["Silt", "Silt"], "\(apart)")
    }
    // A programme in a form is one all the same.
    let whole = try reading("<form><h2>Silt</h2>\(times)</form>", zone: "Europe/London")
    #expect(whole.screenings.map(\.title) == ["Silt", "Silt"])
  }

  @Test("a link that is all of a heading is the heading's, though it is called a button")
  func buttonInHeading() throws {
    let cards = zip(["Thu", "Fri", "Sat"], ["Silt", "Bright Water", "The Ferry"]).enumerated().map { index, card in
      "<li><h3><a class=breakout-button href=/e/\(index)>\(card.1)</a></h3><p>A drama of 2013.</p>"
        + "<dl><dd>\(card.0) November \(26 + index), 2026 7:30PM</dd></dl></li>"
    }
    let found = try reading("<ul>\(cards.joined())</ul>", zone: "Europe/London")
    #expect(found.screenings.map(\.title) == ["Silt", "Bright Water", "The Ferry"])
  }

  @Test("a picture is its subject's, and a part of a film's page is no film")
  func pictures() throws {
    for (text, subject) in [
      ("Poster for SILT", "SILT"), ("Silt film poster", "Silt"), ("Affiche du film Silt", "Silt"),
      ("The Poster", "The Poster"),
      ("Silt 포스터", "Silt"), ("Postern Gate", "Postern Gate"),
    ] {
      #expect(PictureText.subject(of: text) == subject)
    }
    let found = try reading(
      "<title>Silt | Moss Plex</title><h1>Silt</h1><div><h3>Silt Synopsis</h3><p>A strange door.</p></div>"
        + "<div><h4>Sat 21 Nov</h4><b>19:30</b></div><div><h4>Sun 22 Nov</h4><b>14:00</b></div>", zone: "Europe/London")
    #expect(found.screenings.map(\.title) == ["Silt", "Silt"])
  }

  @Test("a page's data that has the title of its window names the film")
  func windowTitle() throws {
    let found = try reading(
      "<title>Silt — Moss Hall</title><meta property='og:site_name' content='Moss Hall'>"
        + #"<script type="application/ld+json">{"@type":"Event","name":"Silt — Moss Hall","#
        + #""startDate":"2026-11-21T19:30:00+00:00"}</script><h1>Silt</h1><p>Saturday 21 November 2026, 7.30pm</p>"#,
      zone: "Europe/London")
    #expect(found.screenings.map(\.title) == ["Silt"])
  }
}
