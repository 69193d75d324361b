import Crypto
import JSON

/// Every setting's value and where it came from: a flag wins over the environment, that over the file, that over the
/// default.
nonisolated package struct Configuration: Sendable {
  package enum Origin: Sendable, Equatable, CustomStringConvertible {
    case flag(String)
    case environment(String)
    case file(path: String, member: String)
    case byDefault

    package var description: String {
      switch self {
      case .flag(let name): "--\(name)"
      case .environment(let name): name
      case .file(let path, let member): "\(path): \(member)"
      case .byDefault: "default"
      }
    }
  }

  /// What is there to choose from.
  package struct Sources: Sendable {
    package var flags: [String: String] = [:]
    package var environment: [String: String] = [:]
    package var file: ConfigurationFile.Content?

    package init(
      flags: [String: String] = [:], environment: [String: String] = [:],
      file: ConfigurationFile.Content? = nil
    ) {
      self.flags = flags
      self.environment = environment
      self.file = file
    }
  }

  struct Entry: Sendable {
    let spec: SettingSpec
    let box: any Sendable
    let origin: Origin
    /// As it was written; nil when it has no value.
    let shown: String?

    /// A secret is shown as the path of its file, in which another may be by now.
    fileprivate func isSame(as other: Entry) -> Bool {
      guard shown == other.shown else { return false }
      guard let secret = box as? BoxedSetting<Secret?>, let before = other.box as? BoxedSetting<Secret?> else {
        return true
      }
      return secret.value == before.value
    }
  }

  package let service: String
  /// The file that it was taken from, as it was then.
  private let file: ConfigurationFile.Content?
  private(set) var entries: [Entry] = []
  /// What is probably a mistake and does no harm.
  package private(set) var warnings: [String] = []

  /// Takes every setting from the first source that has it, and tells all that is wrong at once.
  package init(
    of service: String, _ settings: [any AnySetting], from sources: Sources
  ) throws(ConfigurationError) {
    self.service = service
    file = sources.file
    let specs = settings.map(\.spec)
    precondition(Set(specs.map(\.name)).count == specs.count, "\(service) declares a setting twice")
    var problems = Self.unknownMembers(specs, sources)
    let (refused, warned) = Self.unknownVariables(specs, service, sources)
    problems += refused
    warnings = warned
    for spec in specs {
      let (raw, origin) = Self.choose(spec, service, sources)
      do throws(SettingProblem) {
        let box = try spec.read(raw)
        entries.append(Entry(spec: spec, box: box, origin: origin, shown: raw?.shown ?? spec.defaultText))
      } catch {
        problems.append(origin == .byDefault ? "\(spec.name) \(error.detail)" : "\(origin) \(error.detail)")
      }
    }
    if !problems.isEmpty { throw ConfigurationError(problems: problems) }
  }

  package subscript<Value>(setting: Setting<Value>) -> Value {
    guard let entry = entries.first(where: { $0.spec.name == setting.spec.name }),
      let box = entry.box as? BoxedSetting<Value>
    else { preconditionFailure("\(service) does not declare the setting \(setting.spec.name)") }
    return box.value
  }

  /// One setting by itself; what else is in the sources is not looked at.
  static func value<Value>(
    of setting: Setting<Value>, _ service: String, from sources: Sources
  ) throws(ConfigurationError) -> Value {
    let (raw, origin) = choose(setting.spec, service, sources)
    do throws(SettingProblem) {
      guard let box = try setting.spec.read(raw) as? BoxedSetting<Value> else { preconditionFailure() }
      return box.value
    } catch {
      throw ConfigurationError(problems: ["\(origin) \(error.detail)"])
    }
  }

  package func origin<Value>(of setting: Setting<Value>) -> Origin {
    entries.first { $0.spec.name == setting.spec.name }?.origin ?? .byDefault
  }

  /// The flags of the settings that are others than they were, except those of these names.
  func changes(since before: Configuration, but followed: Set<String>) -> [String] {
    entries.compactMap { entry in
      guard !followed.contains(entry.spec.name),
        let old = before.entries.first(where: { $0.spec.name == entry.spec.name }), !entry.isSame(as: old)
      else { return nil }
      return "--\(entry.spec.flagName)"
    }
  }

  /// The file as somebody lives by it who began with `before` and was told of this one: the settings of these names as
  /// they are now, the others as they were.
  func file(since before: Configuration, following followed: Set<String>) -> JSONValue {
    var content = before.file?.content.object ?? JSONObject()
    for spec in entries.map(\.spec) where followed.contains(spec.name) {
      content[spec.memberName] = file?.content[spec.memberName]
    }
    return .object(content)
  }

  // MARK: Choosing

  private static func choose(
    _ spec: SettingSpec, _ service: String, _ sources: Sources
  ) -> (raw: RawSetting?, origin: Origin) {
    if let text = sources.flags[spec.flagName] { return (.text(text), .flag(spec.flagName)) }
    for name in spec.variableNames(service: service) {
      if let text = sources.environment[name] { return (.text(text), .environment(name)) }
    }
    if let file = sources.file, let json = file.content[spec.memberName], !json.isNull {
      return (.json(json), .file(path: file.path, member: spec.memberName))
    }
    return (nil, .byDefault)
  }

  private static func unknownMembers(_ specs: [SettingSpec], _ sources: Sources) -> [String] {
    guard let file = sources.file else { return [] }
    guard let object = file.content.object else { return ["\(file.path) holds \(file.content.kind), not an object"] }
    let known = specs.map(\.memberName)
    return object.names.filter { $0 != "$schema" && !known.contains($0) }.map { name in
      let near = suggestion(for: name, among: known).map { "; did you mean \($0)?" } ?? ""
      return "\(file.path): there is no setting \(printable(name))\(near)"
    }
  }

  /// What begins with the service's own name is meant for it. What only begins with `ODI_` and is nearly one of ours is
  /// told, unless it is another's.
  private static func unknownVariables(
    _ specs: [SettingSpec], _ service: String, _ sources: Sources
  ) -> (problems: [String], warnings: [String]) {
    let own = "ODI_\(service.uppercased())_"
    let known = specs.flatMap { $0.variableNames(service: service) }
    var problems: [String] = []
    var warnings: [String] = []
    for name in sources.environment.keys.sorted()
    where name.hasPrefix("ODI_") && !known.contains(name) && !SuiteVariables.isOfOthers(name, than: service) {
      if specs.contains(where: { $0.isSecret && $0.variableNames(service: service).contains(name + "_FILE") }) {
        problems.append("\(name) would show the secret to every child; write it to a file and set \(name)_FILE")
        continue
      }
      let near = suggestion(for: name, among: known)
      if name.hasPrefix(own) {
        problems.append("\(name) sets nothing" + (near.map { "; did you mean \($0)?" } ?? ""))
      } else if let near {
        warnings.append("\(name) sets nothing here; did you mean \(near)?")
      }
    }
    return (problems, warnings)
  }
}

/// All that is wrong with a configuration.
nonisolated package struct ConfigurationError: Error, Equatable, Sendable {
  package let problems: [String]

  package var asCommandError: CommandError {
    CommandError(
      .usage,
      problems.count == 1 ? "the configuration has a problem" : "the configuration has \(problems.count) problems",
      details: problems)
  }
}
