import Glibc

/// How many threads the system gives this process and those that it begins, as far as it tells; nil for as many as wanted.
nonisolated func taskLimit() -> Int? {
  let membership = (try? contents(ofFile: "/proc/self/cgroup", bytesMax: 64 << 10)) ?? []
  let group = groupTaskLimit(String(decoding: membership, as: UTF8.self), in: "/sys/fs/cgroup")
  // The kernel holds root to none.
  guard geteuid() != 0 else { return group }
  var user = rlimit()
  guard getrlimit(Int32(__RLIMIT_NPROC.rawValue), &user) == 0 else { return group }
  return min(Int(clamping: user.rlim_cur), group ?? .max)
}

/// The least that a control group or one above it allows (systemd's TasksMax, a container's limit).
///
/// - Parameters:
///   - membership: as `/proc/self/cgroup` has it; the groups of each controller alone, which are older, are not looked at.
///   - root: where the groups are mounted.
nonisolated package func groupTaskLimit(_ membership: String, in root: String) -> Int? {
  let own = membership.split(separator: "\n").first { $0.hasPrefix("0::/") }
  guard let groups = own?.dropFirst("0::".count).split(separator: "/") else { return nil }
  let limits = (0...groups.count).compactMap { depth -> Int? in
    let file = ([root[...]] + groups.prefix(depth) + ["pids.max"]).joined(separator: "/")
    guard let bytes = try? contents(ofFile: file, bytesMax: 64) else { return nil }
    return Int(String(decoding: bytes, as: UTF8.self).prefix { $0.isNumber })
  }
  return limits.min()
}
