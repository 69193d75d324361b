import Atlas
import Contracts
import FilmFiles
import Films
import TestKit
import Testing
import Wire

/// The catalogue as a value.
@Suite("Catalogue")
struct CatalogueTests {
  static let starter: [CatalogueFilm] = {
    let reading = try? FilmTable.read(Atlas.films.bytes, named: Atlas.films.name)
    return (try? reading?.films()) ?? []
  }()
  private static let catalogue = Catalogue(starter, revision: 1)

  private func found(_ text: String, _ limit: Int = 5) -> [String] {
    Self.catalogue.search(SearchCatalogue(text: text, limit: limit)).compactMap { $0.film?.film.id.text }
  }

  @Test("the films that we know are whole, each once, and much of them Korean and Japanese")
  func starter() {
    #expect(Self.starter.count >= 500)
    #expect(FilmLint.findings(in: Self.starter.map { .init($0.film.id.text, $0) }, thisYear: 2026) == [])
    // A name of somebody who is nobody in the film.
    var odd = Self.starter[0]
    odd.otherNames = (odd.otherNames ?? []) + [PersonName("Nobody Here", other: "아무도")]
    let findings = FilmLint.findings(in: [.init("odd", odd)], thisYear: 2026)
    #expect(findings.count == 1 && "\(findings)".contains("orphan") && "\(findings)".contains("아무도"))
    let languages = Dictionary(grouping: Self.starter, by: \.language).mapValues(\.count)
    #expect(languages["ko", default: 0] > 90 && languages["ja", default: 0] > 90 && languages.count > 20)
  }

