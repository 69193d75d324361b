import Contracts

/// What differs between a site's last good pages and those of now, for whoever has to mend its rules.
nonisolated enum Explanation {
  private static let sentencesMax = 12

  static func differences(_ now: [Page], from good: [Page], in visit: Visit) -> [String] {
    var sentences: [String] = []
    for page in now {
      guard let old = good.first(where: { $0.role == page.role }) ?? good.first(where: { $0.kind == page.kind }) else {
        continue
      }
      if page.body == old.body { continue }
      sentences += visit.site.reader.lost(on: page, since: old, in: visit)
      sentences += PageLayout(page).differences(from: PageLayout(old)).map { "\(page.role): \($0)" }
      if page.body.count < old.body.count / 2 || page.body.count > old.body.count * 2 {
        sentences.append("\(page.role): \(page.body.count) bytes (was \(old.body.count))")
      }
      if page.mediaType != old.mediaType {
        sentences.append("\(page.role): is \(page.mediaType ?? "untyped") (was \(old.mediaType ?? "untyped"))")
      }
    }
    for (kind, pages) in Dictionary(grouping: good, by: \.kind).sorted(by: { $0.key < $1.key })
    where !now.contains(where: { $0.kind == kind }) {
      sentences.append("\(pages.count) \(kind) pages did not come")
    }
    return Array(sentences.prefix(sentencesMax))
  }
}

nonisolated extension Page {
  /// `day` of `day:2026-11-22`.
  var kind: String { String(role.prefix { $0 != ":" }) }
}
