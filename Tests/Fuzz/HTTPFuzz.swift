import HTTP

/// However a client's bytes are cut, the same requests come out, and a failure is the last word.
func fuzzHTTP(_ input: UnsafeBufferPointer<UInt8>) {
  let bytes = UnsafeRawBufferPointer(input)
  guard let cut = bytes.first else { return }
  let input = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
  let whole = requests(in: input, pieces: input.count)
  let pieces = requests(in: input, pieces: 1 + Int(cut) % 7)
  precondition(whole == pieces, "cut in pieces it means something else")
}

/// What a server would see: heads, bodies joined, and how it ended.
private func requests(in input: UnsafeRawBufferPointer, pieces size: Int) -> [String] {
  var parser = HTTPParser()
  var seen: [String] = []
  var body: [UInt8] = []
  var start = 0
  repeat {
    let end = min(start + max(size, 1), input.count)
    var piece = UnsafeRawBufferPointer(rebasing: input[start..<end])
    start = end
    reading: while true {
      switch parser.next(&piece) {
      case .needMore:
        precondition(piece.isEmpty, "it wants more and left \(piece.count) bytes")
        break reading
      case .head:
        let head = parser.head
        let fields = head.allFields.map { "\($0.name)=\($0.value)" }
        seen.append("\(head.method) \(head.rawPath) \(head.rawQuery ?? "") \(head.keepsAlive) \(fields)")
      case .proceed: break  // depends on what has arrived: who sends at once does not wait
      case .body(let bytes): body += bytes
      case .end:
        seen.append("body \(body)")
        body = []
      case .failure(let failure):
        return seen + ["\(failure)"]
      }
    }
  } while start < input.count
  return seen + ["more"]
}
