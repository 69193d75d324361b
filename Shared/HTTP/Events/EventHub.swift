package import Clocks

/// Sends events to everybody who asked for their topic.
///
/// An event's bytes are made once and kept in a ring; a client is a place in that ring. So there is no queue per client:
/// who reads slowly falls behind in the ring, and who falls out of it is told `reset`. The streams are written to in
/// slices, so that an event for thousands does not hold up the loop.
package final class EventHub {
  /// What has happened so far.
  package struct Counters: Equatable, Sendable {
    package var published = 0
    package var delivered = 0
    package var heartbeats = 0
    /// Clients that missed events and were told to read everything again.
    package var resets = 0
    /// Turns of the loop in which streams were written to, and the most streams in one.
    package var slices = 0
    package var largestSlice = 0
    /// Streams opened with a known `Last-Event-ID`.
    package var resumed = 0
  }

  package private(set) var counters = Counters()
  /// Open streams.
  package private(set) var streams = 0

  let limits: EventLimits
  private let time: any TimeSource
  private let epoch: String
  private var ring: EventRing
  private var topics: [String: EventTopic] = [:]
  private var perOwner: [String: Int] = [:]
  private var clients: [EventClient] = []
  private var waiting: [EventClient] = []
  private var waitingFrom = 0
  private var isSliceDue = false
  private var isTicking = false
  private var departures: UInt64 = 0

  /// `epoch` tells this process's numbers from those of the one before it.
  package init(epoch: String, limits: EventLimits = EventLimits(), time: any TimeSource) {
    self.epoch = epoch
    self.limits = limits
    self.time = time
    ring = EventRing(limits: limits)
  }

  /// The id of the oldest and of the newest event that a client could come back with.
  package var oldestID: String? { ring.oldestID }
  package var newestID: String? { ring.newestID }

  // MARK: Publishing

  /// Sends an event to all who asked for its topic, from the next turn of the loop on. Returns its id.
  @discardableResult
  package func publish(_ event: ServerEvent) -> String {
    counters.published += 1
    let id = event.id ?? "\(epoch)-\(ring.end)"
    let entry = EventRing.Entry(
      topic: event.topic, key: event.key, id: id, bytes: event.encoded(id: id), at: time.now)
    let number = ring.append(entry)
    if let topic = topics[event.topic] {
      for client in topic.clients { client.wake(from: number) }
      sliceLater()
    }
    return id
  }

  // MARK: Streams

  /// An answer that streams the topics' events.
  ///
  /// - Parameters:
  ///   - lastID: what the client gave back. Events after it come first; if it is no longer known, `reset` does.
  ///   - owner: whose streams are counted together: a session, else an address
  ///   - preface: sent before all else and not kept: a `hello`, changes that a service remembers
  package func answer(
    topics names: [String], after lastID: String? = nil, owner: String, preface: [ServerEvent] = []
  ) throws -> HTTPResponse {
    guard names.count <= limits.topicsPerStream else {
      throw Problem(.validation, "ask for at most \(limits.topicsPerStream) topics")
    }
    guard streams < limits.streams else {
      throw Problem(.overloaded, "too many event streams are open", fields: [HTTPField("Retry-After", "30")])
    }
    guard perOwner[owner, default: 0] < limits.streamsPerOwner else {
      throw Problem(
        .rateLimited, "at most \(limits.streamsPerOwner) event streams at once; share one between tabs",
        fields: [HTTPField("Retry-After", "30")])
    }
    let client = EventClient(hub: self, owner: owner, topics: Array(Set(names)))
    client.opening = opening(client, after: lastID, preface)
    var response = HTTPResponse(.ok, .events)
    response.body = .stream(client)
    response.fields = [HTTPField("Cache-Control", "no-store"), HTTPField("X-Accel-Buffering", "no")]
    return response
  }

  private func opening(_ client: EventClient, after lastID: String?, _ preface: [ServerEvent]) -> [UInt8] {
    var bytes = Array("retry: \(limits.retry.wholeMilliseconds)\n:ok\n\n".utf8)
    for event in preface { bytes += event.encoded(id: event.id) }
    client.cursor = ring.end
    guard let lastID else { return bytes }
    if let number = ring.number(of: lastID) {
      counters.resumed += 1
      client.cursor = number + 1
    } else {
      bytes += reset()
    }
    return bytes
  }

  /// Tells a client that it missed something: it reads everything anew, then goes on from here.
  private func reset() -> [UInt8] {
    counters.resets += 1
    let newest = ring.newestID ?? "\(epoch)-none"
    return ServerEvent(topic: "", name: "reset", data: Array("{}".utf8)).encoded(id: newest)
  }

  func opened(_ client: EventClient) {
    streams += 1
    perOwner[client.owner, default: 0] += 1
    client.place = clients.count
    clients.append(client)
    client.places = client.topicNames.map { name in
      let topic = topics[name] ?? EventTopic()
      topics[name] = topic
      topic.clients.append(client)
      return topic.clients.count - 1
    }
    client.lastWrite = time.now
    client.isBehind = client.cursor < ring.end
    client.wake(from: ring.end)
    sliceLater()
    tickLater()
  }

  func closed(_ client: EventClient) {
    streams -= 1
    let left = perOwner[client.owner, default: 1] - 1
    perOwner[client.owner] = left > 0 ? left : nil
    clients[client.place] = clients[clients.count - 1]
    clients[client.place].place = client.place
    clients.removeLast()
    for (name, place) in zip(client.topicNames, client.places) {
      guard let topic = topics[name] else { continue }
      let moved = topic.clients[topic.clients.count - 1]
      topic.clients[place] = moved
      topic.clients.removeLast()
      if moved !== client, let index = moved.topicNames.firstIndex(of: name) { moved.places[index] = place }
      if topic.clients.isEmpty { topics[name] = nil }
    }
  }

  // MARK: Slices

  func wait(_ client: EventClient) { waiting.append(client) }

  /// Puts a client in line after all that there is.
  func wakeLast(_ client: EventClient) {
    client.wake(from: ring.end)
    sliceLater()
  }

  func sliceLater() {
    guard !isSliceDue, waitingFrom < waiting.count else { return }
    isSliceDue = true
    time.after(.zero) { [self] in
      isSliceDue = false
      slice()
      sliceLater()
    }
  }

  /// Writes to as many streams as one turn may.
  private func slice() {
    var written = 0
    var behind: [EventClient] = []
    while written < limits.streamsPerTurn, waitingFrom < waiting.count {
      let client = waiting[waitingFrom]
      waitingFrom += 1
      client.isWaiting = false
      guard client.isOpen, catchUp(client) else { continue }
      written += 1
      if client.isBehind { behind.append(client) }
    }
    if waitingFrom == waiting.count {
      waiting.removeAll(keepingCapacity: waiting.count <= 4_096)
      waitingFrom = 0
    }
    // If the socket took all, they go on in the next turn; if not, the tick looks after them.
    for client in behind { client.wake(from: ring.end) }
    guard written > 0 else { return }
    counters.slices += 1
    counters.largestSlice = max(counters.largestSlice, written)
  }

  /// Sends a client what it has not had. Returns whether anything was written.
  private func catchUp(_ client: EventClient) -> Bool {
    var isWritten = false
    func write(_ bytes: [UInt8]) {
      client.write(bytes)
      client.lastWrite = time.now
      isWritten = true
    }
    if !client.opening.isEmpty {
      write(client.opening)
      client.opening = []
    }
    if client.cursor < ring.begin, client.queuedBytes < limits.queueBytes {
      write(reset())
      client.cursor = ring.end
    }
    while client.cursor >= ring.begin, client.cursor < ring.end, client.queuedBytes < limits.queueBytes {
      let number = client.cursor
      client.cursor += 1
      guard let entry = ring[number], client.topicNames.contains(entry.topic), !ring.isSuperseded(number, entry) else {
        continue
      }
      counters.delivered += 1
      write(entry.bytes)
    }
    client.isBehind = client.cursor < ring.end
    if client.isLeaving {
      write(farewell())
      client.finish()
    } else if client.needsHeartbeat {
      if !isWritten {
        counters.heartbeats += 1
        write(Array(":\n\n".utf8))
      }
      client.needsHeartbeat = false
    }
    return isWritten
  }

  // MARK: Time

  /// Once a second: heartbeats, and clients that had been too slow.
  private func tickLater() {
    guard !isTicking else { return }
    isTicking = true
    time.after(.seconds(1)) { [self] in
      isTicking = false
      tick()
      if streams > 0 { tickLater() }
    }
  }

  private func tick() {
    let now = time.now
    ring.expire(now: now)
    for client in clients {
      client.needsHeartbeat = now - client.lastWrite >= limits.heartbeat
      if client.isBehind || client.needsHeartbeat { client.wake(from: ring.end) }
    }
    sliceLater()
  }

  // MARK: The end

  /// A word for a client that is sent away: when to come back, spread so that not all do at once.
  private func farewell() -> [UInt8] {
    departures += 1
    // The golden ratio's fraction puts any number of clients evenly over the spread, without chance.
    let share = Double(departures &* 0x9E37_79B9_7F4A_7C15 >> 11) / Double(1 << 53 as UInt64)
    let wait = limits.retry.wholeMilliseconds + Int64(share * Double(limits.returnSpread.wholeMilliseconds))
    let data = Array("{\"retry_ms\":\(wait)}".utf8)
    return Array("retry: \(wait)\n".utf8) + ServerEvent(topic: "", name: "bye", data: data).encoded(id: nil)
  }
}

