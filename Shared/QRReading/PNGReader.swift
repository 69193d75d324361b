import Compression

/// PNG as browsers and screenshots write it: 8 or 16 bits, grey, colour or palette, with or without transparency; 1, 2
/// and 4 bits too. Interlaced ones are refused, nobody sends them.
enum PNGReader {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private struct Header {
    var width = 0
    var height = 0
    var depth = 0
    var kind = 0

    /// Values for a square.
    var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][kind] ?? 0 }
    var rowBytes: Int { (width * channels * depth + 7) / 8 }
    /// How far back the square before is; at least one byte.
    var step: Int { max(1, channels * depth / 8) }
  }

  static func read(_ bytes: [UInt8], limits: QRReader.Limits) throws(PictureError) -> GreyPicture {
    var header: Header?
    var palette: [UInt8] = []
    var packed: [UInt8] = []
    var place = signature.count
    chunks: while place + 12 <= bytes.count {
      let count = number(bytes, place)
      guard count <= bytes.count - place - 12 else { throw .damaged("the PNG is cut short") }
      let content = bytes[place + 8..<place + 8 + count]
      switch String(decoding: bytes[place + 4..<place + 8], as: UTF8.self) {
      case "IHDR": header = try self.header(Array(content), limits)
      case "PLTE": palette = stride(from: 0, to: count - 2, by: 3).map { grey(content, content.startIndex + $0) }
      case "IDAT": packed += content
      case "IEND": break chunks
      default: break
      }
      place += count + 12
    }
    guard let header, !packed.isEmpty else { throw .damaged("the PNG has no picture in it") }
    let size = (header.rowBytes + 1) * header.height
    guard size <= rawBytesMax else { throw .tooManySquares(limit: limits.squares) }
    let raw: [UInt8]
    do {
      raw = try CompressionFormat.zlib.decompress(packed, limit: size)
    } catch {
      throw .damaged("the PNG cannot be unpacked")
    }
    guard raw.count == size else { throw .damaged("the PNG is cut short") }
    return picture(raw, header, palette, limits)
  }

  /// Of the unpacked rows: 25 megapixels in four channels.
  private static let rawBytesMax = 100 << 20

  private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func header(_ bytes: [UInt8], _ limits: QRReader.Limits) throws(PictureError) -> Header {
    guard bytes.count == 13 else { throw .damaged("the PNG's header is wrong") }
    let header = Header(
      width: number(bytes, 0), height: number(bytes, 4), depth: Int(bytes[8]), kind: Int(bytes[9]))
    guard bytes[12] == 0 else { throw .damaged("the PNG is interlaced, which is not read") }
    let isKnown = [1, 2, 4, 8, 16].contains(header.depth) && header.channels > 0
    let isAllowed = header.kind == 0 || header.depth == 8 || (header.depth < 8) == (header.kind == 3)
    guard isKnown, isAllowed, header.width > 0, header.height > 0 else { throw .damaged("the PNG's header is wrong") }
    guard header.width <= limits.squares / header.height else { throw .tooManySquares(limit: limits.squares) }
    return header
  }

  /// Undoes the rows' filters, and takes every `scale`th square of every `scale`th row.
  private static func picture(
    _ raw: [UInt8], _ header: Header, _ palette: [UInt8], _ limits: QRReader.Limits
  ) -> GreyPicture {
    var scale = 1
    while header.width / scale * (header.height / scale) > limits.squaresScanned { scale += 1 }
    let (width, height) = (max(1, header.width / scale), max(1, header.height / scale))
    var grey: [UInt8] = []
    grey.reserveCapacity(width * height)
    var before = [UInt8](repeating: 0, count: header.rowBytes)
    for row in 0..<header.height {
      let start = row * (header.rowBytes + 1)
      var line = Array(raw[start + 1..<start + 1 + header.rowBytes])
      unfilter(&line, raw[start], before, header.step)
      if row % scale == 0, row / scale < height {
        for column in 0..<width { grey.append(square(line, column * scale, header, palette)) }
      }
      before = line
    }
    return GreyPicture(width: width, height: height, grey: grey, scale: scale)
  }

  private static func unfilter(_ line: inout [UInt8], _ filter: UInt8, _ before: [UInt8], _ step: Int) {
    guard (1...4).contains(filter) else { return }
    for place in line.indices {
      let left = place >= step ? Int(line[place - step]) : 0
      let above = Int(before[place])
      let corner = place >= step ? Int(before[place - step]) : 0
      let guess =
        switch filter {
        case 1: left
        case 2: above
        case 3: (left + above) / 2
        default: nearest(left, above, corner)
        }
      line[place] = line[place] &+ UInt8(guess)
    }
  }

  private static func nearest(_ left: Int, _ above: Int, _ corner: Int) -> Int {
    let sum = left + above - corner
    let distances = (abs(sum - left), abs(sum - above), abs(sum - corner))
    if distances.0 <= distances.1, distances.0 <= distances.2 { return left }
    return distances.1 <= distances.2 ? above : corner
  }

  /// Transparent squares are as light as the paper behind them.
  private static func square(_ line: [UInt8], _ column: Int, _ header: Header, _ palette: [UInt8]) -> UInt8 {
    if header.depth < 8 {
      let bit = column * header.depth
      let value = Int(line[bit / 8] >> UInt8(8 - header.depth - bit % 8)) & ((1 << header.depth) - 1)
      if header.kind == 3 { return palette.indices.contains(value) ? palette[value] : 0 }
      return UInt8(value * 255 / ((1 << header.depth) - 1))
    }
    let wide = header.depth / 8
    let place = column * header.channels * wide
    func value(_ channel: Int) -> Int { Int(line[place + channel * wide]) }
    switch header.kind {
    case 3: return palette.indices.contains(value(0)) ? palette[value(0)] : 0
    case 0: return UInt8(value(0))
    case 4: return UInt8(255 - (255 - value(0)) * value(1) / 255)
    default:
      let light = (value(0) * 77 + value(1) * 150 + value(2) * 29) >> 8
      return UInt8(header.kind == 6 ? 255 - (255 - light) * value(3) / 255 : light)
    }
  }

  private static func grey(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt8 {
    UInt8((Int(bytes[place]) * 77 + Int(bytes[place + 1]) * 150 + Int(bytes[place + 2]) * 29) >> 8)
  }
}
