import Fetch

/// Any bytes are a robots.txt. Its first line is also asked about as a path, by an agent that it may name.
func fuzzRobots(_ input: UnsafeBufferPointer<UInt8>) {
  let bytes = Array(input)
  let robots = RobotsTxt(parsing: bytes)
  let path = "/" + String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
  for agent in ["OdiBot", "a", "*", ""] {
    _ = robots.decision(on: path, agent: agent)
    if let delay = robots.crawlDelay(agent: agent) { precondition(delay >= .zero && delay <= RobotsTxt.crawlDelayMax) }
  }
  precondition(robots.decision(on: "/robots.txt", agent: "OdiBot").isAllowed, "the file itself may always be read")
}
