import Contracts
import Drafts
package import JSON

/// Films as The Movie Database's API version 3 writes them: one film with or without its credits, or a list of them.
package enum TMDbDocument {
  /// Their terms: this sentence, word for word, wherever their facts are shown.
  package static let credit = "This product uses the TMDB API but is not endorsed or certified by TMDB."

  /// As TMDb's terms and its documentation name the place; a record says where its poster is by it.
  package static let posters = "https://image.tmdb.org/t/p/"
  /// One of the widths in which they lie there. Who fetches one asks for the width that is needed.
  private static let posterSize = "w500"

  package static func read(_ json: JSONValue, named name: String) -> FilmReading {
    var reading = FilmReading()
    reading.leavesOddFieldsOut = true
    let all = films(in: json)
    for (index, film) in all.enumerated() where isFilm(film) {
      let place = "\(name) film \(film["id"]?.whole.map(String.init) ?? "at \(index + 1)")"
      reading.drafts.append(draft(film, at: place))
    }
    let others = all.count { !isFilm($0) }
    if others > 0 { reading.remark = "\(name): not taken: \(others) of its entries, which are no films" }
    return reading
  }

  /// Whether a text is of this form.
  static func isOne(_ json: JSONValue) -> Bool {
    films(in: json).contains { film in
      film["original_title"] != nil || film["release_date"] != nil && signs.contains { film[$0] != nil }
    }
  }

  /// What nobody else writes beside a day of release.
  private static let signs = [
    "genre_ids", "poster_path", "backdrop_path", "original_language", "adult", "vote_average",
  ]

  /// A search of everything finds series and people, too.
  private static func isFilm(_ entry: JSONValue) -> Bool { entry["media_type"]?.string ?? "movie" == "movie" }

  /// Why it answers nothing, if that is what it says.
  static func refusal(_ json: JSONValue) -> String? {
    json["status_code"] == nil ? nil : json["status_message"]?.string
  }

  /// Of an answer, of one by an id of elsewhere, a list that somebody keeps, a collection.
  private static func films(in json: JSONValue) -> [JSONValue] {
    if let list = json.array { return list }
    for name in ["results", "movie_results", "items", "parts"] {
      if let list = json[name]?.array { return list }
    }
    return json["title"] == nil && json["original_title"] == nil ? [] : [json]
  }

  /// TMDb has a code of its own for Cantonese, and one for films without words.
  private static func language(_ code: String) -> String? {
    switch code {
    case "cn": "zh"
    case "xx": nil
    default: code
    }
  }

  private static func draft(_ film: JSONValue, at place: String) -> FilmDraft {
    var draft = FilmDraft(place)
    let number = film["id"]?.whole
    draft[.id] = number.map { "film_tmdb-\($0)" }
    draft[.title] = film["title"]?.string
    draft[.originalTitle] = film["original_title"]?.string
    draft[.language] = film["original_language"]?.string.flatMap(language)
    draft[.releasedOn] = film["release_date"]?.string
    draft[.runtime] = film["runtime"]?.whole.flatMap { $0 > 0 ? String($0) : nil }
    draft[.synopsis] = film["overview"]?.string
    // Nobody has rated it yet: zero is no rating.
    let votes = film["vote_count"]?.whole ?? 0
    draft[.votes] = votes > 0 ? String(votes) : nil
    draft[.score] = votes > 0 ? film["vote_average"]?.decimal.map { "\($0)" } : nil
    draft[.popularity] = film["popularity"]?.decimal.map { "\($0)" }
    draft[.budget] = film["budget"]?.whole.map(String.init)
    draft[.revenue] = film["revenue"]?.whole.map(String.init)
    draft[.page] = film["homepage"]?.string
    draft[.poster] = film["poster_path"]?.string.map { "\(posters)\(posterSize)\($0)" }
    draft[.credit] = credit
    draft.set(
      .externalIDs,
      to: [
        number.map { "tmdb:\($0)" },
        (film["imdb_id"]?.told ?? film["external_ids"]?["imdb_id"]?.told).map { "imdb:\($0)" },
      ].compactMap(\.self))
    draft.set(.genres, to: genres(of: film))
    let countries =
      film["production_countries"]?.array?.compactMap { $0["iso_3166_1"]?.string }
      ?? film["origin_country"]?.array?.compactMap(\.string) ?? []
    draft.set(.countries, to: countries)
    draft.set(.videos, to: videos(film["videos"]))
    addCredits(film["credits"], to: &draft)
    draft[.rating] = rating(film["release_dates"]?["results"]?.array ?? [])
    addTitles(film, to: &draft)
    return draft
  }

  /// Translations first; then what it is called in a country besides, if that is not a spelling or a working title.
  private static func addTitles(_ film: JSONValue, to draft: inout FilmDraft) {
    let translations = (film["translations"]?["translations"]?.array ?? []).map { translation in
      (language: translation["iso_639_1"]?.string, title: translation["data"]?["title"]?.string)
    }
    let others = (film["alternative_titles"]?["titles"]?.array ?? []).compactMap { other in
      other["type"]?.string ?? "" == ""
        ? (language: other["iso_3166_1"]?.string.flatMap { spoken[$0] }, title: other["title"]?.string) : nil
    }
    for (language, title) in translations + others {
      guard let language, let field = FilmField.allCases.first(where: { $0.titleLanguage == language }),
        draft[field] == nil
      else { continue }
      draft[field] = title
    }
  }

  private static let spoken = ["KR": "ko", "JP": "ja", "US": "en", "GB": "en"]

  /// Korea's, or that of the first country behind it which says one: where it was shown in cinemas before anything else.
  private static func rating(_ countries: [JSONValue]) -> String? {
    for (country, system) in boards {
      guard let releases = countries.first(where: { $0["iso_3166_1"]?.string == country })?["release_dates"]?.array
      else { continue }
      let codes = releases.filter { $0["type"]?.int == inCinemas } + releases
      guard let code = codes.lazy.compactMap({ $0["certification"]?.told }).first(where: { $0 != unrated }) else {
        continue
      }
      return "\(system):\(country == "KR" ? korean[code] ?? code : code)"
    }
    return nil
  }

  private static let inCinemas = 3
  private static let unrated = "NR"
  /// As TMDb writes Korea's, and as the board does.
  private static let korean = ["All": "ALL", "19": "18", "Restricted Screening": "R"]
  /// Who says from which age people may see it; the order in which they are asked.
  private static let boards = [
    ("KR", "KMRB"), ("JP", "EIRIN"), ("GB", "BBFC"), ("US", "MPA"), ("DE", "FSK"), ("FR", "CNC"), ("AU", "ACB"),
    ("IE", "IFCO"), ("NL", "Kijkwijzer"), ("ES", "ICAA"), ("CA", "CHVRS"), ("SG", "IMDA"), ("HK", "OFNAA"),
  ]

  /// Trailers, then teasers, then the rest; of sites whose addresses we know.
  private static func videos(_ list: JSONValue?) -> [String] {
    let kinds = ["Trailer", "Teaser"]
    let found = (list?["results"]?.array ?? []).compactMap { video -> (rank: Int, text: String)? in
      guard let site = video["site"]?.string?.lowercased(), let key = video["key"]?.string,
        let known = FilmVideo(site: site, key: key, name: video["name"]?.string?.trimmed)
      else { return nil }
      return (video["type"]?.string.flatMap(kinds.firstIndex) ?? kinds.count, FilmField.text(of: known))
    }
    return found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element.text)
  }

  private static func addCredits(_ credits: JSONValue?, to draft: inout FilmDraft) {
    let crew = credits?["crew"]?.array ?? []
    func makers(_ jobs: Set<String>) -> [JSONValue] {
      crew.filter { $0["job"]?.string.map(jobs.contains) == true }
    }
    let (directors, writers) = (makers(["Director"]), makers(["Screenplay", "Writer"]))
    let cast = (credits?["cast"]?.array ?? []).enumerated()
      .map { (order: $0.element["order"]?.int ?? $0.offset, person: $0.element) }
      .sorted { $0.order < $1.order }.map(\.person)
    draft.set(.directors, to: directors.compactMap { $0["name"]?.string })
    draft.set(.writers, to: writers.compactMap { $0["name"]?.string })
    draft.set(.cast, to: cast.compactMap { $0["name"]?.string })
    draft.set(otherNames: (directors + writers + cast).map { ($0["name"]?.string, $0["original_name"]?.string) })
  }

  /// By number, or by name in whatever language was asked for. A number that is not in the list is no genre.
  private static func genres(of film: JSONValue) -> [String] {
    let numbers =
      (film["genres"]?.array ?? []).map { ($0["id"]?.int, $0["name"]?.string) }
      + (film["genre_ids"]?.array ?? []).map { ($0.int, nil) }
    return numbers.compactMap { number, name in number.flatMap { words[$0] } ?? name }
  }

  private static let words = [
    28: "action", 12: "adventure", 16: "animation", 35: "comedy", 80: "crime", 99: "documentary", 18: "drama",
    10_751: "family", 14: "fantasy", 36: "history", 27: "horror", 10_402: "music", 9_648: "mystery", 10_749: "romance",
    878: "science-fiction", 53: "thriller", 10_752: "war", 37: "western",
  ]
}
