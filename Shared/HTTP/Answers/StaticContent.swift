package import Compression

/// Bytes that are answered again and again: hashed and compressed once.
///
/// Loaded at start and kept in memory, so that no request touches a disk or a path.
nonisolated package final class StaticContent {
  package let bytes: [UInt8]
  package let type: MediaType
  /// The strong validator, without quotes.
  package let tag: String
  /// The compressed form, if it is smaller.
  package let gzip: [UInt8]?

  package init(_ bytes: [UInt8], _ type: MediaType, level: CompressionLevel = .smallest) {
    self.bytes = bytes
    self.type = type
    tag = EntityTag.of(bytes)
    let packed = type.isCompressible ? CompressionFormat.gzip.compress(bytes, level: level) : nil
    gzip = packed.flatMap { $0.count < bytes.count ? $0 : nil }
  }
}

/// A file of the page: content at a fixed path.
nonisolated package struct StaticFile {
  package let path: String
  package let content: StaticContent
  package let cache: CacheControl

  /// The type follows from the path's ending unless given.
  package init(_ path: String, _ bytes: [UInt8], type: MediaType? = nil, cache: CacheControl = .revalidate) {
    self.path = path
    content = StaticContent(bytes, type ?? .of(file: path))
    self.cache = cache
  }
}

extension HTTPRouter {
  /// A route for each file. What is not in the list does not exist, so there is no path to climb out of.
  package mutating func serve(_ files: some Sequence<StaticFile>) {
    for file in files {
      get(file.path) { _ in
        HTTPResponse(file.content).cached(file.cache, tag: .given(file.content.tag))
      }
    }
  }
}
