import Crypto
import Foundation
import JSON
import ServiceKit
import ServiceTestKit
import Testing

private enum Loudness: String, CaseIterable, SettingValue { case debug, info, error }
private let loudness = Setting<Loudness>.value("log-level", "the lowest level that is written", default: .info)
private let limit = Setting<Int>.value("page-limit", "most rows of an answer", default: 100, in: 1...500)
private let share = Setting<Double>.value("sample-share", "share of calls traced", default: 0.01, in: 0...1)
private let pause = Setting<Duration>.value("drain-time", "how long calls may finish", default: .seconds(10))
private let live = Setting<Bool>.value("live", "ask the real sites", default: false)
private let zone = Setting<String?>.optional("zone", "the zone of times without one")
private let hosts = Setting<[String]>.list("trusted-proxies", "whose forwarded addresses are believed")
private let key = Setting<Secret?>.secret("api-key", "the upstream's key")
private let all: [any AnySetting] = [loudness, limit, share, pause, live, zone, hosts, key]

@Suite("Configuration")
struct ConfigurationTests {
  private func configuration(
    flags: [String: String] = [:], environment: [String: String] = [:], file: JSONValue? = nil
  ) throws -> Configuration {
    let file = file.map { (path: "/etc/odi/locator.json", content: $0) }
    return try Configuration(
      of: "locator", all, from: Configuration.Sources(flags: flags, environment: environment, file: file))
  }

  private func problems(
    flags: [String: String] = [:], environment: [String: String] = [:], file: JSONValue? = nil
  ) -> [String] {
    do {
      _ = try configuration(flags: flags, environment: environment, file: file)
      return []
    } catch let error as ConfigurationError {
      return error.problems
    } catch {
      return ["\(error)"]
    }
  }

  @Test("what nobody sets has its default")
  func defaults() throws {
    let configuration = try configuration()
    #expect(configuration[loudness] == .info)
    #expect(configuration[limit] == 100)
    #expect(configuration[share] == 0.01)
    #expect(configuration[pause] == .seconds(10))
    #expect(configuration[live] == false)
    #expect(configuration[zone] == nil)
    #expect(configuration[hosts] == [])
    #expect(configuration[key] == nil)
    #expect(configuration.origin(of: limit) == .byDefault)
  }

  @Test("every kind of value is read from the file and from text")
  func kinds() throws {
    let fromFile = try configuration(file: [
      "$schema": "odi.schema.json", "log_level": "debug", "page_limit": 7, "sample_share": 1, "drain_time": "1m",
      "live": true, "zone": "Asia/Seoul", "trusted_proxies": ["10.0.0.1", "10.0.0.2"],
    ])
    let fromText = try configuration(flags: [
      "log-level": "debug", "page-limit": "7", "sample-share": "1", "drain-time": "1m", "live": "true",
      "zone": "Asia/Seoul", "trusted-proxies": "10.0.0.1,10.0.0.2",
    ])
    for configuration in [fromFile, fromText] {
      #expect(configuration[loudness] == .debug)
      #expect(configuration[limit] == 7)
      #expect(configuration[share] == 1)
      #expect(configuration[pause] == .seconds(60))
      #expect(configuration[live])
      #expect(configuration[zone] == "Asia/Seoul")
      #expect(configuration[hosts] == ["10.0.0.1", "10.0.0.2"])
    }
  }

