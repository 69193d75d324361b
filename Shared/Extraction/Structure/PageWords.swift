/// Words by which a page's parts are known: those that are never a title, and those that say what a part is.
enum PageWords {
  /// Labels of buttons and sections, in the languages of cinemas. Folded.
  private static let labels: Set<String> = Set(
    """
    find out more|view all dates|view all times|available screening types|screening types|add to playlist|add to watchlist|add to wishlist|showtimes|show times|screenings|screening times|times|book|book now|book tickets|buy tickets|tickets|buy|ticket|more|more info|read more|trailer|watch trailer|details|film details
    programme|program|what's on|whats on|now showing|coming soon|today|tomorrow|this week|next week|schedule|calendar|home|menu|search|login|log in|sign in|info|information|film info|all films|films|movies
    add to calendar|sold out|select|choose|filter|all|next|previous|prev|back|close|share|facebook|twitter|instagram|newsletter|contact|about|cinema|cinemas|venue|date|time|film|movie|title|screen|dates
    dates and times|dates & times|times and tickets|times & tickets|book online|reserve|reserve now|now playing|upcoming|on sale|weekly programme|see all|view all|select a date|choose a date|find tickets|rsvp|notes|price|prices|booking
    상영시간표|상영 시간표|예매|예매하기|바로예매|상세보기|상세정보|더보기|오늘|내일|상영작|현재상영작|상영예정작|예고편|시간표|상영일정|상영시간|영화|제목|날짜|시간|상영관|비고|일정|극장|공지사항|매진|예매종료|좌석
    上映スケジュール|スケジュール|上映時間|チケット|チケット購入|予約|購入|詳細|詳しく|もっと見る|予告編|本日|今日|明日|上映中|上映予定|作品|作品名|日付|時間|劇場|スクリーン|備考|近日上映|本日の上映|タイムテーブル|公式サイト|オンラインチケット|タイトル|上映作品
    horaires|séances|seances|réserver|reserver|acheter|billets|plus d'infos|en savoir plus|bande-annonce|bande annonce|programme|à l'affiche|aujourd'hui|demain|cette semaine|prochainement|film|titre|date|heure|salle|fiche film|réservation
    spielzeiten|vorstellungen|tickets kaufen|karten|karten kaufen|reservieren|mehr|mehr infos|mehr info|trailer ansehen|programm|heute|morgen|diese woche|demnächst|film|titel|datum|uhrzeit|saal|spielplan|kinoprogramm|jetzt buchen|zum film|zeiten|wochenprogramm
    horarios|sesiones|comprar|comprar entradas|entradas|reservar|más información|ver más|ver tráiler|tráiler|cartelera|hoy|mañana|esta semana|próximamente|película|título|fecha|hora|sala|programación|pases|próximos estrenos
    orari|spettacoli|acquista|acquista biglietti|biglietti|prenota|maggiori informazioni|scopri di più|programmazione|oggi|domani|questa settimana|prossimamente|titolo|data|ora|in arrivo|in programmazione|scheda film|proiezioni
    tijden|voorstellingen|koop tickets|kaarten|reserveer|meer info|lees meer|agenda|vandaag|morgen|deze week|verwacht|titel|datum|tijd|zaal|bestel|bestel tickets|nu te zien|speeltijden|programma
    לוח ההקרנות|לוח הקרנות להיום|בחרו שעה להזמנת כרטיסים|בחרו שעה|אזור אישי|דף הבית|הזמנה|הזמן כרטיסים|כרטיסים|לרכישה|רכישת כרטיסים|לפרטים|פרטים נוספים|טריילר|לוח הקרנות|הקרנות|היום|מחר|בקרוב|סרטים|סרט|שעה|תאריך|אולם|לפרטים נוספים
    mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|lun|mar|mer|jeu|ven|sam|dim|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|mo|di|mi|do|fr|sa|so
    montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lunes|martes|miércoles|jueves|viernes|sábado|domingo|mié|jue|vie|sáb|dom|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|gio|sab|ma|wo|vr|za|zo
    maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|월|화|수|목|금|토|일|월요일|화요일|수요일|목요일|금요일|토요일|일요일|月|火|水|木|金|土|日|祝|月曜日|火曜日|水曜日|木曜日|金曜日|土曜日|日曜日|ראשון|שני|שלישי|רביעי|חמישי|שישי|שבת
    you may also like|related films|related|other films|also showing|what's next|coming up|recommended|similar films|film times|this month|next month|week|opening hours|getting here|find us|visit us|news|blog|events|listings|upcoming events|screening times & tickets|choose a time|pick a time|times today|screening|performances|sessions|cast and crew|trailers|reviews|follow us|subscribe
    daily|every day|nightly|täglich|tous les jours|todos los días|diario|tutti i giorni|dagelijks|매일|連日|毎日|codziennie|denně
    in cinemas|select time|book your seats|click to book|available|limited|few left|past|ended|on demand|full programme|download|print|map|directions|location|where|when|cast|director|synopsis|genre|rating|runtime|duration|language|year|country
    repertuar|bilety|kup bilet|kinoprogram|köp biljett|biljetter|osta liput|ohjelmisto|billetter|køb billet|kjøp billett|vstupenky|koupit|koupit vstupenky|bilhetes|comprar bilhetes|programação|sessões|program kina
    seg|ter|qua|qui|sex|segunda|terça|quarta|quinta|sexta|segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|po|út|st|čt|pá|ne|pondělí|úterý|středa|čtvrtek|pátek|sobota|neděle|pn|pon|wt|śr|czw|pt|sob|nd|niedz|poniedziałek|wtorek|środa|czwartek|piątek|niedziela
    mån|tis|ons|tor|tors|fre|lör|sön|lør|søn|måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag|mandag|tirsdag|lørdag|søndag|maanantai|tiistai|keskiviikko|torstai|perjantai|lauantai|sunnuntai|週一|週二|週三|週四|週五|週六|週日|一|二|三|四|五|六|放映時刻|放映時刻表|購票|場次|時刻表|影片|片名|票價
    em cartaz|agora em cartaz|em exibição|em breve|estreias|filmes|ingressos|en cartelera|en ce moment|en salles|actuellement au cinéma|actuellement à l'affiche|aktuell im kino|jetzt im kino|aktuelle filme|vorschau|nu in de bioscoop|in sala|ora in sala
    nu på bio|på bio nu|kommande|nå på kino|aktuelle film|teraz gramy|na ekranach|wkrótce|zapowiedzi|právě hrajeme|hrajeme|připravujeme|műsor|jegyvásárlás|vizyondakiler|yakında|現正熱映|熱映中|現正上映|即將上映
    ticket prices|age guidance|ticket quantity|quantity|waiting list|join the waiting list|show past events|sort by|sort by name|sort by date|filter by|filter by type|we recommend|you might also like|you might like|more like this|about the artist|about the artists|about the director|about the film|about this film|about this event|about the event|event details|key information|important information|good to know|age restriction|age recommendation|access information|download the app|share this event|share this|add to basket|your basket|ticket information|booking information|date & time|when & where|dates & booking|book your tickets
    join us|come and join us|we show|we are showing|we present|save the date|don't miss|see you there|mark your calendars|wir zeigen|wir laden ein|rejoignez nous|venez nombreux|te esperamos|vi aspettiamo|vi viser
    next event|next events|next screening|next screenings|next film|our events|all events|past events|more events|more films|more news|latest news|our news|latest|featured|highlights|our programme|event calendar|what's on this week|on this week
    previous week|prev week|last week|previous month|prev month|last month|previous day|next day|previous days|next days|earlier|later|previous page|next page|vorherige woche|vorige woche|letzte woche|nächste woche|kommende woche|vorheriger monat|nächster monat|vorheriger tag|nächster tag|zurück|weiter
    semaine précédente|semaine suivante|semaine prochaine|mois précédent|mois suivant|jour précédent|jour suivant|précédent|suivant|semana anterior|semana siguiente|próxima semana|mes anterior|mes siguiente|anterior|siguiente|settimana precedente|settimana successiva|settimana prossima|settimana scorsa|mese precedente|mese successivo|precedente|successivo|successiva
    volgende week|vorige maand|volgende maand|vorige|volgende|semana seguinte|semana que vem|seguinte|forrige uge|næste uge|forrige uke|neste uke|förra veckan|nästa vecka|forrige|næste|neste|föregående|nästa|edellinen viikko|seuraava viikko|edellinen|seuraava|předchozí týden|další týden|příští týden|předchozí|další|poprzedni tydzień|następny tydzień|poprzedni|następny
    선택한 영화 제목|선택한 상영관|선택한 상영 날짜|선택한 시간|선택된 영화|선택된 극장|선택된 날짜|riposo|riposo settimanale|chiuso|chiuso per riposo|cerrado|fechado|descanso|ruhetag|spielfrei|geen voorstelling|geen voorstellingen|relâche|fermé|스크린 없음
    지난주|다음주|다음 주|이번 주|이전 주|이전|다음|前週|次週|翌週|先週|来週|前の週|次の週|前月|翌月|前の月|次の月|前へ|次へ|上一週|下一週|上週|下週|השבוע הבא|השבוע הקודם|הקודם|הבא
    розклад|розклад сеансів|сеанси|сеанс|квитки|купити квиток|купити квитки|сьогодні|завтра|афіша|детальніше|розклад сеансів на сьогодні|расписание|расписание сеансов|сеансы|билеты|купить билет|купить билеты|сегодня|афиша|подробнее|скоро|програма|прожекции|билети|днес|утре|распоред|улазнице|данас|raspored|ulaznice|kupi ulaznice|kupi kartu|danas|sutra|spored|vstopnice|danes|seansid|piletid|täna|homme|seansi|biļetes|šodien|rīt|seansai|bilietai|šiandien|rytoj
    пн|вт|ср|чт|пт|сб|вс|нд|понеділок|вівторок|середа|четвер|п'ятниця|субота|неділя|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье
    sinopsis|sinopse|sinossi|synopsis|synopse|reparto|elenco|elenco y equipo|ficha técnica|ficha artística|ficha|ficha del film|ficha de la película|scheda|scheda tecnica|fiche technique|fiche film|besetzung|darsteller|filminfo|filminfos|filmdaten
    distribution|interprètes|acteurs|interpretes|intérpretes|reparto principal|dirección|interpreti|regia|sceneggiatura|cast & crew|cast and crew|full cast|technical details|about the film|about this film|about the movie|über den film|zum film|inhalt|handlung
    à propos du film|le film en bref|sobre la película|sobre el film|sobre o filme|o filmie|o filmu|obsada|opis filmu|opis|popis|popis filmu|obsah filmu|hrají|szereplők|tartalom|leírás|konu|konusu|oyuncular|yönetmen|rollista|skådespelare|medverkande
    medvirkende|rolleliste|skuespillere|näyttelijät|juoni|ohjaaja|περίληψη|υπόθεση|συντελεστές|ηθοποιοί|πού παίζεται|χάρτης|сюжет|описание|описание фильма|о фильме|актеры|актёры|в ролях|про фільм|опис|актори|у ролях|קצת על הסרט|על הסרט
    줄거리|시놉시스|출연진|감독/출연|영화정보|작품정보|작품 정보|あらすじ|ストーリー|解説|イントロダクション|スタッフ|キャスト|スタッフ・キャスト|作品情報|作品紹介|劇情簡介|剧情简介|影片簡介|影片介紹|導演|演員|故事大綱|分級
    general information|plan your visit|마감|예매종료|상영종료|상영마감|예매마감|준비중|매진임박|예매준비중|현재 선택|where to watch|where to see it|dónde ver|dónde verla|donde ver|onde assistir|onde ver|dove vederlo|où voir ce film|où le voir|in diesen kinos|kinos|salas|cines|teatros|sale|clasificación|clasificación por edades|classificação|género|gênero|gatunek|žánr
    imágenes|fotos|galería|galería de imágenes|galleria|galerie|bandes-annonces|tráilers|trailers|trailer e clip|videos y fotos|críticas|crítica|opiniones|comentarios|commentaires|kommentare|commenti|reseñas|recenze|recensioni
    ok|okay|accept|accept all|agree|got it|dismiss|skip to content|skip to main content|skip navigation|aller au contenu|zum inhalt springen|zum inhalt|saltar al contenido|vai al contenuto|naar de inhoud|본문 바로가기|메뉴 바로가기|닫기|확인|閉じる|本文へ|本文へ移動|本文へスキップ|דלג לתוכן|cookies|view this email in your browser
    čas|titul|sál|názov|sála|godzina|tytuł|időpont|cím|terem|dátum|tid|salong|biograf|tittel|dato|aika|nimi|sali|päivä|elokuva|kello|horário|saat|tarih|film adı|salon|seans|время|название|дата|зал|кинотеатр|фильм|начало|час|назва|фільм|titlu|ώρα|τίτλος|ημερομηνία|αίθουσα|ταινία|naslov|vrijeme|vreme|dvorana|時間|時刻|日期|影廳|时间|影厅
    eventos anteriores|eventos pasados|back to all events|other dates|all dates|weitere termine|alle termine|autres dates|toutes les dates|otras fechas|altre date|contacto|contatti|preise|eintrittspreise|prezzi|prijzen|visningar|föreställningar|forestillinger
    """.split { $0 == "|" || $0 == "\n" }.map { String($0).foldedKey })

