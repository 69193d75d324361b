import CJPEG
import Glibc

/// A picture as one byte of grey for each square, dark is 0.
package struct GreyPicture: Hashable, Sendable {
  package let width: Int
  package let height: Int
  package let grey: [UInt8]
  /// How many squares of the picture that was sent one of these stands for, on a side.
  package let scale: Int

  package init(width: Int, height: Int, grey: [UInt8], scale: Int = 1) {
    precondition(grey.count == width * height, "a picture has a byte for each square")
    self.width = width
    self.height = height
    self.grey = grey
    self.scale = scale
  }

  /// Reads PNG and JPEG, found out from the bytes.
  package init(_ bytes: [UInt8], limits: QRReader.Limits) throws(PictureError) {
    guard bytes.count <= limits.bytes else { throw .tooManyBytes(limit: limits.bytes) }
    if bytes.starts(with: PNGReader.signature) {
      self = try PNGReader.read(bytes, limits: limits)
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = try GreyPicture.jpeg(bytes, limits: limits)
    } else {
      throw .unknownKind
    }
  }

  private static func jpeg(_ bytes: [UInt8], limits: QRReader.Limits) throws(PictureError) -> GreyPicture {
    var grey: UnsafeMutablePointer<UInt8>?
    var (width, height, scale): (CInt, CInt, CInt) = (0, 0, 1)
    let status = bytes.withUnsafeBufferPointer {
      cjpeg_grey(
        $0.baseAddress, UInt($0.count), limits.squares, limits.squaresScanned, CInt(limits.scans), &grey, &width,
        &height, &scale)
    }
    switch Int(status) {
    case CJPEG_OK: break
    case CJPEG_TOO_LARGE: throw .tooManySquares(limit: limits.squares)
    case CJPEG_INKS: throw .inks
    default: throw .damaged("the JPEG cannot be decoded")
    }
    defer { free(grey) }
    let squares = UnsafeBufferPointer(start: grey, count: Int(width) * Int(height))
    return GreyPicture(width: Int(width), height: Int(height), grey: Array(squares), scale: Int(scale))
  }
}

package enum PictureError: Error, Hashable, CustomStringConvertible {
  case tooManyBytes(limit: Int)
  case tooManySquares(limit: Int)
  case unknownKind
  /// A JPEG for a printer.
  case inks
  case damaged(String)

  package var description: String {
    switch self {
    case .tooManyBytes(let limit): "the picture is too large; send at most \(limit) bytes"
    case .tooManySquares(let limit): "the picture is too large; send one of at most \(limit / 1_000_000) megapixels"
    case .inks: "this JPEG is in the colours of a printer, CMYK; send it in RGB"
    case .unknownKind: "this is neither PNG nor JPEG; send one of these"
    case .damaged(let what): "\(what); send the picture again"
    }
  }
}
