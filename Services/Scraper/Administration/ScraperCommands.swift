import Clocks
import Contracts
import JSON
import RPC
import ServiceKit

/// The scraper's own commands: thin, one request each, to the running service.
struct ScraperCommands {
  let access = ServiceAccess(to: "scraper") { error in
    guard error.code == .notFound, error.message.hasPrefix(AdminHandlers.noSite) else { return nil }
    return CommandError(.notFound, error.message, try: "odi-scraper site list")
  }
  let time: any TimeSource

  static let site = Parameter<String>.argument("SITE", "the site's name, as in site list", completion: siteNames)
  static let siteNames = ServiceAccess(to: "scraper").completion(asking: ListSites()) { $0.map(\.source.id) }

  var all: [Command] {
    [
      sites, run, watch, extract, rule, test, explain, diff, visits, approve, quarantine, snapshots, unmatched, match,
      merge, robots, hosts, reports,
    ]
  }

  /// How long ago, or in how long; nil is a dash.
  func cell(_ instant: WallTime?, _ tone: Tone = .plain) -> Report.Cell {
    guard let instant else { return .none }
    let seconds = Int(time.wall.since(instant).inSeconds)
    let text = seconds >= 0 ? "\(Self.spoken(seconds)) ago" : "in \(Self.spoken(-seconds))"
    return Report.Cell(text, json: .string(instant.spoken), tone)
  }

  private static func spoken(_ seconds: Int) -> String {
    switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7_200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) d"
    }
  }

  static func tone(_ state: SourceState) -> Tone {
    switch state {
    case .ok: .good
    case .stale, .pending, .quarantined: .warning
    case .broken: .bad
    case .disabled, .unknown: .dim
    }
  }
}
