package import RPC
import Wire

/// What the QR codes in a picture say.
package struct ReadCodes: RPCRequest, Hashable, WireLayout {
  package typealias Service = TimetableAPI
  package typealias Response = [CodeInPicture]
  package static let method: MethodID = 0x0608
  package static let safety: Safety = .read
  package static let isConfidential = true

  /// PNG or JPEG, at most 2 MiB.
  package var picture: [UInt8]

  package init(picture: [UInt8]) { self.picture = picture }
}

package struct CodeInPicture: Codable, Hashable, Sendable, WireLayout {
  package var text: String
  /// Its corners: x and y in turns, in squares of the picture.
  package var points: [Int]

  package init(text: String, points: [Int]) {
    self.text = text
    self.points = points
  }
}
