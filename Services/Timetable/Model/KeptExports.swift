import Contracts

/// Files that were made of festivals, and how large those would be that are too large. What was asked for longest ago
/// gives way.
nonisolated struct KeptExports {
  enum Export {
    case file(FestivalFile)
    case tooLarge(bytes: Int)

    var bytes: Int {
      if case .file(let file) = self { file.bytes.count } else { 0 }
    }
  }

  /// Two or three formats of the festivals that are on; each has a megabyte or two.
  private static let bytesMax = 8_000_000
  /// Looked through one by one.
  private static let countMax = 32

  /// The one that was asked for last is the last.
  private var kept: [(request: ExportFestival, export: Export)] = []

  subscript(request: ExportFestival) -> Export? {
    mutating get {
      guard let place = kept.firstIndex(where: { $0.request == request }) else { return nil }
      kept.append(kept.remove(at: place))
      return kept[kept.count - 1].export
    }
  }

  mutating func keep(_ export: Export, for request: ExportFestival) {
    kept.append((request, export))
    while kept.count > Self.countMax || kept.reduce(0, { $0 + $1.export.bytes }) > Self.bytesMax {
      kept.removeFirst()
    }
  }

  mutating func forget(_ festival: FestivalID) { kept.removeAll { $0.request.festival == festival } }
}
