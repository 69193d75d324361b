import Calendars
import Clocks
import Contracts
import Dining
import EventLoops
import Foundation
import JSON
import Observability
import RPC
import RPCTransport
import ServiceKit
import ServiceTestKit
import TestKit
import Testing

/// The service as administrators and apps use it.
@Suite("Dining", .timeLimit(.minutes(5)))
@MainActor
struct DiningServiceTests: DiningBench {
  @Test("what scripts read of its answers is there, by its name and of its kind")
  func golden() async throws {
    try await running(["demo": "true"]) { rig, client in
      let emu = try Coordinate(latitude: 37.572129, longitude: 126.969033)
      let near = try await client.call(FindRestaurants(origin: emu, order: .distance, limit: 1))
      let first = try #require(near.places.first).restaurant
      let broken = try await rig.broken(
        "dining",
        [
          ("status", ["status"]), ("near", ["near", "37.572129,126.969033"]), ("list", ["list"]),
          ("get", ["get", first.id.text]),
          ("search", ["search", first.name]), ("codes", ["codes", "genres"]), ("history", ["history"]),
          ("hours", ["hours", "11:00～14:00", "--close", "月曜"]), ("guide", ["guide"]), ("quota", ["quota"]),
        ])
      #expect(broken == [])
    }
  }

  // MARK: Without a guide

  @Test("an empty directory begins with invented restaurants where that was asked for, and only then")
  func demo() async throws {
    try await running(["demo": "true"]) { rig, client in
      let emu = try Coordinate(latitude: 37.572129, longitude: 126.969033)
      let page = try await client.call(FindRestaurants(origin: emu, order: .distance, limit: 5))
      #expect(page.places.count == 5 && page.places.allSatisfy { $0.restaurant.source == .demo })
      #expect(page.guide.kind == .none && page.found >= 6)
      let codes = try await client.call(DiningVocabulary())
      #expect(codes.budgets.contains { $0.code == "kr-9000-12000" && $0.name == "9,000~12,000원" && $0.count > 1 })
      let late = try JSONValue(
        parsing: await rig.command("near", "37.572129,126.969033", "--open-at", "18:30", "--json").output)["data"]
      #expect(late?.array?.isEmpty == false && late?.array?.allSatisfy { $0["open"] == true } == true)
      let exported = await rig.command("export", "--json")
      #expect(try JSONValue(parsing: exported.output).array != nil || exported.output.hasPrefix("{"))
      #expect(codes.genres.contains { $0.code == "G017" } && codes.features.contains { $0.code == "wifi" })
      #expect(await rig.command("lint").code == .done)
    }
    try await running { rig, _ in
      #expect(await rig.command("list").output.isEmpty)
      #expect(await rig.command("seed", "--json").output != #"{"added":0}"# + "\n")
      #expect(await rig.command("seed", "--json").output == #"{"added":0}"# + "\n")
    }
  }

