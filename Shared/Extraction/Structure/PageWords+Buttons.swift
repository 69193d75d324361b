/// What stands on buttons beside times: to book, to choose, how many seats are left.
extension PageWords {
  /// "In den Warenkorb", "Kup bilet", "Prenota ora": nothing but words of booking. "Ticket to Paradise" is a film.
  static func isButton(_ text: String) -> Bool {
    guard text.utf8.count <= buttonBytesMax else { return false }
    let words = text.lowercased().unicodeScalars.split {
      !$0.properties.isAlphabetic && !$0.properties.isDiacritic
    }.map { String(Substring($0)).foldedKey }
    guard (1...buttonWordsMax).contains(words.count), words.contains(where: buttonWords.contains) else { return false }
    return words.allSatisfy { buttonWords.contains($0) || buttonFillers.contains($0) }
  }

  /// Whether an address, or what its link is called, is there to book by.
  static func isBooking(_ href: String, _ words: [String]) -> Bool {
    let lower = href.lowercased()
    return [
      "book", "ticket", "reserv", "buy", "checkout", "kaufen", "karten", "achat", "entradas", "javascript:", "mailto:",
      "seat", "basket",
    ].contains { lower.holds($0) }
      || words.contains { ["btn", "button", "book", "booking", "ticket", "tickets"].contains($0) }
  }

  /// "The screening will be at", "La séance commence à": the beginning of a sentence that says when.
  static func speaksOfShowing(_ text: String) -> Bool {
    guard text.utf8.count <= buttonBytesMax else { return false }
    let words = text.lowercased().unicodeScalars.split { !$0.properties.isAlphabetic }.map { String(Substring($0)) }
    guard (2...sentenceWordsMax).contains(words.count), words.contains(where: showingWords.contains),
      let last = words.last(where: { !["at", "um", "à", "a", "las", "alle", "om", "from", "by"].contains($0) })
    else { return false }
    return sayingWords.contains(last)
  }

  private static let sentenceWordsMax = 6
  private static let showingWords: Set<String> = [
    "film", "films", "movie", "times", "time", "screening", "screenings", "show", "performance", "event", "vorstellung",
    "vorführung", "veranstaltung", "séance",
    "projection", "proyección", "función", "proiezione", "spettacolo", "voorstelling", "doors",
  ]
  private static let sayingWords: Set<String> = [
    "be", "is", "are", "start", "starts", "begin", "begins", "open", "beginnt", "startet", "commence", "débute",
    "empieza", "comienza", "será", "inizia", "begint", "start",
  ]

  private static let buttonBytesMax = 48
  private static let buttonWordsMax = 5

  private static let buttonWords: Set<String> = Set(
    """
    ticket tickets buchen buche kaufen bestellen reservieren reservierung warenkorb karten auswählen wählen cart basket choisir réserver
    réservez réserve réservation billet billets elegir seleccionar comprar compra reservar entradas acquista prenota prenotare biglietti
    scegli bestel bestellen koop reserveer kaarten kies kiezen kup rezerwuj bilet bilety wybierz koupit rezervovat rezervace vstupenky
    vybrat köp boka biljett biljetter välj kjøp kjøpe bestill billett billetter velg køb bestil vælg billetter osta varaa liput lippu valitse
    pilet piletid jegy jegyek jegyvásárlás vásárlás foglalás rezervasyon купить купити выбрать обрати билет билеты квиток квитки selecionar ingressos
    ingresso bilhetes bilete rezervă cumpără карти купи plätze miejsca seats places lugares posti sedadla 선택 예매 예약 選択 購入 予約 購票 订票
    訂票 選座 买票
    """.split(whereSeparator: \.isWhitespace).map { String($0).foldedKey })

  private static let buttonFillers: Set<String> = Set(
    """
    in den zum zur jetzt hier online now here get add to your my je j y vais à la le les de des d ora online subito nu naar al teraz online
    zobacz voir siehe see view ver vedi zie se näytä wolne volná volné freie frei free places libres libre disponibles disponible left remaining verfügbar mehr infos info und and et e y o
    ihre ihr deine sie wir ma ta votre mes tu mi tus
    """.split(whereSeparator: \.isWhitespace).map { String($0).foldedKey })
}
