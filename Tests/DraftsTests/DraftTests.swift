import Calendars
import Drafts
import Testing

@Suite("Drafts")
struct DraftTests {
  private enum Field: String, CaseIterable {
    case name, screens, active, country, zone = "time_zone"
    case latitude = "lat"
    case longitude = "lon"
  }

  private func texts(_ said: [Field: String]) -> DraftTexts {
    var texts = DraftTexts()
    for (field, text) in said { texts[field] = text }
    return texts
  }

  private func problems(
    of said: [Field: String], _ read: (inout DraftCheck<Field>) -> Void
  ) -> [String] {
    var check = DraftCheck<Field>(texts(said), bytesMax: 20)
    read(&check)
    return check.problems
  }

  @Test("an empty text clears, and what is not said stays as it is kept")
  func completing() {
    var draft = texts([.name: "Rex", .screens: "", .active: ""])
    draft.complete(lasting: Field.active) { "kept \($0.rawValue)" }
    #expect(draft[Field.name] == "Rex")
    #expect(draft[Field.screens] == nil)
    #expect(draft[Field.active] == "kept active")
    #expect(draft[Field.country] == "kept country")
  }

  @Test("a cell of several lines is one line; what is too long, broken or missing is told once")
  func texts() {
    var check = DraftCheck<Field>(texts([.name: " Cinema\n\t Rex "]), bytesMax: 20)
    #expect(check.text(.name) == "Cinema Rex")
    #expect(problems(of: [:]) { _ = $0.text(.name, isRequired: true) } == ["name is missing"])
    let long = String(repeating: "x", count: 21)
    #expect(
      problems(of: [.name: long]) { (_, _) = ($0.text(.name), $0.text(.name)) }
        == ["name has 21 bytes; at most 20 are kept"])
    #expect(problems(of: [.name: "a\u{7}"]) { _ = $0.text(.name) } == ["name holds a control character"])
  }

  @Test("a beginning cuts no letter, and is something even of a letter with marks without end")
  func beginnings() {
    #expect("괴물들".prefix(bytes: 7) == "괴물")
    #expect("ab".prefix(bytes: 9) == "ab")
    let marked = "e" + String(repeating: "\u{301}", count: 99)
    #expect(marked.prefix(bytes: 10).utf8.count == 9)
  }

  @Test("numbers are whole and within their range, flags are yes or no")
  func numbers() {
    var check = DraftCheck<Field>(texts([.screens: "3.0", .active: "No"]), bytesMax: 20)
    #expect(check.number(.screens, in: 1...100) == 3)
    #expect(check.flag(.active) == false)
    #expect(check.problems.isEmpty)
    #expect(
      problems(of: [.screens: "2.5"]) { _ = $0.number(.screens, in: 1...9) } == ["screens is 2.5, not a whole number"])
    #expect(problems(of: [.screens: "0"]) { _ = $0.number(.screens, in: 1...9) } == ["screens is 0; give one of 1...9"])
    #expect(problems(of: [.active: "maybe"]) { _ = $0.flag(.active) } == ["active is maybe; write 1 or 0"])
  }

  @Test("degrees are read as people write them, and nothing else is")
  func degrees() {
    let told = ["37.5", "37,5", "37.5° N", "37°30′ N", "37°30'0\"N", "+37.5"]
    #expect(told.map { Degrees($0)?.value } == Array(repeating: 37.5, count: told.count))
    #expect(
      Degrees("1.25 W")?.value == -1.25 && Degrees("-1,25")?.value == -1.25 && Degrees("S 10°30'")?.value == -10.5)
    for text in ["", "north", "37.5.1", "37°75'", "1-2", "1 2 3 4"] { #expect(Degrees(text) == nil, "\(text)") }
  }

  @Test("languages are read by name and by code, the first of several")
  func languages() {
    #expect(
      ["en", "English", "pt-BR", "한국어", "日本語", "german, french"].map(LanguageName.code) == [
        "en", "en", "pt", "ko", "ja", "de",
      ])
    #expect(LanguageName.code(of: "koreanisch") == nil && LanguageName.code(of: "") == nil)
  }

  @Test("points that are swapped, countries in words and zones that nobody knows are told with what to write")
  func places() {
    #expect(
      problems(of: [.latitude: "126.97", .longitude: "37.57"]) { _ = $0.position(.latitude, .longitude) }
        == ["lat is 126.97 and lon is 37.57; they are probably swapped"])
    #expect(
      problems(of: [.country: "Atlantis"]) { _ = $0.country(.country) }
        == ["country is Atlantis; write two letters such as KR"])
    #expect(
      problems(of: [.zone: "Asia/Nowhere"]) { _ = $0.zone(.zone, only: nil, in: ZoneDirectory()) }
        == ["time_zone is Asia/Nowhere, which this machine does not know"])
    var check = DraftCheck<Field>(texts([:]), bytesMax: 20)
    #expect(check.country(.country, otherwise: "KR") == "KR")
    #expect(check.zone(.zone, only: "Asia/Seoul", in: ZoneDirectory())?.text == "Asia/Seoul")
  }

  @Test("an edit holds the fields that differ")
  func edits() {
    let states: [[Field: String]] = [[.name: "Rex", .screens: "3"], [.name: "Rex", .country: "KR"]]
    let edits = FieldEdit.between(states[0], states[1]) { (field: Field, state) in state[field] }
    #expect(
      edits == [
        FieldEdit(name: "screens", before: "3", after: nil), FieldEdit(name: "country", before: nil, after: "KR"),
      ])
  }
}
