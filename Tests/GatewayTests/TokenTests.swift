import Clocks
import Contracts
import Crypto
import Gateway
import RPC
import Testing

@Suite("Tokens")
struct TokenTests {
  private let key = TokenKey(Secret(Array("a key of the tests, thirty-two b".utf8)))
  private let now = WallTime(milliseconds: 1_800_000_000_000)

  @Test("a token says whose it is and since when", arguments: ["user_1", "a.b-c_d", "u"])
  func roundTrip(id: String) throws {
    let user = try #require(UserID(id))
    let read = try key.read(key.text(of: UserToken(of: user, issuedAt: now)), now: now)
    #expect(read.user == user && read.issuedAt == now)
  }

  @Test("one changed character makes it worthless")
  func forged() throws {
    let text = Array(key.text(of: UserToken(of: try #require(UserID("user_1")), issuedAt: now)))
    for place in text.indices {
      var changed = text
      changed[place] = changed[place] == "A" ? "B" : "A"
      #expect(throws: TokenKey.Refusal.self, "place \(place)") { try key.read(String(changed), now: now) }
    }
  }

  @Test("it ends after a year, and is worth nothing under another key")
  func ends() throws {
    let text = key.text(of: UserToken(of: try #require(UserID("user_1")), issuedAt: now))
    let end = WallTime(milliseconds: now.milliseconds + UserToken.lifetimeMilliseconds)
    #expect(throws: TokenKey.Refusal.expired) { try key.read(text, now: end) }
    #expect(throws: TokenKey.Refusal.otherKey) {
      try TokenKey(Secret(Array("another key, also thirty-two byt".utf8))).read(text, now: now)
    }
  }

  @Test(
    "what is no token is refused without harm",
    arguments: ["", ".", "....", "v1.a.b.c.d", "v2.a.b.1.x", "v1..user.1.", String(repeating: "v1.", count: 200)])
  func garbage(text: String) {
    #expect(throws: TokenKey.Refusal.self) { try key.read(text, now: now) }
  }

  @Test("a key that is no UUID becomes one, another for each user")
  func keys() throws {
    let user = try #require(UserID("user_1"))
    let uuid = "6f9619ff-8b86-d011-b42d-00c04fc964ff"
    #expect(IdempotencyKey(naming: uuid, of: user) == IdempotencyKey(uuid))
    #expect(IdempotencyKey(naming: "1", of: user) == IdempotencyKey(naming: "1", of: user))
    #expect(IdempotencyKey(naming: "1", of: user) != IdempotencyKey(naming: "1", of: UserID("user_2")))
    #expect(IdempotencyKey(naming: "a b", of: user) == nil && IdempotencyKey(naming: "", of: user) == nil)
  }
}
