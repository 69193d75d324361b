import Calendars
import Clocks
import HTTP
import JSON

/// What the server says of itself.
final class ServiceCoordinator: Coordinator {
  private let unready: @MainActor () -> String?
  /// Whom to tell of a weakness; nil: nobody said so.
  private let securityContact: String?

  init(securityContact: String?, unready: @escaping @MainActor () -> String?) {
    self.securityContact = securityContact
    self.unready = unready
  }

  private static let robots = """
    User-agent: *
    Allow: /
    Disallow: /v1/me
    Disallow: /v1/events

    Sitemap:
    """

  /// Nobody should believe a copy that is older (RFC 9116, 2.5.5).
  private static let securityLifetime: Duration = .seconds(90 * 86_400)

  private func security(_ asking: Asking) throws -> Answer {
    guard let securityContact else { throw Problem(.notFound, "whoever runs this server gave no address") }
    let end = WallTime(milliseconds: asking.now.milliseconds + Self.securityLifetime.wholeMilliseconds)
    let expires = Timestamp(end.inWholeSeconds)
    return Answer(
      HTTPResponse.text("Contact: \(securityContact)\nExpires: \(expires)\nPreferred-Languages: en, ko, ja\n")
        .cached(.day))
  }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1", "root", "Where everything begins.", .service, answers: [.json("Links.", Self.rootSchema)]
      ) { _ in
        Answer(
          .json { json in
            json.field("name", "odi")
            json.field("version", GatewayService.version)
            json.object("links") { json in
              for (name, path) in Self.links { json.field(name, path) }
            }
          }.cached(.day))
      },
      Endpoint(
        .get, "/livez", "alive", "Whether the process is alive.", .service, answers: [.other(.plain, "It is.")]
      ) { _ in Answer(HTTPResponse.text("ok\n")) },
      Endpoint(
        .get, "/readyz", "ready", "Whether it should be sent work. What is wrong is told elsewhere.", .service,
        answers: [.other(.plain, "It should."), .other(.plain, "It should not.", status: .serviceUnavailable)]
      ) { [unready] _ in
        let isReady = unready() == nil
        return Answer(.text(isReady ? "ok\n" : "not ready\n", isReady ? .ok : .serviceUnavailable))
      },
      Endpoint(
        .get, "/robots.txt", "robots", "What crawlers may read.", .service, answers: [.other(.plain, "RFC 9309.")]
      ) { asking in Answer(HTTPResponse.text("\(Self.robots) \(asking.base)/sitemap.xml\n").cached(.day)) },
      Endpoint(
        .get, "/.well-known/security.txt", "securityContact", "Whom to tell of a weakness.", .service,
        answers: [.other(.plain, "RFC 9116.")]
      ) { [self] asking in try security(asking) },
    ]
  }

  private static let links: [(StaticString, String)] = [
    ("description", "/openapi.json"), ("documentation", "/docs"), ("nearby", "/v1/cinemas/nearby"),
    ("cinemas", "/v1/cinemas"), ("showtimes", "/v1/showtimes"), ("home", "/v1/home"), ("search", "/v1/search"),
    ("events", "/v1/events"), ("sources", "/v1/sources"), ("sessions", "/v1/sessions"),
    ("new_films", "/feeds/new.atom"),
  ]

  private static var rootSchema: Schema {
    .object(
      [
        ("name", .string(), true), ("version", .string(), true),
        ("links", .object(links.map { ("\($0.0)", .string(), true) }, isOpen: true), true),
      ], isOpen: true)
  }
}
