import Clocks
import Contracts
import Dining
import Films
import Foundation
import Gateway
import Locator
import RPC
import Radio
import RandomContracts
import Supervisor
import Testing
import Timetable
import Wire

@testable import Demo

/// What each service answers to its own administrators; the contracts between services stand in `AllContracts`.
private enum ServiceRequests {
  static let requests: [any RPCRequest.Type] = [
    // Supervisor
    ListServices.self, RestartService.self,
    // Demo
    TurnKnob.self, Behave.self, ReadKnobs.self, ChangeSchedule.self,
    // Locator
    PutCinemas.self, RemoveCinema.self, EditHistory.self, DescribeDirectory.self, SeedDirectory.self,
    StaleCinemas.self,
    // Films
    PutFilms.self, RemoveFilm.self, MergeRecords.self, UndoEdit.self, UndoJob.self, TeachTitle.self, ForgetTitle.self,
    TaughtTitles.self, FilmHistory.self, DescribeCatalogue.self, SeedCatalogue.self, AdoptProgrammes.self,
    UnmatchedFilms.self, FetchFromTMDb.self, FetchFromKOBIS.self, PutPoster.self, CheckPosters.self,
    SweepPosters.self,
    // Timetable
    PutFestival.self, RemoveFestival.self, ChangeSession.self, FindingsOf.self, PutFloor.self, AddTickets.self,
    ChangeStaff.self, ChangeFestival.self, DoorStatisticsOf.self,
    // Radio
    AllStations.self, PutStations.self, RemoveStation.self, StationHistory.self, SeedStations.self, TraceStream.self,
    // Dining
    PutRestaurants.self, RemoveRestaurant.self, RestaurantHistory.self, ListRestaurants.self, SeedRestaurants.self,
    DescribeGuide.self, SyncGuideCodes.self,
    // Gateway
    BanClient.self, LiftBan.self, ListBans.self, DrainUpstream.self,
  ]

  static let streams: [any RPCStreamRequest.Type] = [FetchPosters.self, ProbeStations.self]
}

@Suite("Every request")
struct EveryRequestTests {
  private static let requests = AllContracts.requests + CommonRequests.requests + ServiceRequests.requests
  private static let streams = AllContracts.streams + CommonRequests.streams + ServiceRequests.streams
  /// Those of the contracts are compared in `ContractsTests`, with more seeds.
  private static let administrators = MessageType.all(
    CommonRequests.requests + ServiceRequests.requests, CommonRequests.streams + ServiceRequests.streams)

  @Test("that is declared anywhere is in one of the lists, and so is tried here and by the fuzzer")
  func listed() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    let listed = Set(Self.requests.map { "\($0)" } + Self.streams.map { "\($0)" })
    var declared: Set<String> = []
    for folder in ["Shared", "Services"] {
      let files = try #require(
        FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil))
      for case let file as URL in files where file.pathExtension == "swift" {
        let source = try String(contentsOf: file, encoding: .utf8)
        for match in source.matches(of: /(?m)^(?:\w+ )*struct (\w+)(?:<[^>]*>)?: ([^{\n]*)/) {
          let protocols = match.2.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
          guard !Set(protocols).isDisjoint(with: ["RPCRequest", "RPCStreamRequest"]) else { continue }
          let name = String(match.1)
          #expect(
            listed.contains(name),
            "add \(name) of \(file.lastPathComponent) to AllContracts, CommonRequests or the list in this file")
          declared.insert(name)
        }
      }
    }
    #expect(declared == listed)
  }

  @Test("has a method number of its own among all that one server may answer")
  func unique() {
    var names: [MethodID: [String]] = [:]
    for request in Self.requests { names[request.method, default: []].append("\(request)") }
    for stream in Self.streams { names[stream.method, default: []].append("\(stream)") }
    for (method, names) in names where names.count > 1 {
      Issue.record("method \(method.spoken) is \(names.sorted().joined(separator: " and "))")
    }
  }

  @Test("of administrators is written the same from memory and by Codable, and reads as what it was")
  func compared() throws {
    for type in Self.administrators {
      for seed in UInt64(1)...20 {
        let difference = try type.difference(seed: seed)
        #expect(difference == nil)
      }
    }
  }

  @Test("of administrators that comes damaged is read as the same by both, or refused by both")
  func damaged() {
    var random = SeededRandom(seed: 1)
    for type in Self.administrators {
      for seed in UInt64(0)...40 {
        let edits = (0..<4 * Int.random(in: 1...6, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
        let disagreement = type.disagreement(seed: seed, edits)
        #expect(disagreement == nil)
      }
    }
  }
}
