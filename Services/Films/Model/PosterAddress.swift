import Contracts
import Crypto
import FilmFiles

/// Where The Movie Database has a film's poster: there it lies in several widths, under one name.
///
/// Posters of anywhere else are not fetched: nobody has allowed us to show them.
nonisolated package struct PosterAddress: Hashable, Sendable {
  /// `/pThNyB.jpg`
  package let file: String

  package static let base = TMDbDocument.posters
  /// In pixels, as TMDb offers posters. `original` is left out: it has megabytes.
  package static let widths = [92, 154, 185, 342, 500, 780]

  /// Nil if an address is none of theirs.
  package init?(_ address: String?) {
    guard let address, address.utf8.starts(with: Self.base.utf8) else { return nil }
    let rest = address.dropFirst(Self.base.count)
    guard let slash = rest.firstIndex(of: "/"), slash > rest.startIndex else { return nil }
    let file = rest[slash...]
    let isPlain = file.utf8.dropFirst().allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || [45, 46, 95].contains(byte)
    }
    guard isPlain, (2...100).contains(file.utf8.count), !file.utf8.starts(with: "/.".utf8) else { return nil }
    self.file = String(file)
  }

  /// The narrowest that is not narrower than `width`, or the widest.
  package static func width(for width: Int) -> Int { widths.first { $0 >= width } ?? widths[widths.count - 1] }

  /// - Parameter base: where posters are asked for, which an operator may have set.
  func url(width: Int, at base: String) -> String { "\(base)w\(Self.width(for: width))\(file)" }

  /// What tells this picture from the next one of the same film.
  var name: String { PosterTag.of(Array(file.utf8)) }
}

/// A short name for bytes that changes with them.
nonisolated enum PosterTag {
  /// 64 bits: two pictures of one film are not made to collide.
  private static let bytes = 8

  static func of(_ content: [UInt8]) -> String {
    SHA256.digest(of: content).prefix(bytes).map { byte in
      let text = String(byte, radix: 16)
      return text.count == 1 ? "0" + text : text
    }.joined()
  }
}
