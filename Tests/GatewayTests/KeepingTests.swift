import Clocks
import Gateway
import GatewayFakes
import HTTP
import Testing

@MainActor
@Suite("Kept answers")
struct KeepingTests {
  @Test("the genres are asked for once for all who ask, and again behind an answer when they are a minute old")
  func genres() async {
    let gateway = GatewayFixture()
    let films = gateway.world.films.manners
    func asked() -> Int { films.seen.count { $0 == "Genres" } }
    // So exactly where somebody stands that no answer for it is kept for another.
    for tail in 1...3 { await gateway.ask("/v1/home?lat=37.5700\(tail)&lon=126.97001") }
    #expect(asked() == 1)
    gateway.time.advance(by: .seconds(61))
    await gateway.ask("/v1/home?lat=37.57004&lon=126.97001")
    await films.until { asked() == 2 }
    await gateway.ask("/v1/home?lat=37.57005&lon=126.97001")
    #expect(asked() == 2)
  }

  @Test("with keeping switched off each asks")
  func notKept() async {
    let gateway = GatewayFixture { $0.cachesAnswers = false }
    for tail in 1...3 { await gateway.ask("/v1/home?lat=37.5700\(tail)&lon=126.97001") }
    #expect(gateway.world.films.manners.seen.count { $0 == "Genres" } == 3)
  }

  @Test("a kept answer holds no more memory than is counted for it, however large the storage was that it came in")
  func storage() throws {
    let cache = AnswerCache(isOn: true, time: ManualTime())
    let key = AnswerKey(path: "/v1/regions", language: nil, query: [])
    var body = SpareBody.take(60 << 10)
    body += Array(#"{"data":[]}"#.utf8)
    cache.keep(.json(body), madeOf: [.directory], for: key, since: 0)
    let kept = try #require(cache.fresh(key))
    guard case .bytes(let bytes) = kept.body else {
      Issue.record("no body was kept")
      return
    }
    #expect(bytes == body)
    #expect(bytes.capacity < 1 << 10)
  }
}
