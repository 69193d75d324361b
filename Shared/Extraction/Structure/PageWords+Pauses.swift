/// What stands in a programme between its films.
extension PageWords {
  /// "Mittagspause", "Award ceremony": a part of a day that nobody comes for to see something.
  static func isPause(_ text: String) -> Bool { text.utf8.count <= pauseBytesMax && pauses.contains(text.foldedKey) }

  private static let pauseBytesMax = 60

  private static let pauses: Set<String> = Set(
    """
    break|lunch|lunch break|coffee break|tea break|dinner break|short break|intermission|welcome drinks|opening remarks|registration|panel discussion|q&a|q & a|award ceremony|awards ceremony|closing remarks|networking|get together|end of programme|doors|doors open
    pause|mittagspause|kaffeepause|begrüßung|einführung|eröffnungsworte|podiumsdiskussion|diskussion|preisverleihung|empfang|umtrunk|ausklang|anmeldung|filmgespräch|publikumsgespräch|abendessen|mittagessen|ende
    onthaal|pauze|middagpauze|lunchpauze|koffiepauze|inleiding|welkom|ontvangst|prijsuitreiking|nagesprek|afsluiting|borrel
    pause déjeuner|pause café|entracte|accueil|accueil du public|discussion avec le public|débat|remise des prix|cérémonie de clôture|clôture|apéritif|buvette
    pausa|pausa pranzo|intervallo|accoglienza|dibattito|premiazione|saluti|pausa para comer|descanso|bienvenida|coloquio|entrega de premios|intervalo|almoço|debate|boas-vindas
    paus|lunsj|lunsjpause|kaffepaus|kaffepause|välkommen|velkommen|innledning|prisutdeling|prisutdelning|prisuddeling|frokost|frokostpause|tauko|lounas|lounastauko|tervetuloa
    przerwa|przerwa obiadowa|powitanie|dyskusja|rozdanie nagród|přestávka|oběd|úvod|diskuse|vyhlášení cen|prestávka|obed|diskusia|szünet|ebédszünet|köszöntő|díjátadó|pauza|перерыв|обед|приветствие|обсуждение|перерва
    휴식|휴식 시간|점심|점심시간|개회식|폐회식|시상식|관객과의 대화|休憩|昼休み|開場|挨拶|授賞式|舞台挨拶|中場休息|休息|午餐
    """.split { $0 == "|" || $0 == "\n" }.map { String($0).trimmedText.foldedKey })

  /// "Private hire", "Salongen abonnerad": the house is let, and nobody else is let in.
  static func isPrivate(_ text: String) -> Bool {
    guard text.utf8.count <= pauseBytesMax, case let folded = text.foldedKey else { return false }
    return privateHires.contains(folded) || privateEnds.contains { folded.hasSuffix($0) }
  }

  /// "* dla grup zorganizowanych, po wcześniejszym zgłoszeniu": whom a showing is for that nobody else may see.
  static func isForGroups(_ text: String) -> Bool {
    text.utf8.count <= groupsBytesMax && groups.isIn(text.lowercased())
  }

  private static let groupsBytesMax = 160
  private static let groups = WordList([
    "dla grup zorganizowanych", "grupy zorganizowane", "tylko dla szkół", "nur für schulklassen", "nur für gruppen",
    "réservé aux scolaires", "réservée aux scolaires", "réservé aux groupes", "school groups only", "schools only",
    "groups only", "solo per le scuole", "riservato alle scuole", "solo para colegios", "solo grupos",
    "pouze pro školy",
    "csak csoportoknak",
  ])

  private static let privateHires: Set<String> = Set(
    """
    private hire|private rental|theatre rental|theater rental|private event|private screening|private party|private function|closed for private event|closed for private hire|venue hire
    geschlossene gesellschaft|geschlossene veranstaltung|privatveranstaltung|privatvorstellung|vermietet|saal vermietet|séance privée|séance privative|soirée privée|privatisation|évènement privé
    evento privato|proiezione privata|evento privado|sesión privada|pase privado|besloten voorstelling|besloten|besloten feest|privat visning|privatvisning|lukket forestilling|lukket arrangement|sluten visning|yksityistilaisuus|yksityisnäytös
    pokaz zamknięty|seans zamknięty|uzavřená akce|uzavřená projekce|soukromá projekce|zártkörű rendezvény|zártkörű vetítés|закрытый показ|대관|대관상영|貸切|貸切上映|貸し切り|包場|包场
    """.split { $0 == "|" || $0 == "\n" }.map { String($0).trimmedText.foldedKey })
  private static let privateEnds = [
    "abonnerad", "abonnerat", "privathire", "paseprivado", "sesionprivada", "privatescreening", "privatvorstellung",
    "seanceprivee", "geschlosseneveranstaltung", "geschlossenegesellschaft", "proiezioneprivata",
  ]
}
