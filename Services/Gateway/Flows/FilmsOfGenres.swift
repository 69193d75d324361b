import Clocks
import Contracts
import RPC

/// Which of the films that play are of a genre: their programmes say so, or else the catalogue.
struct FilmsOfGenres {
  let scraper: any RPCClient<ScraperAPI>
  let titles: TitleShelf

  /// What was found of the films that play.
  struct Playing {
    /// By the ids that the films have today.
    var ids: [FilmID]
    /// Which films nobody looked at; nil if none was left out.
    var cut: String?
    var besides: TitleShelf.Completion
  }

  /// Also those whose showings have all begun.
  ///
  /// - Parameter films: by any id that they ever had; nil: of all.
  func playing(
    _ genres: Set<FilmGenre>, of films: [FilmID]? = nil, in cinemas: [CinemaID]?, _ asking: Asking
  ) async throws -> Playing {
    let found = try await scraper.call(
      FilmsShowing(films: films, cinemas: cinemas, from: WallTime(milliseconds: 0), limit: FilmsShowing.askedMax),
      asking.options)
    var looked = Array(found.prefix(FilmsShowing.limitMax))
    let besides = await titles.complete(&looked, in: nil, withGenres: true, asking)
    return Playing(
      ids: looked.map(\.film).filter { !$0.kinds.isDisjoint(with: genres) }.map(\.id),
      cut: found.count > looked.count
        ? "only the \(looked.count) films that are shown most were looked at; give a cinema" : nil,
      besides: besides)
  }
}
