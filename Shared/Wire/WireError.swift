/// Why bytes were not a value, or a value could not become bytes.
package struct WireError: Error, Sendable {
  package enum Code: Sendable, Hashable {
    /// The bytes end inside a value.
    case truncated
    /// Bytes are left over after the value.
    case trailingBytes
    /// The message, or what it asks us to remember, is over a limit.
    case tooLarge
    /// Values are nested deeper than `WireLimits.depth`.
    case tooDeep
    /// The bytes break the format.
    case malformed
    /// A string is not UTF-8.
    case badString
    /// A record names a table that this connection has not defined.
    case unknownTable
    /// A table's definition contradicts an earlier one or itself.
    case badTable
    /// A required field is absent.
    case missingField
    /// A nil stands where a value is required.
    case missingValue
    /// A value of another kind stands where the reader wants its own.
    case typeMismatch
    /// A number does not fit the reader's type.
    case outOfRange
    /// The type itself refused the value; `cause` may say more.
    case invalidValue
    /// A coder or container was used outside the call it was made for.
    case misuse
  }

  package let code: Code
  /// Where in the value, as in `cinemas[2].website`; empty for the whole.
  package let path: String
  /// A sentence for a person.
  package let detail: String
  /// What a hand-written `init(from:)` or `encode(to:)` threw, when that is the reason.
  package let cause: (any Error)?

  package init(_ code: Code, at path: String = "", _ detail: String = "", cause: (any Error)? = nil) {
    self.code = code
    self.path = path
    self.detail = detail
    self.cause = cause
  }
}

extension WireError: CustomStringConvertible {
  package var description: String {
    var text = "\(code)"
    if !path.isEmpty { text += " at \(path)" }
    if !detail.isEmpty { text += ": \(detail)" }
    return text
  }
}

extension WireError {
  /// The same failure in this module's words. What Codable throws keeps its path; anything else becomes the cause.
  init(_ error: any Error) {
    switch error {
    case let error as WireError:
      self = error
    case let error as DecodingError:
      self.init(error)
    case let EncodingError.invalidValue(_, context):
      let cause = context.underlyingError
      self.init(.invalidValue, at: Self.text(context.codingPath), context.debugDescription, cause: cause)
    default:
      self.init(.invalidValue, "\(error)", cause: error)
    }
  }

  private init(_ error: DecodingError) {
    switch error {
    case .keyNotFound(let key, let context):
      self.init(.missingField, at: Self.text(context.codingPath + [key]), context.debugDescription)
    case .valueNotFound(_, let context):
      self.init(.missingValue, at: Self.text(context.codingPath), context.debugDescription)
    case .typeMismatch(_, let context):
      self.init(.typeMismatch, at: Self.text(context.codingPath), context.debugDescription)
    case .dataCorrupted(let context):
      // Our own errors travel inside Codable's where hand-written code may want to catch those.
      let own = context.underlyingError as? WireError
      self.init(
        own?.code ?? .invalidValue, at: Self.text(context.codingPath), context.debugDescription,
        cause: own == nil ? context.underlyingError : nil)
    @unknown default:
      self.init(.invalidValue, "\(error)", cause: error)
    }
  }

  /// `a.b[2].c`
  static func text(_ path: [any CodingKey]) -> String {
    var text = ""
    for key in path {
      if key is PathStep, let index = key.intValue {
        text += "[\(index)]"
      } else {
        if !text.isEmpty { text += "." }
        text += key.stringValue
      }
    }
    return text
  }
}

/// One step of a coding path: a field's name or an element's index.
struct PathStep: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
}