  @Test(
    "a film is found by a part of a title in any language, initials, sounds and slips of the finger",
    arguments: [
      ("괴물", "film_monster-2023"), ("ㄱㅅㅊ", "film_parasite-2019"), ("東京", "film_tokyo-story-1953"),
      ("万引", "film_shoplifters-2018"), ("gisaengchung", "film_parasite-2019"), ("칸", "film_tampopo-1985"),
      ("rashomno", "film_rashomon-1950"), ("amelie", "film_amelie-2001"), ("ｽﾄｰｶｰ", "film_stalker-1979"),
      ("Сталкер", "film_stalker-1979"), ("tokyo story", "film_tokyo-story-1953"),
      ("Tokyo monogatari", "film_tokyo-story-1953"), ("Sen to Chihiro", "film_spirited-away-2001"),
      ("センと千尋", "film_spirited-away-2001"), ("せんとちひろ", "film_spirited-away-2001"),
    ])
  func search(text: String, id: String) {
    // One that no title has finds nothing rather than anything.
    if text == "칸" { #expect(!found(text).contains(id)) } else { #expect(found(text).contains(id), "\(found(text))") }
  }

  @Test("a title with its year finds the film of that year first; a title that is a year stays one")
  func years() {
    #expect(found("괴물 2023").first == "film_monster-2023")
    #expect(found("괴물 (2006)").first == "film_the-host-2006")
    #expect(found("narayama 1983").first == "film_the-ballad-of-narayama-1983")
    #expect(found("2046").first == "film_2046-2004" && found("plan 75").first == "film_plan-75-2022")
    #expect(found("괴물 1950").isEmpty)
  }

  @Test(
    "somebody is found in their own letters, in Korean, Japanese and kana, and is one person",
    arguments: [
      ("봉준호", "bong-joon-ho"), ("박찬욱", "park-chan-wook"), ("구로사와", "akira-kurosawa"), ("黒澤", "akira-kurosawa"),
      ("くろさわ", "kiyoshi-kurosawa"), ("是枝", "hirokazu-kore-eda"), ("김기덕", "kim-ki-duk"), ("김기덕", "kim-kee-duk"),
      ("에릭 로메르", "eric-rohmer"), ("Тарковский", "andrei-tarkovsky"), ("ㅂㅈㅎ", "bong-joon-ho"),
    ])
  func ownLetters(text: String, id: String) {
    let hits = Self.catalogue.search(SearchCatalogue(text: text, limit: 20, includesPeople: true))
    #expect(hits.compactMap(\.person?.id.text).contains(id), "\(hits.compactMap(\.person?.id.text))")
  }

  @Test("who is listed in other letters elsewhere is the same person, by both addresses; namesakes stay two")
  func onePerson() throws {
    var film = try #require(Self.starter.first { $0.film.id.text == "film_parasite-2019" })
    (film.film.id, film.film.directors) = (.named("film_kobis-1"), ["봉준호"])
    var other = film
    (other.film.id, other.film.directors) = (.named("film_kobis-2"), ["김기덕"])
    let catalogue = Catalogue(Self.starter + [film, other], revision: 2)
    let found = catalogue.search(SearchCatalogue(text: "봉준호", limit: 9, includesPeople: true)).compactMap(\.person)
    #expect(found.map(\.id.text) == ["bong-joon-ho"] && found.first?.films == 7)
    let alone = Catalogue([film], revision: 1)
    let person = try #require(alone.search(SearchCatalogue(text: "봉준호", limit: 9, includesPeople: true)).first?.person)
    #expect(person.name == "Bong Joon-ho")
    let namesakes = catalogue.search(SearchCatalogue(text: "김기덕", limit: 9, includesPeople: true)).compactMap(\.person)
    #expect(namesakes.count == 3, "\(namesakes)")
  }

  @Test("a list by a text has the films of who is named so; a title that is a name comes first, and alone")
  func byName() throws {
    func list(_ text: String, only: [FilmID]? = nil) throws -> CataloguePage {
      try #require(Self.catalogue.page(ListCatalogue(only: only, text: text, limit: 100)))
    }
    let ozu = try list("小津安二郎")
    #expect(ozu.people?.map(\.name) == ["Yasujirō Ozu"], "\(ozu.people ?? [])")
    #expect(ozu.films.count > 3 && ozu.films.allSatisfy { $0.film.directors?.contains("Yasujirō Ozu") == true })
    #expect(Set(ozu.films.map(\.film.id)).count == ozu.films.count && ozu.total == ozu.films.count)
    let parasite = try list("기생충")
    #expect(parasite.people == nil && parasite.films.first?.film.id.text == "film_parasite-2019")
    let some = [FilmID.named("film_tokyo-story-1953"), .named("film_parasite-2019")]
    #expect(try list("Ozu", only: some).films.map(\.film.id.text) == ["film_tokyo-story-1953"])
    // Of whom a condition leaves nothing, nothing is said.
    #expect(try list("Ozu", only: some).people?.map(\.name) == ["Yasujirō Ozu"])
    #expect(try list("Ozu", only: [.named("film_parasite-2019")]).people == nil)
    let late = Self.catalogue.page(ListCatalogue(yearFrom: 2_000, text: "小津安二郎", limit: 100))
    #expect(late?.people == nil && late?.total == 0)
  }

  @Test("films whose people have many long names stay far below a message, in a list, a search and on somebody's page")
  func namesOfMany() throws {
    let makers = (0..<20).map { "Maker \($0)" }
    let names = makers.flatMap { maker in
      (0..<8).map { PersonName(maker, other: "\(maker) \($0) " + String(repeating: "가", count: 120)) }
    }
    let films = (0..<200).map { number in
      CatalogueFilm(
        film: Film(
          id: .named("film_\(number)"), title: "Film \(number)", year: 1_900 + number % 100, directors: makers),
        otherNames: number == 0 ? names : nil)
    }
    let catalogue = Catalogue(films, revision: 1)
    let list = try #require(catalogue.page(ListCatalogue(limit: 200, namesPeople: true)))
    #expect(list.films.count < 200 && list.next != nil && list.films.allSatisfy { $0.otherNames?.count ?? 0 >= 140 })
    #expect(catalogue.page(ListCatalogue(limit: 200))?.films.count == 200)
    let found = catalogue.search(SearchCatalogue(text: "Film", limit: 100))
    #expect(found.count == 100 && found.allSatisfy { $0.film?.film.directors?.isEmpty == false })
    let maker = try #require(PersonID("maker-7"))
    let page = try #require(catalogue.people.page(of: maker, in: catalogue.films))
    #expect(page.directed.count == 200 && page.person.films == 200)
    for bytes in [try Wire.encode(list).count, try Wire.encode(found).count, try Wire.encode(page).count] {
      #expect(bytes < 3 << 20, "\(bytes) bytes")
    }
  }

  @Test("a film told with names has every name of its people; told without, it is as it is stored")
  func everyName() throws {
    let id = FilmID.named("film_parasite-2019")
    let film = try #require(Self.catalogue[id])
    #expect(film.otherNames == nil)
    func names(_ film: CatalogueFilm?) -> [String] {
      (film?.otherNames ?? []).filter { $0.name == "Bong Joon-ho" }.map(\.other)
    }
    let found = Self.catalogue.search(SearchCatalogue(text: "기생충", limit: 1))
    #expect(names(found[0].film).contains("봉준호"))
    let told = Self.catalogue.page(ListCatalogue(only: [id], limit: 1, namesPeople: true))
    let named = names(told?.films.first)
    #expect(named.contains("봉준호"))
    #expect(Self.catalogue.page(ListCatalogue(only: [id], limit: 1))?.films == [film])
    // Listed in his own letters, he has the Latin ones besides.
    var other = film
    (other.film.id, other.film.directors) = (.named("film_kobis-1"), ["봉준호"])
    let both = Catalogue(Self.starter + [other], revision: 2)
    let listed = both.page(ListCatalogue(only: [other.film.id], limit: 1, namesPeople: true))?.films.first
    #expect(listed?.otherNames?.contains(PersonName("봉준호", other: "Bong Joon-ho")) == true)
  }

  @Test("pages hold every film once, in the order asked for")
  func pages() throws {
    var ids: [FilmID] = []
    var after: String?
    repeat {
      let page = try #require(Self.catalogue.page(ListCatalogue(order: .title, after: after, limit: 100)))
      ids += page.films.map(\.film.id)
      after = page.next
    } while after != nil
    #expect(ids.count == Self.starter.count && Set(ids).count == ids.count)
    #expect(Self.catalogue.page(ListCatalogue(after: "x", limit: 1)) == nil)
    #expect(Self.catalogue.page(ListCatalogue(after: "9999999.nobody", limit: 1))?.films == [])
  }

  @Test("a page goes on behind the last film that was seen, though films have come meanwhile")
  func changedPages() throws {
    let first = try #require(Self.catalogue.page(ListCatalogue(order: .title, limit: 10)))
    var new = try #require(Self.starter.first)
    (new.film.id, new.film.title) = (.named("film_new"), "!A")
    let later = Catalogue(Self.starter + [new], revision: 2)
    let second = try #require(later.page(ListCatalogue(order: .title, after: first.next, limit: 10)))
    #expect(Set(first.films.map(\.film.id)).isDisjoint(with: second.films.map(\.film.id)))
    let whole = try #require(later.page(ListCatalogue(order: .title, limit: 21)))
    #expect(second.films.last?.film.id == whole.films.last?.film.id)
  }

  @Test("conditions hold together, and what is not known fulfils none")
  func conditions() throws {
    let page = try #require(
      Self.catalogue.page(
        ListCatalogue(genres: ["horror", "mystery"], countries: ["JP"], yearTo: 1990, runtimeMax: 120, limit: 100)))
    #expect(!page.films.isEmpty && page.total == page.films.count)
    for film in page.films.map(\.film) {
      #expect(film.countries?.contains("JP") == true && film.year ?? 9_999 <= 1990)
      #expect(film.runtimeMinutes ?? 9_999 <= 120)
    }
    let only = [FilmID.named("film_ran-1985"), .named("nobody"), .named("film_m-1931"), .named("film_ran-1985")]
    let some = Self.catalogue.page(ListCatalogue(only: only, limit: 10))
    #expect(some?.films.map(\.film.id.text) == ["film_ran-1985", "film_m-1931"])
  }

