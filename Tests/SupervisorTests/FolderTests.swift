import Bookmarks
import Demo
import Dining
import EventLoops
import Films
import Gateway
import Glibc
import JSON
import Locator
import Radio
import Scraper
import ServiceKit
import Supervisor
import Testing
import Timetable

/// A folder for one test.
func temporaryFolder() -> String {
  var template = Array("/tmp/odi-suite-XXXXXX".utf8CString)
  return String(cString: mkdtemp(&template))
}

@Suite("A suite's folder and plan")
struct FolderTests {
  @Test("is the one that is named, else that of the environment, else the user's own")
  func choice() throws {
    #expect(try SuiteFolder.choose("/a/b/", ["ODI_DATA": "/c"]).path == "/a/b")
    #expect(try SuiteFolder.choose(nil, ["ODI_DATA": "/c", "HOME": "/d"]).path == "/c")
    #expect(try SuiteFolder.choose(nil, ["HOME": "/d"]).path == "/d/.odi")
    #expect(try SuiteFolder.choose("x", [:]).path.hasSuffix("/x"))
  }

  @Test("whose sockets would have too long a path is refused, with a shorter one to try")
  func tooLong() throws {
    let longest = "/" + String(repeating: "x", count: SocketAddress.pathBytesMax - "//run/bookmarks.sock".utf8.count)
    #expect(try SuiteFolder(longest).socket(of: .bookmarks).utf8.count == SocketAddress.pathBytesMax)
    let error = #expect(throws: CommandError.self) { try SuiteFolder(longest + "x") }
    #expect(error?.remedy == "odi up --data /tmp/odi")
  }

  @Test("gets keys that only its owner can read, and keeps them")
  func keys() throws {
    let folder = try SuiteFolder(temporaryFolder() + "/deep/data")
    try folder.make()
    try folder.makeKeys()
    var first: [[UInt8]] = []
    for key in SuiteFolder.Key.allCases {
      var facts = stat()
      #expect(stat(folder.file(of: key), &facts) == 0 && facts.st_mode & 0o777 == 0o600)
      first.append(try contents(ofFile: folder.file(of: key), bytesMax: 100))
      #expect(first.last?.count == 65)
    }
    #expect(first[0] != first[1])
    try folder.makeKeys()
    #expect(try SuiteFolder.Key.allCases.map { try contents(ofFile: folder.file(of: $0), bytesMax: 100) } == first)
    chmod(folder.file(of: .tokenKey), 0o640)
    let error = #expect(throws: CommandError.self) { try folder.makeKeys() }
    #expect(error?.why?.contains("chmod 600") == true)
  }

  private func plan(_ change: (inout SuitePlan.Choices) -> Void = { _ in }) throws -> SuitePlan {
    var choices = SuitePlan.Choices(folder: try SuiteFolder("/data"), programs: "/programs")
    choices.environment = ["PATH": "/bin", "ODI_LOG_LEVEL": "debug", "ODI_DEMO_URL": "http://elsewhere"]
    change(&choices)
    return SuitePlan(choices)
  }

