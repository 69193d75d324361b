import Clocks
import Contracts
import HTTP
import JSON

/// What changes while somebody looks: one stream of events for all that a client listens to.
final class LiveCoordinator: Coordinator {
  private let live: LiveHub

  init(_ live: LiveHub) { self.live = live }

  private static let topics = QueryField<[LiveTopic]>(
    "topics", "What to listen to: `\(LiveTopic.form)`; repeated, or with commas between.", isRequired: true,
    schema: .array(
      of: .string(pattern: "^(schedule|sources|radio|me|(cinema|film|festival|station):[A-Za-z0-9][A-Za-z0-9._-]*)$"),
      atMost: 32,
      atLeast: 1)
  ) { query in
    let words = query.list("topics", max: 32)
    if words.isEmpty { query.refuse("topics", "is missing; give some of \(LiveTopic.form)") as Never? }
    return words.compactMap { word in
      if let topic = LiveTopic(word) { return topic }
      let near = suggestion(
        for: word.prefix { $0 != ":" }, among: LiveTopic.words)
      query.refuse("topics", "must be \(LiveTopic.form)" + (near.map { "; did you mean \($0)?" } ?? ""), word) as Never?
      return nil
    }
  }
  private static let near = QueryField<Coordinate?>.near(
    """
    Where the reader is, `lat,lon` in degrees: with the topic `me`, saved films that begin to play within 10 km are told \
    (`bookmark.playing`). Without it, those in the region of the user's settings; in either case those at favourite cinemas and \
    at cinemas that are listened to.
    """)
  private static let last = QueryField<String?>.text(
    "last_event_id", "The id of the last event that was seen, where a Last-Event-ID cannot be sent.", length: 1...64)

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/events", "events",
        """
        Events as they happen (`text/event-stream`), and those since the last one seen. Those of stations \
        (`radio.now_playing`, `radio.down`) and festivals have no place in that order: read anew what they are about. `place` is no news: its id \
        is where to go on.
        """,
        .live, access: .maybeUser, query: [Self.topics, Self.near, Self.last],
        fields: [RequestField("Last-Event-ID", "Sent by browsers that come back.", schema: .string(length: 0...64))],
        answers: [.other(.events, "Until one side closes.")]
      ) { [self] asking in try open(asking) }
    ]
  }

  private func open(_ asking: Asking) throws -> Answer {
    var query = asking.query
    let (topics, near, last) = (query.take(Self.topics), query.take(Self.near), query.take(Self.last))
    try query.finish()
    if topics.contains(.me), asking.user == nil { throw Problem.noSession }
    let owner = asking.user?.text ?? asking.client.network.map { "\($0)" } ?? "local"
    try live.admit(owner, isUser: asking.user != nil)
    let text = asking.request["last-event-id"] ?? last
    // What is no id of ours is of a time that nobody remembers: the reader is told to read everything anew.
    let resumes = text.map { LiveID($0) ?? LiveID() }
    let stream = LiveStream(
      live, topics: Set(topics), owner: owner, user: asking.user, token: asking.tokenIssuedAt,
      position: near, resumes: resumes)
    return Answer(live.hub.answer(to: stream))
  }
}
