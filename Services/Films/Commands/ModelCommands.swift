import CSV
import Contracts
import Directories
import EventLoops
import Glibc
import JSON
import Recommendation
import ServiceKit

/// `model train|eval|info`: what is learnt from ratings. They work on files and need no running service.
struct ModelCommands {
  private let films = ServiceAccess(to: "films")

  var command: Command {
    Command(
      "model", "learn from ratings which films go together, and see how well that ranks",
      subcommands: [train, eval, info])
  }

  /// Where the service looks for its model.
  static let fileName = "films.model"

  private let weighting = Parameter<RatingWeighting>.option(
    "weighting", "whether a rating counts by its value, or every rating 1", default: .ratings)
  private let form = Parameter<Training.Form?>.optionalOption(
    "form", "exact takes \(Training.exactItemsMax) items at most; by default told from their number")
  private let regularisation = Parameter<Double?>.optionalOption(
    "regularisation", "how strongly weights are held near zero; by default a third of the number of users, at most 500")
  private let tune = Parameter<Bool>.flag("tune", "choose the regularisation by hiding a tenth of the ratings")

  private var options: [any CommandParameter] { [weighting, form, regularisation, tune] }

  private static let ratingsForm = """
    Ratings are lines of user,item,rating and perhaps a time, by commas, tabs, semicolons or ::, with or without a line of \
    names. Items are ids of films as the catalogue has them, any that they ever had. Lines that are wrong are named and left out; the \
    exit code is then 8, as it is after training with ratings of films that a running service does not know.
    """

  // MARK: Train

  private var train: Command {
    let file = Parameter<String>.argument("FILE", "ratings, or - for standard input", completion: .files)
    let out = Parameter<String?>.optionalOption(
      "out", "where the model goes; by default where the service looks for it, DIR/\(Self.fileName)", completion: .files
    )
    return Command(
      "train", "make a model of ratings",
      discussion: Self.ratingsForm + """


        The same ratings give the same model, byte for byte. The service takes it up when it is started or reloads.
        """,
      examples: [.init("odi-films model train ratings.csv", "a file such as user,item,rating")],
      takes: [file, out] + options + [films.dataParameter]
    ) { call, output in
      let reading = try read(call[file], output)
      let training = try await training(call, reading.ratings, output)
      let model = try await model(training, reading.ratings)
      let bytes = model.bytes
      guard bytes.count <= RecommendationModel.bytesMax else {
        throw CommandError(
          .failed, "the model has \(bytes.count) bytes; the service takes \(RecommendationModel.bytesMax)",
          why: "too many items against all", try: "odi-films model train --form neighbours")
      }
      let path: String
      if let given = call[out] {
        path = given
      } else {
        let folder = try films.dataFolder(call, output)
        do { try folder.make() } catch { throw CommandError(.failed, "\(error)") }
        path = folder.file(Self.fileName)
      }
      try write(bytes, to: path)
      let unknown = await unknown(reading.ratings, call, output)
      try output.write(Report(model, path: path, bytes: bytes.count, refused: reading.refused, unknown: unknown?.rows))
      output.note(limits(of: model))
      if let unknown, unknown.rows > 0 {
        output.note(
          "\(unknown.rows) of \(reading.ratings.rows.count) ratings are of films that the catalogue does not have: "
            + unknown.names.prefix(Self.unknownShown).joined(separator: ", ")
            + (unknown.names.count > Self.unknownShown ? " and \(unknown.names.count - Self.unknownShown) more" : "")
            + "; nobody is recommended them")
      }
      return reading.refused == 0 && unknown?.rows ?? 0 == 0 ? .done : .partial
    }
  }

  private static let unknownShown = 5
  /// What the contract takes at once.
  private static let idsAsked = 200

