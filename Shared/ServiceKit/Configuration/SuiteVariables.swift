/// What the services of the suite read from an environment that they may share, as under `odi up`: what sets nothing in
/// one of them is no slip when another reads it.
nonisolated enum SuiteVariables {
  private static let services = [
    "bookmarks", "demo", "dining", "films", "gateway", "locator", "radio", "scraper", "timetable",
  ]

  /// The flags of the services' own settings, beside those that all have.
  private static let flags: Set = [
    "address-burst", "address-rate", "bookmarks", "cache", "contact", "demo", "demo-center", "demo-url", "dining",
    "films", "hotpepper-daily", "hotpepper-key-file", "hotpepper-url", "http-listen", "kobis-key-file", "kobis-url",
    "locator", "patience", "picture-reader", "private-hosts", "probe-every", "public-url", "queue", "radio",
    "scraper", "security-contact", "seed", "sites", "sites-listen", "starter", "timetable", "tmdb-images",
    "tmdb-key-file", "tmdb-url", "token-key-file", "trusted-proxies", "user-burst", "user-rate", "visits", "web",
    "workers",
  ]

  /// Read by the programs themselves, before there is a configuration.
  private static let ofPrograms: Set = [
    "ODI_CONFIG", "ODI_HOST", "ODI_IN_BACKGROUND", "ODI_SUPERVISOR", WorkerPlace.variable, WorkerPlace.fileVariable,
  ]

  /// Whether a variable is there for another than `service`.
  static func isOfOthers(_ name: String, than service: String) -> Bool {
    if ofPrograms.contains(name) { return true }
    let rest = name.dropFirst("ODI_".count).lowercased()
    return flags.contains(String(rest.map { $0 == "_" ? "-" : $0 }))
      || services.contains { $0 != service && rest.hasPrefix($0 + "_") }
  }
}
