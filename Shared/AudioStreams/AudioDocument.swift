/// What an address of a radio station answers with, found out from the bytes themselves: lists of stations name the kind
/// of an address wrongly often enough.
///
///     switch AudioDocument(bytes, mediaType: response.mediaType) {
///     case .playlist(let entries): follow(entries[0].address)
///     case .sound(let format): play(format.mediaType)
package enum AudioDocument: Hashable, Sendable {
  /// A list of addresses, the first choice first: PLS, M3U, XSPF, ASX or JSON.
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

  package struct Limits: Sendable {
    package var bytes: Int
    package var entries: Int

    /// Of what a station's address answers. No playlist is longer; what is longer is a stream or a mistake, and more
    /// addresses are never tried.
    package static let answer = Limits(bytes: 256 << 10, entries: 100)
    /// Of a file with somebody's stations.
    package static let directory = Limits(bytes: 16 << 20, entries: 20_000)

    package static let addressBytes = 8_192
    package static let titleBytes = 500
  }

  /// - Parameter mediaType: as it was sent, without parameters; believed only where the bytes leave it open.
  package init(_ bytes: [UInt8], mediaType: String?, limits: Limits = .answer) {
    let type = mediaType ?? ""
    if bytes.isEmpty {
      self = .nothing
    } else if let text = DocumentText(bytes, limits) {
      self = Self.reading(text, type)
    } else if let format = AudioFormat(bytes) {
      self = .sound(format)
    } else if let format = AudioFormat(bytes, mediaType: type) {
      self = .sound(format)
    } else {
      self = .unknown
    }
  }

  private static func reading(_ text: DocumentText, _ type: String) -> AudioDocument {
    if text.isBlank { return .nothing }
    if text.begins(with: "#EXTM3U") || text.begins(with: "#EXT-X-"), let playlist = HLSReader(text).document {
      return playlist
    }
    if let entries = PLSPlaylist.entries(of: text) { return .playlist(.pls, entries) }
    if let entries = XSPFPlaylist.entries(of: text) { return .playlist(.xspf, entries) }
    if let entries = ASXPlaylist.entries(of: text) { return .playlist(.asx, entries) }
    if text.looksLikePage { return .page }
    if let entries = JSONPlaylist.entries(of: text) { return .playlist(.json, entries) }
    // A bare list of addresses is the loosest of the forms, so it is tried last.
    if let entries = M3UPlaylist.entries(of: text, mediaType: type) { return .playlist(.m3u, entries) }
    return type == "text/html" ? .page : .unknown
  }
}

package enum PlaylistForm: String, Sendable {
  case pls, m3u, xspf, asx, json
}

/// One address of a playlist, as it stands there: perhaps relative.
package struct PlaylistEntry: Hashable, Sendable {
  package var address: String
  package var title: String?
  /// Under which heading it is listed.
  package var group: String?

  package init(address: String, title: String? = nil, group: String? = nil) {
    self.address = address
    self.title = title
    self.group = group
  }
}