  /// Ratings of films that the catalogue does not have, and these films; nil if no service can be asked.
  private func unknown(
    _ ratings: Ratings, _ call: Invocation, _ output: Output
  ) async -> (rows: Int, names: [String])? {
    guard let data = try? films.dataFolder(call, output) else { return nil }
    var known: Set<FilmID> = []
    var rest = ratings.items.compactMap { FilmID($0) }[...]
    repeat {
      let some = Array(rest.prefix(Self.idsAsked))
      rest = rest.dropFirst(some.count)
      let found: [CatalogueEntry]?
      do throws(CommandError) {
        found = try await films.ask(ifRunning: CatalogueFilms(ids: some), in: data)
      } catch {
        output.note("whether the catalogue has these films is not looked at: \(error.what)")
        return nil
      }
      guard let found else {
        output.note("odi-films does not run: whether its catalogue has these films is not looked at")
        return nil
      }
      known.formUnion(found.map(\.asked))
    } while !rest.isEmpty
    let isUnknown = ratings.items.map { item in FilmID(item).map { !known.contains($0) } ?? true }
    return (
      ratings.rows.count { isUnknown[Int($0.item)] }, zip(ratings.items, isUnknown).filter(\.1).map(\.0)
    )
  }

  // MARK: Eval

  private var eval: Command {
    let train = Parameter<String?>.optionalOption("train", "ratings to learn from", completion: .files)
    let test = Parameter<String?>.optionalOption("test", "ratings of the same users, kept apart", completion: .files)
    return Command(
      "eval", "learn from one file, and see how well it ranks what another one holds",
      discussion: """
        Every rating of the first file is something the user has seen. What the second rates 4 or more is relevant. All \
        items that the user has not seen are ranked, and the first ten are looked at; users with nothing relevant are \
        not counted. A user or an item of the second file that the first does not know counts as any other: for such a user \
        the most popular items are ranked, and such an item nobody can find. Beside the model stand two controls: the most popular items, and item-kNN with 100 neighbours.

        """ + Self.ratingsForm,
      examples: [.init("odi-films model eval --train u1.base --test u1.test --json", "figures for a script")],
      takes: [train, test] + options
    ) { call, output in
      guard let trainPath = call[train], let testPath = call[test] else {
        let missing = call[train] == nil ? "--train" : "--test"
        throw CommandError(
          .usage, "\(missing) is missing", try: "odi-films model eval --train ratings.csv --test later.csv")
      }
      let (seen, later) = (try read(trainPath, output), try read(testPath, output))
      if let problem = Evaluation.problem(train: seen.ratings, test: later.ratings) {
        throw CommandError(.failed, problem, try: "odi-films model eval --help")
      }
      let training = try await training(call, seen.ratings, output)
      let found = try await Background.run {
        Result { () throws(TrainingError) in
          try Evaluation(training, train: seen.ratings, test: later.ratings)
        }
      }.orCommandError()
      try output.write(Report(found))
      return seen.refused + later.refused == 0 ? .done : .partial
    }
  }

  // MARK: Info

  private var info: Command {
    let file = Parameter<String?>.optionalArgument(
      "FILE", "a model; by default the one that the service looks for", completion: .files)
    return Command("info", "tell what a model was made of", takes: [file, films.dataParameter]) { call, output in
      let path = try call[file] ?? films.dataFolder(call, output).file(Self.fileName)
      let bytes: [UInt8]
      do throws(FileError) {
        bytes = try contents(ofFile: path, bytesMax: RecommendationModel.bytesMax)
      } catch {
        var failure = CommandError(error)
        failure.remedy = "odi-films model train ratings.csv"
        throw failure
      }
      let model: RecommendationModel
      do {
        model = try RecommendationModel(bytes)
      } catch {
        throw CommandError(.failed, "\(path): \(error)")
      }
      try output.write(Report(model, path: path, bytes: bytes.count, refused: nil))
      return .done
    }
  }

  // MARK: How

  /// Of ratings: as much text as their reader takes.
  private static let ratingsBytesMax = 512 << 20

  private func read(_ path: String, _ output: Output) throws(CommandError) -> RatingsReader {
    do {
      let bytes = try contents(ofFile: path == "-" ? "/dev/stdin" : path, bytesMax: Self.ratingsBytesMax)
      let reading = try RatingsReader(bytes)
      for problem in reading.problems { output.note("\(path), \(problem)") }
      let unnamed = reading.refused - reading.problems.count
      if unnamed > 0 { output.note("\(path): \(unnamed) more lines were left out") }
      return reading
    } catch let error as FileError {
      throw CommandError(error)
    } catch {
      throw CommandError(.failed, "\(path), \(error)")
    }
  }

