package import Clocks

/// All open streams of events: admits them, hands events on, keeps silent ones alive, and says good-bye.
///
/// Who has something coming stands in one line, and a turn of the loop writes to no more than `streamsPerTurn` from its
/// front, whatever it is: events, heartbeats, resets, good-byes, or what a reader asked its turn for. Several events that
/// wait for one reader reach it in one visit. What happened longer ago than a client remembers, and how it comes back to
/// it, is the reader's business.
package final class EventHub<Reader: EventReader> {
  /// Open streams.
  package private(set) var readers: [Reader] = []
  package private(set) var counters = EventCounters()
  package let limits: EventLimits
  /// Called once a second while streams are open.
  package var eachSecond: (() -> Void)?

  private let time: any TimeSource
  private var perOwner: [String: Int] = [:]
  /// Events that some in line have not had, oldest first, and the number of the first of them.
  private var events: [Event] = []
  private var begin: UInt64 = 0
  /// In the order in which they came to wait, so the first one's event is the oldest.
  private var line: [Reader] = []
  private var lineBegin = 0
  /// Readers that wait for their turn.
  package var waiting: Int { line.count - lineBegin }
  /// Streams that this turn may still write to.
  private var left: Int
  private var isTurnCounted = false
  /// When it was begun to count. What is left then is not added to what another time has: it waits for the timer.
  private var turn = Instant(nanoseconds: 0)
  private var isSlicing = false
  private var isTicking = false
  private var departures: UInt64 = 0

  private struct Event {
    let isFor: (Reader) -> Bool
    let tell: (Reader) -> Void
  }

  package init(limits: EventLimits = EventLimits(), time: any TimeSource) {
    self.limits = limits
    self.time = time
    left = limits.streamsPerTurn
  }

  private var end: UInt64 { begin + UInt64(events.count) }

  // MARK: Streams

  /// Room for one more stream of this owner, or a problem that says when to come back.
  package func admit(_ owner: String, atMost most: Int) throws {
    guard readers.count < limits.streams else {
      throw Problem(.overloaded, "too many event streams are open", fields: [HTTPField("Retry-After", "30")])
    }
    guard perOwner[owner, default: 0] < most else {
      throw Problem(
        .rateLimited, "at most \(most) event streams at once; share one between tabs",
        fields: [HTTPField("Retry-After", "30")])
    }
  }

  /// The answer that streams to this reader.
  package func answer(to reader: Reader) -> HTTPResponse {
    var response = HTTPResponse(.ok, .events)
    response.body = .stream(reader)
    response.fields = [HTTPField("Cache-Control", "no-store"), HTTPField("X-Accel-Buffering", "no")]
    return response
  }

  /// From now on it hears what happens. Its own greeting, the answer to what it asked, is written at once.
  package func opened(_ reader: Reader, _ output: any HTTPOutput) {
    reader.place.output = output
    reader.place.openedAt = time.now
    reader.place.index = Int32(readers.count)
    readers.append(reader)
    perOwner[reader.owner, default: 0] += 1
    write(Array("retry: \(limits.retry.wholeMilliseconds)\n:ok\n\n".utf8), to: reader)
    tickLater()
  }

  /// Forgets a reader whose connection is gone.
  package func closed(_ reader: Reader) {
    guard reader.isOpen else { return }
    let index = Int(reader.place.index)
    readers.swapAt(index, readers.count - 1)
    readers[index].place.index = Int32(index)
    readers.removeLast()
    reader.place.output = nil
    reader.place.errands = []
    let left = perOwner[reader.owner, default: 1] - 1
    perOwner[reader.owner] = left > 0 ? left : nil
  }

  // MARK: Writing

  /// Whether an event may be written to a reader. Above the bound of what may wait for it, it gets no more until it has
  /// read, and then is told that it missed something.
  package func hasRoom(_ reader: Reader) -> Bool {
    guard reader.isOpen, !reader.place.isBehind else { return false }
    guard reader.queuedBytes < limits.queueBytes else {
      missed(reader)
      return false
    }
    return true
  }

  /// This reader did not get something, and is told so when it has read what waits for it.
  package func missed(_ reader: Reader) {
    guard !reader.place.isBehind else { return }
    reader.place.isBehind = true
    counters.slow += 1
  }

  package func deliver(_ bytes: [UInt8], to reader: Reader) {
    counters.delivered += 1
    reader.place.delivered &+= 1
    write(bytes, to: reader)
  }

  package func write(_ bytes: [UInt8], to reader: Reader) {
    reader.place.output?.write(bytes)
    reader.place.lastWrite = time.now
  }

  // MARK: Events

  /// Hands an event to all that it is for, those that are open now, each in its turn. `tell` may be asked of one that has
  /// missed something before.
  package func publish(to isFor: @escaping (Reader) -> Bool, _ tell: @escaping (Reader) -> Void) {
    counters.published += 1
    var isHeard = false
    for reader in readers where isFor(reader) {
      wake(reader)
      isHeard = true
    }
    guard isHeard else { return }
    if events.count == limits.events {
      events.removeFirst()
      begin += 1
    }
    events.append(Event(isFor: isFor, tell: tell))
    slice()
  }

  /// Tells all to read everything anew.
  package func resetAll() {
    publish(to: { _ in true }) { [unowned self] in if hasRoom($0) { reset($0) } }
  }

  /// Does something that writes to one reader in its turn, before the events that come after.
  package func inTurn(of reader: Reader, _ errand: @escaping () -> Void) {
    guard reader.isOpen else { return }
    reader.place.errands.append(errand)
    wake(reader)
    slice()
  }

  /// Says good-bye in its turn, and ends the stream.
  package func dismiss(_ reader: Reader) {
    guard reader.isOpen else { return }
    reader.place.isLeaving = true
    wake(reader)
    slice()
  }

  package func reset(_ reader: Reader) {
    counters.resets += 1
    reader.reset()
  }

  // MARK: Turns

  /// Puts a reader in line for all from the next event on, unless it waits already for one before.
  private func wake(_ reader: Reader) {
    guard !reader.place.isWaiting else { return }
    reader.place.isWaiting = true
    reader.place.next = end
    line.append(reader)
  }

  /// Writes to as many streams as this turn may still; the others have theirs in the next.
  private func slice() {
    guard !isSlicing, !isTurnCounted || turn == time.now else { return }
    isSlicing = true
    while left > 0, lineBegin < line.count {
      let reader = line[lineBegin]
      lineBegin += 1
      reader.place.isWaiting = false
      guard reader.isOpen else { continue }
      left -= 1
      visit(reader)
    }
    isSlicing = false
    counters.inTurnMax = max(counters.inTurnMax, limits.streamsPerTurn - left)
    forget()
    if left < limits.streamsPerTurn { countTurn() }
  }

  private func countTurn() {
    guard !isTurnCounted else { return }
    isTurnCounted = true
    turn = time.now
    time.after(.zero) { [weak self] in
      guard let self else { return }
      isTurnCounted = false
      left = limits.streamsPerTurn
      slice()
    }
  }

  private func visit(_ reader: Reader) {
    // What these bring about is of the next visit.
    var number = reader.place.next
    let last = end
    let errands = reader.place.errands
    reader.place.errands = []
    for errand in errands where reader.isOpen { errand() }
    while number < last, reader.isOpen {
      guard number >= begin else {
        missed(reader)
        number = begin
        continue
      }
      let event = events[Int(number - begin)]
      number += 1
      if event.isFor(reader) { event.tell(reader) }
    }
    guard reader.isOpen else { return }
    if reader.place.isLeaving {
      leave(reader)
    } else if reader.place.isBehind {
      guard hasReadHalf(reader) else { return }
      reader.place.isBehind = false
      reset(reader)
    } else if isSilent(reader) {
      counters.heartbeats += 1
      reader.beat()
    }
  }

  /// Lets go of the events that all in line have had, and of the line's part that has gone.
  private func forget() {
    guard lineBegin < line.count else {
      begin = end
      events.removeAll()
      line.removeAll(keepingCapacity: line.count <= limits.streamsPerTurn)
      lineBegin = 0
      return
    }
    if lineBegin > limits.streamsPerTurn, lineBegin * 2 > line.count {
      line.removeFirst(lineBegin)
      lineBegin = 0
    }
    let oldest = line[lineBegin].place.next
    guard oldest > begin else { return }
    events.removeFirst(Int(oldest - begin))
    begin = oldest
  }

  // MARK: Time

  /// Once a second: heartbeats, and readers that had been too slow.
  private func tickLater() {
    guard !isTicking else { return }
    isTicking = true
    time.after(.seconds(1)) { [weak self] in
      guard let self else { return }
      isTicking = false
      for reader in readers where reader.place.isBehind ? hasReadHalf(reader) : isSilent(reader) { wake(reader) }
      slice()
      eachSecond?()
      if !readers.isEmpty { tickLater() }
    }
  }

  private func isSilent(_ reader: Reader) -> Bool { time.now - reader.place.lastWrite >= limits.heartbeat }

  private func hasReadHalf(_ reader: Reader) -> Bool { reader.queuedBytes < limits.queueBytes / 2 }

  // MARK: The end

  /// Each is told another time to come back, so that not all do at once.
  private func leave(_ reader: Reader) {
    departures += 1
    // The golden ratio's fraction puts any number of clients evenly over the spread, without chance.
    let share = Double(departures &* 0x9E37_79B9_7F4A_7C15 >> 11) / Double(1 << 53 as UInt64)
    let wait = limits.retry.wholeMilliseconds + Int64(share * Double(limits.returnSpread.wholeMilliseconds))
    reader.sayGoodbye(comeBackAfter: wait)
    reader.place.output?.finish()
    closed(reader)
  }
}

/// What has happened to streams so far.
nonisolated package struct EventCounters: Hashable, Sendable {
  package var published = 0
  /// Events written, each once for each reader.
  package var delivered = 0
  package var heartbeats = 0
  /// Times that a reader missed events and was told to read everything anew.
  package var resets = 0
  /// Times that a reader was too slow.
  package var slow = 0
  /// The most streams that had one turn of the loop.
  package var inTurnMax = 0
}
