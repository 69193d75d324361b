import Calendars
import Extraction

private let zones = ZoneDirectory()

/// Any bytes are a page or a feed: its screenings are read, or it is refused by name.
func fuzzPages(_ input: UnsafeBufferPointer<UInt8>) { ExtractionFuzzing.page(Array(input), zones: zones) }

/// Any bytes are data inside a page: JSON-LD, state, an attribute, microdata, RDFa, a cell.
func fuzzPageParts(_ input: UnsafeBufferPointer<UInt8>) { ExtractionFuzzing.parts(Array(input), zones: zones) }

/// Any bytes are the answer of a platform in JSON.
func fuzzRecords(_ input: UnsafeBufferPointer<UInt8>) {
  ExtractionFuzzing.feed(Array(input), type: "application/json", zones: zones)
}

/// Any bytes are a feed in XML.
func fuzzSchedules(_ input: UnsafeBufferPointer<UInt8>) {
  ExtractionFuzzing.feed(Array(input), type: "application/xml", zones: zones)
}

/// The first line is a site's rule, the rest a page: it is run, and another is proposed.
func fuzzRules(_ input: UnsafeBufferPointer<UInt8>) { ExtractionFuzzing.rule(Array(input), zones: zones) }

/// Any bytes are a printed title: its film's name is told apart from its marks.
func fuzzTitles(_ input: UnsafeBufferPointer<UInt8>) { ExtractionFuzzing.title(Array(input)) }
