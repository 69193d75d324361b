import AudioStreams

/// Any bytes are a playlist, sound or neither; metadata is taken out wherever the bytes are cut, and sound never grows.
func fuzzStations(_ input: UnsafeBufferPointer<UInt8>) {
  let bytes = Array(input)
  for type in [nil, "text/html", "audio/mpeg"] {
    switch AudioDocument(bytes, mediaType: type) {
    case .playlist(_, let entries):
      precondition(entries.count <= AudioDocument.Limits.answer.entries, "more addresses than allowed")
      precondition(entries.allSatisfy { $0.address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } }, "no address")
    case .master(let master):
      precondition(master.variants.isEmpty == (master.best == nil), "one of some is the best")
    case .media, .sound, .page, .nothing, .unknown: break
    }
  }
  guard let interval = bytes.first.map({ Int($0) + 1 }), var whole = IcyReader(interval: interval),
    var halves = IcyReader(interval: interval)
  else { return }
  let rest = Array(bytes.dropFirst())
  let cut = rest.count / 3
  let sound = whole.sound(of: rest)
  let other = halves.sound(of: Array(rest[..<cut])) + halves.sound(of: Array(rest[cut...]))
  precondition(sound == other && whole.latest == halves.latest, "it matters where the bytes were cut")
  precondition(sound.count <= rest.count, "more sound than bytes")
}
