import Drafts
package import JSON

/// Films as the Korean Film Council's open API writes them: `searchMovieList`, `searchMovieInfo`, and the lists of the week's
/// and the day's `searchWeeklyBoxOfficeList` and `searchDailyBoxOfficeList`, which tell little but title and code.
package enum KOBISDocument {
  /// Whose the facts are, said wherever they are shown.
  package static let credit = "영화진흥위원회 KOBIS"

  package static func read(_ json: JSONValue, named name: String) -> FilmReading {
    var reading = FilmReading()
    reading.leavesOddFieldsOut = true
    for (index, film) in films(in: json).enumerated() {
      reading.drafts.append(draft(film, at: "\(name) film \(film["movieCd"]?.told ?? "at \(index + 1)")"))
    }
    return reading
  }

  /// Why it answers nothing, if that is what it says.
  static func refusal(_ json: JSONValue) -> String? { json["faultInfo"]?["message"]?.string }

  static func isOne(_ json: JSONValue) -> Bool { films(in: json).contains { $0["movieNm"] != nil } }

  private static func films(in json: JSONValue) -> [JSONValue] {
    if let list = json.array ?? json["movieListResult"]?["movieList"]?.members { return list }
    let takings = json["boxOfficeResult"]
    if let list = takings?["dailyBoxOfficeList"]?.array ?? takings?["weeklyBoxOfficeList"]?.array { return list }
    if let film = json["movieInfoResult"]?["movieInfo"] {
      // Of a code that it does not know it tells a film without a name.
      return film["movieNm"]?.string?.isEmpty == false ? [film] : []
    }
    return json["movieNm"] == nil ? [] : [json]
  }

  private static func draft(_ film: JSONValue, at place: String) -> FilmDraft {
    var draft = FilmDraft(place)
    draft[.id] = film["movieCd"]?.told.map { "film_kobis-\($0)" }
    draft.set(.externalIDs, to: [film["movieCd"]?.told.map { "kobis:\($0)" }].compactMap(\.self))
    draft[.title] = film["movieNm"]?.string
    draft[.titleKorean] = film["movieNm"]?.string
    draft[.titleEnglish] = film["movieNmEn"]?.string
    draft[.originalTitle] = film["movieNmOg"]?.string
    // The year it was made; a film may open in Korea many years later.
    draft[.year] = film["prdtYear"]?.told ?? film["openDt"]?.told.map { String($0.prefix(4)) }
    draft[.runtime] = film["showTm"]?.told
    let (directors, cast) = (film["directors"]?.members ?? [], film["actors"]?.members ?? [])
    let writers = (film["staffs"]?.members ?? []).filter { $0["staffRoleNm"]?.string.map(writing.contains) == true }
    draft.set(.directors, to: names(of: directors))
    draft.set(.writers, to: names(of: writers))
    draft.set(.cast, to: names(of: cast))
    draft.set(otherNames: (directors + writers + cast).map { ($0["peopleNm"]?.string, $0["peopleNmEn"]?.string) })
    let nations = film["nations"]?.members?.compactMap { $0["nationNm"]?.string }
    draft.set(.countries, to: nations ?? words(film["nationAlt"]?.string ?? film["repNationNm"]?.string))
    let genres = film["genres"]?.members?.compactMap { $0["genreNm"]?.string }
    draft.set(.genres, to: genres ?? words(film["genreAlt"]?.string ?? film["repGenreNm"]?.string))
    if nations?.first ?? film["repNationNm"]?.string == "한국" { draft[.language] = "ko" }
    draft[.rating] = film["audits"]?.members?.first?["watchGradeNm"]?.string.flatMap(grade).map { "KMRB:\($0)" }
    draft[.credit] = credit
    return draft
  }

  /// What whoever wrote it, or made a script of what was written, did.
  private static let writing: Set<String> = ["각본", "각색", "시나리오"]

  private static func names(of people: [JSONValue]) -> [String] {
    people.compactMap { $0["peopleNm"]?.string }.filter { !$0.isEmpty }
  }

  private static func words(_ list: String?) -> [String] {
    (list ?? "").split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
  }

  /// How the board calls who may see a film.
  static func grade(of text: String) -> String? { grades[text.filter { $0 != " " }] }

  private static let grades = [
    "전체관람가": "ALL", "12세이상관람가": "12", "12세관람가": "12", "15세이상관람가": "15", "15세관람가": "15", "청소년관람불가": "18",
    "제한상영가": "R",
  ]
}
