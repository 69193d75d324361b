import TextSearch

/// A name is found by itself, whatever it is; highlights lie inside it, in order.
func fuzzSearch(_ input: UnsafeBufferPointer<UInt8>) {
  let text = String(decoding: input, as: UTF8.self)
  let half = text.unicodeScalars.count / 2
  let query = String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(half)))
  let index = TextIndex([[text], ["씨네큐브", "Cinecube"]])
  for asked in [text, query] {
    for hit in index.search(asked, limit: 2) {
      var end = 0
      for range in hit.ranges {
        precondition(range.lowerBound >= end && range.upperBound <= hit.text.utf8.count, "highlights out of order")
        end = range.upperBound
      }
    }
  }
  let folded = FoldedText(text)
  let isWhole = !folded.units.isEmpty && folded.units.count <= 200 && folded.startsWord.count(where: { $0 }) <= 8
  if isWhole { precondition(!index.search(text, limit: 2).isEmpty, "is not found by itself") }
}
