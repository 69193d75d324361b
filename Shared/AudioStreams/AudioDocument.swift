/// What an address of a radio station answers with, found out from the bytes themselves: lists of stations name the kind
/// of an address wrongly often enough.
///
///     switch AudioDocument(bytes, mediaType: response.mediaType) {
///     case .playlist(let entries): follow(entries[0].address)
///     case .sound(let format): play(format.mediaType)
package enum AudioDocument: Hashable, Sendable {
  /// A list of addresses, the first choice first: PLS, M3U, XSPF or JSON.
  case playlist(PlaylistForm, [PlaylistEntry])
  /// Several renditions of one stream (RFC 8216).
  case master(HLSMaster)
  /// A stream cut into short files.
  case media(HLSMedia)
  case sound(AudioFormat)
  /// A page for people.
  case page
  case nothing
  case unknown

  package enum Limits {
    /// No playlist is longer; what is longer is a stream or a mistake.
    package static let bytes = 256 << 10
    /// More are never tried.
    package static let entries = 100
    package static let addressBytes = 8_192
    package static let titleBytes = 500
  }

  /// - Parameter mediaType: as it was sent, without parameters; believed only where the bytes leave it open.
  package init(_ bytes: [UInt8], mediaType: String?) {
    let type = mediaType ?? ""
    if bytes.isEmpty {
      self = .nothing
    } else if let text = DocumentText(bytes) {
      self = Self.reading(text, type)
    } else if let format = AudioFormat(bytes) {
      self = .sound(format)
    } else if let format = AudioFormat(mediaType: type) {
      self = .sound(format)
    } else {
      self = .unknown
    }
  }

  private static func reading(_ text: DocumentText, _ type: String) -> AudioDocument {
    if text.isBlank { return .nothing }
    if text.begins(with: "#EXTM3U"), let playlist = HLSReader(text).document { return playlist }
    if let entries = PLSPlaylist.entries(of: text) { return .playlist(.pls, entries) }
    if let entries = XSPFPlaylist.entries(of: text) { return .playlist(.xspf, entries) }
    if text.looksLikePage { return .page }
    if let entries = JSONPlaylist.entries(of: text) { return .playlist(.json, entries) }
    // A bare list of addresses is the loosest of the forms, so it is tried last.
    if let entries = M3UPlaylist.entries(of: text) { return .playlist(.m3u, entries) }
    return type == "text/html" ? .page : .unknown
  }
}

package enum PlaylistForm: String, Sendable {
  case pls, m3u, xspf, json
}

/// One address of a playlist, as it stands there: perhaps relative.
package struct PlaylistEntry: Hashable, Sendable {
  package var address: String
  package var title: String?

  package init(address: String, title: String? = nil) {
    self.address = address
    self.title = title
  }
}
