import Clocks
import Contracts
import RPC

/// Which of the films that play are of a genre: their programmes say so, or else the catalogue.
struct FilmsOfGenres {
  let scraper: any RPCClient<ScraperAPI>
  let titles: TitleShelf

  /// The contract's; of more, those with the fewest showings are left out.
  private static let filmsMax = 500

  /// Also those whose showings have all begun.
  func ids(
    _ genres: Set<FilmGenre>, in cinemas: [CinemaID]?, _ asking: Asking
  ) async throws -> (ids: [FilmID], besides: TitleShelf.Completion) {
    var playing = try await scraper.call(
      FilmsShowing(cinemas: cinemas, from: WallTime(milliseconds: 0), limit: Self.filmsMax), asking.options)
    let besides = await titles.complete(&playing, in: nil, withGenres: true, asking)
    return (playing.map(\.film).filter { !$0.kinds.isDisjoint(with: genres) }.map(\.id), besides)
  }
}