  static func isLabel(_ text: String) -> Bool {
    labels.contains(text.foldedKey) || isRound(text) || isGeneric(text) || joinsLabels(text)
  }

  /// What a hall or a seat in it is called where there are dearer ones. Folded.
  static let seatClasses: Set<String> = [
    "general", "preferencial", "vip", "premium", "platino", "platinum", "standard", "estandar", "standaard", "luxe",
    "recliner", "parkett", "parquet", "loge",
  ]

  /// "More from this season": a heading over other films.
  static func opensSection(_ text: String) -> Bool {
    guard text.utf8.count <= 60 else { return false }
    let lower = text.lowercased()
    return sectionOpenings.contains { lower.hasPrefix($0) }
  }

  private static let sectionOpenings = [
    "more from ", "more in ", "also in this ", "other films ", "other events ", "other screenings ", "more films ",
    "more events ", "weitere filme", "weitere veranstaltungen", "autres films", "autres événements", "otras películas",
    "otros eventos", "altri film", "altri eventi", "andere films", "meer films", "outros filmes", "inne filmy",
  ]

  /// "Overview", "Stills": what heads a part of a film's page, and may be a film's name where nothing else is.
  static func isPartOfFilm(_ text: String) -> Bool { text.utf8.count <= 40 && sections.contains(text.foldedKey) }