/// Who hears of one topic.
final class EventTopic {
  var clients: [EventClient] = []
}

/// One open stream: a place in the hub's ring.
final class EventClient: HTTPStreamBody {
  let owner: String
  let topicNames: [String]
  /// The number of the event that it is to be sent next.
  var cursor: UInt64 = 0
  /// Whether it is kept from having what is there already by its own slowness. If not, `cursor` follows the events.
  var isBehind = false
  /// Where it stands in the list of all clients and in those of its topics.
  var place = 0
  var places: [Int] = []
  var opening: [UInt8] = []
  var lastWrite = Instant(nanoseconds: 0)
  var isWaiting = false
  var isLeaving = false
  var needsHeartbeat = false

  private let hub: EventHub
  private var output: (any HTTPOutput)?

  init(hub: EventHub, owner: String, topics: [String]) {
    self.hub = hub
    self.owner = owner
    topicNames = topics
  }

  var isOpen: Bool { output != nil }
  var queuedBytes: Int { output?.queuedBytes ?? 0 }

  func write(_ bytes: [UInt8]) { output?.write(bytes) }

  func finish() { output?.finish() }

  /// Puts the client in line for the event of that number, unless it waits already for one before.
  func wake(from number: UInt64) {
    guard !isWaiting else { return }
    if !isBehind { cursor = number }
    isWaiting = true
    hub.wait(self)
  }

  func began(_ output: any HTTPOutput) {
    self.output = output
    hub.opened(self)
  }

  func draining() {
    isLeaving = true
    hub.wakeLast(self)
  }

  func ended() {
    guard output != nil else { return }
    output = nil
    hub.closed(self)
  }
}
