import Calendars
import Testing

/// What restaurants print, each labelled before it was first read: text, days of rest, the hours (days m t w h f s u, H for
/// holidays, E for their eves; lo and ld are last orders), the closures, and how far it is to be understood (P all of it,
/// I with something inferred, U not at all).
@Suite("Hours as restaurants print them")
struct PrintedHoursTests {
  private static let table = """
    月～金、祝前日: 11:30～14:00 （料理L.O. 13:30 ドリンクL.O. 13:30）17:00～翌0:00 （料理L.O. 23:00 ドリンクL.O. 23:30）|土、日、祝日|mtwhfE 11:30-14:00 lo 13:30 ld 13:30; mtwhfE 17:00-24:00 lo 23:00 ld 23:30|suH|P
    月～日、祝日、祝前日: 11:00～23:00 （料理L.O. 22:00 ドリンクL.O. 22:30）|なし|mtwhfsuHE 11:00-23:00 lo 22:00 ld 22:30||P
    月～日、祝日、祝前日: 16:00～翌5:00 （料理L.O. 翌4:00 ドリンクL.O. 翌4:30）|年中無休|mtwhfsuHE 16:00-29:00 lo 28:00 ld 28:30||P
    月～木、日、祝日: 17:00～23:30 （料理L.O. 23:00 ドリンクL.O. 23:00）金、土、祝前日: 17:00～翌3:00 （料理L.O. 翌2:00 ドリンクL.O. 翌2:30）|第2・第4月曜|fsE 17:00-27:00 lo 26:00 ld 26:30; mtwhuH 17:00-23:30 lo 23:00 ld 23:00|m/2,4|P
    月、水～日、祝日、祝前日: 12:00～15:00 （料理L.O. 14:30 ドリンクL.O. 14:30）18:00～22:00 （料理L.O. 21:00 ドリンクL.O. 21:30）|火|mwhfsuHE 12:00-15:00 lo 14:30 ld 14:30; mwhfsuHE 18:00-22:00 lo 21:00 ld 21:30|t|P
    火～土: 18:00～翌1:00|日、月、祝日|twhfs 18:00-25:00|muH|P
    月～日、祝日、祝前日: 00:00～23:59|なし|mtwhfsuHE 0:00-23:59||P
    24時間営業|年中無休|mtwhfsuHE 0:00-24:00||P
    24時間|なし|mtwhfsuHE 0:00-24:00||P
    11:30~21:30, 라스트오더 20:50, 브레이크타임 평일 15:00~17:00||mtwhf 11:30-15:00; mtwhf 17:00-21:30 lo 20:50; suHE 11:30-21:30 lo 20:50||P
    11:00～22:00（土日は中休みなし、平日14:00～17:00中休み）||mtwhf 11:00-14:00; mtwhf 17:00-22:00; suHE 11:00-22:00||P
    11:00～22:00　※平日は14:00～17:00準備中||mtwhf 11:00-14:00; mtwhf 17:00-22:00; suHE 11:00-22:00||P
    11:00-22:00 break 15:00-17:00 on weekdays||mtwhf 11:00-15:00; mtwhf 17:00-22:00; suHE 11:00-22:00||P
    매일 11:30~21:30 / 브레이크타임 15:00~17:00 (주말 없음)||mtwhfHE 11:30-15:00; mtwhfHE 17:00-21:30; su 11:30-21:30||P
    11:00-22:00 (closed 15:00-17:00)||mtwhfsuHE 11:00-15:00; mtwhfsuHE 17:00-22:00||P
    11:00~22:00 (해피아워 평일 17:00~19:00)||mtwhfsuHE 11:00-22:00||I
    11:00~22:00, 배달 평일 11:30~20:00|월요일|mtwhfsuHE 11:00-22:00|m|I
    ランチは平日のみ11:30～14:00、ディナー17:00～23:00||mtwhf 11:30-14:00; mtwhfsuHE 17:00-23:00||P
    every day except Tuesday 12-10pm||mwhfsu 12:00-22:00||P
    Open daily except Mondays, 5pm - 11pm||twhfsu 17:00-23:00||P
    17:00-23:00 except Mondays||twhfsu 17:00-23:00||P
    월요일 제외 매일 17:00~23:00||twhfsu 17:00-23:00||P
    火曜日を除く毎日 17:00～23:00||mwhfsu 17:00-23:00||P
    17:00～23:00（水曜を除く）||mthfsu 17:00-23:00||P
    年末年始を除く毎日 11:00～20:00||mtwhfsuHE 11:00-20:00||I
    12–3pm & 6–11pm Tue–Sat||twhfs 12:00-15:00; twhfs 18:00-23:00||P
    Closed on Mondays. Tue-Fri 17-23, Sat-Sun 12-23||su 12:00-23:00; twhf 17:00-23:00|m|P
    Lundi au vendredi 12h-14h30 et 19h-22h30, samedi 19h-23h||mtwhf 12:00-14:30; mtwhf 19:00-22:30; s 19:00-23:00||P
    24/7||mtwhfsuHE 0:00-24:00||P
    Monday to Friday 11.30am to 10.30pm; Saturday & Sunday 10am till late||mtwhf 11:30-22:30; su 10:00-?||I
    Wed - Sun from 6pm until 2am||whfsu 18:00-26:00||P
    11:00～20:00|月曜日（祝日の場合は営業し、翌火曜日休業）|mtwhfsuHE 11:00-20:00|m+mv+oh|P
    11:00～20:00|最終月曜日|mtwhfsuHE 11:00-20:00|m/-1|P
    11:00～20:00|매월 마지막주 월요일|mtwhfsuHE 11:00-20:00|m/-1|P
    月～土 17:00～25:00（LO24:00）|日曜日|mtwhfs 17:00-25:00 lo 24:00|u|P
    １１：３０～１４：３０（ＬＯ１４：００）　１７：３０～２２：００（ＬＯ２１：３０）|水曜日|mtwhfsuHE 11:30-14:30 lo 14:00; mtwhfsuHE 17:30-22:00 lo 21:30|w|P
    日、祝日: 12:00~22:00|月曜日|uH 12:00-22:00|m|P
    17:00〜翌2時|不定休|mtwhfsuHE 17:00-26:00||I
    17時～24時 LO23時|日祝|mtwhfsuHE 17:00-24:00 lo 23:00|uH|P
    17時半～23時|月曜・第3火曜|mtwhfsuHE 17:30-23:00|m,t/3|P
    ランチ平日のみ 11:30～14:00|土日祝|mtwhf 11:30-14:00|suH|P
    平日11:30～14:00　土日祝11:00～15:00|なし|mtwhf 11:30-14:00; suH 11:00-15:00||P
    [月～金] 11:30～15:00 / 17:00～23:00 [土日祝] 11:30～23:00|無休|mtwhf 11:30-15:00; mtwhf 17:00-23:00; suH 11:30-23:00||P
    【月～金】ランチ 11:30～14:30(L.O.14:00)ディナー 17:30～23:00(L.O.22:00)|土・日・祝日|mtwhf 11:30-14:30 lo 14:00; mtwhf 17:30-23:00 lo 22:00|suH|P
    昼 11:30～14:00 夜 17:00～22:00|日曜|mtwhfsuHE 11:30-14:00; mtwhfsuHE 17:00-22:00|u|P
    18:00～ラスト|不定休|mtwhfsuHE 18:00-?||I
    18:00～深夜2:00|日曜日|mtwhfsuHE 18:00-26:00|u|P
    18:00～翌朝5:00|月曜日|mtwhfsuHE 18:00-29:00|m|P
    午前11時～午後10時|火曜定休|mtwhfsuHE 11:00-22:00|t|P
    AM11:00～PM10:00|水曜日|mtwhfsuHE 11:00-22:00|w|P
    11:00～22:00(21:30L.O.)|木曜日|mtwhfsuHE 11:00-22:00 lo 21:30|h|P
    11:00～22:00 ラストオーダー21:30|木曜日|mtwhfsuHE 11:00-22:00 lo 21:30|h|P
    11:00～22:00（ラストオーダー 21:00、ドリンク21:30）|木曜日|mtwhfsuHE 11:00-22:00 lo 21:00 ld 21:30|h|P
    11:00-15:00,17:00-21:00|月曜日（祝日の場合は翌日）|mtwhfsuHE 11:00-15:00; mtwhfsuHE 17:00-21:00|m+mv+oh|P
    11:00-15:00、17:00-21:00|月曜日（祝日の場合は営業、翌日休み）|mtwhfsuHE 11:00-15:00; mtwhfsuHE 17:00-21:00|m+mv+oh|P
    11:00～20:00|月曜（祝日の場合は翌火曜休み）|mtwhfsuHE 11:00-20:00|m+mv+oh|P
    11:00～20:00|月曜日（祝日の場合は営業）|mtwhfsuHE 11:00-20:00|m+oh|P
    11:00～20:00|月曜日（祝日を除く）|mtwhfsuHE 11:00-20:00|m+oh|P
    11:00～20:00|毎週月曜日、第1・3火曜日|mtwhfsuHE 11:00-20:00|m,t/1,3|P
    11:00～20:00|第1、第3日曜日|mtwhfsuHE 11:00-20:00|u/1,3|P
    11:00～20:00|第二・第四水曜|mtwhfsuHE 11:00-20:00|w/2,4|P
    11:00～20:00|日曜・祝日・年末年始|mtwhfsuHE 11:00-20:00|1231-103,uH|I
    11:00～20:00|年末年始（12/31～1/3）|mtwhfsuHE 11:00-20:00|1231-103|P
    11:00～20:00|8/13～8/15、年末年始|mtwhfsuHE 11:00-20:00|1231-103,813-815|I
    11:00～20:00|年末年始、8/13～8/16|mtwhfsuHE 11:00-20:00|1231-103,813-816|I
    11:00～20:00|12月31日～1月3日|mtwhfsuHE 11:00-20:00|1231-103|P
    11:00～20:00|8/13(火)～8/15(木)|mtwhfsuHE 11:00-20:00|813-815|P
    11:00～20:00|1/1（木・祝）|mtwhfsuHE 11:00-20:00|101-101|P
    11:00～20:00|第1・3月曜|mtwhfsuHE 11:00-20:00|m/1,3|P
    11:00～20:00|12/31、1/1|mtwhfsuHE 11:00-20:00|101-101,1231-1231|P
    11:00～20:00|元日|mtwhfsuHE 11:00-20:00|101-101|P
    11:00～20:00|1月1日のみ|mtwhfsuHE 11:00-20:00|101-101|P
    11:00～20:00|日曜日（祝前日の場合は営業、翌月曜休み）|mtwhfsuHE 11:00-20:00|u|I
    11:00～20:00|定休日なし|mtwhfsuHE 11:00-20:00||P
    11:00～20:00|不定休（月2回）|mtwhfsuHE 11:00-20:00||I
    11:00～20:00|施設に準ずる|mtwhfsuHE 11:00-20:00||I
    11:00～20:00|日曜営業　月曜定休|mtwhfsuHE 11:00-20:00|m|P
    11:00～22:00、日曜は11:00～20:00|なし|mtwhfsHE 11:00-22:00; u 11:00-20:00||P
    11:00-22:00, Sunday 11:00-20:00, holidays 12:00-18:00||H 12:00-18:00; mtwhfsE 11:00-22:00; u 11:00-20:00||P
    11:30～14:00 17:00～22:00 日曜 17:00～21:00|なし|mtwhfsHE 17:00-22:00; mtwhfsuHE 11:30-14:00; u 17:00-21:00||P
    平日(祝日含む) 11:00～22:00|土日|mtwhfH 11:00-22:00|su|P
    土日（祝日も含む）: 11:00～22:00|なし|suH 11:00-22:00||P
    11時３０～22時|なし|mtwhfsuHE 11:30-22:00||P
    11時30分～22時 LO21時|なし|mtwhfsuHE 11:30-22:00 lo 21:00||P
    11:00～20:00|月曜、火曜は隔週|mtwhfsuHE 11:00-20:00|m|I
    11:00～20:00|月により異なる|mtwhfsuHE 11:00-20:00||I
    11:00～20:00、水曜営業なし||mtwhfsuHE 11:00-20:00|w|P
    lundi à vendredi 12h00 à 14h00|dimanche|mtwhf 12:00-14:00|u|P
    Montag bis Freitag 12 Uhr bis 22:30 Uhr|Sonntag|mtwhf 12:00-22:30|u|P
    12h-14h30, 19h-24h|lundi|mtwhfsuHE 12:00-14:30; mtwhfsuHE 19:00-24:00|m|P
    24h|なし|mtwhfsuHE 0:00-24:00||P
    lunes a viernes 12:00 a 16:00||mtwhf 12:00-16:00||P
    18:00-22:00 a la carte||mtwhfsuHE 18:00-22:00||I
    11:00～20:00|毎週火曜日・水曜日|mtwhfsuHE 11:00-20:00|tw|P
    11:00～20:00|日曜、祝日の月曜|mtwhfsuHE 11:00-20:00|u|I
    11:00～20:00|第3月曜、祝日の翌日|mtwhfsuHE 11:00-20:00|m/3|I
    11:00～20:00|祝日の翌日|mtwhfsuHE 11:00-20:00||I
    11:00～20:00|祝日、月曜|mtwhfsuHE 11:00-20:00|mH|P
    11:00～20:00|火曜日、水曜日不定休|mtwhfsuHE 11:00-20:00|t|I
    11:00～20:00|月・火|mtwhfsuHE 11:00-20:00|mt|P
    11:00～20:00|日・月・祝|mtwhfsuHE 11:00-20:00|muH|P
    11:00～20:00|土日祝|mtwhfsuHE 11:00-20:00|suH|P
    11:00～20:00|土曜・日曜・祝日|mtwhfsuHE 11:00-20:00|suH|P
    月～金　11:00～23:00　土・祝　16:00～22:00|日曜日|mtwhf 11:00-23:00; sH 16:00-22:00|u|P
    月～木17:00～翌1:00、金土祝前17:00～翌5:00、日祝16:00～24:00|無|fsE 17:00-29:00; mtwh 17:00-25:00; uH 16:00-24:00||P
    月・火・木・金 11:30～14:00、17:30～21:30 / 土・日・祝 11:30～21:30|水曜日|mthf 11:30-14:00; mthf 17:30-21:30; suH 11:30-21:30|w|P
    全日 17:00～翌4:00|なし|mtwhfsuHE 17:00-28:00||P
    毎日 9:00〜18:00|なし|mtwhfsuHE 9:00-18:00||P
    9:00～18:00（売り切れ次第終了）|月曜日|mtwhfsuHE 9:00-18:00|m|I
    11:30～14:30（なくなり次第終了）、17:30～21:00|日|mtwhfsuHE 11:30-14:30; mtwhfsuHE 17:30-21:00|u|I
    月～日: 11:00～24:00（日曜のみ23:00まで）|なし|mtwhfs 11:00-24:00; u 11:00-23:00||I
    17:00～24:00（金・土は翌2:00まで）|なし|fs 17:00-26:00; mtwhuHE 17:00-24:00||I
    17:00～24:00（日曜は22:00まで）|なし|mtwhfsHE 17:00-24:00; u 17:00-22:00||I
    月～土:17:00～23:00(入店は22:00まで)|日|mtwhfs 17:00-23:00|u|I
    17:00～23:00(最終入店22:00)|日|mtwhfsuHE 17:00-23:00|u|I
    17:00～23:00※月曜のみ22:00閉店|日|m 17:00-22:00; twhfsuHE 17:00-23:00|u|I
    ランチ11:00～14:00(L.O 13:30)カフェ14:00～17:00ディナー17:00～22:00(L.O 21:00)|火|mtwhfsuHE 11:00-14:00 lo 13:30; mtwhfsuHE 14:00-17:00; mtwhfsuHE 17:00-22:00 lo 21:00|t|P
    モーニング 8:00～11:00 ランチ 11:00～15:00|日|mtwhfsuHE 11:00-15:00; mtwhfsuHE 8:00-11:00|u|P
    11:30～15:00(LO14:30) 17:30～23:00(フードLO22:00・ドリンクLO22:30)|月|mtwhfsuHE 11:30-15:00 lo 14:30; mtwhfsuHE 17:30-23:00 lo 22:00 ld 22:30|m|P
    11:30～15:00(LO14:30) 17:30～23:00(LO フード22:00 ドリンク22:30)|月|mtwhfsuHE 11:30-15:00 lo 14:30; mtwhfsuHE 17:30-23:00 lo 22:00 ld 22:30|m|P
    LO22:30 17:00～23:00|日|mtwhfsuHE 17:00-23:00 lo 22:30|u|P
    17:00～23:00 LO22:30|日|mtwhfsuHE 17:00-23:00 lo 22:30|u|P
    17:00～23:00 (O.S. 22:30)|日|mtwhfsuHE 17:00-23:00 lo 22:30|u|P
    17:00～23:00（オーダーストップ22:30）|日|mtwhfsuHE 17:00-23:00 lo 22:30|u|P
    17:00～23:00（閉店30分前ラストオーダー）|日|mtwhfsuHE 17:00-23:00 lo 22:30|u|P
    17:00～23:00 （料理L.O. 閉店の30分前）|日|mtwhfsuHE 17:00-23:00 lo 22:30|u|P
    ご予約に応じて営業いたします|不定休|||U
    お電話にてお問い合わせください||||U
    要予約 18:00～|日|mtwhfsuHE 18:00-?|u|I
    18:00～22:00（完全予約制）|日|mtwhfsuHE 18:00-22:00|u|I
    18:00～22:00（予約制）※ランチは予約のみ|日|mtwhfsuHE 18:00-22:00|u|I
    18:30～、20:30～の二部制|日|mtwhfsuHE 18:30-?; mtwhfsuHE 20:30-?|u|I
    月火水木金土 17:00～23:00|日|mtwhfs 17:00-23:00|u|P
    月曜日～金曜日 17:00～23:00 土曜日 15:00～23:00|日曜日|mtwhf 17:00-23:00; s 15:00-23:00|u|P
    月曜～木曜 17:00-24:00 金曜・土曜・祝前日 17:00-29:00|日曜|fsE 17:00-29:00; mtwh 17:00-24:00|u|P
    (月～金)17:00～23:00 (土)16:00～23:00 (日・祝)16:00～22:00|無休|mtwhf 17:00-23:00; s 16:00-23:00; uH 16:00-22:00||P
    <平日>17:00～23:00<土日祝>12:00～23:00|無休|mtwhf 17:00-23:00; suH 12:00-23:00||P
    ■月～金 17:00～23:00 ■土日 12:00～23:00|無休|mtwhf 17:00-23:00; su 12:00-23:00||P
    ●昼 11:30～14:00 ●夜 17:30～22:00|日|mtwhfsuHE 11:30-14:00; mtwhfsuHE 17:30-22:00|u|P
    11:30～14:00(土日祝は15:00まで) 17:30～22:00|水|mtwhfE 11:30-14:00; mtwhfsuHE 17:30-22:00; suH 11:30-15:00|w|I
    11:30～14:00（平日のみ）、17:00～23:00|日|mtwhf 11:30-14:00; mtwhfsuHE 17:00-23:00|u|P
    17:00～23:00、ランチ11:30～14:00（土日のみ）|月|mtwhfsuHE 17:00-23:00; su 11:30-14:00|m|P
    11:30～14:00 月～金、17:00～22:00 月～土|日|mtwhf 11:30-14:00; mtwhfs 17:00-22:00|u|P
    17:00～23:00（日・祝は16:00～22:00）|無|mtwhfsE 17:00-23:00; uH 16:00-22:00||P
    17:00～23:00（日曜定休）||mtwhfsuHE 17:00-23:00|u|P
    17:00～23:00 定休日:日曜、祝日||mtwhfsuHE 17:00-23:00|uH|P
    11:00～23:00 定休日 第2・第4月曜||mtwhfsuHE 11:00-23:00|m/2,4|P
    11時から14時、17時から22時まで|日|mtwhfsuHE 11:00-14:00; mtwhfsuHE 17:00-22:00|u|P
    11:00 - 14:00 / 17:00 - 22:00|日|mtwhfsuHE 11:00-14:00; mtwhfsuHE 17:00-22:00|u|P
    11:00―22:00|日|mtwhfsuHE 11:00-22:00|u|P
    11:00ー22:00|日|mtwhfsuHE 11:00-22:00|u|P
    11：00→22：00|日|mtwhfsuHE 11:00-22:00|u|P
    11.30～14.30|日|mtwhfsuHE 11:30-14:30|u|P
    11時30分～14時30分|日|mtwhfsuHE 11:30-14:30|u|P
    17:00～０：００|日|mtwhfsuHE 17:00-24:00|u|P
    20:00～翌05:00|日|mtwhfsuHE 20:00-29:00|u|P
    23:00～5:00|日|mtwhfsuHE 23:00-29:00|u|P
    5:00～14:00|日|mtwhfsuHE 5:00-14:00|u|P
    17:00～23:00（コロナ対策のため変更の場合あり）|日|mtwhfsuHE 17:00-23:00|u|I
    17:00～23:00　03-1234-5678|日|mtwhfsuHE 17:00-23:00|u|I
    17:00～23:00 2024年4月より変更|日|mtwhfsuHE 17:00-23:00|u|I
    金曜日のみ 17:00～23:00|土～木|f 17:00-23:00|mtwhsu|P
    祝前日: 17:00～翌1:00|なし|E 17:00-25:00||P
    祝日: 11:00～20:00 平日: 17:00～23:00|なし|H 11:00-20:00; mtwhf 17:00-23:00||P
    夏季 10:00～18:00 冬季 10:00～17:00|なし|mtwhfsuHE 10:00-17:00; mtwhfsuHE 10:00-18:00||I
    11:00～15:00 月曜は休み||mtwhfsuHE 11:00-15:00|m|P
    火〜日 11:30〜15:00 17:30〜22:00 月休||twhfsu 11:30-15:00; twhfsu 17:30-22:00|m|P
    月~金 11:30~14:00 (L.O.13:30), 17:30~22:00 (L.O.21:00) 土 17:30~22:00 (L.O.21:00)|日・祝|mtwhf 11:30-14:00 lo 13:30; mtwhf 17:30-22:00 lo 21:00; s 17:30-22:00 lo 21:00|uH|P
    月～日、祝日、祝前日: 17:00～23:00 （料理L.O. 22:30 ドリンクL.O. 22:50）※ランチは11:30～14:00|なし|mtwhfsuHE 11:30-14:00; mtwhfsuHE 17:00-23:00 lo 22:30 ld 22:50||P
    7:00～9:30（朝食） 11:30～14:00（昼食） 17:30～21:00（夕食）|なし|mtwhfsuHE 11:30-14:00; mtwhfsuHE 17:30-21:00; mtwhfsuHE 7:00-9:30||P
    11:30～14:00、17:00～22:00|日曜ランチ|mtwhfsHE 11:30-14:00; mtwhfsuHE 17:00-22:00||P
    11:30～14:00、17:00～22:00|日曜のディナー|mtwhfsHE 17:00-22:00; mtwhfsuHE 11:30-14:00||P
    ランチ 11:30～14:00 ディナー 17:00～22:00|月曜夜、火曜|mtwhfsuHE 11:30-14:00; twhfsuHE 17:00-22:00|t|P
    11:30～14:00、17:00～22:00|水曜（ランチ）|mthfsuHE 11:30-14:00; mtwhfsuHE 17:00-22:00||P
    11:30～14:00、17:00～22:00|日曜は夜のみ営業|mtwhfsHE 11:30-14:00; mtwhfsuHE 17:00-22:00||P
    11:30～14:00、17:00～22:00|日曜は夜営業のみ|mtwhfsHE 11:30-14:00; mtwhfsuHE 17:00-22:00||P
    11:30～14:00、17:00～22:00|日曜夜のみ|mtwhfsHE 17:00-22:00; mtwhfsuHE 11:30-14:00||I
    11:30～14:00、17:00～22:00（日曜はランチのみ）|月曜|mtwhfsHE 17:00-22:00; mtwhfsuHE 11:30-14:00|m|P
    11:30～14:00、17:00～22:00 日曜ランチ休み||mtwhfsHE 11:30-14:00; mtwhfsuHE 17:00-22:00||P
    日曜昼休み 11:30～14:00 17:00～22:00||mtwhfsHE 11:30-14:00; mtwhfsuHE 17:00-22:00||P
    11:30～14:00、17:00～22:00|ランチ：日曜、ディナー：月曜|mtwhfsHE 11:30-14:00; twhfsuHE 17:00-22:00||P
    11:30～14:00、17:00～22:00|日曜ランチ・ディナー|mtwhfsuHE 11:30-14:00; mtwhfsuHE 17:00-22:00|u|P
    11:00～22:00|日曜ランチ|mtwhfsuHE 11:00-22:00||I
    17:00～22:00|日曜ランチ|mtwhfsuHE 17:00-22:00||I
    11:30～14:00、17:00～22:00|第3日曜ランチ|mtwhfsuHE 11:30-14:00; mtwhfsuHE 17:00-22:00||I
    11:30～14:00、17:00～22:00|日曜バータイム|mtwhfsuHE 11:30-14:00; mtwhfsuHE 17:00-22:00||I
    11:30～14:00、17:00～22:00|月曜、日曜のランチ|mtwhfsuHE 17:00-22:00; twhfsHE 11:30-14:00||I
    11:30~14:00, 17:00~22:00|일요일 점심 휴무|mtwhfsHE 11:30-14:00; mtwhfsuHE 17:00-22:00||P
    11:30~14:00, 17:00~22:00|일요일은 저녁만 영업|mtwhfsHE 11:30-14:00; mtwhfsuHE 17:00-22:00||P
    11:30-14:00, 17:00-22:00, closed Sunday lunch||mtwhfsHE 11:30-14:00; mtwhfsuHE 17:00-22:00||P
    Closed Monday 17:00-22:00||mtwhfsuHE 17:00-22:00|m|I
    Closed Mondays. 5pm-10pm||mtwhfsuHE 17:00-22:00|m|P
    Mo-Fr 11:30-14:30; Sa 12:00-24:00; Su off||mtwhf 11:30-14:30; s 12:00-24:00|u|P
    Mo,We 10:00-12:00; PH off||mw 10:00-12:00|H|P
    Mo. 10:00-18:00, Di. Ruhetag||m 10:00-18:00|t|P
    10:00-18:00, closed December 25th and July 7th, 2026||mtwhfsuHE 10:00-18:00||I
    10:00-18:00. Closed if you do. Fr. 25.- for two, 0.5 mi, uphill||mtwhfsuHE 10:00-18:00||I
    10:00-18:00, 50% off Monday to Friday||mtwhfsuHE 10:00-18:00||I
    Mo-Fr 10:00-18:00; Ph: 02 9876 5432||mtwhf 10:00-18:00||I
    Ruhetag: Mo, Di|||mt|U
    We are open daily 9:00-17:00||mtwhfsuHE 9:00-17:00||I
    Di-So 11:30-23:00, Montag Ruhetag||twhfsu 11:30-23:00|m|P
    di-zo 17:00-23:00, ma gesloten||twhfsu 17:00-23:00||I
    Lunes cerrado, martes a domingo 13:00-16:00||twhfsu 13:00-16:00|m|P
    25:00-26:00||mtwhfsuHE 1:00-2:00||P
    10:00〜19:00（木・金は〜16:00）|日|hf 10:00-16:00; mtwsuHE 10:00-19:00|u|I
    16:00～22:00（土日祝は13:00～）|火|mtwhfE 16:00-22:00; suH 13:00-22:00|t|I
    16:00～22:00（金曜は23:00閉店）|火|f 16:00-23:00; mtwhsuHE 16:00-22:00|t|I
    11:00～15:00、18:00～21:00 ※土日は通し営業|木|mtwhfHE 11:00-15:00; mtwhfHE 18:00-21:00; su 11:00-21:00|h|I
    10:00～21:00（14:00～17:00クローズ）|月|mtwhfsuHE 10:00-14:00; mtwhfsuHE 17:00-21:00|m|P
    12:00～15:00（L.O.）|月|mtwhfsuHE 12:00-15:00 lo 15:00|m|I
    昼11時～3時、夜6時～11時|水|mtwhfsuHE 11:00-15:00; mtwhfsuHE 18:00-23:00|w|I
    夜6時～2時|水|mtwhfsuHE 18:00-26:00|w|P
    PM5:00～10:00|水|mtwhfsuHE 17:00-22:00|w|I
    OPEN 17:00 / CLOSE 25:00|水|mtwhfsuHE 17:00-25:00|w|P
    【平日】16:00～23:00【金・祝前】16:00～翌2:00||fE 16:00-26:00; mtwh 16:00-23:00||P
    11:00～20:00|火曜定休（祝日の際は翌日）|mtwhfsuHE 11:00-20:00|t+mv+oh|P
    11:00～20:00|火曜休（火曜が祝日の場合、翌水曜休）|mtwhfsuHE 11:00-20:00|t+mv+oh|P
    11:00～20:00|水曜日※祝日の場合は休まず営業|mtwhfsuHE 11:00-20:00|w+oh|P
    11:00～20:00|水曜(祝日、振替休日の場合は翌日)|mtwhfsuHE 11:00-20:00|w+mv+oh|P
    11:00～20:00|土曜日（月曜が祝日の場合は土曜営業、月曜休み）|mtwhfsuHE 11:00-20:00|s|I
    11:00～20:00|木（祝日・祝前日は営業）|mtwhfsuHE 11:00-20:00|h+oh|I
    11:00～20:00|第2・第4火曜、毎週木曜|mtwhfsuHE 11:00-20:00|h,t/2,4|P
    11:00～20:00|火曜日(火曜祝日の場合は水曜日)|mtwhfsuHE 11:00-20:00|t+mv+oh|P
    11:00～20:00|火曜（火曜が祝日の場合は翌水曜）|mtwhfsuHE 11:00-20:00|t+mv+oh|P
    11:00～20:00|日　※祝前の日曜日は営業、月曜休み|mtwhfsuHE 11:00-20:00|u|I
    11:00～20:00|土曜（3連休の場合は最終日の月曜が休み）|mtwhfsuHE 11:00-20:00|s|I
    11:00～20:00|木曜日 ※祝日・祝前日は営業|mtwhfsuHE 11:00-20:00|h+oh|I
    11:00～20:00|年末年始のみ休み（12/30～1/2）|mtwhfsuHE 11:00-20:00|1230-102|P
    11:00～20:00|隔週木曜日|mtwhfsuHE 11:00-20:00||I
    12:00～15:00（土日祝除く）、18:00～23:00|なし|mtwhf 12:00-15:00; mtwhfsuHE 18:00-23:00||P
    16:00～23:00（L.O.22:30）※日曜・祝日は22:00まで（L.O.21:00）|水|mtwhfsE 16:00-23:00 lo 22:30; uH 16:00-22:00 lo 21:00|w|I
    18:00～24:00、日祝～22:00|火|mtwhfsE 18:00-24:00; uH 18:00-22:00|t|I
    11:00～20:00|8月13日～16日|mtwhfsuHE 11:00-20:00|813-816|P
    11:00～20:00|12月29日～翌年1月5日|mtwhfsuHE 11:00-20:00|1229-105|P
    점심 11시~2시, 저녁 6시~9시|일요일 휴무|mtwhfsuHE 11:00-14:00; mtwhfsuHE 18:00-21:00|u|I
    Ouvert tous les jours de 10h à minuit||mtwhfsuHE 10:00-24:00||P
    Mar-Jeu : 12h-14h / 19h-22h - Ven : 19h-23h||f 19:00-23:00; twh 12:00-14:00; twh 19:00-22:00||P
    Midi : 12h - 14h / Soir : 19h - 22h|Fermeture hebdomadaire : jeudi|mtwhfsuHE 12:00-14:00; mtwhfsuHE 19:00-22:00|h|P
    De 9h à midi||mtwhfsuHE 9:00-12:00||P
    Mi–Sa 17–22 Uhr, So 11–15 und 17–21 Uhr||u 11:00-15:00; u 17:00-21:00; whfs 17:00-22:00||P
    Di. bis Sa. von 10.00 bis 18.30 Uhr||twhfs 10:00-18:30||P
    täglich ab 17 Uhr||mtwhfsuHE 17:00-?||I
    Thursday: 11:00 AM – 2:00 PM, 6:00 – 10:30 PM||h 11:00-14:00; h 18:00-22:30||P
    Open 7 days a week 9am - 5pm||mtwhfsuHE 9:00-17:00||P
    Tue-Sat: 1130-2200||twhfs 11:30-22:00||P
    Mo-Sa 18:00+||mtwhfs 18:00-?||I
    12 noon - 10 pm daily, bank holidays 12-6pm||H 12:00-18:00; mtwhfsuE 12:00-22:00||P
    Mon-Thu 11-9, Fri-Sat 11-10||fs 11:00-22:00; mtwh 11:00-21:00||I
    Open daily except Christmas Day, 9am-6pm||mtwhfsuHE 9:00-18:00|1225-1225|P
    11:00-15:00 since 2019-2020||mtwhfsuHE 11:00-15:00||I
    7:00～9:30 11:30～14:00 17:30～21:00|日曜の朝|mtwhfsHE 7:00-9:30; mtwhfsuHE 11:30-14:00; mtwhfsuHE 17:30-21:00||P
    """