  /// What stands behind a film's name over a part of its page: "synopsis", "book tickets". Folded.
  static func isSection(_ folded: String) -> Bool { labels.contains(folded) || sections.contains(folded) }

  private static let sections: Set<String> = Set(
    """
    synopsis|the synopsis|overview|story|plot|gallery|photos|stills|videos|poster|session times|show times|handlung|inhalt|besetzung|bilder|résumé|distribution|sinopsis|reparto|trama|sinossi|het verhaal
    """.split { $0 == "|" || $0 == "\n" }.map { String($0).trimmedText.foldedKey })

  /// "Prossimamente & in arrivo": two labels are one.
  private static func joinsLabels(_ text: String) -> Bool {
    guard text.utf8.count <= 60, let joint = text.firstPlace(of: " & ") else { return false }
    return labels.contains(String(text[..<joint.lowerBound]).foldedKey)
      && labels.contains(String(text[joint.upperBound...]).foldedKey)
  }

  /// Words that speak of a programme, one of which is in its heading.
  private static let programmeWords: Set<String> = Set(
    """
    session|sessions|screening|screenings|showtime|showtimes|showing|showings|times|programme|program|schedule|timetable|listings|calendar|performances|tickets|booking
    seances|horaires|programmation|horarios|sesiones|cartelera|programacion|funciones|pases|orari|programmazione|proiezioni|spettacoli|spielplan|spielzeiten|vorstellungen|termine|programm|kinoprogramm|wochenprogramm
    agenda|voorstellingen|speeltijden|filmagenda|programma|tijden|vorstellungstermine|spieltermine|kalender|semaine|kinowoche|spielwoche|semana|settimana
    상영시간표|시간표|상영일정|스케줄|上映スケジュール|スケジュール|上映時間|上映時間表|タイムテーブル|הקרנות
    """.split { $0 == "|" || $0 == "\n" }.map { String($0).foldedKey })

  /// Words that may stand beside them.
  private static let programmeFillers: Set<String> = Set(
    """
    and|the|of|for|our|to|in|at|on|a|all|this|spring|summer|autumn|fall|winter|next|week|weekly|daily|day|month|dates|date|film|films|movie|movies|cinema|now|select|choose|pick|view|see|find|available|upcoming|today|current|full|screen|info|book|your|online|main|regular|more
    du|de|la|le|les|des|au|aux|et|cette|prochaines|prochaine|jour|mois|y|del|los|las|el|esta|di|da|dal|al|della|delle|e|della|questa|der|die|das|den|vom|bis|zum|und|unsere|aktuelle|aktuelles|diese|woche|alle|van|deze|het|en|voor|filme|im|kino
    주간|이번주|이번달|월간|今週の|本日の|週間
    """.split { $0 == "|" || $0 == "\n" }.map { String($0).foldedKey })

  /// "im Kino", "au cinéma", "'s films": words that go with a programme, and no name.
  static func saysProgramme(_ text: String) -> Bool {
    text.utf8.count <= 40
      && text.unicodeScalars.split(whereSeparator: { !$0.properties.isAlphabetic }).allSatisfy { word in
        let folded = String(Substring(word)).foldedKey
        return programmeWords.contains(folded) || programmeFillers.contains(folded) || houses.contains(folded)
          || folded.utf8.count <= 1
      }
  }

