/// A QR code (ISO/IEC 18004): a text as dark and light squares that cameras read.
///
///     let code = try QRCode("https://odi.example/plans/8k2q", correction: .medium)
///     code.svg()              // for a page
///     code.terminalText()     // for a terminal, two squares a character
package struct QRCode: Hashable, Sendable {
  /// Squares on a side, without the quiet border: 21 to 177.
  package let size: Int
  /// 1 to 40.
  package let version: Int
  package let correction: QRCorrection
  /// Which of the eight masks makes it easiest to read.
  package let mask: Int
  private let squares: [Bool]

  /// - Throws: if the text does not fit the largest code with this correction.
  package init(_ text: String, correction: QRCorrection = .medium) throws(QRError) {
    guard text.utf8.count <= QRCode.bytesMax else { throw .tooLong(bytes: text.utf8.count, most: QRCode.bytesMax) }
    let segments = QRSegment.segments(of: text)
    guard let version = (1...40).first(where: { QRSegment.bits(of: segments, version: $0) <= $0.dataBits(correction) })
    else { throw .tooLong(bytes: text.utf8.count, most: 40.dataBits(correction) / 8 - 3) }
    let data = QRSegment.codewords(segments, version: version, bits: version.dataBits(correction))
    let words = ReedSolomon.interleaved(data, version: version, correction: correction)
    var best = QRMatrix(version: version)
    best.placeFunctionPatterns()
    best.place(words)
    let plain = best
    var (lowest, chosen) = (Int.max, 0)
    for mask in 0..<8 {
      var candidate = plain
      candidate.apply(mask)
      candidate.placeFormat(correction, mask)
      let penalty = candidate.penalty
      if penalty < lowest { (lowest, chosen, best) = (penalty, mask, candidate) }
    }
    self.version = version
    self.correction = correction
    mask = chosen
    size = best.size
    squares = best.dark
  }

  /// Whether the square is dark. Outside it is light, as the border must be.
  package subscript(column: Int, row: Int) -> Bool {
    guard (0..<size).contains(column), (0..<size).contains(row) else { return false }
    return squares[row * size + column]
  }

  /// More fits into no code: 2,953 bytes with the lowest correction, 7,089 digits.
  private static let bytesMax = 7_089
}

/// How much of a code may be damaged and it still reads.
package enum QRCorrection: String, CaseIterable, Hashable, Sendable {
  /// 7 %
  case low = "L"
  /// 15 %
  case medium = "M"
  /// 25 %
  case quartile = "Q"
  /// 30 %
  case high = "H"
}

package enum QRError: Error, Hashable, CustomStringConvertible {
  case tooLong(bytes: Int, most: Int)

  package var description: String {
    switch self {
    case .tooLong(let bytes, let most):
      "\(bytes) bytes do not fit a QR code; shorten the text to about \(most), or lower the correction"
    }
  }
}
