import Clocks
import Contracts
import Crypto
import EventLoops
import ServiceKit

/// What an operator can set of the gateway, beside what every service has.
nonisolated enum GatewaySettings {
  static let httpListen = Setting<SocketAddress>.value(
    "http-listen", "where browsers and apps are answered", default: .loopback(port: 8_080))
  static let locator = Setting<[UpstreamAddress]>.list(
    "locator", "where the locator takes calls", default: [UpstreamAddress(port: 7_101)])
  static let scraper = Setting<[UpstreamAddress]>.list(
    "scraper", "where the scraper takes calls", default: [UpstreamAddress(port: 7_102)])
  static let bookmarks = Setting<[UpstreamAddress]>.list(
    "bookmarks", "where bookmarks takes calls", default: [UpstreamAddress(port: 7_103)])
  static let films = Setting<[UpstreamAddress]>.list(
    "films", "where films takes calls", default: [UpstreamAddress(port: 7_104)])
  static let dining = Setting<[UpstreamAddress]>.list(
    "dining", "where dining takes calls", default: [UpstreamAddress(port: 7_105)])
  static let timetable = Setting<[UpstreamAddress]>.list(
    "timetable", "where timetable takes calls", default: [UpstreamAddress(port: 7_106)])
  static let radio = Setting<[UpstreamAddress]>.list(
    "radio", "where radio takes calls", default: [UpstreamAddress(port: 7_107)])
  static let tokenKey = Setting<Secret?>.secret(
    "token-key", "what users' tokens are signed with; without one they last until the gateway ends")
  static let publicURL = Setting<String?>.optional("public-url", "where browsers reach us: https://odi.example")
  static let securityContact = Setting<String?>.optional(
    "security-contact", "whom to tell of a weakness, for /.well-known/security.txt: https:… or mailto:…")
  static let proxies = Setting<[IPAddress]>.list(
    "trusted-proxies", "addresses whose X-Forwarded-For and X-Forwarded-Proto are believed")
  static let patience = Setting<Duration>.value(
    "patience", "how long the calls behind one request may take", default: .seconds(8),
    in: .milliseconds(100) ... .seconds(25))
  static let cache = Setting<Switch>.value(
    "cache", "whether answers are kept for others who ask the same", default: .on)
  static let userRate = Setting<Double>.value(
    "user-rate", "requests a second of one user; 0 for no limit", default: 20, in: 0...1_000_000)
  static let userBurst = Setting<Double>.value(
    "user-burst", "requests of one user at once", default: 40, in: 1...1_000_000)
  static let addressRate = Setting<Double>.value(
    "address-rate", "requests a second from one address; 0 for no limit", default: 50, in: 0...1_000_000)
  static let addressBurst = Setting<Double>.value(
    "address-burst", "requests from one address at once", default: 100, in: 1...1_000_000)

  static let home = Setting<Point?>.optional(
    "home", "from where the page looks while nobody has said where they are: 51.51,-0.13; else where most cinemas are")

  static let web = Setting<String?>.optional(
    "web", "a folder that the page's files are read from at each request, to work on them; else those of the build")

  static let all: [any AnySetting] = [
    httpListen, locator, scraper, bookmarks, films, dining, timetable, radio, tokenKey, publicURL, securityContact,
    proxies, patience, cache, userRate, userBurst, addressRate, addressBurst, home, web,
  ]

  /// `51.51,-0.13`
  struct Point: SettingValue {
    let position: Coordinate

    static var wanted: String { "LAT,LON in degrees, such as 51.51,-0.13" }
    static var valueName: String { "LAT,LON" }

    init?(argument: String) {
      let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
      guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
        let position = try? Coordinate(latitude: latitude, longitude: longitude)
      else { return nil }
      self.position = position
    }

    var argument: String { "\(position.latitude),\(position.longitude)" }
  }

  enum Switch: String, CaseIterable, SettingValue { case on, off }
}
