/// Words by which a page's parts are known: those that are never a title, and those that say what a part is.
enum PageWords {
  /// "The Harbour Club presents:": the title is what stands below.
  static func announces(_ text: String) -> Bool {
    guard let last = text.last, last == ":" || last == "：",
      let word = String(text.dropLast()).trimmedText.unicodeScalars.split(whereSeparator: \.isBlank).last
    else { return false }
    return announcing.contains(String(Substring(word)).foldedKey)
  }

  private static let announcing = Set(
    [
      "presents", "present", "präsentiert", "präsentieren", "présente", "présentent", "presenta", "presentano",
      "presentan", "presenteert", "presenterer", "presenterar",
    ].map(\.foldedKey))

  /// Where a place is on a map: no page of what is shown there.
  static func isMap(_ address: String) -> Bool {
    let lower = address.lowercased()
    guard let scheme = lower.firstPlace(of: "://") else { return false }
    let place = lower[scheme.upperBound...]
    if place.hasPrefix("www.google.") || place.hasPrefix("google.") { return String(place).holds("/maps") }
    return maps.contains(where: place.hasPrefix)
  }

  /// "/salle/reflet-medicis": the page of a house.
  static func leadsToHouse(_ address: String) -> Bool {
    let parts = address.lowercased().split(separator: "/").suffix(2)
    return parts.count == 2 && housePages.contains(String(parts[parts.startIndex]))
  }

  /// "/", "/nl"
  static func leadsHome(_ address: String) -> Bool {
    let parts = address.utf8.split(separator: UInt8(ascii: "/"))
    guard address.hasPrefix("/"), parts.count <= 1 else { return false }
    return parts.allSatisfy { $0.count == 2 && $0.allSatisfy { (0x61...0x7A).contains($0) } }
  }

  private static let housePages: Set<String> = [
    "salle", "salles", "halls", "theatres", "theaters", "movie-theatres", "movie-theaters", "kinos", "cinemas", "venue",
    "venues",
    "spielorte", "spielstaetten", "cines", "bioscopen", "biografer", "kina", "locaties", "lieux", "luoghi",
  ]

  /// `/cicle/fritz-lang`: of what a film is a part.
  static func leadsToSeries(_ address: String) -> Bool {
    let parts = address.lowercased().split(separator: "/").suffix(2)
    return parts.count == 2 && seriesPages.contains(String(parts[parts.startIndex]))
  }

  private static let seriesPages: Set<String> = [
    "cicle", "cicles", "ciclo", "ciclos", "cycle", "cycles", "series", "serie", "strand", "strands", "season",
    "seasons",
    "reihe", "reihen", "filmreihe", "filmreihen", "retrospective", "retrospectives", "retrospektive", "rassegna",
    "rassegne", "cykl", "cykle", "cyklus", "retrospectiva", "retrospectivas", "retrospettive", "programmreihen",
  ]

  /// `/films/silt`, `/program/?filmId=14124`: a film's own page.
  static func leadsToFilm(_ address: String) -> Bool {
    let lower = address.lowercased()
    let parts = lower.prefix { $0 != "?" }.split(separator: "/").suffix(2)
    if parts.count == 2, filmPages.contains(String(parts[parts.startIndex])) { return true }
    return ["filmid=", "film_id=", "movieid=", "movie_id="].contains { lower.holds($0) }
  }

  private static let filmPages: Set<String> = [
    "film", "films", "filme", "filmer", "filmy", "filmai", "movie", "movies", "pelicula", "peliculas", "elokuvat",
    "filmek", "filmovi", "filmen",
  ]

  /// "View map", "Directions": what leads to one, and names no place.
  static func tellsMap(_ text: String) -> Bool {
    text.unicodeScalars.split { !$0.properties.isAlphabetic }.contains {
      mapWords.contains(String(Substring($0)).foldedKey)
    }
  }

  private static let mapWords = Set(
    [
      "map", "maps", "directions", "route", "anfahrt", "karte", "plan", "itinéraire", "mapa", "mappa", "kaart", "지도",
      "길찾기", "地図", "アクセス", "google", "naver", "kakao", "here", "find",
    ].map(\.foldedKey))

