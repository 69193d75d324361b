import Compression
import Foundation
import QR
import QRReading
import TestKit
import Testing

/// Codes that we draw are read by a reader that is not ours.
@Suite("QR codes")
struct QRReadingTests {
  /// Four squares of the picture for each of the code's.
  private func picture(of code: QRCode, scale: Int = 4) -> GreyPicture {
    let side = (code.size + 8) * scale
    var grey: [UInt8] = []
    for row in 0..<side {
      for column in 0..<side { grey.append(code[column / scale - 4, row / scale - 4] ? 0 : 255) }
    }
    return GreyPicture(width: side, height: side, grey: grey)
  }

  private func png(_ picture: GreyPicture, filter: UInt8 = 0) -> [UInt8] {
    var raw: [UInt8] = []
    for row in 0..<picture.height {
      raw.append(filter)
      let line = picture.grey[row * picture.width..<(row + 1) * picture.width]
      let above = row == 0 ? nil : picture.grey[(row - 1) * picture.width..<row * picture.width]
      for (place, square) in line.enumerated() {
        let left = place > 0 ? line[line.startIndex + place - 1] : 0
        let up = above.map { $0[$0.startIndex + place] } ?? 0
        raw.append(filter == 0 ? square : filter == 1 ? square &- left : square &- up)
      }
    }
    func word(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      word(content.count) + Array(name.utf8) + content + [0, 0, 0, 0]
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", word(picture.width) + word(picture.height) + [8, 0, 0, 0, 0])
      + chunk("IDAT", CompressionFormat.zlib.compress(raw)) + chunk("IEND", [])
  }

  @Test("a text of each kind is read back, with every correction", arguments: QRCorrection.allCases)
  func kinds(correction: QRCorrection) throws {
    let texts = [
      "https://odi.example/f/demo?s=ses_12", "0123456789012", "HELLO WORLD 42%", "ㅆㄴㅋ 씨네큐브 24:30", "7",
      "a&b<c>\"d\"",
    ]
    for text in texts {
      let code = try QRCode(text, correction: correction)
      #expect(QRReader.codes(in: picture(of: code)).map(\.text) == [text])
    }
  }

  @Test("codes of all sizes are read back")
  func sizes() throws {
    var versions: Set<Int> = []
    for count in stride(from: 10, through: 2_300, by: 140) {
      let text = String(repeating: "ab3/", count: count / 4 + 1)
      let code = try QRCode(text, correction: .medium)
      versions.insert(code.version)
      #expect(QRReader.codes(in: picture(of: code, scale: 3)).map(\.text) == [text], "version \(code.version)")
    }
    #expect(versions.count > 12 && versions.contains { $0 > 38 })
  }

  @Test("a code that is damaged within its correction is still read")
  func damaged() throws {
    let code = try QRCode("https://odi.example/plans/8k2q", correction: .high)
    var grey = picture(of: code).grey
    let side = (code.size + 8) * 4
    for row in side / 2..<side / 2 + 16 {
      for column in side / 2..<side / 2 + 16 { grey[row * side + column] = 128 }
    }
    let found = QRReader.codes(in: GreyPicture(width: side, height: side, grey: grey))
    #expect(found.map(\.text) == ["https://odi.example/plans/8k2q"])
  }

  @Test("a code that is light on dark is read")
  func inverted() throws {
    let code = try QRCode("https://odi.example/plans/night")
    let dark = picture(of: code).inverted()
    #expect(QRReader.codes(in: dark).map(\.text) == ["https://odi.example/plans/night"])
  }

  @Test("what does not fit is refused with a sentence")
  func tooLong() {
    let long = String(repeating: "x", count: 2_954)
    #expect(throws: QRError.tooLong(bytes: 2_954, most: 2_953)) { try QRCode(long, correction: .low) }
    #expect(throws: Never.self) { try QRCode(String(long.dropLast()), correction: .low) }
    #expect(throws: QRError.self) { try QRCode(String(repeating: "9", count: 7_090), correction: .low) }
  }

  @Test("a PNG is read whatever its rows' filters are", arguments: [0, 1, 2] as [UInt8])
  func pictures(filter: UInt8) throws {
    let code = try QRCode("https://odi.example")
    let found = try QRReader.codes(inImage: png(picture(of: code), filter: filter))
    #expect(found.map(\.text) == ["https://odi.example"])
    #expect(found.first?.points.count == 4)
  }

  /// A JPEG of squares of 8 by 8 pixels that are one grey each: then a number for each square is all there is to write.
  private func jpeg(_ picture: GreyPicture) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
    func segment(_ mark: UInt8, _ content: [UInt8]) -> [UInt8] { [0xFF, mark] + word(content.count + 2) + content }
    // Twelve codes of four bits for how long a number is; one of one bit for the end of a square.
    let lengths = segment(0xC4, [0x00, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + Array(0..<12))
    let ends = segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
    var (bits, count): (UInt32, Int) = (0, 0)
    var data: [UInt8] = []
    func write(_ value: Int, _ length: Int) {
      for place in (0..<length).reversed() {
        bits = bits << 1 | UInt32(value >> place & 1)
        count += 1
        guard count == 8 else { continue }
        data += UInt8(bits & 0xFF) == 0xFF ? [0xFF, 0] : [UInt8(bits & 0xFF)]
        (bits, count) = (0, 0)
      }
    }
    var before = 0
    for row in 0..<picture.height / 8 {
      for column in 0..<picture.width / 8 {
        let light = Int(picture.grey[row * 8 * picture.width + column * 8]) - 128
        let change = light - before
        before = light
        let length = Int.bitWidth - abs(change).leadingZeroBitCount
        write(length, 4)
        write(change > 0 ? change : change + (1 << length) - 1, length)
        write(0, 1)
      }
    }
    while count != 0 { write(1, 1) }
    return [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
      + segment(0xC0, [8] + word(picture.height) + word(picture.width) + [1, 1, 0x11, 0]) + lengths + ends
      + segment(0xDA, [1, 1, 0, 0, 63, 0]) + data + [0xFF, 0xD9]
  }

  @Test(
    "corners are told in squares of the picture that was sent, also where it was made smaller", arguments: [1, 2, 4])
  func corners(scale: Int) throws {
    let code = try QRCode("https://odi.example")
    let sent = picture(of: code, scale: 16)
    var limits = QRReader.Limits()
    limits.squaresScanned = sent.width * sent.height / scale / scale
    for bytes in [jpeg(sent), png(sent)] {
      let found = try #require(try QRReader.codes(inImage: bytes, limits: limits).first)
      #expect(found.text == "https://odi.example")
      let (first, last) = (4 * 16, (4 + code.size) * 16)
      for point in found.points {
        #expect([point.x, point.y].allSatisfy { abs($0 - first) <= 16 || abs($0 - last) <= 16 }, "\(found.points)")
      }
    }
  }

  @Test("whoever reads what strangers send has forgone new privileges")
  func privileges() throws {
    QRReader.forgoNewPrivileges()
    let status = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
    #expect(status.contains("NoNewPrivs:\t1"))
  }

  @Test("pictures that are none, cut short, too large or a bomb are refused with a sentence")
  func refused() throws {
    let whole = png(picture(of: try QRCode("x")))
    func refusal(_ bytes: [UInt8]) -> String {
      do throws(PictureError) {
        return "read \(try QRReader.codes(inImage: bytes).count)"
      } catch {
        return "\(error)"
      }
    }
    #expect(refusal([]).contains("neither PNG nor JPEG"))
    #expect(refusal(Array("GIF89a".utf8)).contains("neither PNG nor JPEG"))
    #expect(refusal([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 2]).contains("JPEG cannot be decoded"))
    #expect(refusal(Array(whole.prefix(whole.count - 40))).contains("send the picture again"))
    #expect(refusal([UInt8](repeating: 0x89, count: (2 << 20) + 1)).contains("at most 2097152 bytes"))
    var wide = whole
    wide[16] = 0x7F
    #expect(refusal(wide).contains("megapixels"))
    for count in 0..<whole.count where count % 7 == 0 { _ = refusal(Array(whole.prefix(count))) }
  }

  @Test("a drawn code has its border, and its title is text")
  func drawing() throws {
    let code = try QRCode("x")
    let svg = code.svg(title: "a <b> & c")
    #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 29 29\""))
    #expect(svg.contains("<title>a &lt;b&gt; &amp; c</title>"))
    let lines = code.terminalText().split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 13 && lines.allSatisfy { $0.unicodeScalars.count == 25 })
  }
}
