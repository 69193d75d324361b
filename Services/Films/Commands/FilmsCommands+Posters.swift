import Contracts
import RPC
import ServiceKit

/// `poster set`, `poster rm`.
extension FilmsCommands {
  var poster: Command {
    Command(
      "poster", "give a film a picture of your own, or take it away", subcommands: [setPoster, removePoster])
  }

  private var setPoster: Command {
    let id = id
    let file = Parameter<String>.argument("FILE", "a JPEG, PNG or WebP of at most 1 MiB", completion: .files)
    return Command(
      "set", "show this picture as the film's poster",
      discussion: """
        It is shown instead of TMDb's. Give only pictures that you may show to everybody. A poster is two units wide \
        to three high; others are cut to that where they are shown.
        """,
      examples: [.init("odi-films poster set film_ran-1985 ran.jpg", "")], takes: [id, file] + films.parameters
    ) { call, output in
      let bytes: [UInt8]
      do {
        bytes = try contents(ofFile: call[file], bytesMax: PosterPicture.bytesMax)
      } catch {
        throw CommandError(.failed, "\(error)")
      }
      let request = PutPoster(film: call[id], picture: bytes, editor: editor(output))
      try output.write(Report(edits: [try await films.ask(request, call, output, timeout: Self.patience)]))
      return .done
    }
  }

  private var removePoster: Command {
    let id = id
    return Command(
      "rm", "take away the picture that was given; TMDb's is shown again, if there is one",
      takes: [id] + films.parameters
    ) { call, output in
      let request = PutPoster(film: call[id], picture: nil, editor: editor(output))
      try output.write(Report(edits: [try await films.ask(request, call, output, timeout: Self.patience)]))
      return .done
    }
  }
}
