package import RPC
import Wire

/// A film's picture, about as wide as it will be shown.
///
/// Not found if the catalogue has none for it; unavailable while whoever has it does not answer.
package struct PosterOfFilm: RPCRequest, Hashable, WireLayout {
  package typealias Service = FilmsAPI
  package typealias Response = PosterPicture
  package static let method: MethodID = 0x040a
  package static let safety: Safety = .read

  package static let widthMax = 2_000

  package var film: FilmID
  /// Pixels, 1...``widthMax``. The picture is the narrowest that there is and that is not narrower, or else the widest.
  package var width: Int

  package init(film: FilmID, width: Int) {
    self.film = film
    self.width = width
  }
}

/// A picture as it is sent to a browser.
package struct PosterPicture: Codable, Hashable, Sendable, WireLayout {
  package var form: PictureForm
  /// At most ``bytesMax``.
  package var bytes: [UInt8]
  /// The same as long as the bytes are.
  package var tag: String

  /// A poster 780 wide has some 200 KB; a message takes 4 MiB.
  package static let bytesMax = 1 << 20

  package init(form: PictureForm, bytes: [UInt8], tag: String) {
    self.form = form
    self.bytes = bytes
    self.tag = tag
  }
}

/// How a picture is written: only what browsers show as a picture and nothing else.
package enum PictureForm: GrowingEnum {
  case jpeg
  case png
  case webp
  case unknown(String)

  package static let known: [PictureForm] = [.jpeg, .png, .webp]

  package var rawValue: String {
    switch self {
    case .jpeg: "jpeg"
    case .png: "png"
    case .webp: "webp"
    case .unknown(let name): name
    }
  }

  /// By the bytes that it begins with, whatever anybody says of it; nil if it is none of them.
  package init?(sniffing bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.count >= 12, bytes.starts(with: Array("RIFF".utf8)), bytes[8..<12].elementsEqual("WEBP".utf8) {
      self = .webp
    } else {
      return nil
    }
  }
}
