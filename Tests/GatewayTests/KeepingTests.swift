import Clocks
import Gateway
import HTTP
import Testing

@MainActor
@Suite("Kept answers")
struct KeepingTests {
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
