/// One event of a stream (WHATWG HTML, server-sent events), as its publisher gives it.
nonisolated package struct ServerEvent {
  /// Who hears it: those who asked for the topic.
  package let topic: String
  /// What the client's listener is called.
  package let name: String
  /// Usually JSON. Its lines become lines of the stream.
  package let data: [UInt8]
  /// What the client gives back to go on after this event. The hub numbers events that have none.
  package let id: String?
  /// An event that has not been sent to a client yet is replaced by a newer one of the same key: of a station's
  /// current song, only the last matters.
  package let key: String?

  /// `name` and `id` are ours or a service's and have no control characters.
  package init(topic: String, name: String, data: [UInt8], id: String? = nil, key: String? = nil) {
    precondition(Self.isLine(name) && id.map(Self.isLine) != false, "an event's name and id are single lines")
    self.topic = topic
    self.name = name
    self.data = data
    self.id = id
    self.key = key
  }

  private static func isLine(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

  /// The event's bytes in a stream.
  func encoded(id: String?) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + name.utf8.count + (id?.utf8.count ?? 0) + 32)
    if let id { bytes += Array("id: \(id)\n".utf8) }
    bytes += Array("event: \(name)\n".utf8)
    // A carriage return ends a line for the reader too.
    for line in data.split(omittingEmptySubsequences: false, whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      bytes += Array("data: ".utf8)
      bytes += line
      bytes.append(0x0A)
    }
    bytes.append(0x0A)
    return bytes
  }
}
