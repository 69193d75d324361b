import Calendars
import Contracts
import HTML

/// A film's page on the platform: read by position, as it has no other order.
nonisolated struct DtryxFilm {
  let details: FilmDetails

  init?(_ page: Page) {
    guard let number = page.subject, let document = try? page.document(),
      let title = document.first("div.info-box h3.h3")?.text, !title.isEmpty
    else { return nil }
    var film = FilmDetails(code: "dtryx:\(number)", title: PrintedName(title).filmTitle ?? title)
    let foreign = document.first("div.info-box h4.h4")?.text ?? ""
    film.titles = [FilmTitle(language: "ko", text: film.title)]
    if !foreign.isEmpty { film.titles.append(FilmTitle(language: "en", text: foreign)) }
    film.posterURL = document.first("div.info-box div.poster img")?["src"].flatMap(document.link)
    film.pageURL = page.url
    let facts = document.select("div.info-box div.etc span").map(\.text)
    film.rating = facts.first.flatMap(Self.rating)
    film.year = facts.dropFirst(1).first.flatMap(Self.year)
    film.genres = facts.dropFirst(2).first.map(Self.list) ?? []
    film.runtimeMinutes = facts.dropFirst(3).first.flatMap(Self.minutes)
    let synopsis = (document.first("div.info2 div.txt span")?.text ?? "").beginning(ofBytes: FilmDetails.synopsisBytes)
    film.synopsis = synopsis.isEmpty ? nil : synopsis
    let people = document.select("div.info2 div.txt dd").map(\.text)
    film.directors = people.first.map(Self.list) ?? []
    film.cast = people.dropFirst(1).first.map(Self.list) ?? []
    details = film
  }

  /// By the first figures or words of the Korean board's ratings.
  private static func rating(_ text: String) -> AgeRating? {
    if text.contains("전체") { return AgeRating(system: "KMRB", code: "ALL") }
    if text.contains("청소년") || text.contains("19") { return AgeRating(system: "KMRB", code: "18") }
    if text.contains("15") { return AgeRating(system: "KMRB", code: "15") }
    return text.contains("12") ? AgeRating(system: "KMRB", code: "12") : nil
  }

  private static func year(_ text: String) -> Int? {
    digits(text).first { $0.utf8.count == 4 }.flatMap { Int($0) }.flatMap { (1890...2200).contains($0) ? $0 : nil }
  }

  private static func minutes(_ text: String) -> Int? {
    digits(text).first.flatMap { Int($0) }.flatMap { (1...1_440).contains($0) ? $0 : nil }
  }

  private static func digits(_ text: String) -> [String] {
    text.utf8.split { !(0x30...0x39).contains($0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func list(_ text: String) -> [String] {
    text.split { $0 == "," || $0 == "/" || $0 == "|" || $0 == "·" }
      .map { String($0).trimmed }.filter { !$0.isEmpty }
  }
}
