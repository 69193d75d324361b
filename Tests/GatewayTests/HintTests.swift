import Contracts
import Gateway
import GatewayFakes
import JSON
import Testing

/// Whoever finds nothing is told why; what one can choose from is called in the reader's words.
@MainActor
@Suite("Hints and names", .timeLimit(.minutes(5)))
struct HintTests {
  private let gateway = GatewayFixture()

  @Test("an empty answer says why it is empty")
  func empty() async {
    for (path, said) in [
      ("/v1/tonight?lat=0&lon=0", "km away"), ("/v1/tonight?lat=37.57&lon=126.97&cinema=nope", "nope is none of the"),
      ("/v1/showtimes?film=film_nobody", "no showing"), ("/v1/showtimes?attribute=nope", "no showing"),
      ("/v1/showtimes?cinema=nope", "there is no cinema nope"), ("/v1/stations?section=nope", "no station"),
      ("/v1/films?year_to=1871", "no film"),
    ] {
      let answer = await gateway.ask(path).json
      #expect(answer["data"]?.array?.isEmpty == true, "\(path)")
      #expect(answer["hint"]?.string?.contains(said) == true, "\(path): \(answer["hint"] as Any)")
    }
    let refused = await gateway.ask("/v1/films?year_from=2020&year_to=2010")
    #expect(refused.status == 400 && refused.json["errors"]?[0]?["parameter"]?.string == "year_to")
  }

  @Test("what restaurants are found by is called the same for everybody who reads a language")
  func dining() async {
    for (language, genre, feature) in [
      ("ko", "카페·디저트", "금연"), ("ja", "カフェ・スイーツ", "禁煙"), ("en", "Café, sweets", "Non-smoking"),
    ] {
      gateway.world.dining.genres = [CodeCount(code: "G014", name: "Café", count: 1)]
      gateway.world.dining.features = [CodeCount(code: "non_smoking", name: "non_smoking", count: 1)]
      func name(_ kind: String) async -> String? {
        await gateway.ask("/v1/dining/\(kind)?lang=\(language)").json["data"]?[0]?["name"]?.string
      }
      #expect(await name("genres") == genre)
      #expect(await name("features") == feature)
    }
  }
}