  @Test("somebody's films are found by their name with and without its accents")
  func people() throws {
    let hits = Self.catalogue.search(SearchCatalogue(text: "Ozu", limit: 30, includesPeople: true))
    let person = try #require(hits.compactMap(\.person).first)
    #expect(person.id.text == "yasujiro-ozu" && person.films > 8)
    #expect(Self.catalogue.search(SearchCatalogue(text: "Ozu", limit: 5)).allSatisfy { $0.person == nil })
  }
}

/// Which film a printed title means.
@Suite("Title matching")
struct TitleMatcherTests {
  private static let matcher = TitleMatcher(Catalogue(CatalogueTests.starter, revision: 1))

  private func match(
    _ title: String, year: Int? = nil, directors: [String]? = nil, runtime: Int? = nil
  ) -> TitleMatch {
    Self.matcher.match(
      PrintedFilm(title: title, year: year, directors: directors, runtimeMinutes: runtime), limit: 5)
  }

  @Test("what is printed around a title becomes attributes, and nothing of it is lost")
  func attributes() {
    let match = match("[시네마톡] 괴물 (4K) 【字幕】", year: 2023)
    #expect(match.name == "괴물" && match.film?.text == "film_monster-2023")
    #expect(match.attributes == ["4k", "subtitled", "talk"])
    #expect(match.removed.joined() == "[시네마톡](4K)【字幕】")
    let english = self.match("Tokyo Story + Q&A (1953)")
    #expect(english.film?.text == "film_tokyo-story-1953" && english.attributes == ["q-and-a"] && english.year == 1953)
  }

