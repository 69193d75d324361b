import HTTP
import JSON

/// What the server says of itself.
final class ServiceCoordinator: Coordinator {
  private let unready: @MainActor () -> String?

  init(unready: @escaping @MainActor () -> String?) { self.unready = unready }

  private static let robots = """
    User-agent: *
    Allow: /
    Disallow: /v1/me
    Disallow: /v1/events

    """

  /// RFC 9116 wants an address and a date; whoever runs a public server puts one with both before this.
  private static let security = """
    Contact: https://github.com/odi-suite/odi/security/advisories/new
    Expires: 2027-12-31T23:59:59Z
    Preferred-Languages: en, ko, ja

    """

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
      ) { _ in Answer(HTTPResponse.text(Self.robots).cached(.day)) },
      Endpoint(
        .get, "/.well-known/security.txt", "securityContact", "Whom to tell of a weakness.", .service,
        answers: [.other(.plain, "RFC 9116.")]
      ) { _ in Answer(HTTPResponse.text(Self.security).cached(.day)) },
    ]
  }

  private static let links: [(StaticString, String)] = [
    ("description", "/openapi.json"), ("documentation", "/docs"), ("nearby", "/v1/cinemas/nearby"),
    ("cinemas", "/v1/cinemas"), ("showtimes", "/v1/showtimes"), ("home", "/v1/home"), ("search", "/v1/search"),
    ("events", "/v1/events"), ("sources", "/v1/sources"), ("sessions", "/v1/sessions"),
  ]

  private static var rootSchema: Schema {
    .object(
      [
        ("name", .string(), true), ("version", .string(), true),
        ("links", .object(links.map { ("\($0.0)", .string(), true) }, isOpen: true), true),
      ], isOpen: true)
  }
}
