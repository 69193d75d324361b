/// A list of CSS selectors, read once and used on any number of pages.
///
/// Types, `*`, `#id`, `.class`, `[attribute]` with `= ~= |= ^= $= *=` and the flag `i`; the combinators blank, `>`, `+`
/// and `~`; `:is()`, `:where()`, `:not()`, `:has()`; `:root`, `:scope`, `:empty`, `:only-…`, `:first-…`, `:last-…` and
/// `:nth-…` of children and of types. From outside CSS: `:contains("text")`, which looks at the text as a reader sees
/// it, without regard to ASCII case.
package struct Selector: Sendable, Hashable, CustomStringConvertible {
  package let source: String
  let alternatives: [Complex]

  /// Reads a selector that came from outside, such as a rule file.
  package init(parsing source: String, limits: Limits = .standard) throws(SelectorError) {
    var parser = SelectorParser(source, limits: limits)
    self.source = source
    alternatives = try parser.parse()
  }

  package var description: String { source }

  package struct Limits: Sendable {
    /// A selector copied from a browser's inspector has up to a few hundred.
    package var bytes = 2_048
    /// Tests in all: each costs one pass over the page.
    package var tests = 128
    /// Of `:not()`, `:is()` and `:has()` inside each other.
    package var nesting = 4

    package init() {}
    package static let standard = Limits()
  }
}

extension Selector: ExpressibleByStringLiteral {
  /// A selector written in the program: a mistake in it is ours.
  package init(stringLiteral source: String) {
    do throws(SelectorError) { self = try Selector(parsing: source) } catch {
      preconditionFailure("the selector \(source) cannot be read: \(error)")
    }
  }
}

/// Where a selector cannot be read, and why.
package struct SelectorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// In bytes from the selector's start.
  package var position: Int
  package var problem: String

  package var description: String { "\(problem) at position \(position)" }
}

/// Compounds with what stands between them: `section > a.b` is two compounds and one `child`.
struct Complex: Sendable, Hashable {
  var compounds: [Compound] = []
  var combinators: [Combinator] = []
}

/// What `:has()` holds: how the first compound stands to the element in question, and the rest.
struct Relative: Sendable, Hashable {
  var leading: Combinator
  var complex: Complex
}

enum Combinator: Sendable, Hashable {
  case descendant, child, next, subsequent
}

/// Tests that one element must all pass.
struct Compound: Sendable, Hashable {
  var tests: [SelectorTest] = []
}

enum SelectorTest: Sendable, Hashable {
  case any
  case tag(String)
  case id(String)
  case className(String)
  case attribute(AttributeTest)
  case root, scope, empty
  case nth(NthTest)
  case only(ofType: Bool)
  case contains(String)
  case matchesAny([Complex])
  case matchesNone([Complex])
  case has([Relative])
}

struct AttributeTest: Sendable, Hashable {
  enum Comparison: Sendable, Hashable {
    case exists, equals, hasWord, hasPrefixBeforeDash, startsWith, endsWith, contains
  }
  var name: String
  var comparison: Comparison
  var value: [UInt8]
  var ignoresCase: Bool
}

/// `an+b`, counted from the first or the last child, among all or among those of the same type.
struct NthTest: Sendable, Hashable {
  var step: Int
  var offset: Int
  var fromEnd: Bool
  var ofType: Bool

  func accepts(_ position: Int) -> Bool {
    let distance = position - offset
    return step == 0 ? distance == 0 : distance % step == 0 && distance / step >= 0
  }
}
