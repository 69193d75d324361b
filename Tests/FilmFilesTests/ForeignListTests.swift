import Calendars
import Contracts
import Drafts
import FilmFiles
import Testing

/// Films out of lists that other programs and people write.
@Suite("Lists of films by others")
struct ForeignListTests {
  private func read(_ text: String) throws -> CheckedFilms {
    try FilmFormat.read(Array(text.utf8), named: "list", as: nil).checked()
  }

  private func minutes(_ text: String) throws -> Int? {
    try read("title,year,duration\nTide,2001,\"\(text.replacing("\"", with: "\"\""))\"\n").films.first?.film
      .runtimeMinutes
  }

  @Test(
    "a length is read however it is written",
    arguments: [
      "1h 33m", "93 min", "93'", "1:33", "1:33:20", "1 hr 33 min", "1시간 33분", "93분", "1h33", "1時間33分", "93 Min.",
    ])
  func lengths(text: String) throws {
    #expect(try minutes(text) == 93)
  }

  @Test(
    "a part of a minute or of an hour is no further digit, and the point behind a unit no number's",
    arguments: [
      ("95.5", 96), ("148.0 min", 148), ("1.5h", 90), ("1.5 Std.", 90), ("1 Std. 33 Min.", 93), ("1h 32.6m", 93),
    ])
  func partsOfLengths(text: String, minutes: Int) throws {
    #expect(try self.minutes(text) == minutes)
  }

  @Test(
    "a point that may stand between hours and minutes is told, as is one too many",
    arguments: ["1.30", "1.30h", "1.2.3"])
  func pointsOfLengths(text: String) throws {
    let checked = try read("title,year,duration\nTide,2001,\(text)\n")
    #expect(checked.films.isEmpty && checked.problems.first?.line.contains("runtime_min is \(text)") == true)
  }

  @Test("what is no length is told with its row and column")
  func noLength() throws {
    let checked = try read("title,year,duration\nTide,2001,long\nEbb,year,90\n")
    #expect(checked.films.isEmpty && checked.problems.map(\.place) == ["list:2", "list:3"])
    #expect(checked.problems[0].line.contains("runtime_min is long"))
    #expect(checked.problems[1].line.contains("year is year"))
  }

  @Test(
    "a day is read however it is written",
    arguments: [
      "4 May 2019", "May 4, 2019", "2019.05.04", "2019/5/4", "20190504", "04-May-2019", "2019年5月4日", "2019년 5월 4일",
      "4 May 2019 (France)", "2019-05-04T00:00:00Z",
    ])
  func days(text: String) throws {
    let film = try #require(try read("title,release_date\nTide,\"\(text)\"\n").films.first)
    #expect(film.releasedOn?.description == "2019-05-04" && film.film.year == 2019)
  }

  @Test("which number is the day's, a column's other rows say; if none does, the year alone is taken")
  func orders() throws {
    func days(_ rows: String...) throws -> [String?] {
      let lines = rows.enumerated().map { "F\($0),\($1)" }
      return try read("title,release_date\n" + lines.joined(separator: "\n")).films.map { $0.releasedOn?.description }
    }
    #expect(try days("03/04/2001", "25/04/2001") == ["2001-04-03", "2001-04-25"])
    #expect(try days("03/04/2001", "04/25/2001") == ["2001-03-04", "2001-04-25"])
    #expect(try days("03/04/2001") == [nil])
    #expect(try read("title,release_date\nTide,03/04/2001\n").films.first?.film.year == 2001)
    #expect(try read("title,release_date\nTide,2001\n").films.first?.film.year == 2001)
  }

  @Test(
    "several people in a cell are several",
    arguments: [
      "Ann Ott & Bea Orr", "Ann Ott and Bea Orr", "Ann Ott; Bea Orr", "Ann Ott / Bea Orr", "Ann Ott, Bea Orr",
      "Ann Ott|Bea Orr",
    ])
  func people(text: String) throws {
    let film = try #require(
      try read("title,year,director,country\nTide,2001,\"\(text)\",Trinidad and Tobago\n").films.first)
    #expect(film.film.directors == ["Ann Ott", "Bea Orr"] && film.film.countries == ["Trinidad and Tobago"])
  }

  @Test("a year behind a title is the film's, unless a column says another")
  func years() throws {
    let films = try read("title,year\nTide (1987),\nTide 2049,\nEbb (1990),1990\nFlow (1991),2001\n").films.map(\.film)
    #expect(films.map(\.title) == ["Tide", "Tide 2049", "Ebb", "Flow (1991)"])
    #expect(films.map(\.year) == [1987, nil, 1990, 2001])
  }

  @Test("columns are found by what they are called in other languages")
  func languages() throws {
    let german = try read(
      "\u{FEFF}Titel;Regie;Jahr;Land;Länge\r\nFlut;Ann Ott;1987;Deutschland / Frankreich;101 Min.\r\n"
    ).films
    #expect(
      german.map(\.film.title) == ["Flut"] && german[0].film.countries == ["DE", "FR"]
        && german[0].film.runtimeMinutes == 101)
    let french = try read("Titre,Réalisateur,Année,Durée\nMarée,Ann Ott,1987,1h41\n").films
    #expect(french.map(\.film.directors) == [["Ann Ott"]] && french[0].film.runtimeMinutes == 101)
    let korean = try read("영화명,감독,제작연도,상영시간,관람등급\n밀물,김하나,2021,97분,15세 이상 관람가\n").films
    #expect(korean.map(\.film.title) == ["밀물"] && korean[0].film.rating == AgeRating(system: "KMRB", code: "15"))
    let japanese = try read("作品名,監督,製作年,上映時間\n満潮,山田一,2020年,105分\n").films
    #expect(japanese.map(\.film.year) == [2020] && japanese[0].film.runtimeMinutes == 105)
  }

  @Test("a list of Letterboxd has its films below what it says of itself")
  func letterboxd() throws {
    let checked = try read(
      "Letterboxd list export v7\nDate,Name,Tags,URL,Description\n2024-01-01,Mine,,https://a.example,\n\nPosition,Name,Year,URL,Description\n1,Tide,1987,https://a.example/t,\n2,Ebb,19x,https://a.example/e,\n"
    )
    #expect(checked.films.map(\.film.title) == ["Tide"] && checked.problems.map(\.place) == ["list:7"])
  }

  @Test("of Wikidata's tables the names are taken, and not the addresses")
  func wikidata() throws {
    let film = try #require(
      try read(
        "film,filmLabel,directorLabel,date\nhttp://www.wikidata.org/entity/Q99,Tide,Ann Ott,1987-02-03T00:00:00Z\n"
      ).films.first)
    #expect(film.film.title == "Tide" && film.film.directors == ["Ann Ott"] && film.film.year == 1987)
    #expect(film.film.externalIDs == ["wikidata:Q99"])
  }

  @Test("ratings of a system that is known are taken; others are told, and the films stay")
  func ratings() throws {
    let reading = try FilmFormat.read(
      Array("title,year,rating\nTide,2001,PG-13\nEbb,2002,15\n".utf8), named: "list", as: nil)
    #expect(reading.checked().films.map(\.film.rating) == [AgeRating(system: "MPA", code: "PG-13"), nil])
    #expect(reading.remark?.contains("1 of its ratings") == true)
  }

  @Test("lists as Python prints them, and numbers with commas and signs")
  func values() throws {
    let film = try #require(
      try read(
        "title,year,genres,votes,budget,score\nTide,2001,\"[{'id': 1, 'name': 'Drama'}, {'id': 2, 'name': \"\"Children's\"\"}]\",\"12,345\",\"$2,000,000\",7.1/10\n"
      ).films.first)
    #expect(
      film.film.genres == ["drama", "children's"] && film.votes == 12_345 && film.budget == 2_000_000
        && film.score == 7.1)
  }

  @Test(
    "films are found in lists of objects and of entries",
    arguments: [
      #"{"Title":"Tide","Year":"1987","Runtime":"101 min","Director":"Ann Ott","imdbID":"tt1","Type":"movie","Poster":"N/A"}"#,
      #"{"films":[{"title":"Tide","year":1987,"duration":"1h 41m","directors":["Ann Ott"],"imdb_id":"tt1"}]}"#,
      #"{"answer":{"page":{"films":[{"title":"Tide","year":1987,"runtime":"1:41","director":"Ann Ott","imdb_id":"tt1"}]}}}"#,
      #"[{"rank":1,"movie":{"title":"Tide","year":1987,"runtime":101,"director":"Ann Ott","ids":{"imdb":"tt1"}}},{"show":{"title":"X"}}]"#,
    ])
  func objects(text: String) throws {
    let checked = try read(text)
    let film = try #require(checked.films.first?.film, "\(checked.problems)")
    #expect(checked.films.count == 1 && film.title == "Tide" && film.year == 1987 && film.runtimeMinutes == 101)
    #expect(film.directors == ["Ann Ott"] && film.externalIDs == ["imdb:tt1"] && film.posterURL == nil)
  }

  @Test(
    "a list's own name is no film, and neither are people and companies that a film lists",
    arguments: [
      #"{"name":"My favourites","films":[{"title":"Tide"}]}"#,
      #"{"name":"My favourites","films":[{"title":"Tide","year":1987}]}"#,
      #"{"list":{"name":"Of 1987","year":1987,"items":[{"name":"Tide","year":1987}]}}"#,
      #"{"title":"Tide","year":1987,"genres":[{"name":"Drama"}],"production_companies":[{"id":1,"name":"Ott Films"}]}"#,
      #"{"title":"Tide","runtime":101,"similar":[{"title":"Ebb","year":1990}]}"#,
      #"{"title":"Tide","directors":[{"name":"Ann Ott"}]}"#,
    ])
  func namedLists(text: String) throws {
    #expect(try read(text).films.map(\.film.title) == ["Tide"])
  }

  @Test("TMDb's lists, collections and searches of everything are read; an error is told in its words")
  func tmdb() throws {
    let film =
      #"{"id":"7","title":"Tide","original_title":"Tide","release_date":"1987-02-03","runtime":"101","imdb_id":""}"#
    for text in [
      #"{"items":[FILM]}"#, #"{"parts":[FILM]}"#, #"{"results":[FILM,{"id":8,"media_type":"tv","name":"X"}]}"#,
    ] {
      let checked = try read(text.replacing("FILM", with: film))
      #expect(checked.films.map(\.film.id.text) == ["film_tmdb-7"] && checked.problems.isEmpty)
      #expect(checked.films.first?.film.runtimeMinutes == 101 && checked.films.first?.film.externalIDs == ["tmdb:7"])
    }
    for text in [#"{"status_code":7,"status_message":"It is closed."}"#, #"{"faultInfo":{"message":"It is closed."}}"#]
    {
      let error = #expect(throws: UnreadableFile.self) { try read(text) }
      #expect(error?.description.contains("It is closed.") == true)
    }
  }

  @Test("what has a day of release alone is no answer of TMDb, and keeps what TMDb does not tell")
  func releaseDates() throws {
    let film = try #require(
      try read(
        #"[{"id":7,"title":"Tide","release_date":"1987-02-03","director":"Ann Ott","runtime":"1h 41m"}]"#
      ).films.first?.film)
    #expect(film.directors == ["Ann Ott"] && film.runtimeMinutes == 101 && film.year == 1987)
  }

  @Test("a tag of a language stays whole where a film can have it, and languages that nobody knows are told")
  func filmLanguages() throws {
    let text = "title,year,language\nTide,2001,zh-TW\nEbb,2002,French\nFlow,2003,Klingon\nEddy,2004,zh-Hant-TW\n"
    let reading = try FilmFormat.read(Array(text.utf8), named: "list", as: nil)
    #expect(reading.checked().films.map(\.language) == ["zh-tw", "fr", nil, "zh"])
    #expect(reading.remark == "list: not taken: 1 of its languages, which nobody knows by that name")
  }

  @Test("KOBIS's numbers may be texts, its lists the one that they hold, and its texts empty")
  func kobis() throws {
    let film = try #require(
      try read(
        #"{"movieInfoResult":{"movieInfo":{"movieCd":20210002,"movieNm":"밀물","showTm":97,"prdtYear":"","openDt":"2021-05-30","nations":{"nationNm":"한국"},"directors":{"peopleNm":"김하나"}}}}"#
      ).films.first?.film)
    #expect(film.id.text == "film_kobis-20210002" && film.year == 2021 && film.runtimeMinutes == 97)
    #expect(film.countries == ["KR"] && film.directors == ["김하나"])
  }
}
