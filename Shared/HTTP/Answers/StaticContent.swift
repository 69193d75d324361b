package import Compression

/// Bytes that are answered again and again: hashed once, and compressed once, when they are first asked for.
///
/// Loaded at start and kept in memory, so that no request touches a disk or a path.
nonisolated package final class StaticContent {
  package let bytes: [UInt8]
  package let type: MediaType
  /// The strong validator, without quotes.
  package let tag: String
  private let level: CompressionLevel
  /// The compressed form, if it is smaller. Made at the first answer: a start need not wait for that of all files.
  package private(set) lazy var gzip = packed()

  package init(_ bytes: [UInt8], _ type: MediaType, level: CompressionLevel = .smallest) {
    self.bytes = bytes
    self.type = type
    self.level = level
    tag = EntityTag.of(bytes)
  }

  private func packed() -> [UInt8]? {
    let packed = type.isCompressible ? CompressionFormat.gzip.compress(bytes, level: level) : nil
    return packed.flatMap { $0.count < bytes.count ? $0 : nil }
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