  @Test("a file is imported, its change told before it is made, kept over a restart, and exported as it was")
  func files() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "id,name,country,lat,lon,open,close,wifi\nrest_a,Tea,GB,51.5,-0.12,Mon-Sat 11am-10pm,Sundays,yes\nrest_b,,GB,51.5,-0.1,,,\n",
      to: "places.csv")
    try await running(folder: folder) { rig, client in
      let dry = await rig.command("import", file, "--dry-run")
      #expect(dry.code == .partial && dry.errors.contains("places.csv:3: name is missing"))
      #expect(dry.errors.contains("1 added · 0 changed · 0 unchanged · 1 refused · nothing was stored"))
      let before = try await client.call(RestaurantsByID(ids: [RestaurantID("rest_a")!]))
      #expect(before.places.isEmpty)
      #expect(await rig.command("import", file).code == .partial)
      #expect(await rig.command("import", file).errors.contains("0 added · 0 changed · 1 unchanged"))
      #expect(await rig.command("import", rig.folder.file("none")).code == .notFound)
    }
    try await running(folder: folder) { rig, client in
      let place = try await client.call(RestaurantsByID(ids: [RestaurantID("rest_a")!])).places.first?.restaurant
      #expect(place?.hours.spans.count == 1 && place?.features.first?.state == .yes)
      let exported = await rig.command("export", "--format", "json").output
      let value = try JSONValue(parsing: exported)
      #expect(value["data"]?[0]?["close"]?.string == "Sundays" && value["data"]?.array?.count == 1)
      #expect(await rig.command("history", "--json").output.contains("rest_a"))
      #expect(await rig.command("rm", "rest_a", "--yes").code == .done)
      #expect(await rig.command("get", "rest_a").code == .notFound)
    }
  }

  @Test("what a file says nothing of stays as it is kept; a code goes with its name; an empty cell clears")
  func narrowImports() async throws {
    try await running { rig, client in
      func kept(after text: String, as name: String = "places.csv") async throws -> Restaurant {
        let report = await rig.command("import", try rig.folder.write(text, to: name))
        #expect(report.code == .done, "\(report.errors)")
        let page = try await client.call(RestaurantsByID(ids: [RestaurantID("rest_a")!]))
        return try #require(page.places.first).restaurant
      }
      let whole = """
        id,name,country,lat,lon,tel,genre_code,genre,budget,open,close,wifi
        rest_a,Tea,GB,51.5,-0.12,020,G014,Café,£11-17,Mon-Sat 11am-10pm,Sundays,yes
        """
      var expected = try await kept(after: whole)
      #expect(expected.hours.spans.count == 1 && expected.features.count == 1 && expected.budget?.least == 1_100)
      (expected.name, expected.phone) = ("Tea Room", "021")
      let narrow = try await kept(after: "id,name,lat,lon,tel\nrest_a,Tea Room,51.5,-0.12,021\n")
      #expect(narrow == expected)
      expected.phone = "022"
      let member = #"{"data":[{"id":"rest_a","name":"Tea Room","lat":51.5,"lon":-0.12,"tel":"022"}]}"#
      let told = try await kept(after: member, as: "places.json")
      #expect(told == expected)
      let bar = try await kept(after: "id,name,lat,lon,genre,budget\nrest_a,Tea Room,51.5,-0.12,Bar,£20-30\n")
      #expect(bar.genre == CodedName(code: "Bar", name: "Bar") && bar.hours == expected.hours)
      #expect(bar.budget?.least == 2_000 && bar.budget?.most == 3_000)
      let cleared = try await kept(after: "id,name,lat,lon,close,wifi\nrest_a,Tea Room,51.5,-0.12,,\n")
      #expect(cleared.closeText == nil && cleared.features.isEmpty && cleared.openText == expected.openText)
    }
  }

  @Test("printed hours are explained without a running service")
  func explained() async throws {
    try await running { rig, _ in
      let result = await rig.command("hours", "月～木 17:00～翌2:00", "--close", "日曜", "--json")
      #expect(result.code == .done && result.output.contains("26:00") && result.errors.contains("parsed"))
      #expect(await rig.command("hours", "お問い合わせ").code == .degraded)
      let told = try JSONValue(parsing: result.output)
      #expect(told["confidence"] == "parsed" && told["unread"]?.array?.isEmpty == true)
      #expect(told["open"]?[0]?["closes"] == "26:00" && told["closed"]?[0]?["days"] != nil)
      let part = await rig.command("hours", "17:00～22:00 要予約", "--close", "日曜ランチ", "--json")
      let left = try JSONValue(parsing: part.output)
      #expect(left["confidence"] == "inferred")
      #expect(left["unread"]?.array?.compactMap(\.string) == ["要予約", "ランチ"])
      #expect(await rig.command("hours", "parse", "月～木 17:00～翌2:00", "--close", "日曜", "--json").output == result.output)
    }
  }

  @Test("what makes no sense is refused with a sentence")
  func refused() async throws {
    try await running { _, client in
      func refusal<Request: RPCRequest>(_ request: Request) async -> String where Request.Service == DiningAPI {
        do throws(RPCError) {
          _ = try await client.call(request)
          return "answered"
        } catch {
          return error.code == .invalidArgument ? error.message : "\(error.code)"
        }
      }
      #expect(await refusal(FindRestaurants(limit: 5)).contains("no condition is given"))
      let (none, far) = (try shinjuku { $0.limit = 0 }, try shinjuku { $0.metresMax = 50_001 })
      #expect(await refusal(none) == "limit is 0; ask for 1...100")
      #expect(await refusal(far).contains("1...50000"))
      let budgets = try shinjuku { $0.filter.budgets = ["B1", "B2", "B3"] }
      #expect(await refusal(budgets) == "3 budgets; give at most 2")
      let blank = try shinjuku { $0.filter.keyword = " " }
      #expect(await refusal(blank).contains("1 to 200 characters"))
      let nowhere = try shinjuku {
        $0.origin = nil
        $0.filter.genres = ["G001"]
      }
      #expect(await refusal(nowhere).contains("from where?"))
    }
  }

  // MARK: With a guide
}
