import HTTP

/// What robots.txt answers, as well or as badly as the knobs say.
struct DemoRobots {
  private let world: DemoWorld
  private let denying: Set<Misbehaviour>

  /// Nobody has to read more than 500 KiB of it (RFC 9309, 2.5).
  private static let hugeBytes = 600 << 10
  /// A knob that is turned is noticed after a minute; without this a robot may take a day (RFC 9309, 2.4).
  private static let freshness = CacheControl(rawValue: "max-age=60")

  /// - Parameter denying: the misbehaviours that forbid a cinema's pages here.
  init(_ world: DemoWorld, denying: Set<Misbehaviour>) {
    self.world = world
    self.denying = denying
  }

  private func isTurned(_ misbehaviour: Misbehaviour) -> Bool {
    world.knobs.active.contains { $0.misbehaviour == misbehaviour }
  }

  var response: HTTPResponse {
    if isTurned(.robotsError) { return .text("demo: failed\n", .internalServerError) }
    if isTurned(.robotsMissing) { return .text("demo: not here\n", .notFound).cached(Self.freshness) }
    if isTurned(.robotsRedirect) { return .redirect(.found, to: "/robots-elsewhere.txt") }
    return HTTPResponse.text(isTurned(.robotsHuge) ? huge : text).cached(Self.freshness)
  }

  /// The file that `robots-redirect` leads to.
  var elsewhere: HTTPResponse { HTTPResponse.text(text).cached(Self.freshness) }

  private var text: String {
    var text = "# Demo: every listing here is invented.\nUser-agent: *\n"
    let denied = world.knobs.active.filter { denying.contains($0.misbehaviour) }
    for knob in denied {
      guard let cinema = knob.cinema.flatMap(world.cinema) else { return text + "Disallow: /\n" }
      if let code = cinema.platform?.cinema { text += "Disallow: /*CinemaCd=\(code)\n" }
      text += "Disallow: /sites/\(cinema.id)/\n"
    }
    return denied.isEmpty ? text + "Disallow:\n" : text
  }

  private var huge: String {
    let line = "# " + String(repeating: "demo ", count: 20) + "\n"
    return text + String(repeating: line, count: Self.hugeBytes / line.utf8.count) + "Disallow: /\n"
  }
}
