import Extraction
import Testing

/// What stands around a name without brackets of its own.
@Suite("Tails of titles")
struct TitleTailTests {
  @Test(
    "languages, formats, anniversaries and series around a name are not the name",
    arguments: [
      ("Ein stiller Hof - pers. OmU", "Ein stiller Hof"), ("Schlick – span./franz. OmU", "Schlick"),
      ("Klassieker: Slib, Texas (1984)", "Slib, Texas"), ("Olden w 4K", "Olden"), ("Vase en 4K", "Vase"),
      ("Marsh (1979) 4K Restoration", "Marsh"), ("Old Marsh 50th Anniversary", "Old Marsh"),
      ("Séance jeune public : Ma Vase", "Ma Vase"), ("Kino für Kinder: Moor", "Moor"), ("AVP - Vase", "Vase"),
      ("4Kリマスター版『潮の音』", "潮の音"), ("特集 川島一郎『潮の音』", "潮の音"),
    ])
  func tails(printed: String, film: String) {
    let title = PrintedTitle(printed)
    #expect(title.film == film && !title.removed.isEmpty)
  }

  @Test(
    "what only looks so stays a name",
    arguments: [
      "+Marsh", "Sorry, Baby", "The Anniversary", "Marsh - und der Moor", "Nine - a.", "潮の音『夜』", "Love, Live",
      "Silvester, Sekt & Kurzfilme",
    ])
  func names(printed: String) {
    #expect(PrintedTitle(printed).film == printed)
  }
}
