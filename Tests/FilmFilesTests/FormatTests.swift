import Atlas
import Calendars
import Contracts
import Drafts
import FilmFiles
import JSON
import TestKit
import Testing

/// Films as others write them.
@Suite("Film formats")
struct FormatTests {
  static let tmdb = #"""
    {"adult": false, "id": 843, "title": "In the Mood for Love", "original_title": "花樣年華", "original_language": "cn",
     "release_date": "2000-09-29", "runtime": 99, "budget": 3000000, "revenue": 0, "vote_average": 8.1, "vote_count": 2500,
     "popularity": 30.5, "overview": "Two neighbours.\nHong Kong, 1962.", "poster_path": "/iY.jpg", "imdb_id": "tt0118694",
     "genres": [{"id": 18, "name": "Drama"}, {"id": 10749, "name": "Romance"}, {"id": 4711, "name": "Neues"}],
     "production_countries": [{"iso_3166_1": "HK", "name": "Hong Kong"}, {"iso_3166_1": "FR", "name": "France"}],
     "credits": {"cast": [{"name": "Tony Leung", "order": 1}, {"name": "Maggie Cheung", "order": 0}],
       "crew": [{"job": "Director", "name": "Wong Kar-wai"}, {"job": "Screenplay", "name": "Wong Kar-wai"},
         {"job": "Editor", "name": "William Chang"}]},
     "videos": {"results": [{"site": "YouTube", "key": "b-2_", "name": "Clip", "type": "Clip"},
       {"site": "YouTube", "key": "a1", "name": "Trailer | 4K", "type": "Trailer"},
       {"site": "Elsewhere", "key": "c"}, {"site": "Vimeo", "key": "../d"}, {"site": "Vimeo", "key": "7"}]},
     "translations": {"translations": [{"iso_639_1": "ko", "data": {"title": "화양연화"}},
       {"iso_639_1": "ja", "data": {"title": "花様年華"}}, {"iso_639_1": "de", "data": {"title": ""}}]}}
    """#

  private static let starter: [CatalogueFilm] = {
    let reading = try? FilmTable.read(Atlas.films.bytes, named: Atlas.films.name)
    return (try? reading?.films()) ?? []
  }()

  private func read(_ text: String, as format: FilmFormat? = nil) throws -> [CatalogueFilm] {
    try FilmFormat.read(Array(text.utf8), named: "file", as: format).films()
  }

  @Test("a mark before JSON, as programs of Windows write it, is no part of it, also where each line is a text")
  func byteOrderMark() throws {
    let film = #"{"id": 18148, "original_title": "東京物語", "title": "Tokyo Story", "release_date": "1953-11-03"}"#
    #expect(try read("\u{FEFF}" + film).map(\.film.year) == [1_953])
    #expect(try read("\u{FEFF}\(film)\n\(film.replacing("18148", with: "18149"))\n").count == 2)
  }

  @Test("a film of TMDb comes with all that it tells, and with the sentence that they ask for")
  func tmdb() throws {
    let entry = try #require(try read(Self.tmdb).first)
    let film = entry.film
    #expect(film.id.text == "film_tmdb-843" && film.externalIDs == ["tmdb:843", "imdb:tt0118694"])
    #expect(film.originalTitle == "花樣年華" && film.year == 2000 && film.runtimeMinutes == 99)
    #expect(film.titles?.first { $0.language == "ko" }?.text == "화양연화")
    #expect(film.genres == ["drama", "romance", "neues"] && film.countries == ["HK", "FR"])
    #expect(film.cast == ["Maggie Cheung", "Tony Leung"] && film.directors == ["Wong Kar-wai"])
    #expect(entry.budget == 3_000_000 && entry.revenue == nil && entry.score == 8.1 && entry.votes == 2_500)
    #expect(entry.credit == TMDbDocument.credit)
    // Trailers first; nothing of sites that we have no addresses of, nor what would not stay a part of one.
    #expect(
      entry.videos?.map(\.url) == [
        "https://www.youtube.com/watch?v=a1", "https://www.youtube.com/watch?v=b-2_", "https://vimeo.com/7",
      ])
    #expect(entry.videos?.map(\.name) == ["Trailer / 4K", "Clip", nil])
  }

  @Test(
    "TMDb's film says who may see it, Korea's board first, what it is called in Korea and Japan, and its number at IMDb",
    arguments: [
      (["US:PG-13", "KR:,19", "JP:G"], "KMRB:18"), (["US:NR", "GB:15"], "BBFC:15"),
      (["US:PG-13", "XX:7"], "MPA:PG-13"),
      (["KR:", "US:NR"], nil),
    ])
  func tmdbDetails(certificates: [String], rating: String?) throws {
    let countries = certificates.map { text in
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      let releases = parts[1].split(separator: ",", omittingEmptySubsequences: false).enumerated()
        .map { #"{"certification":"\#($0.element)","type":\#($0.offset + 2)}"# }
      return #"{"iso_3166_1":"\#(parts[0])","release_dates":[\#(releases.joined(separator: ","))]}"#
    }
    let film = try #require(
      read(
        #"""
        {"id": 7, "title": "Silt", "original_title": "Silt", "release_date": "1999-01-02",
         "external_ids": {"imdb_id": "tt0000011"}, "release_dates": {"results": [\#(countries.joined(separator: ","))]},
         "translations": {"translations": [{"iso_639_1": "ko", "data": {"title": "밀물"}}]},
         "alternative_titles": {"titles": [{"iso_3166_1": "KR", "title": "다른 제목", "type": ""},
           {"iso_3166_1": "JP", "title": "Nami", "type": "Romaji"}, {"iso_3166_1": "JP", "title": "波", "type": ""}]}}
        """#
      ).first?.film)
    #expect(film.rating.map { "\($0.system):\($0.code)" } == rating)
    #expect(film.externalIDs == ["tmdb:7", "imdb:tt0000011"])
    #expect(film.titles?.first { $0.language == "ko" }?.text == "밀물")
    #expect(film.titles?.first { $0.language == "ja" }?.text == "波")
  }

  @Test("what TMDb finds by another's id has TMDb's number")
  func tmdbFound() throws {
    let films = try read(
      #"{"movie_results": [{"id": 906, "title": "A", "original_title": "A", "release_date": "1999-01-02", "adult": false}], "person_results": []}"#
    )
    #expect(films.map(\.film.id.text) == ["film_tmdb-906"] && films.first?.film.externalIDs == ["tmdb:906"])
  }

  @Test("who wrote a film of KOBIS, its kinds and countries are told in our words; what is of no kind has none")
  func kobisWords() throws {
    let film = try #require(
      read(
        #"""
        {"movieCd": "1", "movieNm": "밀물", "nations": [{"nationNm": "조지아"}, {"nationNm": "기타"}],
         "genres": [{"genreNm": "서부극(웨스턴)"}, {"genreNm": "기타"}, {"genreNm": "성인물(에로)"}, {"genreNm": "공연"}],
         "staffs": [{"peopleNm": "가", "peopleNmEn": "Ga", "staffRoleNm": "각본"}, {"peopleNm": "나", "staffRoleNm": "조명"},
           {"peopleNm": "다", "staffRoleNm": "각색"}]}
        """#
      ).first)
    #expect(film.film.genres == ["western", "erotic", "music"] && film.film.countries == ["GE"])
    #expect(film.writers == ["가", "다"] && film.otherNames == [PersonName("가", other: "Ga")])
    #expect(try read("title,genres,countries\nA,\"SF, 기타\",기타\n").first?.film.genres == ["science-fiction"])
  }

  @Test("a list of TMDb has genres by number; a number that nobody knows is no genre")
  func tmdbList() throws {
    let films = try read(
      #"""
      {"page": 1, "results": [
        {"id": 1, "title": "A", "original_title": "A", "release_date": "1999-01-02", "genre_ids": [18, 999], "vote_count": 0,
         "vote_average": 0},
        {"id": 2, "title": "B", "original_title": "B", "release_date": "", "genre_ids": []}]}
      """#)
    #expect(films.map(\.film.genres) == [["drama"], nil] && films.map(\.film.year) == [1999, nil])
    #expect(films[0].score == nil && films[0].votes == nil)
  }

  @Test("both answers of KOBIS are read")
  func kobis() throws {
    let list = try read(
      #"""
      {"movieListResult": {"totCnt": 1, "movieList": [{"movieCd": "20183782", "movieNm": "기생충", "movieNmEn": "PARASITE",
        "prdtYear": "2019", "openDt": "20190530", "nationAlt": "한국", "genreAlt": "드라마,스릴러", "repNationNm": "한국",
        "directors": [{"peopleNm": "봉준호"}], "companys": []}]}}
      """#)
    #expect(list[0].film.id.text == "film_kobis-20183782" && list[0].film.year == 2019)
    #expect(list[0].film.countries == ["KR"] && list[0].film.genres == ["drama", "thriller"])
    let info = try read(
      #"""
      {"movieInfoResult": {"movieInfo": {"movieCd": "20183782", "movieNm": "기생충", "movieNmEn": "PARASITE", "movieNmOg": "",
        "showTm": "131", "prdtYear": "2019", "openDt": "20190530", "nations": [{"nationNm": "한국"}],
        "genres": [{"genreNm": "드라마"}], "directors": [{"peopleNm": "봉준호", "peopleNmEn": "BONG Joon-ho"}],
        "actors": [{"peopleNm": "송강호", "cast": "기택"}], "audits": [{"auditNo": "x", "watchGradeNm": "15세이상관람가"}]},
        "source": "영화진흥위원회"}}
      """#)
    #expect(info[0].film.runtimeMinutes == 131 && info[0].film.cast == ["송강호"])
    #expect(info[0].film.rating == AgeRating(system: "KMRB", code: "15") && info[0].language == "ko")
    #expect(FilmTable.write(info).contains("봉준호=BONG Joon-ho"))
    #expect(try FilmTable.read(Array(FilmTable.write(info).utf8), named: "x").films() == info)
  }

  @Test("KOBIS's lists of a day and of a week are read", arguments: ["daily", "weekly"])
  func boxOffice(kind: String) throws {
    let list = try read(
      """
      {"boxOfficeResult": {"boxofficeType": "박스오피스", "showRange": "20261116~20261122", "\(kind)BoxOfficeList": [
        {"rnum": "1", "rank": "1", "movieCd": "20234675", "movieNm": "소풍", "openDt": "2024-02-07", "salesAmt": "9", "audiAcc": "3"}]}}
      """)
    #expect(list.map(\.film.id.text) == ["film_kobis-20234675"] && list[0].film.title == "소풍")
  }

  @Test("a table reads back as it was written")
  func table() throws {
    let films = try read(Self.tmdb) + Self.starter.prefix(50)
    let again = try FilmTable.read(Array(FilmTable.write(films).utf8), named: "x").films()
    #expect(again == films)
  }

  @Test(
    "what is wrong with a row is said in full, and the others are read",
    arguments: [
      ("year", "19x5", "year is 19x5, not a number"), ("runtime_min", "0", "runtime_min is 0; give one of 1...20160"),
      ("poster_url", "javascript:x", "poster_url is javascript:x; begin it with https://"),
      ("released_on", "soon", "released_on is soon"), ("released_on", "1000-09-29", "released_on is 1000-09-29"),
      ("score", "11", "score is 11.0; give one of 0.0...10.0"),
      ("other_ids", "a b", "a b is not an id"),
      ("videos", "youtube:a/b", "videos holds youtube:a/b; write site and key as in youtube:"),
      ("videos", "trailer", "videos holds trailer; write site and key"),
    ])
  func wrong(column: String, value: String, problem: String) throws {
    let text = "title,\(column)\nA,\(value)\nB,\n"
    let read = try FilmFormat.read(Array(text.utf8), named: "f.csv", as: nil).checked()
    #expect(read.films.map(\.film.title) == ["B"])
    #expect(read.problems.first?.line.hasPrefix("f.csv:2: \(problem)") == true, "\(read.problems)")
  }

  @Test("columns of other programs are told and not taken, unless one of ours was meant")
  func foreignColumns() throws {
    let list = "Date,Name,Year,Letterboxd URI\n2026-11-20,Tokyo Story,1953,https://boxd.it/2a4s\n"
    let read = try FilmFormat.read(Array(list.utf8), named: "list.csv", as: nil)
    #expect(read.remark == "list.csv: not taken: the column date")
    #expect(read.checked().films.map(\.film.year) == [1_953])
    #expect(throws: UnreadableFile("f.csv: line 1: unknown column yaer; did you mean year?")) {
      try FilmFormat.read(Array("title,yaer\nRan,1985\n".utf8), named: "f.csv", as: nil)
    }
  }

  @Test("of a source's record only what is odd is left out, or else the record, and each is told")
  func odd() throws {
    let text = #"""
      {"results": [
        {"id": 1, "title": "A", "original_title": "A", "release_date": "soon", "homepage": "www.a.example", "runtime": 90},
        {"id": 2, "title": "", "original_title": "", "release_date": "1999-01-02"},
        7,
        {"id": 3, "title": "C", "original_title": "C", "release_date": "1999-01-02"}]}
      """#
    let read = try FilmFormat.read(Array(text.utf8), named: "f", as: nil).checked()
    #expect(read.films.map(\.film.title) == ["A", "C"] && read.films[0].film.runtimeMinutes == 90)
    #expect(
      read.remarks.map(\.line) == [
        "f film 1: released_on is soon, not \(CivilDate.form); page_url is www.a.example; begin it with https://"
      ])
    #expect(read.problems.map(\.place) == ["f film 2", "f film at 3"])
  }

  @Test("a line that is no film leaves the others of its file alone; a text that is broken is told as one")
  func oddLines() throws {
    let lines =
      #"{"id": 1, "title": "A", "release_date": "1999-01-02"}"# + "\n\n{\"id\": 2,\n"
      + #"{"id": 3, "title": "C", "release_date": ""}"#
    let read = try FilmFormat.read(Array(lines.utf8), named: "f", as: nil).checked()
    #expect(read.films.map(\.film.title) == ["A", "C"])
    #expect(read.problems.map(\.line) == ["f:3: this line is no JSON object"])
    let broken = "{\"results\": [\n{\"id\": 1, \"title\": \"A\", \"release_date\": \"\"}\n,\n{\"id\":\n"
    #expect(throws: UnreadableFile.self) { try FilmFormat.read(Array(broken.utf8), named: "x", as: nil) }
  }

  @Test("titles in languages without a column of their own are kept, in their order")
  func otherTitles() throws {
    var film = try #require(Self.starter.first { $0.film.id.text == "film_rashomon-1950" })
    let more = [FilmTitle(language: "fr", text: "Rashômon"), FilmTitle(language: "zh-Hant", text: "羅生門")]
    film.film.titles = (film.film.titles ?? []) + more
    #expect(try FilmDraft(film).film() == film)
    #expect(try FilmTable.read(Array(FilmTable.write([film]).utf8), named: "x").films() == [film])
    #expect(try read("title,other_titles\nA,fr:B|de:C\n")[0].film.titles?.map(\.text) == ["B", "C"])
    let refused = try FilmTable.read(Array("title,other_titles\nA,B\n".utf8), named: "x").checked().problems
    #expect(refused.first?.problems == ["other_titles holds B; write language and title as in fr:Rashômon"])
  }

  @Test("lists of IMDb, of TMDb and of Letterboxd are read, without what is no film there")
  func foreignTables() throws {
    let imdb = """
      Const,Your Rating,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,\
      Directors
      tt0000011,9,Silt,Limo,https://www.example.com/title/tt0000011/,Movie,8.8,148,2010,\
      "Action, Sci-Fi",2500,"Ana Mora, Bo Lin"
      tt0000012,9,Bolt,,https://www.example.com/title/tt0000012/,TV Series,9.5,49,2008,Drama,20,
      tt0000013,9,Fog,,https://www.example.com/title/tt0000013/,Short,,,2009,Drama,,"Sam Davis, Jr."
      """
    let listed = try FilmTable.read(Array(imdb.utf8), named: "x")
    let films = try listed.films()
    #expect(films.map(\.film.title) == ["Silt", "Fog"])
    #expect(films[0].film.externalIDs == ["imdb:tt0000011"] && films[0].film.runtimeMinutes == 148)
    #expect(
      films[0].film.directors == ["Ana Mora", "Bo Lin"] && films[0].film.genres == ["action", "science-fiction"])
    #expect(films[0].score == 8.8 && films[0].votes == 2_500 && films[1].film.directors == ["Sam Davis, Jr."])
    #expect(
      listed.remark
        == "x: not taken: 1 of its rows, which are no films but series, episodes or games; not taken: the column your_rating"
    )

    let basics =
      "tconst\ttitleType\tprimaryTitle\toriginalTitle\tisAdult\tstartYear\tendYear\truntimeMinutes\tgenres\n"
      + "tt21\tmovie\tSilt\tLimo\t0\t1999\t\\N\t\\N\tDrama,Mystery\ntt22\ttvEpisode\tBolt\tBolt\t0\t\\N\t\\N\t50\tDrama\n"
    let dataset = try FilmTable.read(Array(basics.utf8), named: "x").films()
    #expect(dataset.map(\.film.year) == [1999] && dataset[0].film.runtimeMinutes == nil)
    #expect(dataset[0].film.genres == ["drama", "mystery"] && dataset[0].film.originalTitle == "Limo")

    let tmdb = """
      budget,genres,id,original_language,original_title,popularity,production_countries,release_date,\
      runtime,title,vote_average,vote_count
      3000000,"[{""id"": 18, ""name"": ""Drama""}, {""id"": 878, ""name"": ""Science Fiction""}]",19995,\
      en,Silt,150.4,"[{""iso_3166_1"": ""US"", ""name"": ""United States of America""}]",2009-12-10,162.0,Silt,7.2,11800
      """
    let film = try #require(try FilmTable.read(Array(tmdb.utf8), named: "x").films().first)
    #expect(film.film.externalIDs == ["tmdb:19995"] && film.film.id.text == "film_silt-2009")
    #expect(film.film.genres == ["drama", "science-fiction"] && film.film.countries == ["US"])
    #expect(film.film.runtimeMinutes == 162 && film.score == 7.2 && film.votes == 11_800)

    let diary = "Date,Name,Year,Letterboxd URI,Rating,Rewatch\n2024-01-01,Silt,2010,https://boxd.example/1,4.5,\n"
    let seen = try #require(try FilmTable.read(Array(diary.utf8), named: "x").films().first)
    #expect(seen.film.title == "Silt" && seen.film.rating == nil && seen.film.pageURL == "https://boxd.example/1")
    // Where lists are parted by strokes, a comma is of a name.
    #expect(try read("title,directors\nA,\"B, C\"\nD,E|F\n").map(\.film.directors) == [["B, C"], ["E", "F"]])
  }

  @Test(
    "tables as people keep them are read: their words for columns, lengths in print, years and articles behind titles",
    arguments: [
      "Title,Year,Directed by,Country,Length,Genre\nThe Marsh,1966,Ana Mora,Italy,2h 12m,Drama / Western\n",
      "titre;annee;realisateur;pays;duree;genre\nThe Marsh;1966;Ana Mora;Italie;2h12;Drama\n",
      "タイトル,製作年,監督,製作国,上映時間\nThe Marsh,1966年,Ana Mora,イタリア,132分\n",
      "영화명,제작연도,감독,제작국가,상영시간\nThe Marsh,1966,Ana Mora,이탈리아,132분\n",
      "title,regie,land,dauer\n\"Marsh, The (1966)\",Ana Mora,IT,132 min\n",
      "title,year,director,country,runtime\nThe Marsh,1966,Ana Mora,IT,2:12\n",
    ])
  func otherTables(text: String) throws {
    let film = try #require(try FilmTable.read(Array(text.utf8), named: "x").films().first).film
    #expect(film.title == "The Marsh" && film.year == 1_966 && film.directors == ["Ana Mora"])
    #expect(film.runtimeMinutes == 132)
    #expect(film.countries == ["IT"] || text.contains("Italie"))
    #expect(
      film.genres == (text.contains("Western") ? ["drama", "western"] : text.contains("Drama") ? ["drama"] : nil))
  }

  @Test(
    "what only looks like a length, a year or an article is left as it is", arguments: ["Reel, Time", "Room (1408)"])
  func lookalikes(title: String) throws {
    #expect(try FilmTable.read(Array("title\n\"\(title)\"\n".utf8), named: "x").films().map(\.film.title) == [title])
    let read = try FilmTable.read(Array("title,runtime\nSilt,2 weeks\n".utf8), named: "x").checked()
    #expect(read.problems.first?.problems == ["runtime_min is 2 weeks, not a number"])
  }

  @Test("a file of no films says so", arguments: ["{}", "[1]", "a,b\n1,2", "{\"results\": [", "id,year\nx,1999"])
  func unreadable(text: String) {
    #expect(throws: UnreadableFile.self) { try FilmFormat.read(Array(text.utf8), named: "x", as: nil) }
  }
}
