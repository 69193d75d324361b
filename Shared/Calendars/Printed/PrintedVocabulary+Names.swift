/// Names of months and weekdays: Swedish, Danish, Norwegian, Finnish, Estonian, Latvian, Lithuanian, Polish, Czech, Slovak,
/// Croatian, Bosnian, Serbian, Slovene, Hungarian, Romanian, Portuguese, Galician, Catalan, Basque, Turkish, Icelandic,
/// Indonesian, Malay, Vietnamese and Greek; Russian, Ukrainian, Belarusian, Bulgarian, Serbian and Macedonian in their own letters; Arabic and Thai.
extension PrintedVocabulary<PrintedWord> {
  /// As they stand over a list, and in languages whose names are unlike those above.
  static let monthsOfOthers: [(PrintedWord, String)] = [
    (.month(1), "sausio urtarrilak urtarrilaren"), (.month(2), "vasario otsailak otsailaren"),
    (.month(3), "marcius kovo martxoak martxoaren"), (.month(4), "aprilis balandzio apirilak apirilaren"),
    (.month(5), "majus geguzes maiatzak maiatzaren"), (.month(6), "junius birzelio ekainak ekainaren"),
    (.month(7), "julius liepos uztailak uztailaren"), (.month(8), "augusztus rugpjucio abuztuak abuztuaren"),
    (.month(9), "szeptember szept rugsejo irailak irailaren"), (.month(10), "spalio urriak urriaren"),
    (.month(11), "lapkricio azaroak azaroaren"), (.month(12), "gruodzio abenduak abenduaren"),
    (
      .monthBehindDay(1),
      "styczen leden ianuarie januara tammikuu tammikuuta ocak ιανουαριου ιανουαριοσ ιαν sijecnja sijecanj januarja jaanuar jaanuaril janvaris janvari janvara xaneiro oca ian sty tammi jaan xan"
    ),
    (
      .monthBehindDay(2),
      "luty unor februarie februara helmikuu helmikuuta subat φεβρουαριου φεβρουαριοσ φεβ veljace veljaca februarja veebruar veebruaril februaris febreiro lut helmi veebr"
    ),
    (
      .monthBehindDay(3),
      "marzec brezen martie maaliskuu maaliskuuta mart μαρτιου μαρτιοσ μαρ ozujka ozujak marec martsil maalis marco maret"
    ),
    (
      .monthBehindDay(4),
      "kwiecien duben aprilie aprila huhtikuu huhtikuuta nisan απριλιου απριλιοσ απρ travnja travanj aprilja aprill aprillil aprili kwi huhti nis"
    ),
    (.monthBehindDay(5), "kveten toukokuu toukokuuta mayis μαιου μαιοσ svibnja svibanj maijs touko μαι"),
    (
      .monthBehindDay(6),
      "czerwiec cerven iunie kesakuu kesakuuta haziran ιουνιου ιουνιοσ ιουν lipnja lipanj junija junij juunil juuni junijs xuno iun haz cze"
    ),
    (
      .monthBehindDay(7),
      "lipiec cervenec iulie jula heinakuu heinakuuta temmuz ιουλιου ιουλιοσ ιουλ srpnja srpanj julija julij juulil juuli julijs xullo iul lip heina julai xul"
    ),
    (
      .monthBehindDay(8),
      "sierpien srpen augusta elokuu elokuuta agustos αυγουστου αυγουστοσ αυγ kolovoza kolovoz avgusta avgust augustil augusts agu avg agust agustus ogos"
    ),
    (
      .monthBehindDay(9),
      "wrzesien septembrie septembra syyskuu syyskuuta eylul σεπτεμβριου σεπτεμβριοσ σεπ rujna rujan septembril septembris septembri eyl wrz syys septembar"
    ),
    (
      .monthBehindDay(10),
      "pazdziernik rijen octombrie oktobra lokakuu lokakuuta ekim οκτωβριου οκτωβριοσ οκτ oktoobril oktoober oktobris oktobri eki paz loka oktobar"
    ),
    (
      .monthBehindDay(11),
      "noiembrie novembra marraskuu marraskuuta kasim νοεμβριου νοεμβριοσ νοε studenoga studenog studeni novembril novembris novembri kas marras novembar"
    ),
    (.leafFall, "listopad listopada lis"), (.monthIn([.polish], 8), "sie"),
    (.monthIn([.portuguese], 10), "out"), (.monthIn([.bosnian, .latvian, .serbian], 3), "marta"),
    (.monthIn([.latvian], 5), "maija"), (.monthIn([.bosnian, .serbian, .slovak], 6), "juna"),
    (.monthIn([.turkish], 7), "tem"), (.monthIn([.turkish], 12), "ara"),
    (
      .monthBehindDay(12),
      "grudzien prosinec decembrie decembra joulukuu joulukuuta aralik δεκεμβριου δεκεμβριοσ δεκ prosinca prosinac detsembril detsember decembris decembri decembro desember gru joulu decembar disember dets"
    ),
  ]

