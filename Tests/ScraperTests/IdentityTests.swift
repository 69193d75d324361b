import Contracts
import Scraper
import Testing

@Suite("Identity")
struct IdentityTests {
  @Test("the same facts have the same name, and different ones another")
  func stable() {
    #expect(Identity.film(key: "dtryx:012345").text == Identity.film(key: "dtryx:012345").text)
    #expect(Identity.film(key: "dtryx:012345") != Identity.film(key: "dtryx:012346"))
  }
}