  private func training(
    _ call: Invocation, _ ratings: Ratings, _ output: Output
  ) async throws(CommandError) -> Training {
    let training = Training(weighting: call[weighting], regularisation: call[regularisation], form: call[form])
    guard call[tune] else { return training }
    let found = try await Background.run {
      Result { () throws(TrainingError) in try training.tuned(on: ratings) }
    }.orCommandError()
    for (regularisation, ndcg) in found.tried { output.note("regularisation \(regularisation): NDCG@10 \(ndcg)") }
    return found.training
  }

  private func model(_ training: Training, _ ratings: Ratings) async throws(CommandError) -> RecommendationModel {
    try await Background.run { Result { () throws(TrainingError) in try training.model(of: ratings) } }.orCommandError()
  }

  private func limits(of model: RecommendationModel) -> String {
    switch model.facts.form {
    case .exact:
      "all items against all, up to \(Training.exactItemsMax) items; more take \(Training.neighboursMax) each"
    case .neighbours: "\(Training.neighboursMax) neighbours an item at most; memory grows with ratings and items only"
    }
  }

  /// Beside its place first, so that nobody reads half a model.
  private func write(_ bytes: [UInt8], to path: String) throws(CommandError) {
    let unfinished = path + ".unfinished"
    let file = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    func failure() -> CommandError {
      CommandError(.failed, "cannot write \(path)", why: String(cString: strerror(errno)))
    }
    guard file >= 0 else { throw failure() }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let failure = failure()
        unlink(unfinished)
        throw failure
      }
      rest = rest.dropFirst(count)
    }
    guard fsync(file) == 0, rename(unfinished, path) == 0 else { throw failure() }
  }
}

nonisolated extension RatingWeighting: ArgumentValue {}
nonisolated extension Training.Form: ArgumentValue {}

nonisolated extension Result where Failure == TrainingError {
  fileprivate func orCommandError() throws(CommandError) -> Success {
    switch self {
    case .success(let value): return value
    case .failure(let error): throw CommandError(.failed, error.reason)
    }
  }
}

nonisolated extension Report {
  fileprivate init(_ model: RecommendationModel, path: String, bytes: Int, refused: Int?, unknown: Int? = nil) {
    var fields: [(Column, Cell)] = [
      (Column("path"), "\(path)"), (Column("bytes"), .number(bytes)), (Column("items"), .number(model.items.count)),
      (Column("users"), .number(model.facts.users)), (Column("ratings"), .number(model.facts.ratings)),
      (Column("form"), "\(model.facts.form.rawValue)"), (Column("weighting"), "\(model.facts.weighting.rawValue)"),
      (Column("regularisation"), .number(model.facts.regularisation, digits: 1)),
    ]
    if let unknown { fields.append((Column("unknown"), .number(unknown))) }
    if let refused { fields.append((Column("refused"), .number(refused))) }
    self.init(item: fields)
  }

  fileprivate init(_ found: Evaluation) {
    func json(_ figures: Evaluation.Figures) -> [(String, JSONValue)] {
      [
        ("p_at_10", .double(figures.precision)), ("r_at_10", .double(figures.recall)),
        ("ndcg_at_10", .double(figures.ndcg)),
      ]
    }
    let controls: [(String, JSONValue)] = [
      ("popularity", .object(JSONObject(json(found.popularity)))),
      ("item_knn", .object(JSONObject(json(found.itemKNN)))),
    ]
    let members: [(String, JSONValue)] =
      json(found.model) + [
        ("users", .int(Int64(found.model.users))), ("controls", .object(JSONObject(controls))),
      ]
    let rows = [("model", found.model), ("popularity", found.popularity), ("item-kNN", found.itemKNN)]
    self.init(
      [
        Column("ranking"), Column("p_at_10", alignment: .right), Column("r_at_10", alignment: .right),
        Column("ndcg_at_10", alignment: .right), Column("users", alignment: .right),
      ],
      rows: rows.map { name, figures in
        [
          "\(name)", .number(figures.precision, digits: 4), .number(figures.recall, digits: 4),
          .number(figures.ndcg, digits: 4), .number(figures.users),
        ]
      }, document: .object(JSONObject(members)))
  }
}
