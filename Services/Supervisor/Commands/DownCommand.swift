import Clocks
import EventLoops
import Glibc
import ServiceKit

/// `odi down`: ends the suite of a folder.
enum DownCommand {
  private static let now = Parameter<Bool>.flag("now", "do not wait for what is under way")
  /// They end one after the other; most take milliseconds.
  private static let patience: Duration =
    SupervisedService.stopPatience * SuiteMember.allCases.count + .seconds(10)
  private static let pause: Duration = .milliseconds(50)

  static var command: Command {
    Command(
      "down", "end the suite: every service finishes what it does",
      discussion: "A suite that does not run is no error.",
      takes: [now, SuiteOptions.data]
    ) { call, output in
      let folder = try SuiteOptions.folder(call, output)
      guard let holder = SuiteLock.holder(of: folder) else {
        output.note("no suite runs on \(folder.path)")
        return .done
      }
      guard holder.purpose == .suite else { throw SuiteLock.refusal(folder, holder) }
      let process = holder.process
      try send(to: process)
      let time = EventLoop.time
      let start = time.now
      if call[now] {
        // The second signal is what says "now". Signals of one kind that come together are one: let it take the first.
        try await time.sleep(for: .milliseconds(200))
        if SuiteLock.holder(of: folder) == holder { try send(to: process) }
      }
      while SuiteLock.holder(of: folder) == holder {
        guard time.now - start < patience else {
          throw CommandError(
            .timedOut, "process \(process) has not ended within \(patience.spoken)",
            try: "odi down --now --data \(folder.path)")
        }
        try await time.sleep(for: pause)
      }
      output.note("ended after \((time.now - start).spoken)")
      return .done
    }
  }

  private static func send(to process: Int32) throws(CommandError) {
    guard kill(process, SIGTERM) == 0 || errno == ESRCH else {
      throw CommandError(
        .unauthorised, "cannot end process \(process)", why: String(cString: strerror(errno)),
        try: "the same as the user who started it")
    }
  }
}
