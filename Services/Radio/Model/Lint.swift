package import Clocks
import Contracts
package import Drafts

/// What is probably wrong with a list of stations: the mistakes that such lists really have.
nonisolated package struct Lint {
  /// A station and where it was written.
  package struct Entry: Sendable {
    package var place: String
    package var record: StationRecord

    package init(_ place: String, _ record: StationRecord) {
      self.place = place
      self.record = record
    }
  }

  private var findings: [Finding] = []

  package static func findings(in entries: [Entry], at time: WallTime) -> [Finding] {
    var lint = Lint()
    lint.lookForRepeats(entries)
    for entry in entries { lint.look(at: entry, time) }
    return lint.findings
  }

  private mutating func note(_ severity: Finding.Severity, _ rule: String, _ entry: Entry, _ text: String) {
    findings.append(Finding(severity, rule, at: entry.place, text))
  }

  private mutating func lookForRepeats(_ entries: [Entry]) {
    var ids: [StationID: Entry] = [:]
    var addresses: [String: Entry] = [:]
    var names: [String: Entry] = [:]
    for entry in entries {
      let record = entry.record
      if let other = ids[record.id] { note(.problem, "repeated-id", entry, "\(record.id) is also at \(other.place)") }
      if let other = addresses[record.address] {
        note(
          .problem, "shared-address", entry,
          "\(record.station.name) has the stream of \(other.record.station.name) (\(other.record.id)): \(record.address)"
        )
      }
      if let other = names[record.station.name] {
        note(
          .warning, "repeated-name", entry, "\(record.station.name) is also the name of \(other.record.id)")
      }
      ids[record.id] = ids[record.id] ?? entry
      addresses[record.address] = addresses[record.address] ?? entry
      names[record.station.name] = names[record.station.name] ?? entry
    }
  }

  private mutating func look(at entry: Entry, _ time: WallTime) {
    let (record, address) = (entry.record, entry.record.address)
    // The demo's are where this machine put them.
    if record.station.isDemo == true { return }
    if address.contains("chunklist_w") {
      note(
        .warning, "one-listeners-own", entry,
        "\(address) was made for one listener and ends with them; give the playlist above it")
    }
    if ["token", "wowzatoken", "signature=", "expires="].contains(where: address.lowercased().contains) {
      note(.problem, "address-with-a-key", entry, "the address holds a key that runs out")
    }
    if Self.isBareAddress(address) {
      note(.warning, "bare-address", entry, "\(address) has a number for a host; it moves with the machine")
    }
    if address.lowercased().hasSuffix(".html") || address.lowercased().contains(".html?") {
      note(.warning, "page", entry, "\(address) is a page for people, by its name")
    }
    if record.station.rights != nil, record.use(at: time) == nil, record.isActive {
      note(.warning, "rights-ended", entry, record.hiddenBecause(at: time) ?? "")
    }
    if record.use(at: time) == .play, address.hasPrefix("http://") {
      note(
        .warning, "not-on-https", entry,
        "a page on https cannot play it; ask for the right to relay, or for an https address")
    }
    if KnownSection.of(record.station.section) == nil {
      note(.warning, "unknown-section", entry, "\(record.station.section) is no section that is known; it comes last")
    }
  }

  private static func isBareAddress(_ address: String) -> Bool {
    guard let scheme = address.firstRange(of: "://") else { return false }
    let host = address[scheme.upperBound...].prefix { $0 != "/" && $0 != ":" }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return host.hasPrefix("[") || parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}