  @Test("each is read as labelled", arguments: table.split(separator: "\n").map(String.init))
  func labelled(row: String) {
    let fields = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    let hours = OpeningHoursReader.read(open: fields[0], close: fields[1]).hours
    #expect(hours.spans.map(Self.text).sorted().joined(separator: "; ") == fields[2])
    #expect(hours.closures.map(Self.text).sorted().joined(separator: ",") == fields[3])
    #expect(["P": HoursConfidence.parsed, "I": .inferred, "U": .unknown][fields[4]] == hours.confidence)
  }

  private static func text(_ span: OpenSpan) -> String {
    var text = "\(self.text(span.days)) \(time(span.opens))-\(span.closes.map(time) ?? "?")"
    if let time = span.lastOrder { text += " lo \(self.time(time))" }
    if let time = span.lastDrink { text += " ld \(self.time(time))" }
    return text
  }

  private static func text(_ closure: Closure) -> String {
    if let first = closure.first { return "\(first)-\(closure.last ?? first)" }
    var text = self.text(closure.days)
    if !closure.weeks.isEmpty { text += "/" + closure.weeks.map { "\($0)" }.joined(separator: ",") }
    if closure.movesAfterHoliday { text += "+mv" }
    return closure.isOpenOnHolidays ? text + "+oh" : text
  }

  private static func text(_ days: DayKinds) -> String {
    String(zip("mtwhfsuHE", 0..<9).filter { days.rawValue & (1 << $0.1) != 0 }.map(\.0))
  }

  private static func time(_ minutes: Int) -> String {
    "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
  }
}