  @Test("two films of one name are told apart by year, director and length, and by nothing else")
  func sameName() {
    let open = match("괴물")
    #expect(open.film == nil && open.candidates.prefix(2).map(\.score) == [0.6, 0.6])
    #expect(match("괴물", year: 2006).film?.text == "film_the-host-2006")
    // A release may be a year after the premiere.
    #expect(match("괴물", year: 2024).film?.text == "film_monster-2023")
    #expect(match("괴물", directors: ["Bong Joonho"]).film?.text == "film_the-host-2006")
    #expect(match("괴물", directors: ["Kore-eda Hirokazu"]).film?.text == "film_monster-2023")
    #expect(match("괴물", runtime: 126).film?.text == "film_monster-2023")
    #expect(match("복수는 나의 것", year: 1979).film?.text == "film_vengeance-is-mine-1979")
  }

  @Test("a director's name in other letters speaks neither for nor against")
  func otherLetters() {
    let match = match("라쇼몽", year: 1950, directors: ["구로사와 아키라"])
    #expect(match.film?.text == "film_rashomon-1950")
    #expect(match.candidates.first?.parts.map(\.name) == ["title", "year"])
  }

  @Test(
    "a text of which nothing or hardly anything is a name has no film, and ends nothing",
    arguments: ["", " ", "Face//Off", "A ++ B", "Foo／", "+", "()", "[] / []", "\u{0}", "：", "/ / /", "aka", "的\u{300}"])
  func nothing(title: String) {
    #expect(match(title).film == nil && match(title).films == nil)
  }

  private static func film(_ title: String, _ year: Int) -> CatalogueFilm {
    CatalogueFilm(film: Film(id: FilmID.made(of: title, year: year)!, title: title, year: year))
  }

  @Test(
    "a name within another film's whole name, or beside words that only begin like known ones, is no name",
    arguments: [
      ("Victor/Victoria", "film_victor-victoria-1982"), ("Mission: Impossible", "film_mission-impossible-1996"),
      ("Akatsuki Ring", nil), ("Solaris Akademie", nil), ("Victoria", "film_victoria-2015"),
      ("Solaris aka Soljaris", "film_solaris-1972"),
    ])
  func within(title: String, id: String?) {
    let few = [
      Self.film("Victor/Victoria", 1982), Self.film("Victoria", 2015), Self.film("Mission: Impossible", 1996),
      Self.film("The Impossible", 2012), Self.film("Ring", 1998), Self.film("Solaris", 1972),
    ]
    let match = TitleMatcher(Catalogue(few, revision: 1)).match(PrintedFilm(title: title), limit: 5)
    #expect(match.film?.text == id, "\(match.candidates.map { ($0.film.title, $0.score) })")
  }

  @Test(
    "a part of a title, or a film of another time, is no match", arguments: ["달밤", "도쿄", "Mirror Mirror on the Wall"])
  func unsure(title: String) {
    #expect(match(title).film == nil)
    #expect(match("Metropolis", year: 2001).film == nil)
  }
}