  private static let southSlavic: Set<PrintedRegion.Language> = [.bosnian, .croatian, .macedonian, .serbian, .slovene]

  static let weekdaysOfOthers: [(PrintedWord, String)] = [
    (
      .weekday(.init(.monday), isShort: false),
      "maanantai maanantaina hetfo pazartesi luni pondelok δευτερα ponedjeljak ponedeljak ponedeljek esmaspaev esmaspaeval pirmdiena pirmdien pirmadienis pirmadieni astelehena luns manudagur manudaginn senin isnin thu_hai δευτερασ poniedzialku pondelka ponedjeljka ponedeljka"
    ),
    (
      .weekday(.init(.tuesday), isShort: false),
      "tiistai tiistaina kedd sali marti utorok τριτη utorak torek teisipaev teisipaeval otrdiena otrdien antradienis antradieni asteartea tysdag selasa thu_ba tridjudagur τριτησ wtorku uterka utorka torka"
    ),
    (
      .weekday(.init(.wednesday), isShort: false),
      "keskiviikko keskiviikkona szerda carsamba miercuri τεταρτη srijeda srijedu sreda kolmapaev kolmapaeval tresdiena tresdien treciadienis treciadieni asteazkena mercores rabu thu_tu midvikudagur τεταρτησ srody stredy srijede srede srode stredu sredu"
    ),
    (
      .weekday(.init(.thursday), isShort: false),
      "torstai torstaina csutortok persembe joi stvrtok πεμπτη cetvrtak cetrtek neljapaev neljapaeval ceturtdiena ceturtdien ketvirtadienis ketvirtadieni osteguna xoves fimmtudagur fimmtudaginn kamis khamis thu_nam πεμπτησ czwartku ctvrtka stvrtka cetvrtka cetrtka"
    ),
    (
      .weekday(.init(.friday), isShort: false),
      "perjantai perjantaina pentek cuma vineri piatok παρασκευη petak petek reede reedel piektdiena piektdien penktadienis penktadieni ostirala venres fostudagur fostudaginn jumat jumaat jum_at thu_sau παρασκευησ piatku patku petka"
    ),
    (
      .weekday(.init(.saturday), isShort: false),
      "lauantai lauantaina szombat cumartesi sambata σαββατο subota subotu laupaev laupaeval sestdiena sestdien sestadienis sestadieni larunbata laurdag laugardagur laugardaginn sabtu thu_bay σαββατου soboty subote sobote"
    ),
    (
      .weekday(.init(.sunday), isShort: false),
      "sunnuntai sunnuntaina vasarnap pazar duminica nedela κυριακη nedjelja nedjelju nedelja puhapaev puhapaeval svetdiena svetdien sekmadienis sekmadieni igandea sunnudagur sunnudaginn ahad chu_nhat κυριακησ niedzieli niedziele nedjelje nedelje nedeli nedelju"
    ),
    // What is on those days each week.
    (.weekday(.init(.monday), isShort: false), "mondays montags lundis segundas segundas_feiras"),
    (.weekday(.init(.tuesday), isShort: false), "tuesdays dienstags mardis tercas tercas_feiras"),
    (.weekday(.init(.wednesday), isShort: false), "wednesdays mittwochs mercredis quartas quartas_feiras"),
    (.weekday(.init(.thursday), isShort: false), "thursdays donnerstags jeudis quintas quintas_feiras"),
    (.weekday(.init(.friday), isShort: false), "fridays freitags vendredis sextas sextas_feiras"),
    (.weekday(.init(.saturday), isShort: false), "saturdays samstags sonnabends samedis sabados sabati"),
    (.weekday(.init(.sunday), isShort: false), "sundays sonntags dimanches domingos domeniche"),
    (.weekday(.init(.monday), isShort: true), "δευ δευτ"), (.weekday(.init(.tuesday), isShort: true), "τρ τρι τριτ"),
    (.weekday(.init(.wednesday), isShort: true), "τετ"), (.weekday(.init(.thursday), isShort: true), "πεμ πεμπ"),
    (.weekday(.init(.friday), isShort: true), "παρ"), (.weekday(.init(.saturday), isShort: true), "σαβ"),
    (.weekday(.init(.sunday), isShort: true), "κυρ"),
    (.weekdayBeforeDate(.init(.monday)), "man dl pn pzt"),
    (.weekdayBeforeDate(.init(.tuesday)), "ti tir ter dt tirs"),
    (.weekdayBeforeDate(.init(.wednesday)), "ke dc sze"),
    (.weekdayBeforeDate(.init(.thursday)), "tor qui dj xov"),
    (.weekdayBeforeDate(.init(.friday)), "pe sex dv vin"),
    (.weekdayBeforeDate(.init(.saturday)), "lo ds szo cmt"),
    // "minggu" is a week in Indonesian, too.
    (.weekdayBeforeDate(.init(.sunday)), "su son dg dum ndz minggu"),
    (.weekdayIn(southSlavic, .init(.tuesday)), "uto"), (.weekdayIn(southSlavic, .init(.wednesday)), "sri sre"),
    (.weekdayIn(southSlavic, .init(.thursday)), "cet"), (.weekdayIn(southSlavic, .init(.friday)), "pet"),
    (.weekdayIn(southSlavic, .init(.saturday)), "sub"), (.weekdayIn(southSlavic, .init(.sunday)), "ned"),
    (.weekdayInCzech(.init(.monday)), "po"), (.weekdayInCzech(.init(.friday)), "pi"),
    (.weekdayInCzech(.init(.sunday)), "ne"),
    (
      .dayName(0),
      "hoje idag i_dag ikvall i_kvall dnes dzis dzisiaj tanaan bugun σημερα danas sodien siandien astazi днес денес"
        + " сегодня сьогодні данас اليوم 今天"
    ),
    (
      .dayName(1),
      "amanha imorgon i_morgon i_morgen zitra zajtra huomenna holnap yarin αυριο jutri rytoj утре завтра сутра غدا"
    ),
    (.dayName(2), "pozitri pozajtra pojutrze holnaputan послезавтра 后天 後天"),
    (.dayNameIn([.slovene], 0), "danes"), (.dayNameIn([.romanian], 0), "azi"), (.dayNameIn([.estonian], 0), "tana"),
    (.dayNameInDoubt([.polish], 1), "jutro"), (.dayNameInDoubt(nil, 1), "明天"),
    (.dayNameIn([.bosnian, .croatian, .serbian], 1), "sutra"),
    (.dayNameIn([.romanian], 1), "maine"), (.dayNameIn([.estonian], 1), "homme"), (.dayNameIn([.latvian], 1), "rit"),
  ]

