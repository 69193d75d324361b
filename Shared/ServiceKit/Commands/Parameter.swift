/// Something that a command takes, and the type that it becomes: an argument, an option with a value, a flag.
///
/// Declared once, listed in the command's `takes`, and read from the ``Invocation`` by itself: `call[limit]`.
nonisolated package struct Parameter<Value: Sendable>: CommandParameter {
  package let spec: ParameterSpec
  let read: @Sendable ([String]) -> Value?

  private init(_ spec: ParameterSpec, read: @escaping @Sendable ([String]) -> Value?) {
    self.spec = spec
    self.read = read
  }
}

/// A parameter whose type does not matter here.
nonisolated package protocol CommandParameter: Sendable {
  var spec: ParameterSpec { get }
}

/// What help, parsing and completion need to know of a parameter.
nonisolated package struct ParameterSpec: Sendable {
  enum Kind: Sendable { case argument, option, flag }
  enum Arity: Sendable { case required, optional, repeated }

  let kind: Kind
  let arity: Arity
  /// `limit` for `--limit`; `ID` for an argument.
  package let name: String
  let short: Character?
  let valueName: String
  let help: String
  let defaultText: String?
  let completion: Completion
  /// What is wrong with these values; nil if nothing is.
  let problem: @Sendable ([String]) -> String?

  /// How it is written on a command line.
  var label: String {
    switch kind {
    case .argument: name
    case .option, .flag: "--\(name)"
    }
  }
}

// MARK: - Making one

