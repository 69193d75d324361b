import CUV
import Glibc

/// Looks at the sockets again and again while one answer is near, instead of falling asleep.
///
/// To be woken takes longer than a service near by takes to answer, above all where the processor of a virtual machine halts
/// meanwhile. Who has asked one question and has nothing else to do therefore stays awake for a moment. Where that does not
/// pay, it is tried ever more rarely; with several questions under way, the next answer finds the loop awake anyway.
package struct Attention {
  /// The longest that one wait stays awake.
  static let awakeNanosecondsMax: UInt64 = 50_000
  /// How many waits are slept through after one that was in vain, at most.
  package static let skippedMax = 64

  /// Questions of this process that wait for their one answer.
  package var questions = 0
  /// Whether it may stay awake at all. What counts instructions and system calls wants the same number each time.
  package var isAllowed = true
  /// How often it has looked, for tests.
  package private(set) var looks = 0
  private var inVain = 0
  private var toSkip = 0
  private var sockets: pollfd

  /// `descriptor` is ready to be read when any socket of the loop is ready.
  package init(to descriptor: Int32 = uv_backend_fd(uv_default_loop())) {
    sockets = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  }

  /// Comes back when something is ready, or the moment is over.
  package mutating func stayAwake(since began: UInt64) {
    guard questions == 1, isAllowed else { return }
    guard toSkip == 0 else { return toSkip -= 1 }
    repeat {
      looks &+= 1
      if poll(&sockets, 1, 0) != 0 { return inVain = 0 }
      // Whom we wait for may be waiting for this processor.
      sched_yield()
    } while uv_hrtime() - began < Self.awakeNanosecondsMax
    toSkip = min(1 << inVain, Self.skippedMax)
    if toSkip < Self.skippedMax { inVain += 1 }
  }
}
