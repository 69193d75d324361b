/// An enum of names that will have more cases one day: a reader that does not know a name keeps it instead of failing.
///
/// ```swift
/// enum ScreenFormat: GrowingEnum {
///   case imax, dolby
///   case unknown(String)
///   static let known: [ScreenFormat] = [.imax, .dolby]
///   var rawValue: String {
///     switch self {
///     case .imax: "imax"
///     case .dolby: "dolby"
///     case .unknown(let name): name
///     }
///   }
/// }
/// ```
///
/// Any other enum throws at a name it does not know. Public, so that what all have in common is specialised for each.
public protocol GrowingEnum: RawRepresentable, Codable, Hashable, Sendable where RawValue == String {
  /// Every case but `unknown`.
  static var known: [Self] { get }

  /// A name that this program has no case for.
  static func unknown(_ name: String) -> Self
}

extension GrowingEnum {
  /// The case of a known name, `unknown` for any other.
  public static func named(_ name: String) -> Self {
    known.first { $0.rawValue == name } ?? .unknown(name)
  }

  public init?(rawValue: String) { self = .named(rawValue) }

  public init(from decoder: any Decoder) throws {
    self = .named(try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
