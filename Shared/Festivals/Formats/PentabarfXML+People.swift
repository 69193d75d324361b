import Contracts
import XML

extension PentabarfXML {
  /// Who takes part: those in `<persons>`, and where there is none, those that stand in the event as other programs write it.
  static func people(of event: XMLElement, _ title: String, notes draft: inout ProgrammeDraft) -> [FestivalSpeaker] {
    if let persons = event.first("persons") {
      return persons.all("person").compactMap { person in
        let name = person.text
        return name.isEmpty ? nil : FestivalSpeaker(id: person["id"], name: name)
      }
    }
    let loose =
      event.all("person") + (event.first("speakers")?.all("speaker") ?? []) + event.all("speaker")
      + event.all("presenter")
    if loose.isEmpty, let other = event.elements.first(where: { peopleWords.contains($0.name) && !$0.text.isEmpty }) {
      draft.note("\(title): <\(other.name)> is not read; people are <persons><person>")
    }
    return loose.flatMap { person -> [FestivalSpeaker] in
      let text = person.text(of: "name") ?? person.text
      guard let names = names(in: text) else {
        draft.note("\(title): \(text) is taken for one name; write a <person> for each")
        return [FestivalSpeaker(id: person["id"], name: text)]
      }
      return names.map { FestivalSpeaker(id: names.count == 1 ? person["id"] : nil, name: $0) }
    }
  }

  /// What else elements with people are called.
  private static let peopleWords: Set = [
    "author", "authors", "guest", "guests", "host", "hosts", "moderator", "moderators", "participants", "people",
    "presenters", "speakers",
  ]

  /// The names in one text, nil if its commas may be part of a name: `Quill, Ada`, `Tom Reed, Jr.`
  private static func names(in text: String) -> [String]? {
    let parts = text.split(separator: ",").map { ProgrammeDraft.name(String($0)) }.filter { !$0.isEmpty }
    guard parts.count > 1 else { return parts }
    return parts.allSatisfy { $0.contains(" ") } ? parts : nil
  }
}