  private static let houses: Set<String> = Set(
    ["kino", "cinéma", "cine", "cinema", "bio", "biograf", "théâtre", "의", "상영", "영화", "の上映", "上映", "zien", "te"].map(
      \.foldedKey))

  /// "Week of November 23", "Semaine du 18 novembre"
  static func opensWeek(_ text: String) -> Bool {
    guard text.utf8.count <= 90 else { return false }
    let text = text.lowercased()
    return weekOpenings.contains { text.holds($0) }
  }

  private static let weekOpenings = [
    "week of ", "week commencing ", "week beginning ", "week starting ", "semaine du ", "semana del ", "semana de ",
    "settimana dal ", "settimana del ", "woche vom ", "woche ab ", "week van ", "week vanaf ", "týden od ",
    "tydzień od ", "vecka från ", "uge fra ", "uke fra ",
  ]

  /// "Session Times", "Programme de la semaine", "Screening dates & times": a heading that names nothing.
  static func isGeneric(_ text: String) -> Bool {
    guard text.utf8.count <= 80 else { return false }
    var hasProgramme = false
    for word in text.unicodeScalars.split(whereSeparator: {
      !$0.properties.isAlphabetic && !("0"..."9").contains($0)
        && $0.properties.generalCategory != .nonspacingMark
    }) {
      let folded = String(Substring(word)).foldedKey
      if programmeWords.contains(folded) {
        hasProgramme = true
      } else if !programmeFillers.contains(folded), !folded.utf8.allSatisfy(isDigitByte),
        folded.utf8.count > 1,
        !isNumbered(folded)
      {
        return false
      }
    }
    return hasProgramme
  }

  static func saysProgrammeAmongOthers(_ text: String) -> Bool {
    text.unicodeScalars.split { !$0.properties.isAlphabetic }
      .contains { programmeWords.contains(String(Substring($0)).foldedKey) }
  }

  /// "by Ana Berg", "di Anna Berti": who made it, behind a title that stands elsewhere.
  static func isCredit(_ text: String) -> Bool {
    let words = text.unicodeScalars.split(whereSeparator: \.isBlank).map { String(Substring($0)) }
    guard let first = words.first, credits.contains(first), (2...5).contains(words.count) else { return false }
    return words.dropFirst().allSatisfy { $0.unicodeScalars.first?.properties.isUppercase ?? false }
  }

  private static let credits: Set<String> = [
    "by", "by:", "von", "par", "di", "af", "av", "por", "door", "reż.", "directed",
  ]

  /// "(Chile, 2019) by Ana Berg", "(1985)": facts of a film, behind its title.
  static func opensWithYear(_ text: String) -> Bool {
    guard text.utf8.first == UInt8(ascii: "("), let end = text.firstPlace(of: ")") else { return false }
    return text[..<end.lowerBound].utf8.split { !isDigitByte($0) }
      .contains { $0.count == 4 && ($0.starts(with: "19".utf8) || $0.starts(with: "20".utf8)) }
  }

  /// Whether a text's first or last word is of a programme: "Spielplan Kino Rex", "초록극장 상영시간표".
  static func namesProgramme(_ text: String) -> Bool {
    let words = text.unicodeScalars.split(whereSeparator: \.isBlank)
    return [words.first, words.last].contains { word in
      word.map { programmeWords.contains(String(Substring($0)).foldedKey) } ?? false
    }
  }

  /// "5월", "11月": a number and its unit.
  private static func isNumbered(_ word: String) -> Bool {
    let scalars = word.unicodeScalars
    guard let last = scalars.last, ["월", "月", "주", "週"].contains(String(last)) else { return false }
    return scalars.dropLast().allSatisfy { ("0"..."9").contains($0) } && scalars.count > 1
  }

