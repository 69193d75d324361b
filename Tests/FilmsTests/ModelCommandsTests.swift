import Films
import Foundation
import JSON
import ServiceKit
import ServiceTestKit
import TestKit
import Testing

/// `odi-films model`, as somebody uses it who has a file of ratings and no running service.
@Suite("Model commands")
@MainActor
struct ModelCommandsTests {
  /// Two kinds of people, who see the films of their kind.
  private func ratings(_ part: Range<Int>, _ separator: String = ",") -> String {
    (0..<24).flatMap { person in
      part.map { film in "\(person)\(separator)f\(person % 2)\((film + person) % 8)\(separator)\(4 + film % 2)\n" }
    }.joined()
  }

  @Test("a model is made where the service looks for it, and told about")
  func train() async throws {
    let rig = try ServiceRig(FilmsService.program)
    let path = try rig.folder.write("user,item,rating\n" + ratings(0..<5), to: "ratings.csv")
    let made = await rig.command("model", "train", path, "--json")
    #expect(made.code == .done, "\(made.errors)")
    let told = try JSONValue(parsing: made.output)
    #expect(told["items"] == 16)
    #expect(told["users"] == 24)
    #expect(told["ratings"] == 120)
    #expect(told["path"]?.string == rig.folder.file("films.model"))
    let info = await rig.command("model", "info", "--json")
    #expect(try JSONValue(parsing: info.output)["bytes"] == told["bytes"])
    let first = try Data(contentsOf: URL(filePath: rig.folder.file("films.model")))
    _ = await rig.command("model", "train", path)
    #expect(try Data(contentsOf: URL(filePath: rig.folder.file("films.model"))) == first)
    #expect(!rig.folder.has("films.model.unfinished"))
  }

  @Test("figures for a script: exactly these, with the controls beside them", arguments: [",", "\t"])
  func eval(separator: String) async throws {
    let rig = try ServiceRig(FilmsService.program)
    let train = try rig.folder.write(ratings(0..<5, separator), to: "train")
    let test = try rig.folder.write(ratings(5..<7, separator), to: "test")
    let found = await rig.command("model", "eval", "--train", train, "--test", test, "--json")
    #expect(found.code == .done, "\(found.errors)")
    let told = try JSONValue(parsing: found.output)
    #expect(told.object?.map(\.0) == ["p_at_10", "r_at_10", "ndcg_at_10", "users", "controls"])
    #expect(told["users"] == 24)
    // Of sixteen films five are seen; the three others of the own kind stand before the eight of the other.
    #expect(told["r_at_10"] == 1)
    #expect(told["controls"]?.object?.map(\.0) == ["popularity", "item_knn"])
    let (ndcg, popularity) = (told["ndcg_at_10"]?.double, told["controls"]?["popularity"]?["ndcg_at_10"]?.double)
    #expect(try #require(ndcg) > #require(popularity))
  }

  @Test("a test file that measures nobody is refused with why")
  func nobody() async throws {
    let rig = try ServiceRig(FilmsService.program)
    let train = try rig.folder.write(ratings(0..<5), to: "train")
    func eval(_ test: String) async throws -> (ExitCode, String) {
      let path = try rig.folder.write(test, to: "test")
      let result = await rig.command("model", "eval", "--train", train, "--test", path, "--json")
      #expect(result.output.isEmpty)
      return (result.code, result.errors)
    }
    let strangers = try await eval("x,f01,5\ny,f11,4\n")
    #expect(strangers.0 == .failed && strangers.1.contains("none of the 2 users"), "\(strangers)")
    let films = try await eval("0,nothing,5\n1,nowhere,4\n")
    #expect(films.0 == .failed && films.1.contains("none of the 2 items"), "\(films)")
    let seen = try await eval("0,f00,5\n")
    #expect(seen.0 == .failed && seen.1.contains("rated in both"), "\(seen)")
    let poor = try await eval("0,f05,3\n1,f15,2\n")
    #expect(poor.0 == .failed && poor.1.contains("rated 4 or more"), "\(poor)")
  }

  @Test("wrong lines are named and left out, and the code says so")
  func wrongLines() async throws {
    let rig = try ServiceRig(FilmsService.program)
    let path = try rig.folder.write("a,b,4\na,c\na,d,much\n", to: "ratings.csv")
    let made = await rig.command("model", "train", path)
    #expect(made.code == .partial)
    #expect(made.errors.contains("ratings.csv, line 2: 2 fields; a line is user,item,rating and perhaps a time"))
    #expect(made.errors.contains("ratings.csv, line 3: the rating is 'much'; write a number such as 4.5"))
  }

  @Test("what is missing or no model is told apart, with what to do")
  func missing() async throws {
    let rig = try ServiceRig(FilmsService.program)
    #expect(await rig.command("model", "info").code == .notFound)
    #expect(await rig.command("model", "train", rig.folder.file("none.csv")).code == .notFound)
    #expect(await rig.command("model", "eval", "--test", "x").errors.contains("--train is missing"))
    let path = try rig.folder.write("no model", to: "films.model")
    let info = await rig.command("model", "info", path)
    #expect(info.code == .failed && info.errors.contains("train"))
  }

  @Test("a regularisation that is tuned is told with what was tried")
  func tuned() async throws {
    let rig = try ServiceRig(FilmsService.program)
    let path = try rig.folder.write(ratings(0..<7), to: "ratings.csv")
    let made = await rig.command("model", "train", path, "--tune", "--json")
    #expect(made.code == .done)
    #expect(made.errors.split(separator: "\n").count { $0.hasPrefix("regularisation ") } == 5)
  }
}
