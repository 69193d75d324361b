import Contracts
import Directories
import FilmFiles
import RPC
import ServiceKit

/// `poster set`, `poster rm`; `posters fetch`, `posters verify`, `posters gc`.
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
      let bytes = try contents(ofFile: call[file], bytesMax: PosterPicture.bytesMax)
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

  // MARK: All of them

  var posters: Command {
    Command(
      "posters", "look after all pictures that are stored",
      subcommands: [fetchPosters, verifyPosters, collectPosters])
  }

  private var fetchPosters: Command {
    let width = Parameter<Int>.option(
      "width", "of TMDb's, in pixels: lists show 342, a film's page 500", default: 342, in: 92...780)
    let hosts = Parameter<[String]>.options(
      "from", "a host whose pictures you may show to everybody, beside TMDb's; may be said again")
    return Command(
      "fetch", "fetch the pictures that films have elsewhere, before anybody asks for them",
      discussion: """
        Those of TMDb lie for 90 days beside the ones that were fetched when they were shown. Where TMDb has the picture \
        of a film of which only the number is known, it is asked, if the service has a key. Pictures of a host that --from \
        names become your own, as by poster set. Each is one JPEG, PNG or WebP of at most 1 MiB with a size in its head; \
        they are asked for one after another, four a second of TMDb and one in two seconds of others, and whoever asks to \
        be left alone is. Exit code 8 if one did not come, 1 if none could be asked for. \(TMDbDocument.credit)
        """,
      examples: [
        .init("odi-films posters fetch --dry-run", "which"),
        .init("odi-films posters fetch --from pictures.example", "also those, which you may show"),
      ], takes: [width, hosts, Confirmation.dryRun] + films.parameters
    ) { call, output in
      let isDryRun = call[Confirmation.dryRun]
      let request = FetchPosters(
        width: call[width], hosts: call[hosts], isDryRun: isDryRun, editor: editor(output))
      let all = try await follow(request, call, output)
      let told = all.filter { $0.film != nil }
      try output.write(Report(pictured: Array(all.dropFirst())))
      let withoutKey = all.first?.withoutKey ?? 0
      if withoutKey > 0 {
        output.note(
          "\(withoutKey) films are known by their number of TMDb's alone, and no key for TMDb is set: put it into a file and "
            + "serve with --tmdb-key-file FILE")
      }
      for other in all.first?.elsewhere ?? [] {
        output.note(
          "\(other.films) films have a picture at \(other.host); --from \(other.host) fetches it, if you may show it")
      }
      for host in all.first?.nowhere ?? [] {
        output.note("no film has a picture at \(host)")
      }
      let came = told.count { $0.bytes != nil }
      let isWhole = all.allSatisfy { $0.problem == nil }
      output.note(
        isDryRun
          ? "\(told.count) pictures would be fetched · nothing was asked for (--dry-run)"
          : "\(came) pictures fetched · \((all.first?.total ?? 0) - came) were not")
      return isWhole ? .done : told.isEmpty ? .failed : .partial
    }
  }

  private func follow(_ request: FetchPosters, _ call: Invocation, _ output: Output) async throws -> [PosterNews] {
    let client: any RPCClient<FilmsAPI> = try films.client(call, output)
    var all: [PosterNews] = []
    var progress: Progress?
    do {
      for try await news in try await client.stream(request, CallOptions(mayRetry: false)) {
        let bar = progress ?? Progress("pictures", total: news.total, to: output, time: time)
        progress = bar
        all.append(news)
        if news.film != nil { bar.advance() }
        if let problem = news.problem { bar.warn("✗ \(news.film?.text ?? "") \(problem)") }
      }
    } catch {
      throw films.explain(error, try films.address(call, output))
    }
    if !request.isDryRun { progress?.finish() }
    return all
  }

  private var verifyPosters: Command {
    Command(
      "verify", "tell which stored pictures are not what was stored, or cannot be shown",
      discussion: """
        Each picture's bytes are compared with what was noted when it was stored, its length with the limit, its head \
        with what it is said to be. Of operators' own also whether the film is there. Exit code 9 if one is wrong.
        """, takes: films.parameters
    ) { call, output in
      var (checked, bytes) = (0, 0)
      var faults: [PosterFault] = []
      var after: PosterPlace?
      repeat {
        let part = try await films.ask(CheckPosters(after: after), call, output, timeout: Self.patience)
        (checked, bytes, after) = (checked + part.checked, bytes + part.bytes, part.next)
        faults += part.faults
      } while after != nil
      try output.write(Report(faults: faults))
      output.note("\(checked) pictures with \(bytes) bytes · \(faults.count) wrong")
      if faults.contains(where: { $0.place.shelf == .own }) {
        output.note(
          "odi-films poster set ID FILE gives another one, poster rm ID takes it away, posters gc all orphans")
      }
      return faults.isEmpty ? .done : .degraded
    }
  }

  private var collectPosters: Command {
    Command(
      "gc", "take away the pictures that no film leads to",
      discussion: """
        Own ones whose film was removed, and fetched ones that no film names any more. A film that comes back by undo \
        does so without its own picture then. Of what is still named, fetched pictures are bounded by themselves.
        """,
      examples: [.init("odi-films posters gc --dry-run", "which, and how much that is")],
      takes: [Confirmation.dryRun, Confirmation.yes] + films.parameters
    ) { call, output in
      let isDryRun = call[Confirmation.dryRun]
      let planned = try await films.ask(SweepPosters(isDryRun: true), call, output, timeout: Self.patience)
      if !isDryRun, !planned.swept.isEmpty {
        try Confirmation(call, output.terminal)
          .require("remove \(planned.swept.count) pictures with \(planned.bytes) bytes")
      }
      let swept =
        isDryRun || planned.swept.isEmpty
        ? planned : try await films.ask(SweepPosters(isDryRun: false), call, output, timeout: Self.patience)
      try output.write(Report(swept: swept.swept))
      let words = "\(swept.swept.count) pictures · \(swept.bytes) bytes"
      output.note(
        isDryRun
          ? "\(words) · nothing was removed (--dry-run)"
          : "\(words) freed for others; odi-films db vacuum gives them back to the disk")
      if swept.hasMore { output.note("there are more; run it again") }
      return .done
    }
  }
}
