import Calendars
import Extraction
import Testing

/// Things that real pages have around their programme, and that say nothing of it.
@Suite("What stands around a programme")
struct AroundTests {
  private struct Thing: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let html: String

    /// The page with it before everything else.
    func added(to page: String) -> String? {
      guard let body = page.firstRange(of: "<body"), let end = page[body.upperBound...].firstIndex(of: ">") else {
        return nil
      }
      return page[...end] + html + page[page.index(after: end)...]
    }
  }

  private static let things = [
    Thing(
      testDescription: "opening hours in a box",
      html: "<div class='info'><h3>Öffnungszeiten</h3><p>Mo-Fr 17:00-20:00 Uhr geöffnet</p></div>"),
    Thing(
      testDescription: "opening hours in the header",
      html: "<header><h4>Opening hours</h4><ul><li>Monday 10:00 - 18:00</li><li>Friday 10:00 - 18:00</li></ul></header>"
    ),
  ]

  @Test("it changes nothing of what is read", arguments: things)
  private func unchanged(thing: Thing) throws {
    let zones = ZoneDirectory()
    var pages = 0
    for folder in ["Developed", "Held41", "Held44", "Held47"] {
      for page in try LabelledPage.all(in: Folder.pages(folder)) where page.name.hasSuffix(".html") {
        guard let text = String(validating: page.bytes, as: UTF8.self), let more = thing.added(to: text) else {
          continue
        }
        pages += 1
        let with = LabelledPage(name: page.name, bytes: Array(more.utf8), label: page.label)
        #expect(try with.read(zones: zones).lines == page.read(zones: zones).lines, "\(page.name)")
      }
    }
    #expect(pages >= 50)
  }
}
