/// What sources call languages, as the codes of ISO 639.
package enum LanguageName {
  /// A code as it is, of `pt-BR` its language; of several the first. Nil for a name that is not known.
  package static func code(of text: String) -> String? {
    let first = text.lowercased().prefix { !",;/|".contains($0) }.trimmed
    let code = first.prefix { $0 != "-" && $0 != "_" }
    if (2...3).contains(code.utf8.count), code.utf8.allSatisfy((UInt8(ascii: "a")...UInt8(ascii: "z")).contains) {
      return String(code)
    }
    return codes[first]
  }

  private static let codes = CodesByName.read(names)

  /// In English, in the language itself, in Korean and Japanese.
  private static let names = [
    "en English|영어|英語", "ko Korean|한국어|조선어|韓国語", "ja Japanese|日本語|일본어", "fr French|Français|프랑스어|フランス語",
    "de German|Deutsch|독일어|ドイツ語", "es Spanish|Español|Castilian|스페인어|スペイン語", "it Italian|Italiano|이탈리아어|イタリア語",
    "pt Portuguese|Português|Brazilian Portuguese|포르투갈어|ポルトガル語", "nl Dutch|Nederlands|Flemish|네덜란드어|オランダ語",
    "zh Chinese|Mandarin|Cantonese|中文|중국어|中国語", "ru Russian|Русский|러시아어|ロシア語", "pl Polish|Polski|폴란드어|ポーランド語",
    "sv Swedish|Svenska|스웨덴어|スウェーデン語", "da Danish|Dansk|덴마크어|デンマーク語", "no Norwegian|Norsk|노르웨이어|ノルウェー語",
    "fi Finnish|Suomi|핀란드어|フィンランド語", "cs Czech|Čeština|체코어|チェコ語", "hu Hungarian|Magyar|헝가리어|ハンガリー語",
    "ro Romanian|Română|루마니아어|ルーマニア語", "el Greek|Ελληνικά|그리스어|ギリシャ語", "tr Turkish|Türkçe|튀르키예어|터키어|トルコ語",
    "ar Arabic|العربية|아랍어|アラビア語", "fa Persian|Farsi|فارسی|페르시아어|ペルシャ語", "he Hebrew|עברית|히브리어|ヘブライ語",
    "hi Hindi|हिन्दी|힌디어|ヒンディー語", "ta Tamil|தமிழ்", "th Thai|ไทย|태국어|タイ語", "vi Vietnamese|Tiếng Việt|베트남어|ベトナム語",
    "id Indonesian|Bahasa Indonesia|인도네시아어|インドネシア語", "uk Ukrainian|Українська|우크라이나어|ウクライナ語", "bg Bulgarian|Български",
    "hr Croatian|Hrvatski", "sr Serbian|Srpski", "sk Slovak|Slovenčina", "sl Slovenian|Slovenščina",
    "ca Catalan|Català",
    "ga Irish|Gaeilge", "cy Welsh|Cymraeg", "eu Basque|Euskara", "gl Galician|Galego",
  ]
}
