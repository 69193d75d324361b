import Contracts
import Drafts
import Extraction
import FilmFiles
import TextSearch

/// The films of a catalogue whose names stand within a printed title, each where the text around it is understood best.
nonisolated struct NamesInside {
  struct Name {
    let run: PrintedReading.Run
    /// As it is printed.
    let text: String
    let rest: PrintedReading.Rest
  }

  private let catalogue: Catalogue
  private let reading: PrintedReading
  private var names: [Int: [Name]] = [:]

  /// - Parameter whole: films of which the whole text is the name. If there are any, others' names in it are only parts
  ///   of that: "Victor/Victoria" is not "Victoria".
  init(_ printed: String, _ catalogue: Catalogue, whole: Set<Int>) {
    self.catalogue = catalogue
    reading = PrintedReading(printed)
    for run in reading.runs {
      let exact = catalogue.places(key: run.key)
      for place in exact.isEmpty ? catalogue.places(shortKey: run.key) : exact
      where whole.isEmpty || whole.contains(place) {
        let film = catalogue.films[place].film
        guard let rest = reading.rest(around: run, of: film, isName: { !catalogue.places(key: $0).isEmpty }) else {
          continue
        }
        names[place, default: []].append(Name(run: run, text: reading.text(run), rest: rest))
      }
    }
    for (place, found) in names { names[place] = found.sorted { Self.precedes($0, $1) } }
  }

  private static func precedes(_ left: Name, _ right: Name) -> Bool {
    left.rest == right.rest ? left.run.words.count > right.run.words.count : left.rest > right.rest
  }

  var places: [Int] { names.keys.sorted() }

  var year: Int? { reading.year }

  /// The best place for the name of a film.
  func name(of place: Int) -> Name? { names[place]?.first }

  /// Another of its titles, elsewhere in the text.
  func otherTitle(of place: Int) -> String? {
    guard let found = names[place], let first = found.first else { return nil }
    return found.first { !$0.run.words.overlaps(first.run.words) && $0.run.key != first.run.key }?.text
  }

  func saysMaker(of place: Int) -> Bool {
    name(of: place).map { reading.saysMaker(of: catalogue.films[place].film, outside: $0.run) } ?? false
  }
}

nonisolated extension TitleMatch {
  /// Takes the name that was found within the one that marks alone had left; what stood around it is kept as removed.
  mutating func take(_ inside: NamesInside.Name, outOf whole: String) {
    guard FoldedText(inside.text).text != FoldedText(whole).text else { return }
    name = inside.text
    let around = whole.parts(between: inside.text).map(\.trimmed).filter { !FoldedText($0).units.isEmpty }
    removed += around
    attributes = around.reduce(into: Set(attributes)) { all, part in
      all.formUnion(PrintedTitle(part).attributes.map(\.rawValue))
    }.sorted()
  }
}

nonisolated extension String {
  /// What stands before, between and behind each place of a text.
  func parts(between text: String) -> [String] {
    let (bytes, part) = (Array(utf8), Array(text.utf8))
    guard !part.isEmpty, bytes.count >= part.count else { return [self] }
    var parts: [String] = []
    var start = 0
    var index = 0
    while index <= bytes.count - part.count {
      if bytes[index..<(index + part.count)].elementsEqual(part) {
        parts.append(String(decoding: bytes[start..<index], as: UTF8.self))
        index += part.count
        start = index
      } else {
        index += 1
      }
    }
    return parts + [String(decoding: bytes[start...], as: UTF8.self)]
  }
}
