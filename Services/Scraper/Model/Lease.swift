/// The right to visit a site and to publish what was found, until it is taken by another.
nonisolated package struct Lease: Hashable, Sendable {
  package var site: String
  package var holder: String
  /// Grows with each lease of the site: who holds an older number cannot publish.
  package var fence: Int64
}