  static let monthsOfOtherScripts: [(PrintedWord, String)] = [
    (
      .monthBehindDay(1),
      "января январь янв січня січень січ януари јануар јануара јануари يناير كانون_الثاني มกราคม ม.ค. яну јан студзеня студзень"
    ),
    (
      .monthBehindDay(2),
      "февраля февраль фев февр лютого лютии лют февруари фебруар фебруара фебруари فبراير شباط กุมภาพันธ์ ก.พ. феб лютага люты"
    ),
    (
      .monthBehindDay(3),
      "марта март мар березня березень бер مارس اذار มีนาคม มี.ค. сакавіка сакавік"
    ),
    (
      .monthBehindDay(4),
      "апреля апрель апр квітня квітень квіт април априла ابريل نيسان เมษายน เม.ย. кві красавіка красавік"
    ),
    (
      .monthBehindDay(5),
      "мая маи травня травень трав мај маја مايو ايار พฤษภาคม พ.ค. тра"
    ),
    (
      .monthBehindDay(6),
      "июня июнь июн червня червень черв јун јуна јуни юни يونيو حزيران มิถุนายน มิ.ย. чер чэрвеня чэрвень"
    ),
    (
      .monthBehindDay(7),
      "июля июль июл липня липень лип јул јула јули юли يوليو تموز กรกฎาคม ก.ค. ліпеня ліпень"
    ),
    (
      .monthBehindDay(8),
      "августа август авг серпня серпень серп اغسطس اب สิงหาคม ส.ค. сер жніўня жнівень"
    ),
    (
      .monthBehindDay(9),
      "сентября сентябрь сен сент вересня вересень вер септември септембар септембра سبتمبر ايلول กันยายน ก.ย. сеп верасня верасень"
    ),
    (
      .monthBehindDay(10),
      "октября октябрь окт жовтня жовтень жовт октомври октобар октобра اكتوبر تشرين_الاول ตุลาคม ต.ค. жов кастрычніка кастрычнік"
    ),
    (
      .monthBehindDay(11),
      "ноября ноябрь ноя нояб листопада листопад лист ноември новембар новембра نوفمبر تشرين_الثاني พฤศจิกายน พ.ย. лис ное нов лістапада лістапад"
    ),
    (
      .monthBehindDay(12),
      "декабря декабрь дек грудня грудень груд декември децембар децембра ديسمبر كانون_الاول ธันวาคม ธ.ค. гру дец снежня снежань"
    ),
  ]

