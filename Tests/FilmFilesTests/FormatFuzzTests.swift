import Contracts
import FilmFiles
import Testing

/// Files of films that are broken in every way: whole ones with bytes changed, left out, doubled and swapped.
@Suite("Broken files of films")
struct FormatFuzzTests {
  /// Numbers that are the same each time.
  private struct Chance {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
  }

  private static let csv = #"""
    id,title,title_en,title_ko,year,directors,countries,genres,runtime_min,rating,other_titles,videos
    film_a-1960,À bout de souffle,Breathless,네 멋대로 해라,1960,Jean-Luc Godard|X,FR,crime,90,KMRB:15,fr:Rashômon,youtube:a-1 Clip|vimeo:7
    ,"Two, ""quoted""",Two,둘,1961,,JP|KR,drama,,,,
    """#

  private static let kobis = """
    {"movieInfoResult":{"movieInfo":{"movieCd":"20231089","movieNm":"괴물","movieNmEn":"Monster","movieNmOg":"怪物",
    "prdtYear":"2023","showTm":"126","nations":[{"nationNm":"일본"}],"genres":[{"genreNm":"드라마"}],
    "directors":[{"peopleNm":"고레에다 히로카즈"}],"actors":[{"peopleNm":"안도 사쿠라"}],
    "audits":[{"watchGradeNm":"12세이상관람가"}]}}}
    """

  @Test(
    "reading them ends, what is read makes sense, and written as a table it reads back the same",
    arguments: [csv, kobis, FormatTests.tmdb])
  func broken(text: String) throws {
    let outcome = Self.outcome(of: text) { FilmTable.write($0) }
    #expect(outcome.read > 50, "hardly anything was read")
    #expect(outcome.broken.isEmpty)
  }

  @Test("control: a table that is written without quotes is noticed")
  func control() throws {
    let outcome = Self.outcome(of: Self.csv) { films in
      FilmTable.write(films).replacing("\"", with: "")
    }
    #expect(outcome.broken.count > 50)
  }

  /// How many films were read, and the files for which a promise was broken.
  private static func outcome(of text: String, _ write: ([CatalogueFilm]) -> String) -> (read: Int, broken: [String]) {
    let whole = Array(text.utf8)
    var chance = Chance(state: UInt64(whole.count))
    var outcome = (read: 0, broken: [String]())
    for _ in 0..<1_500 {
      var bytes = whole
      for _ in 0...chance.next(below: 4) { breakOnce(&bytes, &chance) }
      guard let reading = try? FilmFormat.read(bytes, named: "x", as: nil) else { continue }
      let films = reading.checked().films
      outcome.read += films.count
      let isSensible = films.allSatisfy { film in
        (1...500).contains(film.film.title.utf8.count) && film.film.year.map { (1_870...2_100).contains($0) } ?? true
      }
      let again = try? FilmTable.read(Array(write(films).utf8), named: "again").films()
      if !isSensible || again != films { outcome.broken.append(String(decoding: bytes, as: UTF8.self)) }
    }
    return outcome
  }

  private static func breakOnce(_ bytes: inout [UInt8], _ chance: inout Chance) {
    guard !bytes.isEmpty else { return }
    let place = chance.next(below: bytes.count)
    let length = min(1 + chance.next(below: 12), bytes.count - place)
    switch chance.next(below: 5) {
    case 0: bytes[place] = UInt8(chance.next(below: 256))
    case 1: bytes.removeSubrange(place..<(place + length))
    case 2: bytes.insert(contentsOf: bytes[place..<(place + length)], at: place)
    case 3: bytes.swapAt(place, chance.next(below: bytes.count))
    default: bytes.replaceSubrange(place..<(place + length), with: Array("99999999999999999999".utf8.prefix(length)))
    }
  }
}
