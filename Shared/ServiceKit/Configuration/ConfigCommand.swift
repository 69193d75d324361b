import EventLoops
import JSON
import RPC

/// The settings of a program as options of its commands, and the commands that tell about them.
nonisolated package struct ConfigurationOptions: Sendable {
  private let service: String
  private let settings: [any AnySetting]
  private static let file = Parameter<String?>.optionalOption(
    "config", "the file with the settings", completion: .files)

  package init(of service: String, _ settings: [any AnySetting]) {
    self.service = service
    self.settings = settings
  }

  /// An option for each setting, and `--config`.
  package var parameters: [any CommandParameter] { [Self.file] + settings.map { SettingOption(setting: $0.spec) } }

  /// The configuration that a command line, this environment and the file give.
  /// - Parameter path: of a file that is read in the place of the one that they name.
  package func read(
    _ call: Invocation, _ environment: [String: String], insteadOfFile path: String? = nil
  ) throws(ConfigurationError) -> Configuration {
    var flags: [String: String] = [:]
    for setting in settings { flags[setting.spec.flagName] = call.text(ofOption: setting.spec.flagName) }
    let file = try ConfigurationFile.read(of: service, named: path ?? call[Self.file] ?? environment["ODI_CONFIG"])
    let sources = Configuration.Sources(flags: flags, environment: environment, file: file)
    return try Configuration(of: service, settings, from: sources)
  }

  /// One setting's value, whatever is wrong with the others: a client needs no more than the address.
  func readOne<Value>(
    _ setting: Setting<Value>, _ environment: [String: String]
  ) throws(CommandError) -> Value {
    do throws(ConfigurationError) {
      let file = try ConfigurationFile.read(of: service, named: environment["ODI_CONFIG"])
      return try Configuration.value(of: setting, service, from: .init(environment: environment, file: file))
    } catch {
      throw error.asCommandError
    }
  }

  /// `config show|check|schema`
  package var command: Command {
    Command(
      "config", "show and check the settings",
      discussion: """
        A flag wins over the environment, the environment over the file, the file over the default. A service that \
        runs was perhaps started with others than these: show asks it.
        An unknown key is an error. Secrets come from files only and are never shown.
        """,
      takes: parameters, subcommands: [show, check, schema])
  }

  private var show: Command {
    let origin = Parameter<Bool>.flag("origin", "tell where each value comes from")
    let next = Parameter<Bool>.flag("next", "as they would be if it were started here and now, whatever runs")
    return Command(
      "show", "list every setting and its value",
      discussion: """
        Those of the running service, if one runs on the data folder; with settings on the command line, or --next, \
        those that it would be started with.
        """,
      examples: [.init("odi-\(service) config show --origin", "which value wins, and where it was written")],
      takes: [origin, next]
    ) { call, output in
      let columns = [
        Report.Column("setting"), Report.Column("value", shrinks: true),
        Report.Column("origin", visible: call[origin]), Report.Column("doc", shrinks: true, visible: false),
      ]
      let settings: [SettingReport]
      if !call[next], let running = await running(call, output) {
        output.note("as the running odi-\(service) uses them; --next shows what a start here would give")
        settings = running
      } else {
        settings = try reading(call, output).entries.map(SettingReport.init)
      }
      try output.write(Report(columns, rows: settings.map(Self.row)))
      return .done
    }
  }

  /// What the service on the data folder uses; nil if none answers, or if other settings than its place are asked about.
  @MainActor
  private func running(_ call: Invocation, _ output: Output) async -> [SettingReport]? {
    let (data, admin) = (StandardSettings.data.spec.flagName, StandardSettings.adminListen.spec.flagName)
    let others = settings.map(\.spec.flagName).filter { $0 != data && $0 != admin }
    guard call[Self.file] == nil, others.allSatisfy({ call.text(ofOption: $0) == nil }) else { return nil }
    let access = ServiceAccess(to: service)
    let named = call.text(ofOption: admin).flatMap { SocketAddress(argument: $0) }
    guard let address = try? named ?? access.address(data: call.text(ofOption: data), output.terminal.environment)
    else { return nil }
    let options = CallOptions(timeout: ServiceAccess.patience, mayRetry: false)
    return try? await access.ask(ReadSettings(), at: address, options)
  }

  private var check: Command {
    Command("check", "tell what is wrong with the settings, without starting anything") { call, output in
      let configuration: Configuration
      do throws(ConfigurationError) {
        configuration = try read(call, output.terminal.environment)
      } catch {
        var failure = error.asCommandError
        failure.code = .degraded
        throw failure
      }
      for warning in configuration.warnings { output.note("warning: \(warning)") }
      output.note("\(configuration.entries.count) settings are valid")
      return .done
    }
  }

  private var schema: Command {
    Command("schema", "write the JSON Schema of the file, for editors") { _, output in
      output.write(String(decoding: jsonSchema.json, as: UTF8.self) + "\n")
      return .done
    }
  }

  private func reading(_ call: Invocation, _ output: Output) throws(CommandError) -> Configuration {
    do throws(ConfigurationError) {
      let configuration = try read(call, output.terminal.environment)
      for warning in configuration.warnings { output.note("warning: \(warning)") }
      return configuration
    } catch {
      throw error.asCommandError
    }
  }

  private static func row(_ setting: SettingReport) -> [Report.Cell] {
    let value: Report.Cell = setting.value.map { .text($0, setting.isDefault ? .dim : .plain) } ?? .none
    return ["\(setting.name)", value, "\(setting.origin)", "\(setting.doc)"]
  }

  var jsonSchema: JSONValue {
    var properties = JSONObject([("$schema", ["type": "string"] as JSONValue)])
    for setting in settings.map(\.spec) {
      var schema = JSONObject([("description", .string(setting.doc))])
      for (name, value) in setting.schema { schema[name] = value }
      properties[setting.memberName] = .object(schema)
    }
    let required = settings.map(\.spec).filter(\.isRequired).map { JSONValue.string($0.memberName) }
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string("odi-\(service)"), "type": "object",
      "additionalProperties": false, "properties": .object(properties), "required": .array(required),
    ]
  }
}

nonisolated extension SettingReport {
  init(_ entry: Configuration.Entry) {
    self.init(
      name: entry.spec.flagName, value: entry.shown, origin: entry.origin.description,
      isDefault: entry.origin == .byDefault, doc: entry.spec.doc)
  }
}

/// A setting's flag. Its value is judged with the other sources' values, so here every text will do.
nonisolated private struct SettingOption: CommandParameter {
  let spec: ParameterSpec

  init(setting: SettingSpec) {
    spec = ParameterSpec(
      kind: .option, arity: .optional, name: setting.flagName, short: nil, valueName: setting.valueName,
      help: setting.doc, defaultText: setting.defaultText.flatMap { $0.isEmpty ? nil : $0 },
      completion: setting.completion, problem: { _ in nil })
  }
}
