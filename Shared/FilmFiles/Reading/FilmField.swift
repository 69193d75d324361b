import CSV
import Calendars
package import Contracts
import JSON

/// A field of a film as people write it: a column of a file, an option of a command, a line of the history.
///
/// Everything that is text about a film goes through here, so a column, an option and a change have one name.
package enum FilmField: String, CaseIterable, Sendable {
  case id, title
  case titleEnglish = "title_en"
  case titleKorean = "title_ko"
  case titleJapanese = "title_ja"
  case otherTitles = "other_titles"
  case originalTitle = "original_title"
  case language, year
  case releasedOn = "released_on"
  case countries, directors, writers, cast
  case personNames = "other_names"
  case genres
  case runtime = "runtime_min"
  case rating, synopsis, score, votes, popularity, budget, revenue
  case poster = "poster_url"
  case page = "page_url"
  case externalIDs = "external_ids"
  case videos
  case credit
  case otherIDs = "other_ids"
  case demo

  /// Between several values of one field.
  package static let separator: Character = "|"

  /// The language whose title it is.
  package var titleLanguage: String? {
    switch self {
    case .titleEnglish: "en"
    case .titleKorean: "ko"
    case .titleJapanese: "ja"
    default: nil
    }
  }

  package func text(of entry: CatalogueFilm) -> String? {
    let film = entry.film
    return switch self {
    case .id: film.id.text
    case .title: film.title
    case .titleEnglish, .titleKorean, .titleJapanese: film.titles?.first { $0.language == titleLanguage }?.text
    case .otherTitles: Self.joined(Self.otherTitles(of: entry))
    case .originalTitle: film.originalTitle
    case .language: entry.language
    case .year: film.year.map(String.init)
    case .releasedOn: entry.releasedOn?.description
    case .countries: Self.joined(film.countries)
    case .directors: Self.joined(film.directors)
    case .writers: Self.joined(entry.writers)
    case .cast: Self.joined(film.cast)
    case .personNames: Self.joined(entry.otherNames?.map { "\($0.name)=\($0.other)" })
    case .genres: Self.joined(film.genres)
    case .runtime: film.runtimeMinutes.map(String.init)
    case .rating: film.rating.map { "\($0.system):\($0.code)" }
    case .synopsis: film.synopsis
    case .score: entry.score.map { "\($0)" }
    case .votes: entry.votes.map(String.init)
    case .popularity: entry.popularity.map { "\($0)" }
    case .budget: entry.budget.map { "\($0)" }
    case .revenue: entry.revenue.map { "\($0)" }
    case .poster: film.posterURL
    case .page: film.pageURL
    case .externalIDs: Self.joined(film.externalIDs)
    case .videos: Self.joined(entry.videos?.map(Self.text))
    case .credit: entry.credit
    case .otherIDs: Self.joined(entry.otherIDs?.map(\.text))
    case .demo: film.isDemo == true ? "1" : nil
    }
  }

  /// Titles that have no field of their own. The original stands in one unless it comes after another of them.
  private static func otherTitles(of entry: CatalogueFilm) -> [String] {
    var titles = (entry.film.titles ?? []).filter { title in !allCases.contains { $0.titleLanguage == title.language } }
    if let first = titles.first, first.language == entry.language, first.text == entry.film.originalTitle {
      titles.removeFirst()
    }
    return titles.map { title in
      "\(title.language):" + String(title.text.map { $0 == separator ? "/" : $0 })
    }
  }

  /// `youtube:abc Trailer`
  static func text(of video: FilmVideo) -> String {
    ["\(video.site):\(video.key)", video.name].compactMap(\.self).joined(separator: " ")
  }

  private static func joined(_ words: [String]?) -> String? {
    guard let words, !words.isEmpty else { return nil }
    return words.joined(separator: String(separator))
  }

  /// Whether it holds several values.
  package var isList: Bool {
    switch self {
    case .countries, .directors, .writers, .cast, .personNames, .genres, .externalIDs, .otherIDs, .otherTitles, .videos:
      true
    default: false
    }
  }

  /// What else files call it.
  static let otherNames = CSVTable.aliases(
    others.map { ($0.rawValue, $1) } + ForeignTable.others.map { ($0.rawValue, $1) })

  /// In English as IMDb, OMDb, Letterboxd and Wikidata write it, German, French, Spanish, Italian, Korean and Japanese.
  private static let others: [(FilmField, String)] = [
    (
      .title,
      "name film film_title movie movie_title primarytitle titre titel filmtitel título titulo "
        + "titolo タイトル 題名 作品名 邦題 제목 영화명 영화제목 작품명 series_title titre_du_film 국문제목 映画名"
    ),
    (.titleEnglish, "english_title 영문제목 영문명 英題 영화명(영문) 영문_제목 英語タイトル"),
    (.titleKorean, "korean_title"),
    (.titleJapanese, "japanese_title"),
    (
      .originalTitle,
      "original originaltitle originaltitel titre_original título_original titulo_original "
        + "titolo_originale 原題 원제 원제명 원제목"
    ),
    (.language, "original_language sprache langue idioma lingua 언어 言語"),
    (
      .year,
      "startyear release_year année annee jahr año anno 製作年 制作年 公開年 제작연도 제작년도 연도 年 released_year "
        + "production_year year_of_production produktionsjahr 년도"
    ),
    (.releasedOn, "release_date released 公開日 개봉일 release kinostart date_de_sortie sortie fecha_de_estreno 개봉일자"),
    (
      .countries,
      "country production_countries pays land país pais paese 製作国 制作国 国 제작국가 국가 country_of_origin "
        + "länder produktionsland 국적"
    ),
    (
      .directors,
      "director directed_by réalisateur realisateur réalisation realisation regie regisseur "
        + "dirección direccion regia 監督 감독 réalisateurs director(es) regista 감독명"
    ),
    (.writers, "writer written_by screenplay 脚本 각본 drehbuch scénario scénariste guion sceneggiatura"),
    (.cast, "actors starring stars 出演 出演者 キャスト 배우 출연 출연진 주연 darsteller besetzung acteurs reparto"),
    (.genres, "genre género genero genere ジャンル 장르"),
    (
      .runtime,
      "runtime minutes runtime_(mins) runtimeminutes duration length running_time durée duree "
        + "dauer länge duración duracion durata 上映時間 時間 상영시간 러닝타임 runtime_minutes laufzeit 尺"
    ),
    (.synopsis, "overview plot 줄거리 あらすじ description inhalt beschreibung résumé sinopsis trama 시놉시스 解説"),
    (.score, "imdb_rating averagerating vote_average imdbrating"),
    (.votes, "num_votes numvotes vote_count no_of_votes imdbvotes"),
    (.poster, "poster"),
    (.page, "homepage url"),
    (.videos, "trailer trailers"),
    (.rating, "rated 관람등급 등급 상영등급"),
    (.revenue, "boxoffice"),
  ]

  /// The column that a name means, whatever its case.
  static func column(_ name: String) -> String {
    let key = CSVTable.key(name)
    return otherNames[key] ?? key
  }

  package var help: String {
    switch self {
    case .id: "its id, which never changes; made of title and year if not said"
    case .title: "the title that is shown where no other is asked for"
    case .titleEnglish: "its title in English"
    case .titleKorean: "its title in Korean"
    case .titleJapanese: "its title in Japanese"
    case .otherTitles: "in further languages: fr:Rashômon|de:Rashomon"
    case .originalTitle: "in the language it was made in"
    case .language: "of the original title: ko, ja, fr"
    case .year: "when it was first shown"
    case .releasedOn: "2023-06-02"
    case .countries: "ISO 3166 or a name, with | between them"
    case .directors: "with | between them"
    case .writers: "with | between them"
    case .cast: "the first ones, with | between them"
    case .personNames: "people in other letters: Bong Joon-ho=봉준호|Ozu=小津"
    case .genres: "drama|mystery"
    case .runtime: "minutes"
    case .rating: "system and code: KMRB:15"
    case .synopsis: "what it is about"
    case .score: "0 to 10"
    case .votes: "how many rated it"
    case .popularity: "a number; greater stands first"
    case .budget: "US dollars"
    case .revenue: "US dollars"
    case .poster: "https://…"
    case .page: "https://…"
    case .externalIDs: "ids elsewhere: tmdb:843|imdb:tt0118694"
    case .videos: "trailers: youtube:KEY Name|vimeo:KEY"
    case .credit: "what the source wants said beside it"
    case .otherIDs: "ids that lead to it too"
    case .demo: "1 for one that does not exist"
    }
  }
}