  @Test("a flag wins over the environment, that over the file, and the service's own variable over the shared one")
  func precedence() throws {
    let file: JSONValue = ["page_limit": 1]
    let shared = ["ODI_PAGE_LIMIT": "2"]
    let own = ["ODI_PAGE_LIMIT": "2", "ODI_LOCATOR_PAGE_LIMIT": "3"]
    let results = try [
      configuration(file: file), configuration(environment: shared, file: file),
      configuration(environment: own, file: file),
      configuration(flags: ["page-limit": "4"], environment: own, file: file),
    ]
    #expect(results.map { $0[limit] } == [1, 2, 3, 4])
    #expect(
      results.map { $0.origin(of: limit).description } == [
        "/etc/odi/locator.json: page_limit", "ODI_PAGE_LIMIT", "ODI_LOCATOR_PAGE_LIMIT", "--page-limit",
      ])
  }

  @Test("a null in the file leaves the default")
  func null() throws { #expect(try configuration(file: ["page_limit": nil])[limit] == 100) }

  @Test("all that is wrong is told at once, each with its place")
  func wrong() {
    #expect(
      problems(
        flags: ["live": "maybe"], environment: ["ODI_PAGE_LIMIT": "501"],
        file: ["pag_limit": 3, "log_level": "loud", "sample_share": "much", "nothing_like_it": 1, "drain_time": 10])
        == [
          "/etc/odi/locator.json: there is no setting pag_limit; did you mean page_limit?",
          "/etc/odi/locator.json: there is no setting nothing_like_it",
          "/etc/odi/locator.json: log_level takes one of debug, info, error, not loud",
          "ODI_PAGE_LIMIT takes a whole number from 1 to 500, not 501",
          "/etc/odi/locator.json: sample_share takes a number from 0.0 to 1.0, not much",
          "/etc/odi/locator.json: drain_time takes a duration such as 10s, 5m or 1h30m, not 10",
          "--live takes true or false, not maybe",
        ])
    #expect(problems(file: [1]) == ["/etc/odi/locator.json holds an array, not an object"])
    #expect(problems(file: ["trusted_proxies": [1]]).count == 1)
    #expect(problems(file: ["page_limit": 1.5]).count == 1)
  }

  @Test("yes and no are words or digits", arguments: [("true", true), ("1", true), ("false", false), ("0", false)])
  func booleans(text: String, value: Bool) throws {
    let sources = Configuration.Sources(environment: ["ODI_LIVE": text])
    #expect(try Configuration(of: "locator", [live], from: sources)[live] == value)
  }

  @Test("a required setting must be set")
  func required() throws {
    let listen = Setting<String>.required("listen", "where to listen")
    let error = #expect(throws: ConfigurationError.self) {
      try Configuration(of: "x", [listen], from: Configuration.Sources())
    }
    #expect(error?.problems == ["listen is not set; it takes text"])
  }

  @Test("a variable that sets nothing is a mistake when it is meant for us, and a warning when it may be")
  func variables() throws {
    #expect(
      problems(environment: ["ODI_LOCATOR_PAGE_LIMT": "1"])
        == ["ODI_LOCATOR_PAGE_LIMT sets nothing; did you mean ODI_LOCATOR_PAGE_LIMIT?"])
    #expect(problems(environment: ["ODI_LOCATOR_SOMETHING_ELSE": "1"]) == ["ODI_LOCATOR_SOMETHING_ELSE sets nothing"])
    #expect(
      try configuration(environment: ["ODI_LOG_LEVLE": "x", "ODI_SCRAPER_RATE": "1", "PATH": "/bin", "ODI_CONFIG": "x"])
        .warnings
        == ["ODI_LOG_LEVLE sets nothing here; did you mean ODI_LOG_LEVEL?"])
  }

  @Test("a secret comes from a file, and from nowhere else")
  func secrets() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(FileManager.default.createFile(atPath: path, contents: Data("3f9a1c0d77e24b5a\n".utf8)))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(try configuration(environment: ["ODI_API_KEY_FILE": path])[key]?.revealed == "3f9a1c0d77e24b5a")
    #expect(try configuration(file: ["api_key_file": .string(path)])[key] == Secret("3f9a1c0d77e24b5a"))
    #expect(
      problems(environment: ["ODI_API_KEY": "3f9a1c0d77e24b5a"])
        == ["ODI_API_KEY would show the secret to every child; write it to a file and set ODI_API_KEY_FILE"])
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(
      problems(environment: ["ODI_API_KEY_FILE": path])
        == [
          "ODI_API_KEY_FILE is refused: the secret file \(path) has mode 644 and others can read it; try: chmod 600 \(path)"
        ])
  }
}

@Suite("The config command")
@MainActor
struct ConfigCommandTests {
  private let screen = Screen()

  private func run(_ words: [String], environment: [String: String] = [:]) async -> ExitCode {
    let options = ConfigurationOptions(of: "locator", all)
    let root = Command("odi-locator", "x", subcommands: [options.command])
    return await CommandRunner(root: root, terminal: screen.terminal(environment: environment)).run(words)
  }

  @Test("shows every value and where it comes from, but no secret")
  func show() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(FileManager.default.createFile(atPath: path, contents: Data("3f9a1c0d77e24b5a\n".utf8)))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let code = await run(
      ["config", "show", "--tsv", "--fields", "setting,value,origin", "--live", "true"],
      environment: ["ODI_PAGE_LIMIT": "9", "ODI_API_KEY_FILE": path])
    #expect(code == .done, "\(screen.errors)")
    #expect(
      screen.output == "setting\tvalue\torigin\nlog-level\tinfo\tdefault\npage-limit\t9\tODI_PAGE_LIMIT\n"
        + "sample-share\t0.01\tdefault\ndrain-time\t10s\tdefault\nlive\ttrue\t--live\nzone\t\tdefault\n"
        + "trusted-proxies\t\tdefault\napi-key-file\t\(path)\tODI_API_KEY_FILE\n")
    #expect(!screen.output.contains("3f9a1c0d77e24b5a"))
  }

  @Test("checks a file offline")
  func check() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(#"{"page_limit": 5}"#.utf8).write(to: URL(filePath: path))
    #expect(await run(["config", "check", "--config", path]) == .done)
    try Data(#"{"page_limit": 5,, }"#.utf8).write(to: URL(filePath: path))
    #expect(await run(["config", "check"], environment: ["ODI_CONFIG": path]) == .degraded)
    #expect(screen.errors.contains("\(path) is not JSON"))
    #expect(await run(["config", "check", "--config", path + ".nowhere"]) == .degraded)
    #expect(screen.errors.contains("No such file"))
    #expect(screen.output.isEmpty)
  }

  @Test("writes a schema that says what the parser does")
  func schema() async throws {
    #expect(await run(["config", "schema"]) == .done)
    let schema = try JSONValue(parsing: screen.output)
    #expect(schema["additionalProperties"] == false)
    #expect(schema["properties"]?.object?.names.count == all.count + 1)
    #expect(
      schema["properties"]?["page_limit"] == [
        "description": "most rows of an answer", "type": "integer", "minimum": 1, "maximum": 500, "default": 100,
      ])
    #expect(schema["properties"]?["log_level"]?["enum"] == ["debug", "info", "error"])
    #expect(schema["properties"]?["api_key_file"]?["type"] == "string")
  }
}