  private static let maps = [
    "maps.", "goo.gl/maps", "www.openstreetmap.org", "openstreetmap.org", "osm.org", "www.bing.com/maps",
    "map.naver.com", "naver.me", "map.kakao.com", "kko.to", "what3words.com",
  ]

  /// Labels of buttons and sections, in the languages of cinemas. Folded.
  private static let labels: Set<String> = Set(
    """
    donate|donate now|make a donation|support us|membership|memberships|become a member|my account|my cart|cart|basket|checkout|spenden|faire un don|donar|donazioni|doneer
    buy gift cards|gift cards|gift card|buy gift card|gift certificates|gift vouchers|gutscheine|geschenkgutscheine|chèques cadeaux|cartes cadeaux|tarjetas regalo|buoni regalo|carte regalo|cadeaubonnen|cadeaukaarten|presentkort|gavekort|lahjakortit|karty podarunkowe|bony podarunkowe|dárkové poukazy
    find out more|view all dates|view all times|available screening types|screening types|add to playlist|add to watchlist|add to wishlist|showtimes|show times|screenings|screening times|times|book|book now|book tickets|buy tickets|tickets|buy|ticket|more|more info|read more|trailer|watch trailer|details|film details
    programme|program|what's on|whats on|what is on|now showing|coming soon|today|tomorrow|this week|next week|schedule|calendar|home|menu|search|login|log in|sign in|info|information|film info|all films|films|movies
    add to calendar|sold out|select|choose|filter|all|next|previous|prev|back|close|share|facebook|twitter|instagram|newsletter|contact|about|cinema|cinemas|venue|date|time|film|movie|title|screen|dates
    dates and times|dates & times|times and tickets|times & tickets|book online|reserve|reserve now|now playing|upcoming|on sale|weekly programme|see all|view all|select a date|choose a date|find tickets|rsvp|notes|price|prices|booking
    상영시간표|상영 시간표|예매|예매하기|바로예매|상세보기|상세정보|더보기|오늘|내일|상영작|현재상영작|상영예정작|예고편|시간표|상영일정|상영시간|영화|제목|날짜|시간|상영관|비고|일정|극장|공지사항|매진|예매종료|좌석
    上映スケジュール|スケジュール|こちら|レイトショー|モーニングショー|お知らせ|劇場からのお知らせ|上映時間|チケット|チケット購入|予約|購入|詳細|詳しく|もっと見る|予告編|本日|今日|明日|上映中|上映予定|作品|作品名|日付|時間|劇場|スクリーン|備考|近日上映|本日の上映|タイムテーブル|公式サイト|オンラインチケット|タイトル|上映作品
    horaires|séances|seances|réserver|reserver|acheter|billets|plus d'infos|en savoir plus|bande-annonce|bande annonce|programme|à l'affiche|aujourd'hui|demain|cette semaine|prochainement|bientôt|et bientôt|bientôt en salle|les films programmés|film|titre|date|heure|salle|fiche film|réservation
    spielzeiten|vorstellungen|tickets kaufen|karten|karten kaufen|reservieren|mehr|mehr infos|mehr info|trailer ansehen|programm|heute|morgen|diese woche|demnächst|film|titel|datum|uhrzeit|saal|spielplan|kinoprogramm|jetzt buchen|zum film|zeiten|wochenprogramm
    продолжительность|длительность|возраст|премьера|премьера в мире|премьера в россии|жанр|страна|год|режиссер|режиссёр|в ролях|актеры|актёры|расписание|сеансы|тривалість|вік|durasi|sutradara|pemain|beli tiket|lihat film lain|jadwal
    web oficial|sitio oficial|página oficial|ficha|ver ficha|sinopsis|official site|official website|visit website|offizielle website|offizielle seite|site officiel|sito ufficiale|officiële site|공식 홈페이지|공식 사이트|información|horarios|sesiones|comprar|comprar entradas|entradas|reservar|más información|ver más|ver tráiler|tráiler|cartelera|hoy|mañana|esta semana|próximamente|película|título|fecha|hora|sala|programación|pases|próximos estrenos
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
    daugiau apie filmą|plačiau|plačiau apie filmą|rodyti repertuarą|pirkti bilietus|bilietai|repertuaras|vairāk par filmu|pirkt biļetes|repertuārs|loe lähemalt|loe edasi|osta piletid|vaata treilerit|więcej o filmie|více o filmu|viac o filme|mehr zum film|en savoir plus sur le film|más sobre la película|scopri di più
    next showing|next showings|nächste vorstellung|nächste vorstellungen|prochaine séance|prochaines séances|próxima sesión|próxima función|próxima sessão|prossimo spettacolo|volgende voorstelling|nejbližší představení|najbliższy seans|následující představení|următoarea proiecție|найближчий сеанс|ближайший сеанс|次回上映|次の上映|다음 상영
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
    view map|view on map|show map|show on map|see map|open map|google maps|view in maps|get directions|karte anzeigen|auf karte anzeigen|voir la carte|ver mapa|vedi mappa
    čas|titul|sál|názov|sála|godzina|tytuł|időpont|cím|terem|dátum|tid|salong|biograf|tittel|dato|aika|nimi|sali|päivä|elokuva|kello|horário|saat|tarih|film adı|salon|seans|время|название|дата|зал|кинотеатр|фильм|начало|час|назва|фільм|titlu|ώρα|τίτλος|ημερομηνία|αίθουσα|ταινία|naslov|vrijeme|vreme|dvorana|時間|時刻|日期|影廳|时间|影厅
    zeit|hodina|klokken|wolne miejsca|infos|mehr erfahren|plus d'informations|vais à la séance|j'y vais|standard format|format|reihe|platz|preis|kommentar|inne|inne filmy|voir plus|voir la séance|toutes les infos|lire la suite|weiterlesen|läs mer|les mer|læs mere|lue lisää|více|více informací|więcej|zobacz więcej|szczegóły|bővebben|detaylar|подробности|детальніше
    tid og sted|tid och plats|wann und wo|wann & wo|praktische informationen|infos pratiques|informations pratiques|wanneer|aika ja paikka|when and where|om filmen|vorführung|vorführungen|visning|voorstelling|projection|visningsinformasjon|ort|spielort|ort und zeit|lieu|wo|wann|où|quand|dove|quando|dónde|cuándo|waar|hvor|når|anfahrt|mitglied werden|membership|programmpunkte|会場|場所|上映日時|上映日|日時|開催日|料金|放映时间|放映時間|语言|版本|类型|影院|戏院|戲院
    已售罄|售罄|售完|选座|选座购票|购票|特价购票|余票紧张|完売|満席|残りわずか|販売中|販売終了|予定枚数終了
    screening details|screening schedule|programme details|program details|show details|schedule details|our next film|next up|coming next|unser nächster film|nächster film|notre prochain film|prochain film|nästa film|neste film|næste film|volgende film|próxima película|prossimo film|následující film|nejbližší film|najbliższy film
    eventos anteriores|eventos pasados|back to all events|other dates|all dates|weitere termine|alle termine|autres dates|toutes les dates|otras fechas|altre date|contacto|contatti|preise|eintrittspreise|prezzi|prijzen|visningar|föreställningar|forestillinger
    """.split { $0 == "|" || $0 == "\n" }.map { String($0).foldedKey })