  static let weekdaysOfOtherScripts: [(PrintedWord, String)] = [
    (
      .weekday(.init(.monday), isShort: false),
      "понедельник понеділок понеделник понедељак الاثنين จันทร์ วันจันทร์ панядзелак понедельника понеділка"
    ),
    (.weekday(.init(.monday), isShort: true), "пн"),
    (.weekdayBeforeDate(.init(.monday)), "пон"),
    (
      .weekday(.init(.tuesday), isShort: false),
      "вторник вівторок уторак الثلاثاء อังคาร วันอังคาร ауторак вторника вівторка"
    ),
    (.weekday(.init(.tuesday), isShort: true), "вт"),
    (.weekdayBeforeDate(.init(.tuesday)), "вто уто"),
    (
      .weekday(.init(.wednesday), isShort: false),
      "среда среду середа середу сряда الاربعاء พุธ วันพุธ серада среды середи"
    ),
    (.weekday(.init(.wednesday), isShort: true), "ср"),
    (.weekdayBeforeDate(.init(.wednesday)), "сре сря"),
    (
      .weekday(.init(.thursday), isShort: false),
      "четверг четвер четвъртък четвртак четврток الخميس พฤหัสบดี วันพฤหัสบดี чацвер พฤหัส четверга"
    ),
    (.weekday(.init(.thursday), isShort: true), "чт"),
    (.weekdayBeforeDate(.init(.thursday)), "чет"),
    (
      .weekday(.init(.friday), isShort: false),
      "пятница пятницу п_ятниця п_ятницю петък петак петок الجمعه ศุกร์ วันศุกร์ пятніца пятницы п_ятниці"
    ),
    (.weekday(.init(.friday), isShort: true), "пт"),
    (.weekdayBeforeDate(.init(.friday)), "пет"),
    (
      .weekday(.init(.saturday), isShort: false),
      "суббота субботу субота суботу събота сабота السبت เสาร์ วันเสาร์ субботы суботи"
    ),
    (.weekday(.init(.saturday), isShort: true), "сб"),
    (.weekdayBeforeDate(.init(.saturday)), "съб суб саб"),
    (
      .weekday(.init(.sunday), isShort: false),
      "воскресенье неділя неділю недеља الاحد อาทิตย์ วันอาทิตย์ нядзеля воскресенья неділі"
    ),
    (.weekday(.init(.sunday), isShort: true), "вс нд"),
    // "неделя" is a week in Russian.
    (.weekdayBeforeDate(.init(.sunday)), "нед неделя недела"),
  ]

  /// What stands around them.
  static let rangesOfOtherScripts: [(PrintedWord, String)] = [
    (.filler, "в у о об года год г року р ที่"), (.from, "с з від от من"), (.until, "до حتي"), (.joint, "по الي"),
    (.partOfDay(.am), "صباحا ص"), (.partOfDay(.pm), "مساء م"), (.hourUnit, "น."),
    (.closed, "зачинено закрыто затворено مغلق"),
  ]
}