nonisolated extension Parameter {
  /// An argument that must be given.
  package static func argument(_ name: String, _ help: String, completion: Completion? = nil) -> Parameter
  where Value: ArgumentValue {
    make(.argument, .required, name, help, completion: completion) { texts in texts.first.flatMap(Value.init(argument:))
    }
  }

  /// An argument that can be left out.
  package static func optionalArgument<Wrapped: ArgumentValue>(
    _ name: String, _ help: String, completion: Completion? = nil
  ) -> Parameter where Value == Wrapped? {
    .make(.argument, .optional, name, help, of: Wrapped.self, completion: completion) { texts in
      guard let text = texts.first else { return .some(nil) }
      return Wrapped(argument: text).map { $0 }
    }
  }

  /// All the arguments that are left, however many.
  package static func arguments<Element: ArgumentValue>(
    _ name: String, _ help: String, completion: Completion? = nil
  ) -> Parameter where Value == [Element] {
    .make(.argument, .repeated, name, help, of: Element.self, completion: completion) { texts in
      let values = texts.compactMap(Element.init(argument:))
      return values.count == texts.count ? values : nil
    }
  }

  /// `--name VALUE`, with a value to use when it is not given.
  package static func option(
    _ name: String, short: Character? = nil, _ help: String, default value: Value, completion: Completion? = nil
  ) -> Parameter where Value: ArgumentValue {
    make(
      .option, .optional, name, short: short, help, of: Value.self, default: value.argument, completion: completion
    ) { texts in
      guard let text = texts.last else { return value }
      return Value(argument: text)
    }
  }

  /// `--name VALUE`, with a value to use when it is not given, within a range.
  package static func option(
    _ name: String, short: Character? = nil, _ help: String, default value: Value, in range: ClosedRange<Value>
  ) -> Parameter where Value: ArgumentValue & Comparable {
    make(
      .option, .optional, name, short: short, help, of: Value.self, default: value.argument,
      wanted: "\(Value.wanted) from \(range.lowerBound.argument) to \(range.upperBound.argument)"
    ) { texts in
      guard let text = texts.last else { return value }
      return Value(argument: text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// `--name VALUE`, which may be missing.
  package static func optionalOption<Wrapped: ArgumentValue>(
    _ name: String, short: Character? = nil, _ help: String, completion: Completion? = nil
  ) -> Parameter where Value == Wrapped? {
    .make(.option, .optional, name, short: short, help, of: Wrapped.self, completion: completion) { texts in
      guard let text = texts.last else { return .some(nil) }
      return Wrapped(argument: text).map { $0 }
    }
  }

  /// `--name VALUE`, any number of times.
  package static func options<Element: ArgumentValue>(
    _ name: String, short: Character? = nil, _ help: String, completion: Completion? = nil
  ) -> Parameter where Value == [Element] {
    .make(.option, .repeated, name, short: short, help, of: Element.self, completion: completion) { texts in
      let values = texts.compactMap(Element.init(argument:))
      return values.count == texts.count ? values : nil
    }
  }

  private static func make(
    _ kind: ParameterSpec.Kind, _ arity: ParameterSpec.Arity, _ name: String, _ help: String, completion: Completion?,
    read: @escaping @Sendable ([String]) -> Value?
  ) -> Parameter where Value: ArgumentValue {
    make(kind, arity, name, help, of: Value.self, completion: completion, read: read)
  }

  private static func make<Element: ArgumentValue>(
    _ kind: ParameterSpec.Kind, _ arity: ParameterSpec.Arity, _ name: String, short: Character? = nil, _ help: String,
    of element: Element.Type, default defaultText: String? = nil, wanted: String = Element.wanted,
    completion: Completion? = nil, read: @escaping @Sendable ([String]) -> Value?
  ) -> Parameter {
    let label = kind == .argument ? name : "--\(name)"
    let spec = ParameterSpec(
      kind: kind, arity: arity, name: name, short: short, valueName: kind == .argument ? name : Element.valueName,
      help: help, defaultText: defaultText, completion: completion ?? Element.completion,
      problem: { texts in
        guard read(texts) == nil else { return nil }
        let wrong = texts.first { read([$0]) == nil } ?? ""
        return "\(label) takes \(wanted), not '\(wrong)'" + (Element.remark(on: wrong).map { "; \($0)" } ?? "")
      })
    return Parameter(spec, read: read)
  }
}

nonisolated extension Parameter where Value == Bool {
  /// `--name`, given or not.
  package static func flag(_ name: String, short: Character? = nil, _ help: String) -> Parameter {
    Parameter(
      ParameterSpec(
        kind: .flag, arity: .optional, name: name, short: short, valueName: "", help: help, defaultText: nil,
        completion: .none, problem: { _ in nil }), read: { !$0.isEmpty })
  }
}

// MARK: - Values

/// A type that can be written as one word of a command line.
nonisolated package protocol ArgumentValue: Sendable {
  /// What a message asks for: `a whole number`.
  static var wanted: String { get }
  /// What stands for it in help: `N`.
  static var valueName: String { get }
  static var completion: Completion { get }
  init?(argument: String)
  /// The word that reads back as this value.
  var argument: String { get }
  /// What more can be said of a word that does not read: `they are probably swapped`.
  static func remark(on argument: String) -> String?
}

nonisolated extension ArgumentValue {
  package static var completion: Completion { .none }
  package static func remark(on argument: String) -> String? { nil }
}

nonisolated extension String: ArgumentValue {
  package static var wanted: String { "text" }
  package static var valueName: String { "TEXT" }
  package init?(argument: String) { self = argument }
  package var argument: String { self }
}

nonisolated extension Int: ArgumentValue {
  package static var wanted: String { "a whole number" }
  package static var valueName: String { "N" }
  package init?(argument: String) { self.init(argument) }
  package var argument: String { String(self) }
}

nonisolated extension Double: ArgumentValue {
  package static var wanted: String { "a number" }
  package static var valueName: String { "X" }
  package init?(argument: String) {
    guard let value = Double(argument), value.isFinite else { return nil }
    self = value
  }
  package var argument: String { "\(self)" }
}

nonisolated extension Bool: ArgumentValue {
  package static var wanted: String { "true or false" }
  package static var valueName: String { "BOOL" }
  package static var completion: Completion { .choices(["true", "false"]) }
  package init?(argument: String) {
    switch argument {
    case "1", "true": self = true
    case "0", "false": self = false
    default: return nil
    }
  }
  package var argument: String { self ? "true" : "false" }
}

/// One of the cases' raw values.
nonisolated extension ArgumentValue where Self: RawRepresentable<String> & CaseIterable {
  package static var wanted: String { "one of " + allCases.map(\.rawValue).joined(separator: ", ") }
  package static var valueName: String { allCases.map(\.rawValue).joined(separator: "|") }
  package static var completion: Completion { .choices(allCases.map(\.rawValue)) }
  package init?(argument: String) { self.init(rawValue: argument) }
  package var argument: String { rawValue }
}

/// `250ms`, `10s`, `1h30m`: whole numbers with units, largest first.
nonisolated extension Duration: ArgumentValue {
  package static var wanted: String { "a duration such as 10s, 5m or 1h30m" }
  package static var valueName: String { "DURATION" }

  private static let units: [(name: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
  ]

  package init?(argument: String) {
    var rest = argument[...]
    var total: Int64 = 0
    var units = Self.units[...]
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      let name = rest.dropFirst(digits.count).prefix { $0.isLetter }
      guard let number = Int64(digits), let place = units.firstIndex(where: { $0.name == name }) else { return nil }
      let (part, tooLarge) = number.multipliedReportingOverflow(by: units[place].milliseconds)
      let (sum, overflow) = total.addingReportingOverflow(part)
      guard !tooLarge, !overflow else { return nil }
      total = sum
      units = units[(place + 1)...]
      rest = rest.dropFirst(digits.count + name.count)
    }
    self = .milliseconds(total)
  }

  package var argument: String {
    var rest = Int64(self / .milliseconds(1))
    guard rest > 0 else { return "0s" }
    var text = ""
    for unit in Self.units where rest >= unit.milliseconds {
      text += "\(rest / unit.milliseconds)\(unit.name)"
      rest %= unit.milliseconds
    }
    return text
  }
}

/// What can be offered for a value while it is being typed.
nonisolated package enum Completion: Sendable {
  case none
  case files
  case directories
  case choices([String])
  /// Asked for at the moment of typing, by `__complete`, with what the options before it were given. It must be quick;
  /// an error offers nothing.
  case dynamic(@MainActor @Sendable (_ typed: String, _ given: [String: String]) async -> [String])
}