  @Test("every service is told where it and the others are, and where its secrets lie but not what they are")
  func environments() throws {
    let services = try plan().services
    #expect(
      services.map(\.member)
        == [.demo, .locator, .scraper, .bookmarks, .films, .dining, .timetable, .radio, .gateway])
    let gateway = services[8]
    #expect(gateway.arguments == ["serve"] && gateway.executable == "/programs/odi-gateway")
    for (name, value) in [
      "ODI_GATEWAY_LISTEN": "127.0.0.1:7100", "ODI_GATEWAY_OPERATIONS_LISTEN": "127.0.0.1:8100",
      "ODI_GATEWAY_HTTP_LISTEN": "127.0.0.1:8080", "ODI_LOCATOR": "127.0.0.1:7101", "ODI_SCRAPER": "127.0.0.1:7102",
      "ODI_BOOKMARKS": "127.0.0.1:7103", "ODI_FILMS": "127.0.0.1:7104", "ODI_DINING": "127.0.0.1:7105",
      "ODI_TIMETABLE": "127.0.0.1:7106", "ODI_RADIO": "127.0.0.1:7107", "ODI_DATA": "/data", "ODI_DEMO": "1",
      "ODI_LOG_LEVEL": "debug",
      "ODI_DEMO_URL": "http://127.0.0.1:7190", "ODI_TOKEN_KEY_FILE": "/data/secrets/token-key",
      "ODI_SHARED_SECRET_FILE": "/data/secrets/shared-secret", "PATH": "/bin",
    ] {
      #expect(gateway.environment[name] == value, "\(name)")
    }
    #expect(services[1].environment["ODI_LOCATOR"] == nil)
    #expect(services[0].ports == [7_190, 7_191, 8_191] && services[0].address == "http://127.0.0.1:7190")
  }

  /// The real services of the suite.
  @MainActor
  private static var programs: [ServiceProgram] {
    [
      DemoService.program, LocatorService.program, ScraperService.program, BookmarksService.program,
      FilmsService.program, DiningService.program, TimetableService.program, RadioService.program,
      GatewayService.program,
    ]
  }

  @Test("no service is warned of what it is told, nor of what another reads")
  @MainActor
  func noWarnings() throws {
    #expect(Self.programs.map(\.name) == SuiteMember.allCases.map(\.rawValue))
    let folder = try SuiteFolder(temporaryFolder())
    try folder.make()
    try folder.makeKeys()
    let choices = SuitePlan.Choices(folder: folder, programs: "/programs")
    for (program, service) in zip(Self.programs, SuitePlan(choices).services) {
      #expect(try warnings(of: program, in: service.environment).isEmpty, "\(program.name)")
      let own = program.settings.flatMap { $0.spec.variableNames(service: program.name) }
      for other in Self.programs {
        let read = other.settings.flatMap { $0.spec.variableNames(service: other.name) }
        for name in read where !own.contains(name) {
          #expect(try warnings(of: program, in: [name: "x"]).isEmpty, "\(program.name): \(name)")
        }
      }
    }
    #expect(try warnings(of: LocatorService.program, in: ["ODI_LOG_LEVLE": "debug"]).count == 1)
  }

  @MainActor
  private func warnings(of program: ServiceProgram, in environment: [String: String]) throws -> [String] {
    try Configuration(of: program.name, program.settings, from: .init(environment: environment)).warnings
  }

  @Test("without the demo world there is no demo service, and nobody is told to use it")
  func live() throws {
    let services = try plan { $0.isLive = true }.services
    #expect(services.map(\.member) == SuiteMember.allCases.filter { $0 != .demo })
    #expect(services.allSatisfy { $0.environment["ODI_DEMO"] == "0" })
  }

  @Test("all ports move together, and are all different")
  func ports() throws {
    let ports = try plan {
      $0.firstPort = 20_000
      $0.port = 9_000
    }.services.flatMap(\.ports)
    #expect(Set(ports).count == ports.count && ports.contains(9_000) && ports.contains(21_003))
    let error = #expect(throws: CommandError.self) { try plan { $0.port = 8_101 }.check() }
    #expect(error?.code == .failed || error?.code == .usage)
  }

  @Test("programs that are not there are named")
  func missing() throws {
    let error = #expect(throws: CommandError.self) { try plan { $0.members = [.scraper] }.check() }
    #expect(error?.what == "odi-scraper not found")
  }

  @Test("who listens on a port is read from the kernel's table")
  func sockets() {
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0 100 0 0 10 0
         1: 0100007F:1F91 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0 20 4 30 10 -1
         2: 00000000000000000000000001000000:1F92 00000000000000000000000000000000:0000 0A 0:0 0:0 0 0 0 9 1 0
      """
    let sockets = ListeningSockets(tables: [table, "", "header\nnonsense"])
    #expect(sockets[8_080]?.inode == 4_711 && sockets[8_080]?.user == 1_000)
    #expect(sockets[8_081] == nil && sockets[8_082]?.inode == 9)
    #expect(sockets.free(after: 8_080) == 8_081 && sockets.free(after: 8_081) == 8_083)
  }

  @Test("other ports are named wherever somebody looked for them", arguments: [1_024, 7_100, 50_000, 64_000, 65_535])
  func freeRange(port: UInt16) {
    let start = ListeningSockets(tables: []).freeRange(from: port)
    #expect(start >= 1_024 && start <= 64_000 && start % 100 == 0)
    #expect(start != port)
  }

  @Test("a port that is taken is told with the program that has it")
  @MainActor
  func taken() throws {
    let listener = try Listener(on: .loopback()) { _ in }
    defer { listener.close() }
    let owner = try #require(ListeningSockets.now()[listener.address.port!])
    #expect(owner.ownerText.contains("process \(getpid()), listens there"))
  }

  @Test("a command is written as it can be typed here")
  func words() throws {
    var choices = SuitePlan.Choices(folder: try SuiteFolder("/home/me/.odi"), programs: "/src/odi/.build/release")
    func words(_ environment: [String: String]) -> String {
      CommandWords(choices, environment: environment).of("odi-locator", "near 1,2")
    }
    #expect(words(["HOME": "/home/me", "PWD": "/src/odi"]) == ".build/release/odi-locator near 1,2")
    #expect(words(["HOME": "/home/me", "PATH": "/bin:/src/odi/.build/release"]) == "odi-locator near 1,2")
    choices.folder = try SuiteFolder("/tmp/x")
    #expect(words(["HOME": "/home/me"]) == "/src/odi/.build/release/odi-locator near 1,2 --data /tmp/x")
    #expect(words(["ODI_DATA": "/tmp/x"]) == "/src/odi/.build/release/odi-locator near 1,2")
  }

  @Test("a manifest is read as it was written, and names no file outside its folder")
  func manifest() throws {
    let manifest = BackupManifest(
      madeAt: 1_790_000_000_000,
      databases: [
        .init(
          service: "bookmarks", file: "bookmarks.sqlite", bytes: 8_192, sha256: "ab", schemaVersion: 3,
          counts: ["item": 12, "person": 2])
      ], keys: [.init(file: "token-key", sha256: "cd")])
    #expect(try BackupManifest(try JSONValue(parsing: manifest.json.json)) == manifest)
    for bad in ["../../etc/passwd", "/etc/passwd", "", ".."] {
      var hostile = manifest
      hostile.databases[0].file = bad
      #expect(throws: CommandError.self) { try BackupManifest(hostile.json) }
    }
    var newer = manifest.json.object!
    newer["format"] = 2
    let error = #expect(throws: CommandError.self) { try BackupManifest(.object(newer)) }
    #expect(error?.why?.contains("use a newer odi") == true)
  }
}
