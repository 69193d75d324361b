import Glibc

/// The TCP ports of this machine that somebody listens on, as the kernel tells them.
nonisolated package struct ListeningSockets: Sendable {
  package struct Socket: Sendable, Equatable {
    package let inode: UInt64
    package let user: UInt32
  }

  private let sockets: [UInt16: Socket]

  package static func now() -> ListeningSockets {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map { path in
      (try? contents(ofFile: path, bytesMax: tableBytesMax)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    return ListeningSockets(tables: tables)
  }

  /// A hundred thousand sockets; what is beyond is not looked at.
  private static let tableBytesMax = 16 << 20

  /// - Parameter tables: as `/proc/net/tcp` has them.
  package init(tables: [String]) {
    var sockets: [UInt16: Socket] = [:]
    for line in tables.flatMap({ $0.split(separator: "\n").dropFirst() }) {
      let fields = line.split(separator: " ")
      guard fields.count > 9, fields[3] == Self.listening, let colon = fields[1].lastIndex(of: ":"),
        let port = UInt16(fields[1][fields[1].index(after: colon)...], radix: 16), let user = UInt32(fields[7]),
        let inode = UInt64(fields[9])
      else { continue }
      sockets[port] = Socket(inode: inode, user: user)
    }
    self.sockets = sockets
  }

  private static let listening = "0A"

  package subscript(port: UInt16) -> Socket? { sockets[port] }
}

nonisolated extension ListeningSockets.Socket {
  /// Whose it is: a program's name and process where we may look, else the user.
  package var ownerText: String {
    guard let process = owner else { return "a process of user \(user) listens there" }
    let name = (try? contents(ofFile: "/proc/\(process)/comm", bytesMax: 256)).map {
      String(decoding: $0, as: UTF8.self)
    }
    return "\(name.map { $0.filter { $0 != "\n" } } ?? "a program"), process \(process), listens there"
  }

  /// The process that has the socket open, as far as we are allowed to see.
  private var owner: Int32? {
    for process in names(in: "/proc").compactMap({ Int32($0) }) {
      for file in names(in: "/proc/\(process)/fd")
      where target(of: "/proc/\(process)/fd/\(file)") == "socket:[\(inode)]" {
        return process
      }
    }
    return nil
  }

  private func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }

  private func target(of link: String) -> String {
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = bytes.withUnsafeMutableBytes { readlink(link, $0.baseAddress!, $0.count) }
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}