  /// "1회", "2회차", "第3回", "①": which showing of the day.
  private static func isRound(_ text: String) -> Bool {
    guard text.utf8.count <= 16 else { return false }
    var hasNumber = false
    var hasUnit = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "0"..."9", "０"..."９": hasNumber = true
      case "①"..."⑳": (hasNumber, hasUnit) = (true, true)
      case "회", "回": hasUnit = true
      case "제", "第", "차", "目", " ": continue
      default: return false
      }
    }
    return hasNumber && hasUnit
  }

  /// "Director: …", "監督：…", "Dauer 105 Min."
  private static let fields: Set<String> = Set(
    """
    director|directed by|dir|cast|starring|with|genre|runtime|running time|duration|length|language|country|year|rating|certificate|cert|synopsis|from|price|tickets|format|subtitles|release|released|written by|music|age
    감독|출연|주연|장르|러닝타임|상영시간|등급|개봉|개봉일|제작|국가|언어|관람료|관람등급|줄거리|각본|배급
    監督|出演|キャスト|ジャンル|製作|配給|料金|時間|公開|脚本|上映期間|原作|音楽
    classificação|classificação indicativa|direção|gênero|duração|elenco|país|classification|classificazione|kategorie|altersfreigabe|
    réalisé par|réalisation|de|avec|durée|genre|pays|langue|sortie|tarif|produktion|laufzeit|release date|nombre original|clasificación|regie|mit|darsteller|dauer|länge|land|fsk|sprache|eintritt|ab|director|dirección|dirigida por|reparto|duración|género|país|precio|regia|con|durata|genere|paese
    prezzo|regie|duur|taal|land|prijs|met|cast|בימוי|שחקנים|אורך|שפה
    """.split { $0 == "|" || $0 == "\n" }.map { String($0).foldedKey })

  static func isField(_ text: String) -> Bool {
    for (index, scalar) in text.unicodeScalars.prefix(24).enumerated() where scalar == ":" || scalar == "：" {
      let name = String(text.unicodeScalars.prefix(index))
      // The Metropolitan Opera, and no Dutch "with".
      return name != "MET" && fields.contains(name.foldedKey)
    }
    return false
  }

  /// Beside a time they say that it is no screening's: opening hours, the age of a post.
  private static let otherTimes = WordList([
    "opening hours", "opening times", "open from", "opens at", "open at", "box office", "posted",
    "published",
    "updated", "last modified", "tel.", "tel:", "submitted", "registration", "öffnungszeiten", "geöffnet", "kasse",
    "veröffentlicht", "aktualisiert",
    "ouverture", "ouvert", "publié", "mis à jour", "horario de taquilla", "abierto",
    "taquilla", "publicado", "apertura", "aperto", "biglietteria", "pubblicato", "openingstijden", "geopend",
    "kassa open", "gepubliceerd", "영업시간", "운영시간", "매표", "게시", "작성", "등록일", "営業時間",
    "開館", "受付", "更新", "掲載", "שעות פתיחה", "עודכן", "פורסם", "bar open", "on sale", "booking opens",
    "vorverkauf", "sale starts", "tickets available from", "copyright", "©", "last orders",
    "customer service", "lines are open", "closing date", "apply by", "bewerbung", "candidature",
    "call us", "delivery slot", "collect from", "수정",
    "전화", "오픈", "예매오픈", "販売開始", "発売", "check-in", "gestartet", "kiosk", "effective",
    "valid ", "office hours", "actualizado", "aggiornato", "bijgewerkt",
    "aktualizacja", "kasa czynna",
  ])

  /// What a part of the page is headed that speaks of no showing, whatever times it says. Folded.
  private static let besideParts: Set<String> = Set(
    """
    newsletter|our newsletter|unser newsletter|prices|ticket prices|admission|preise|eintrittspreise|unsere preise|tarifs|nos tarifs|tarifas|precios|prezzi|tariffe|prijzen|tarieven|preços|ceny|cennik|ceník|priser|biljettpriser|billetpriser
    contact|contact us|kontakt|anfahrt|blog|관람료|요금|이용요금|料金|料金案内|ご利用料金|מחירים
    """.split { $0 == "|" || $0 == "\n" }.map { String($0).trimmedText.foldedKey })

  static func isBesidePart(_ text: String) -> Bool { text.utf8.count <= 40 && besideParts.contains(text.foldedKey) }

  /// "Vor 17:00 Uhr 7,50 €": until when a price holds.
  static func boundsPrice(_ line: PrintedLine) -> Bool {
    guard line.times.count == 1, line.lead.utf8.count <= 40, tellsPrices(line.rest),
      let last = line.lead.unicodeScalars.split(whereSeparator: \.isBlank).last
    else { return false }
    return bounds.contains(String(Substring(last)).lowercased())
  }

  private static let bounds: Set<String> = [
    "vor", "bis", "ab", "before", "until", "till", "from", "after", "avant", "après", "antes", "las", "prima", "delle",
    "dopo", "voor", "tot", "vanaf", "før", "före", "innan", "przed", "před",
  ]

  static func isOtherTime(_ text: String) -> Bool {
    // "Exhibition on Screen: Whistler" is a film.
    var lower = text.lowercased()
    if lower.holds("exhibition on screen") { lower = lower.replacing("exhibition on screen", with: "") }
    if otherTimes.isIn(lower) || isNumberedVersion(lower) { return true }
    // "The Breakfast Club" and "Bar Stories" are films; "Breakfast 9:00" and "Bar open" are none.
    // "3 comments"
    let counted = lower.drop { $0.isNumber || $0 == " " }
    return notices.contains { counted.hasPrefix($0) && !(counted.dropFirst($0.count).first?.isLetter ?? false) }
      || mealTimes.contains { lower.hasPrefix($0) && endsMeal(lower.utf8.dropFirst($0.utf8.count)) }
  }

  /// "Version 2.1"; "version française" is a film's.
  private static func isNumberedVersion(_ lower: String) -> Bool {
    lower.firstPlace(of: "version ").map { lower[$0.upperBound...].utf8.first.map(isDigitByte) ?? false } ?? false
  }

  /// Whether what stands behind "Bar" leaves it one: nothing, a time, or words of opening.
  private static func endsMeal(_ rest: Substring.UTF8View) -> Bool {
    guard let first = rest.first, first != UInt8(ascii: ":") else { return true }
    if (0x61...0x7A).contains(first) || first >= 0x80 { return false }
    let word = rest.drop { !(0x61...0x7A).contains($0) && $0 < 0x80 && !isDigitByte($0) }
      .prefix { (0x61...0x7A).contains($0) }
    if mealJoints.contains(String(Substring(word))) {
      let time = rest[word.endIndex...].drop { $0 == 0x20 }
      // "Breakfast at 9:00", and not "Breakfast at Tiffany's".
      return time.first.map(isDigitByte) ?? true
        || mealEnds.contains(String(Substring(time.prefix { (0x61...0x7A).contains($0) })))
    }
    return word.isEmpty || mealEnds.contains(String(Substring(word)))
  }

  private static let mealJoints: Set<String> = ["at", "to", "for", "from", "on", "in", "with", "by"]

  private static let mealEnds: Set<String> = [
    "open", "opens", "opening", "close", "closed", "closes", "hours", "times", "time", "and", "is", "menu",
    "served", "service", "daily", "until", "till", "mon", "tue", "wed", "thu", "fri", "sat", "sun",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "every", "line", "lines", "us",
    "bar", "cafe", "kitchen", "restaurant", "shop", "gallery", "number",
  ]

  /// The same at the beginning of a line: inside of one they may be a film's.
  private static let mealTimes: [String] = [
    "café", "cafe", "bar", "lunch", "breakfast", "brunch", "dinner", "kitchen", "restaurant", "shop", "gallery",
  ]
  private static let notices: [String] = [
    "happy hour", "valid", "gültig", "valable", "válido", "valido", "geldig", "chat", "comment", "phone", "interviews",
    "closed", "deadline", "arrive at", "arrive from", "arrive by", "arrive early", "exhibition", "kassan", "comments",
    "kommentare", "commentaires", "comentarios", "commenti", "reacties", "댓글", "コメント", "תגובות",
  ]

  /// Kinds of pages on which a date with a time is somebody's remark. Folded words.
  private static let otherPages: Set<String> = Set(
    [
      "careers", "vacancies", "stellenangebote", "stellen", "recrutement", "emploi", "empleo", "vacatures",
      "채용", "求人", "vermietung", "privatisation", "privatiser", "zaalverhuur", "noleggio", "alquiler",
      "privacy", "datenschutz", "impressum", "accessibility", "barrierefreiheit", "newsletter", "대관", "faq",
    ].map(\.foldedKey))

  /// Words that films are called by too: alone, or with one of these, they are a page's.
  private static let perhapsOtherPages: Set<String> = ["jobs", "hire", "reviews"]
  private static let otherPageFillers: Set<String> = [
    "private", "venue", "room", "hall", "cinema", "us", "our", "at", "im", "bei", "film", "work", "current",
  ]

  private static let otherPagePhrases: Set<String> = Set(
    [
      "work with us", "work for us", "join our team", "join the team", "volunteer with us", "arbeiten bei uns",
      "nous rejoindre", "trabaja con nosotros", "lavora con noi", "werken bij ons", "함께 일하기", "採用情報",
    ].map(\.foldedKey))

  /// "Jobs im Kino", "Private hire": a title of a page that is no programme.
  ///
  /// - Parameter namesFilm: another part of the page's title is the film: what is said beside it may be of its page.
  static func isOtherPage(_ title: String, namesFilm: Bool) -> Bool {
    if !namesFilm, otherPagePhrases.contains(title.foldedKey) { return true }
    let words = title.unicodeScalars.split(whereSeparator: { !$0.properties.isAlphabetic })
      .map { String(Substring($0)).foldedKey }
    guard words.count <= 4 else { return false }
    return words.contains { otherPages.contains($0) }
      || !namesFilm && words.contains { perhapsOtherPages.contains($0) }
        && (words.count == 1 || words.contains { otherPageFillers.contains($0) })
  }

  private static let closedHouse = WordList([
    "休館", "휴관", "closed", "geschlossen", "cerrado", "chiuso", "gesloten", "fermé", "fechado", "encerrado", "stängt",
    "lukket", "stengt", "nieczynne", "zavřeno", "suljettu", "zárva", "kapalı",
  ])

  /// Whether a line that leaves out a day says so of the house, not of one film.
  static func closesHouse(_ text: String) -> Bool { closedHouse.isIn(text.lowercased()) }

  private static let doors = WordList([
    "doors", "einlass", "ouverture des portes", "puertas", "apertura porte", "apertura puertas", "deuren open", "開場",
    "입장", "פתיחת דלתות",
  ])

  /// "Doors open", "Einlass": the time behind it is no start.
  static func isDoors(_ text: String) -> Bool { doors.isIn(text.lowercased()) }

  private static let doorsLabels: Set<String> = Set(
    [
      "gates", "gates open", "gates open at", "gates at", "gate opens", "doors", "doors open", "door time",
      "doors time",
    ].map(\.foldedKey))

  /// "Gates": what a time of the doors is called where that is all there is beside it.
  static func isDoorsLabel(_ text: String) -> Bool { text.utf8.count <= 24 && doorsLabels.contains(text.foldedKey) }

  /// "Tickets £6 on the door", "intero € 6,50 – ridotto € 5,00"
  static func tellsPrices(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    func isDigit(_ index: Int) -> Bool {
      scalars.indices.contains(index) && (0x30...0x39).contains(scalars[index].value)
    }
    for (index, scalar) in scalars.enumerated() where "€£$¥₩₪円원".unicodeScalars.contains(scalar) {
      if isDigit(index + 1) || isDigit(index + 2) || isDigit(index - 1) || isDigit(index - 2) { return true }
    }
    return tellsMoney(text)
  }

  /// "5 euro", "19 zl": a number and what money is called.
  private static func tellsMoney(_ text: String) -> Bool {
    var (isBehindNumber, isBehindMoney) = (false, false)
    for word in text.lowercased().unicodeScalars.split(whereSeparator: { $0.isBlank || $0 == ")" || $0 == "(" }) {
      let isMoney = currencies.contains(String(Substring(word)))
      let isNumber = word.allSatisfy { ("0"..."9").contains($0) || $0 == "." || $0 == "," }
      if isBehindNumber && isMoney || isBehindMoney && isNumber { return true }
      (isBehindNumber, isBehindMoney) = (isNumber, isMoney)
    }
    return false
  }

  private static let currencies: Set<String> = [
    "euro", "euros", "eur", "zl", "zł", "pln", "kč", "kc", "czk", "kr", "kr.", "sek", "dkk", "nok", "ft", "huf", "lei",
    "ron", "chf", "грн", "руб", "лв", "tl",
  ]

  private static let thisWeek = WordList([
    "this week", "diese woche", "cette semaine", "esta semana", "questa settimana", "deze week", "w tym tygodniu",
    "tento týden", "den här veckan", "denne uge", "denne uken", "tällä viikolla", "ezen a héten", "이번 주", "이번주", "今週",
    "本週", "本周", "השבוע", "αυτή την εβδομάδα",
  ])

  static func saysThisWeek(_ text: String) -> Bool { thisWeek.isIn(text.lowercased()) }

  private static let free: Set<String> = Set(
    [
      "free", "free entry", "free admission", "eintritt frei", "entrée libre", "gratuit", "entrada libre", "gratis",
      "ingresso libero", "ingresso gratuito", "gratis toegang", "무료", "무료 상영", "입장무료", "入場無料", "無料", "כניסה חופשית",
    ].map(\.foldedKey))

  /// "Eintritt frei": what is said of the price.
  static func isFree(_ text: String) -> Bool { text.utf8.count <= 40 && free.contains(text.foldedKey) }

  /// "Running time" right before a time: it is how long a film is.
  static func endsWithLength(_ text: String) -> Bool {
    let words = text.lowercased().trimmedText
    let own = words.hasSuffix(":") ? String(words.dropLast()).trimmedText : words
    return lengthNames.contains { name in
      own.hasSuffix(name) && own.dropLast(name.count).last.map { !$0.isLetter } ?? true
    }
  }

  static func isLengthName(_ text: String) -> Bool { lengthNames.contains(text.lowercased().trimmedText) }

  /// "In cinemas 19 November": when a film came out.
  static func tellsRelease(_ text: String) -> Bool { releases.isIn(text.lowercased()) }

  private static let releases = WordList([
    "in cinemas", "released", "release", "kinostart", "sortie", "uscita", "개봉", "公開",
  ])

  private static let lengthNames = [
    "running time", "runtime", "run time", "duration", "durata", "durée", "dauer", "laufzeit", "länge", "duración",
    "speelduur", "duração", "délka", "czas trwania", "längd", "varighed", "러닝타임",
  ]

  /// "1h 58min", "118 Min.", "105'", "98分": how long a film is.
  static func tellsLength(_ text: String) -> Bool {
    let scalars = Array(text.lowercased().unicodeScalars)
    func isDigit(_ index: Int) -> Bool { (0x30...0x39).contains(scalars[index].value) }
    var index = 0
    while index < scalars.count {
      let start = index
      while index < scalars.count, isDigit(index) { index += 1 }
      if (1...3).contains(index - start), isLengthUnit(scalars[index...].prefix(12)) { return true }
      if index == start { index += 1 }
    }
    return false
  }

  private static func isLengthUnit(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    let text = text.drop(while: \.isBlank)
    guard let first = text.first else { return false }
    if ["'", "′", "’", "分", "분"].contains(String(first)) { return true }
    let word = text.prefix { $0.properties.isAlphabetic }
    return ["min", "mins", "mn", "minutes", "minuten", "minuti", "minutos", "דקות"].contains(
      String(String.UnicodeScalarView(word)))
  }

  static let otherTimeClasses: Set<String> = [
    "posted", "published", "updated", "pubdate", "byline", "comment", "comments", "author", "opening", "openinghours",
    "hours", "copyright", "modified", "post", "entry", "news", "blog", "article", "cookie",
    "banner", "runtime", "duration", "length", "price", "review", "reviews", "tweet", "social", "doors",
    "tickets-on-sale",
  ]

  /// Hours that are called so are no cinema's.
  static let showClasses: Set<String> = [
    "showtime", "showtimes", "showing", "showings", "screening", "screenings", "session", "sessions", "seance",
    "seances", "performance", "performances", "horaire", "horaires", "funcion", "funciones", "spielzeit", "spielzeiten",
  ]

  /// Those of them that films are listed as, too.
  static let listedClasses: Set<String> = ["post", "entry", "article"]

  /// Beside a date they say that it is no screening's.
  static let otherDateClasses: Set<String> = [
    "release", "released", "updated", "posted", "published", "year", "copyright", "premiere", "modified", "born",
    "birth", "opening", "review", "comment",
  ]

  private static let otherDates = WordList([
    "released", "release", "in cinemas", "opens", "opening", "kinostart", "sortie", "estreno", "uscita", "개봉", "公開",
    "ロードショー", "posted", "published", "updated", "premiere", "born", "©", "since", "until", "from", "ab ",
    "seit", "à partir", "desde", "dal ", "vanaf", "부터", "より", "까지", "まで", "예매", "オープン", "on sale", "발매", "등록",
  ])

  /// "Films start at 7.30pm", "Alle Filme beginnen um 20 Uhr", "Les séances commencent à 20h30".
  static func saysHourOfAll(_ text: String) -> Bool {
    guard text.utf8.count <= hourOfAllBytesMax else { return false }
    let words = Set(
      text.lowercased().unicodeScalars.split { !$0.properties.isAlphabetic }.map { String(Substring($0)).foldedKey })
    return !words.isDisjoint(with: allFilms) && !words.isDisjoint(with: beginnings)
  }

  private static let hourOfAllBytesMax = 300

  private static let allFilms: Set<String> = Set(
    """
    films|movies|screenings|shows|showings|performances|filme|filmvorführungen|vorstellungen|séances|projections|películas|funciones|proyecciones|sesiones|filmes|sessões|proiezioni|spettacoli|voorstellingen|filmvoorstellingen|filmer|visningar|visninger|forestillinger|filmy|seanse|projekcje|projekce|elokuvat|näytökset
    """.split(separator: "|").map { String($0).trimmedText.foldedKey })

  private static let beginnings: Set<String> = Set(
    """
    start|begin|commence|beginnen|beginn|starten|filmbeginn|commencent|débutent|début|comienzan|empiezan|comienzo|inicio|início|começam|iniziano|inizio|aanvang|aanvangstijd|börjar|startar|begynder|starter|zaczynają|rozpoczynają|początek|začínají|začátek|alkavat
    """.split(separator: "|").map { String($0).trimmedText.foldedKey })

  static func isOtherDate(_ text: String) -> Bool { otherDates.isIn(text.lowercased()) }

  // MARK: What a part is, by its classes

  static let title: Set<String> = [
    "title", "titel", "titre", "titulo", "titolo", "name", "headline", "heading", "tit", "subject", "summary", "tytul",
    "nazev", "titulek", "rubrik", "titolofilm", "ttl",
  ]
  /// Of who is let in, and of other numbers beside a film.
  static let certificateClasses: Set<String> = [
    "cert", "certificate", "rating", "age", "fsk", "grade", "classification", "pegi", "kijkwijzer",
    "screen", "seats",
    "seat", "price", "run", "runtime", "duration", "year",
  ]
  /// Of what is said beside a showing.
  static let remarkClasses: Set<String> = [
    "note", "notes", "remark", "remarks", "hint", "hinweis", "bemerkung", "anmerkung", "opmerking", "nota", "remarque",
  ]
  /// Of who is let in, alone.
  static let ageClasses: Set<String> = ["age", "ages", "fsk", "alter", "altersfreigabe", "freigabe", "rating", "cert"]
  static let film: Set<String> = [
    "film", "movie", "event", "show", "work", "programme", "pelicula", "mov", "feature",
  ]
  static let venue: Set<String> = [
    "venue", "cinema", "theatre", "theater", "location", "kino", "place", "site", "where",
    "locatie", "luogo", "lugar", "loc",
    "lieu", "ort", "sede",
  ]
  /// Of a part that has what one venue shows.
  static let venueParts: Set<String> = [
    "venue", "cinema", "theatre", "theater", "kino", "location", "bioscoop", "cine", "lieu", "luogo", "spielort",
    "sede",
  ]
  /// "theaterName", "cinema_title": the name of a house, by a class.
  static func namesHouse(_ words: [String]) -> Bool {
    zip(words, words.dropFirst()).contains { venueParts.contains($0) && ($1 == "name" || $1 == "title") }
  }

  /// Where a place is: its name, where the text has no number of a house.
  static let address: Set<String> = ["address", "adresse", "direccion", "indirizzo", "adres"]
  static let screen: Set<String> = [
    "screen", "room", "hall", "auditorium", "salle", "saal", "sala", "zaal", "theater", "scr",
  ]
  /// Of parts beside a title that are none.
  static let beside: Set<String> = [
    "director", "cast", "genre", "synopsis", "desc", "description", "info", "meta", "rating", "duration", "runtime",
    "lang", "language", "country", "year", "price", "screen", "room", "hall", "venue", "cinema",
    "location", "note", "notes", "tag", "tags", "label", "badge", "btn", "button", "date", "day", "time", "format",
    "version", "category", "subtitle", "sub", "original", "intro", "teaser", "text", "copy", "status", "seats",
    "seat", "crew", "credits", "cert", "age", "series", "strand", "attr", "attribute", "breadcrumb", "excerpt", "body",
    "review", "caption", "credit", "weekday", "dow", "month", "remark", "extra",
  ]
  /// Heads of columns. Folded.
  private static let venueHeads: Set<String> = Set(
    [
      "venue", "cinema", "theatre", "theater", "location", "where", "lieu", "cinéma", "ort", "spielort", "spielstätte",
      "kino", "lugar", "cine", "sede", "luogo", "locatie", "bioscoop", "biograf", "mozi", "elokuvateatteri", "sinema",
      "кинотеатр", "кінотеатр", "κινηματογράφος", "극장", "장소", "영화관", "劇場", "会場", "場所", "מקום",
      "קולנוע",
    ].map(\.foldedKey))
  private static let screenHeads: Set<String> = Set(
    [
      "screen", "room", "auditorium", "hall", "salle", "saal", "sala", "zaal", "sál", "sála", "terem", "salong", "sal",
      "sali", "salon", "dvorana", "зал", "зала", "αίθουσα", "관", "상영관", "スクリーン", "シアター", "אולם", "影廳", "影厅",
    ].map(\.foldedKey))

  private static let filmHeads: Set<String> = Set(
    [
      "film", "films", "movie", "title", "titel", "titre", "título", "titolo", "película", "filme", "tytuł", "název",
      "titul", "názov", "cím", "tittel", "nimi", "elokuva", "film adı", "titlu", "naslov", "название", "фильм", "назва",
      "фільм", "τίτλος", "ταινία", "영화", "영화명", "제목", "작품", "作品", "作品名", "タイトル", "片名", "影片", "סרט",
    ].map(\.foldedKey))

  private static let doorsHeads: Set<String> = Set(
    ["doors", "doors open", "doors opens", "door time", "einlass", "ouverture des portes", "開場"].map(\.foldedKey))
  private static let startHeads: Set<String> = Set(
    [
      "start", "starts", "start time", "starting time", "film start", "show start", "showtime", "beginn", "début",
      "inicio", "inizio", "aanvang", "開演",
    ].map(\.foldedKey))
  private static let endHeads: Set<String> = Set(
    ["end", "ends", "end time", "finish", "finishes", "finish time", "ende", "fin", "fine", "einde", "終演"]
      .map(\.foldedKey))

  /// What a column holds, by its head.
  static func column(_ head: String) -> TableGrid.Column? {
    let folded = head.foldedKey
    if doorsHeads.contains(folded) { return .doors }
    if startHeads.contains(folded) { return .start }
    if endHeads.contains(folded) { return .end }
    if filmHeads.contains(folded) { return .film }
    return venueHeads.contains(folded) ? .venue : screenHeads.contains(folded) ? .screen : nil
  }

  /// Of a part in which showings stand to be chosen.
  static let booking: Set<String> = [
    "booking", "book", "tickets", "instances", "instance", "performances", "performance", "showtimes", "showtime",
    "showings", "showing", "screenings", "screening", "sessions", "session", "seances", "termine", "vorstellungen",
    "pases", "sesiones", "funciones", "spettacoli", "orari", "horaires", "spielzeiten", "voorstellingen", "schedule",
  ]

  /// Of what orders a list, or leaves out some of it.
  static let choosing: Set<String> = ["filter", "filters", "filtering", "sort", "sorting", "sortby", "orderby"]

  /// Of something to be pressed: it says what happens then.
  static let action: Set<String> = ["link", "btn", "button", "cta", "more", "directions", "map", "maps"]

  /// Of a box that stands beside a programme, and is none of it.
  static let besideProgramme: Set<String> = [
    "cookie", "cookies", "consent", "gdpr", "newsletter", "news", "promo", "promotion", "voucher", "vouchers",
    "gutschein", "gutscheine", "sidebar", "advert", "notice", "announcement", "alert",
  ]

  static let soldOut: Set<String> = [
    "soldout", "full", "ausverkauft", "complet", "agotado", "esaurito", "uitverkocht",
  ]
  static let cancelled: Set<String> = [
    "cancelled", "canceled", "cancelada", "cancelado", "annule", "annulee", "abgesagt", "geannuleerd", "annullato",
  ]
  static let active: Set<String> = ["active", "selected", "current", "on"]
  /// What a day in a list may be called that is not the chosen one.
  static let unmarked: Set<String> = [
    "first", "last", "disabled", "inactive", "off", "empty", "sunday", "weekend", "holiday", "event", "premiere",
    "special", "hidden", "past", "closed", "new", "saturday", "sat", "sun", "disable", "unavailable", "soldout", "sold",
    "no", "none", "lead", "featured", "top",
  ]
}
