import Wire

/// On whose behalf a guide may be asked: its questions of a day are few, and nobody is to use them up alone.
package struct GuideAsker: Codable, Hashable, Sendable, WireLayout {
  /// What counts as one client from outside: an address, or a site's network.
  package var network: String?
  /// Nil: nobody who has been here before.
  package var user: UserID?

  package init(network: String?, user: UserID?) {
    self.network = network
    self.user = user
  }
}