  static func isLabel(_ text: String) -> Bool {
    labels.contains(text.foldedKey) || isRound(text) || isGeneric(text) || joinsLabels(text) || isButton(text)
      || isNoteOfShowing(text)
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

  /// "Uke 2", "KW 48": which week of the year it is.
  static func isNumberedWeek(_ text: String) -> Bool {
    let parts = text.lowercased().split { $0 == " " || $0 == "." || $0 == ":" }
    return parts.count == 2 && weeks.contains(String(parts[0])) && Int(parts[1]).map { (1...53).contains($0) } ?? false
  }

  private static let weeks: Set<String> = [
    "week", "woche", "kw", "semaine", "semana", "settimana", "uke", "uge", "vecka", "viikko", "tydzień", "týden",
    "týždeň", "hét", "setmana", "teden", "tjedan", "nädal", "nedēļa", "savaitė", "hafta", "εβδομάδα",
  ]

  /// "Past screenings", "Vergangene Filmaufführungen": a heading over what is over. "Past Lives" is a film.
  static func opensArchive(_ text: String) -> Bool {
    let lower = text.lowercased()
    return archives.contains(lower) || archiveOpenings.contains { lower.hasPrefix($0) }
  }

  private static let archives: Set<String> = [
    "archive", "archives", "archiv", "archivio", "archivo", "archief", "arkiv", "archiwum", "rückblick",
  ]
  private static let archiveOpenings = [
    "past screenings", "past films", "past events", "past showings", "past shows", "past seasons", "past programme",
    "previous screenings", "previous films", "previous events", "previous seasons", "previously shown",
    "previously screened",
    "vergangene film", "vergangene vorstellungen", "vergangene veranstaltungen", "bisherige film", "bereits gezeigt",
    "séances passées", "films passés", "projections passées", "événements passés", "proyecciones pasadas",
    "sesiones pasadas", "eventos pasados", "proiezioni passate", "film passati", "eventi passati", "eventos passados",
    "sessões anteriores", "eerdere films", "eerder vertoond", "afgelopen films", "tidigare visningar",
    "tidligere visninger", "poprzednie seanse", "minulé projekce", "過去の上映", "지난 상영",
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
    seances|horaires|programmation|horarios|sesiones|cartelera|programacion|funciones|pases|orari|programmazione|proiezioni|spettacoli|spielplan|spielzeiten|vorstellungen|termine|programm|kinoprogramm|wochenprogramm|programmübersicht|filmübersicht|terminübersicht|monatsübersicht|wochenübersicht
    agenda|voorstellingen|speeltijden|filmagenda|programma|tijden|zeiten|tider|visningstider|visningar|godziny|seansow|seanse|vorstellungstermine|spieltermine|kalender|semaine|kinowoche|spielwoche|semana|settimana
    programa|programação|grade|sessões|exibições|repertuar|repertoár|műsor|vetítések|seanslar|gösterim|gösterimler|πρόγραμμα|προβολές|ohjelmisto|näytökset|näytösajat|visninger|sýningar|sýningartímar|forestillinger|spilleplan|repertoar|raspored|projekcije|spored|predstave
    расписание|афиша|сеансы|программа|показы|розклад|афіша|сеанси|програма|прожекции|распоред|jadwal|tayang
    상영시간표|시간표|상영일정|스케줄|上映スケジュール|スケジュール|上映時間|上映時間表|タイムテーブル|הקרנות|場次表|時刻表|放映時刻表|排片表
    """.split { $0 == "|" || $0 == "\n" }.map { String($0).foldedKey })

  /// Words that may stand beside them.
  private static let programmeFillers: Set<String> = Set(
    """
    and|the|of|for|our|to|in|at|on|a|all|this|spring|summer|autumn|fall|winter|next|week|weekly|daily|day|month|dates|date|film|films|movie|movies|cinema|now|select|choose|pick|view|see|find|available|upcoming|today|current|full|screen|info|book|your|online|main|regular|more
    do|da|dos|das|em|nossa|mês|semana|na|w|od|tydzień|týden|týdenní|hét|heti|saptamana|hafta|haftalık|tjedni|tjedan|uge|uke|vecka|veckans|viikko|viikon
    du|de|la|le|les|des|au|aux|et|cette|prochaines|prochaine|jour|mois|y|del|los|las|el|esta|di|da|dal|al|della|delle|e|della|questa|der|die|das|den|vom|bis|zum|und|unsere|aktuelle|aktuelles|diese|woche|alle|van|deze|het|en|voor|filme|im|kino|days|hours|giorno|giorni|ora|ore|tag|tage|jours|heure|heures|dia|dias|hora|horas|och|og|dag|dagar|dager|dagen|dni|dzien
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

  /// "Welcome to the Rex": a house says its name.
  static func greets(_ text: String) -> Bool {
    let lower = text.prefix(greetingMax).lowercased()
    return greetings.contains { lower.hasPrefix($0) }
  }

  private static let greetingMax = 24
  private static let greetings = [
    "welcome to ", "willkommen im ", "willkommen in ", "willkommen bei ", "herzlich willkommen", "bienvenue au ",
    "bienvenue à ", "bienvenue sur ", "bienvenidos a", "benvenuti al ", "benvenuti a ", "welkom bij ", "welkom in ",
    "velkommen til ", "välkommen till ", "bem-vindo", "witamy w ",
  ]

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

  /// "Town Hall" of "Venue: Town Hall", "会場：Town Hall".
  static func toldVenue(_ text: String) -> String? {
    guard text.utf8.count <= venueFieldBytesMax,
      let colon = text.unicodeScalars.firstIndex(where: { ":：".unicodeScalars.contains($0) }),
      venueFields.contains(String(text.unicodeScalars[..<colon]).foldedKey)
    else { return nil }
    let name = LineRest.trimmed(String(text.unicodeScalars[colon...].dropFirst()).trimmedText)
    return name.hasLetters ? withoutTown(name) : nil
  }

  /// "Moss Park" of "Moss Park, 1220 Wien".
  private static func withoutTown(_ name: String) -> String {
    guard let comma = name.lastPlace(of: ", "), case let town = name[comma.upperBound...].utf8,
      (4...6).contains(town.prefix(while: isDigitByte).count), town.contains(0x20), comma.lowerBound > name.startIndex
    else { return name }
    return String(name[..<comma.lowerBound])
  }

  /// "Venue", "Ort:", "Adres": what is said behind it is where something is.
  static func isLabelOfPlace(_ text: String) -> Bool {
    guard text.utf8.count <= venueFieldBytesMax else { return false }
    let label = LineRest.trimmed(text).foldedKey
    return venueFields.contains(label) || address.contains(label)
  }

  private static let venueFieldBytesMax = 120

  private static let venueFields: Set<String> = Set(
    """
    venue|location|event location|veranstaltungsort|spielort|spielstätte|ort|lieu|lugar|luogo|sede|locatie|plaats|miejsce|místo|sted|plats|장소|상영장소|会場|場所|上映会場|מקום
    """.split { $0 == "|" || $0 == "\n" }.map { String($0).foldedKey })

  /// "Director: …", "監督：…", "Dauer 105 Min."
  private static let fields: Set<String> = Set(
    """
    director|directed by|dir|cast|starring|with|genre|runtime|running time|duration|length|language|country|year|rating|certificate|cert|synopsis|from|price|tickets|format|subtitles|release|released|written by|music|age
    감독|출연|주연|장르|러닝타임|상영시간|등급|개봉|개봉일|제작|국가|언어|관람료|관람등급|줄거리|각본|배급
    監督|出演|キャスト|ジャンル|製作|配給|料金|時間|公開|脚本|上映期間|原作|音楽
    classificação|classificação indicativa|direção|gênero|duração|elenco|país|classification|classificazione|kategorie|altersfreigabe|
    réalisé par|réalisation|de|avec|durée|genre|pays|langue|sortie|tarif|produktion|laufzeit|release date|nombre original|clasificación|regie|mit|darsteller|dauer|länge|land|fsk|sprache|eintritt|ab|director|dirección|dirigida por|reparto|duración|género|país|precio|regia|con|durata|genere|paese
    sinopse|sinopsis|sinossi|sinopsi|synopse|inhalt|handlung|trama|popis|opis|szinopszis|konu|inhoud|
    prezzo|regie|duur|taal|land|prijs|met|cast|בימוי|שחקנים|אורך|שפה
    """.split { $0 == "|" || $0 == "\n" }.map { String($0).foldedKey })

  static func isField(_ text: String) -> Bool {
    if toldVenue(text) != nil { return true }
    for (index, scalar) in text.unicodeScalars.prefix(24).enumerated() where scalar == ":" || scalar == "：" {
      let name = String(text.unicodeScalars.prefix(index))
      // The Metropolitan Opera, and no Dutch "with".
      return name != "MET" && fields.contains(name.foldedKey)
    }
    return false
  }
}
