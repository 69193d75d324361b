/// Renditions of one stream, as RFC 8216 lists them.
package struct HLSMaster: Hashable, Sendable {
  package var variants: [Variant]

  package struct Variant: Hashable, Sendable {
    /// As it stands there: usually relative.
    package var address: String
    /// Bits a second.
    package var bandwidth: Int?
    /// `mp4a.40.2`.
    package var codecs: String?
    /// Whether it has pictures, which a radio does not need.
    package var hasPictures: Bool

    package init(address: String, bandwidth: Int? = nil, codecs: String? = nil, hasPictures: Bool = false) {
      self.address = address
      self.bandwidth = bandwidth
      self.codecs = codecs
      self.hasPictures = hasPictures
    }
  }

  /// The one to look at: sound alone before pictures, then the middle way in quality as players choose it, the greatest.
  package var best: Variant? {
    variants.enumerated().max { left, right in
      if left.element.hasPictures != right.element.hasPictures { return left.element.hasPictures }
      let (first, second) = (left.element.bandwidth ?? 0, right.element.bandwidth ?? 0)
      return first == second ? left.offset > right.offset : first < second
    }?.element
  }
}

/// A stream cut into short files.
package struct HLSMedia: Hashable, Sendable {
  package var segments: [String]
  /// How long a file is at most, in seconds.
  package var targetSeconds: Int?
  /// Nothing more will be added: a recording and not a radio.
  package var hasEnded: Bool
  package var isEncrypted: Bool
  /// Where what comes before each segment is: `EXT-X-MAP`.
  package var head: String?
}

/// Reads a playlist that begins with `#EXTM3U`, if it is one of HLS.
struct HLSReader {
  private let text: DocumentText

  init(_ text: DocumentText) { self.text = text }

  /// Segments beyond this are not kept: the last ones are what is played.
  private static let segmentsMax = AudioDocument.Limits.answer.entries

  /// Nil for a plain list of addresses.
  var document: AudioDocument? {
    let lines = text.lines
    let isMaster = lines.contains { $0.beginsIgnoringCase("#EXT-X-STREAM-INF:") }
    if isMaster { return .master(master(lines)) }
    let isMedia = lines.contains {
      $0.beginsIgnoringCase("#EXT-X-TARGETDURATION:") || $0.beginsIgnoringCase("#EXT-X-MEDIA-SEQUENCE:")
    }
    return isMedia ? .media(media(lines)) : nil
  }

  private func master(_ lines: [ArraySlice<UInt8>]) -> HLSMaster {
    var variants: [HLSMaster.Variant] = []
    var pending: [String: String]?
    for line in lines {
      if line.beginsIgnoringCase("#EXT-X-STREAM-INF:") {
        pending = attributes(of: line)
      } else if line.beginsIgnoringCase("#EXT-X-MEDIA:") {
        // Sound that pictures share: alone it is all that a radio needs.
        let found = attributes(of: line)
        guard found["TYPE"] == "AUDIO", let address = found["URI"] else { continue }
        variants.append(HLSMaster.Variant(address: address))
      } else if line.first != UInt8(ascii: "#"), let found = pending, let address = line.asAddress {
        pending = nil
        variants.append(
          HLSMaster.Variant(
            address: address, bandwidth: found["BANDWIDTH"].flatMap { Self.bandwidth($0) }, codecs: found["CODECS"],
            hasPictures: found["RESOLUTION"] != nil || found["CODECS"].map(Self.hasPictures) ?? false))
      }
      if variants.count == text.entriesMax { break }
    }
    return HLSMaster(variants: variants)
  }

  /// Bits a second, if somebody could mean it.
  private static func bandwidth(_ text: String) -> Int? {
    Int(text).flatMap { (1...1_000_000_000).contains($0) ? $0 : nil }
  }

  private static func hasPictures(_ codecs: String) -> Bool {
    codecs.split(separator: ",").contains { codec in
      ["avc", "hvc", "hev", "vp0", "av01"].contains { codec.drop { $0 == " " }.hasPrefix($0) }
    }
  }

  private func media(_ lines: [ArraySlice<UInt8>]) -> HLSMedia {
    var media = HLSMedia(segments: [], targetSeconds: nil, hasEnded: false, isEncrypted: false, head: nil)
    for line in lines {
      if line.first != UInt8(ascii: "#") {
        guard let address = line.asAddress else { continue }
        media.segments.append(address)
        if media.segments.count > Self.segmentsMax { media.segments.removeFirst() }
      } else if line.beginsIgnoringCase("#EXT-X-TARGETDURATION:") {
        media.targetSeconds = line[(line.startIndex + 22)...].trimmed.asNumber
      } else if line.beginsIgnoringCase("#EXT-X-ENDLIST") {
        media.hasEnded = true
      } else if line.beginsIgnoringCase("#EXT-X-KEY:") {
        media.isEncrypted = attributes(of: line)["METHOD"].map { $0 != "NONE" } ?? true
      } else if line.beginsIgnoringCase("#EXT-X-MAP:") {
        media.head = attributes(of: line)["URI"]
      }
    }
    return media
  }

  /// `NAME=value,NAME="va,lue"` behind the colon.
  private func attributes(of line: ArraySlice<UInt8>) -> [String: String] {
    var found: [String: String] = [:]
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return found }
    var rest = line[(colon + 1)...]
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let name = rest[..<equals].trimmed.decoded
      rest = rest[(equals + 1)...]
      let value: ArraySlice<UInt8>
      if rest.first == UInt8(ascii: "\"") {
        let inside = rest.dropFirst()
        let end = inside.firstIndex(of: UInt8(ascii: "\"")) ?? inside.endIndex
        value = inside[..<end]
        rest = inside[end...].drop { $0 != UInt8(ascii: ",") }.dropFirst()
      } else {
        let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
        value = rest[..<end].trimmed
        rest = rest[end...].dropFirst()
      }
      found[name] = value.decoded
    }
    return found
  }
}
