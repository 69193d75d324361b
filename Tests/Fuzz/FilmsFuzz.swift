import Contracts
import FilmFiles

/// Any bytes are a file of films in each form; what is read makes sense, and written as a table it reads back the same.
func fuzzFilms(_ input: UnsafeBufferPointer<UInt8>) {
  let bytes = Array(input)
  for format in [nil] + FilmFormat.allCases.map(Optional.some) {
    guard let reading = try? FilmFormat.read(bytes, named: "x", as: format) else { continue }
    let read = reading.checked()
    for film in read.films {
      precondition((1...500).contains(film.film.title.utf8.count), "a title that nobody can show")
      precondition(film.film.year.map { (1_870...2_100).contains($0) } ?? true, "a year without cinema")
    }
    precondition(read.unnamed.allSatisfy(read.films.indices.contains), "an unnamed film that is not there")
    let written = FilmTable.write(read.films)
    guard !read.films.isEmpty else { continue }
    do {
      let again = try FilmTable.read(Array(written.utf8), named: "again").films()
      precondition(again == read.films, "a table reads back other films: \(written)")
    } catch {
      preconditionFailure("a table that was written is refused: \(error)")
    }
  }
}

/// The control of `films`: the same files, with a bug planted behind their reading. That it is found shows that what the
/// fuzzer makes up comes through the formats and their checks, as far as a film's fields.
func fuzzFilmsControl(_ input: UnsafeBufferPointer<UInt8>) {
  for format in FilmFormat.allCases {
    guard let reading = try? FilmFormat.read(Array(input), named: "x", as: format) else { continue }
    for film in reading.checked().films {
      // The planted bug: that every film has a year is believed, as each of the seeds has one.
      precondition(film.film.year! > 0)
    }
  }
}
