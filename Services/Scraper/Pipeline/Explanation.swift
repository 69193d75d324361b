import Contracts
import HTML

/// What differs between a site's last good pages and those of now, for whoever has to mend its rules.
nonisolated enum Explanation {
  private static let sentencesMax = 12

  static func differences(_ now: [Page], from good: [Page], of site: Site) -> [String] {
    var sentences: [String] = []
    for page in now {
      guard let old = good.first(where: { $0.role == page.role }) ?? good.first(where: { $0.kind == page.kind }) else {
        continue
      }
      if page.body == old.body { continue }
      sentences += landmarks(site, page, old)
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

  /// The selectors that a reading begins with: how many nodes they find, and what looks like those that are gone.
  private static func landmarks(_ site: Site, _ page: Page, _ old: Page) -> [String] {
    guard site.adapter == .dtryx, page.isA("calendar"), let now = try? page.document(), let then = try? old.document()
    else { return [] }
    let selector = DtryxCalendar.selector
    let (found, known) = (now.select(selector), then.select(selector))
    guard found.isEmpty, let model = known.first else { return [] }
    var sentence = "selector \(selector) → 0 nodes (was \(known.count))"
    let near = now.select("*").filter { resembles($0, model) }
    if let first = near.first {
      let parents = first.ancestors.prefix(2).map(PageLayout.kind).reversed()
      sentence += "; \(near.count) near matches: \((parents + [PageLayout.kind(of: first)]).joined(separator: " > "))"
    }
    return [sentence]
  }

  /// The same element or the same attributes, wherever it stands.
  private static func resembles(_ node: HTMLNode, _ model: HTMLNode) -> Bool {
    let own = Set(node.attributes.map(\.name).filter { $0.hasPrefix("data-") || $0 == "datetime" })
    let wanted = Set(model.attributes.map(\.name).filter { $0.hasPrefix("data-") })
    if !wanted.isEmpty, !own.isDisjoint(with: wanted) { return true }
    return node.name == model.name && !Set(node.classes).isDisjoint(with: model.classes)
  }
}

nonisolated extension Page {
  /// `day` of `day:2026-11-22`.
  var kind: String { String(role.prefix { $0 != ":" }) }
}
