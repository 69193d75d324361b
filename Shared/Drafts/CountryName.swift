/// What people and sources call countries, as ISO 3166 codes.
package enum CountryName {
  /// Nil for a name that is not known: it is kept as it was written.
  package static func code(of name: String) -> String? {
    // Before letters alone: "UK" is no code.
    if let code = codes[name.lowercased()] { return code }
    guard name.utf8.count == 2, name.utf8.allSatisfy({ (65...90).contains($0 & 0xDF) }) else { return nil }
    return name.uppercased()
  }

  private static let codes = CodesByName.read(names)

  /// In Korean (as KOBIS and ticketing platforms write them), Japanese, English, German, French, their own language and others. SU and
  /// CS are countries of the past.
  private static let names = [
    "KR 한국|대한민국|韓国|South Korea|Korea|Republic of Korea|Korea, South|Korea, Republic of|Südkorea|Corée du Sud",
    "JP 일본|日本|Japan|Japon|Giappone",
    "US 미국|アメリカ|United States|United States of America|USA|Vereinigte Staaten|États-Unis|Etats-Unis|Estados Unidos|Stati Uniti",
    "GB 영국|イギリス|英国|United Kingdom|UK|Great Britain|England|Scotland|Northern Ireland|Wales|Großbritannien|Vereinigtes Königreich|Royaume-Uni|Grande-Bretagne|Reino Unido|Regno Unito",
    "FR 프랑스|フランス|France|Frankreich|Francia",
    "DE 독일|서독|ドイツ|Germany|West Germany|Deutschland|Allemagne|Alemania|Germania|Federal Republic of Germany|BRD|DDR|East Germany",
    "IT 이탈리아|イタリア|Italy|Italia|Italien|Italie",
    "ES 스페인|スペイン|Spain|España|Spanien|Espagne",
    "PT 포르투갈|ポルトガル|Portugal",
    "CN 중국|中国|China|Chine|Cina|People's Republic of China",
    "TW 대만|台湾|Taiwan|臺灣|台灣",
    "HK 홍콩|香港|Hong Kong",
    "TH 태국|タイ|Thailand",
    "VN 베트남|ベトナム|Vietnam",
    "PH 필리핀|フィリピン|Philippines",
    "ID 인도네시아|インドネシア|Indonesia",
    "IN 인도|インド|India",
    "IR 이란|イラン|Iran",
    "TR 터키|튀르키예|トルコ|Turkey|Türkiye",
    "IL 이스라엘|イスラエル|Israel|ישראל",
    "RU 러시아|ロシア|Russia|Russland|Russie|Russian Federation",
    "SU 소련|ソ連|Soviet Union|USSR",
    "PL 폴란드|ポーランド|Poland|Polska|Polen|Pologne",
    "CZ 체코|チェコ|Czech Republic|Czechia|Česko|Česká republika",
    "CS 체코슬로바키아|チェコスロバキア|Czechoslovakia",
    "HU 헝가리|ハンガリー|Hungary|Magyarország",
    "RO 루마니아|ルーマニア|Romania",
    "GR 그리스|ギリシャ|Greece|Ελλάδα",
    "AT 오스트리아|オーストリア|Austria|Österreich|Autriche",
    "CH 스위스|スイス|Switzerland|Schweiz|Suisse|Svizzera",
    "BE 벨기에|ベルギー|Belgium|België|Belgique|Belgien|Bélgica",
    "NL 네덜란드|オランダ|Netherlands|The Netherlands|Nederland|Niederlande|Pays-Bas|Holland",
    "DK 덴마크|デンマーク|Denmark|Danmark|Dänemark|Danemark",
    "SE 스웨덴|スウェーデン|Sweden|Sverige|Schweden|Suède",
    "NO 노르웨이|ノルウェー|Norway|Norge|Norwegen|Norvège",
    "FI 핀란드|フィンランド|Finland|Suomi|Finnland|Finlande",
    "IE 아일랜드|アイルランド|Ireland|Éire|Irland|Irlande|Republic of Ireland",
    "CA 캐나다|カナダ|Canada",
    "MX 멕시코|メキシコ|Mexico|México",
    "BR 브라질|ブラジル|Brazil|Brasil",
    "AR 아르헨티나|アルゼンチン|Argentina",
    "CL 칠레|チリ|Chile",
    "CO 콜롬비아|コロンビア|Colombia",
    "CU 쿠바|キューバ|Cuba",
    "AU 호주|오스트레일리아|オーストラリア|Australia",
    "NZ 뉴질랜드|ニュージーランド|New Zealand",
    "SN 세네갈|セネガル|Senegal",
    "EG 이집트|エジプト|Egypt",
    "SG 싱가포르|シンガポール|Singapore",
    "LU 룩셈부르크|ルクセンブルク|Luxembourg",
    "UA 우크라이나|ウクライナ|Ukraine|Україна",
    "PE 페루|ペルー|Peru|Perú",
    "ZA 남아프리카공화국|南アフリカ|South Africa",
  ]
}
