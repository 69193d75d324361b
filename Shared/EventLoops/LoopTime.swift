import CUV
import Clocks
import Glibc

/// The loop's clock: a heap of timers behind one libuv timer.
final class LoopTime: TimeSource {
  static let shared = LoopTime()

  /// A turn that takes longer kept from the sockets somebody who was told to answer in seconds.
  private static let longTurn: UInt64 = 50_000_000

  private var cachedNow: UInt64 = 0
  /// When the loop last looked at its sockets, and whether it still waits for them.
  private var looked = uv_hrtime()
  private var isWaiting = false
  private var waited: UInt64 = 0
  private var missed: UInt64 = 0
  private var heap: [Entry] = []
  private var serial: UInt64 = 0
  private var cancelled = 0
  private let timer = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
  private var armedFor = Instant.distantFuture

  private init() { uv_timer_init(LoopHandles.loop, timer) }

  var now: Instant {
    if cachedNow == 0 { cachedNow = uv_hrtime() }
    return Instant(nanoseconds: cachedNow)
  }

  var wall: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }

  var inattention: Duration { .nanoseconds(Int64(clamping: missed + kept(until: uv_hrtime()))) }

  /// The time that the loop has spent waiting, since it started. libuv would measure it with a system call a turn.
  var idle: Duration { .nanoseconds(Int64(clamping: waited)) }

  /// The sockets are about to be looked at, now.
  func willWait() -> UInt64 {
    let now = uv_hrtime()
    missed += kept(until: now)
    looked = now
    isWaiting = true
    return now
  }

  func forgetNow() { cachedNow = 0 }

  /// What comes first after a wait, a callback or its mere end, begins a turn.
  func didWait() {
    guard isWaiting else { return }
    isWaiting = false
    cachedNow = uv_hrtime()
    waited += cachedNow - looked
    looked = cachedNow
  }

  /// How long this turn has kept the thread, if that is long.
  private func kept(until now: UInt64) -> UInt64 {
    let busy = now - looked
    return busy > Self.longTurn ? busy : 0
  }

  func after(_ delay: Duration, _ body: @escaping @MainActor () -> Void) -> any Scheduled {
    serial &+= 1
    // In a turn that has taken long, `now` is long ago: counted from there, half of the delay may be over.
    let busy = kept(until: uv_hrtime())
    let start = busy > 0 ? Instant(nanoseconds: looked + busy) : now
    let entry = Entry(due: start + max(delay, .zero), serial: serial, body: body)
    push(entry)
    if entry.due < armedFor { arm() }
    return entry
  }

  private func fire() {
    armedFor = .distantFuture
    let now = now
    // Timers set while these fire wait for the next turn, so that a zero delay cannot starve the sockets.
    let last = serial
    while let next = heap.first, next.due <= now, next.serial <= last {
      pop()
      guard let body = next.take() else {
        cancelled -= 1
        continue
      }
      body()
    }
    arm()
  }

  private func arm() {
    while let next = heap.first, next.isCancelled {
      pop()
      cancelled -= 1
    }
    guard let next = heap.first else {
      armedFor = .distantFuture
      uv_timer_stop(timer)
      return
    }
    guard next.due != armedFor else { return }
    armedFor = next.due
    uv_update_time(LoopHandles.loop)
    let wait = max(next.due - Instant(nanoseconds: uv_hrtime()), .zero).saturatedNanoseconds
    // Rounded up, or it would fire a little early and be set again. Never zero: libuv runs a timer that is due when it is
    // set in the same round, so a task that sleeps for nothing again and again would keep the loop from all sockets.
    let milliseconds = max(UInt64(wait / 1_000_000) + (wait % 1_000_000 > 0 ? 1 : 0), 1)
    uv_timer_start(timer, { _ in EventLoop.callback { LoopTime.shared.fire() } }, milliseconds, 0)
  }

  /// Deadlines are mostly cancelled, so dead entries are swept once they are the larger half.
  fileprivate func noteCancelled() {
    cancelled += 1
    guard cancelled > 64, cancelled > heap.count / 2 else { return }
    let living = heap.filter { !$0.isCancelled }
    heap.removeAll(keepingCapacity: true)
    cancelled = 0
    for entry in living { push(entry) }
  }

  private func push(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].isBefore(heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private func pop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var first = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[first]) {
        first = child
      }
      guard first != parent else { return }
      heap.swapAt(parent, first)
      parent = first
    }
  }

  private final class Entry: Scheduled {
    let due: Instant
    let serial: UInt64
    private var body: (@MainActor () -> Void)?

    init(due: Instant, serial: UInt64, body: @escaping @MainActor () -> Void) {
      self.due = due
      self.serial = serial
      self.body = body
    }

    var isCancelled: Bool { body == nil }

    func isBefore(_ other: Entry) -> Bool { (due, serial) < (other.due, other.serial) }

    func take() -> (@MainActor () -> Void)? {
      defer { body = nil }
      return body
    }

    func cancel() {
      guard body != nil else { return }
      body = nil
      LoopTime.shared.noteCancelled()
    }
  }
}
