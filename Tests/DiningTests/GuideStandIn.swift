import EventLoops

/// A stand-in for Recruit's gourmet guide in the documented shapes: what it answers is invented.
@MainActor
final class GuideStandIn {
  /// The body for a request's target; nil: none yet.
  var answer: (String) -> String? = { _ in GuideStandIn.shops([]) }
  var status = 200
  /// More fields of the answers, each with its line's end.
  var fields = ""
  private(set) var targets: [String] = []
  private var listener: Listener!
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var held: [any ByteStream] = []

  init() throws {
    listener = try Listener(on: .loopback()) { [unowned self] stream in
      stream.handler = GuideConnection(guide: self, stream: stream)
    }
  }

  var url: String { "http://\(listener.address)/hotpepper" }

  /// Returns once it has been asked so often.
  func asked(_ count: Int) async {
    while targets.count < count { await withCheckedContinuation { waiting.append($0) } }
  }

  fileprivate func take(_ target: String, _ stream: any ByteStream) {
    targets.append(target)
    let woken = waiting
    waiting = []
    for continuation in woken { continuation.resume() }
    guard let body = answer(target) else { return held.append(stream) }
    send(body, stream)
  }

  /// Answers those that were left without one.
  func release(_ body: String) {
    for stream in held { send(body, stream) }
    held = []
  }

  private func send(_ body: String, _ stream: any ByteStream) {
    stream.write(
      Array(
        "HTTP/1.1 \(status) OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\(fields)Connection: close\r\n\r\n\(body)"
          .utf8))
    stream.finish()
  }

  // MARK: What it answers

  static func error(_ code: Int, _ message: String) -> String {
    #"{"results":{"api_version":"1.30","error":[{"code":\#(code),"message":"\#(message)"}]}}"#
  }

  /// In the form that nobody asked for.
  static func xmlError(_ code: Int, _ message: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <results xmlns="http://webservice.recruit.co.jp/HotPepper/"><api_version>1.30</api_version>
    <error><code>\(code)</code><message>\(message)</message></error></results>
    """
  }

  static func shops(_ shops: [String], available: Int? = nil) -> String {
    """
    {"results":{"api_version":"1.30","results_available":\(available ?? shops.count),"results_returned":"\(shops.count)",
    "results_start":1,"shop":[\(shops.joined(separator: ","))]}}
    """
  }

  static func shop(_ id: String, _ name: String, north: Double = 0, capacity: String = "40") -> String {
    """
    {"id":"\(id)","name":"\(name)","name_kana":"たいわん","logo_image":"https://img.example/logo.jpg",
    "address":"東京都新宿区見本町1-2-3","station_name":"新宿","ktai_coupon":0,
    "large_service_area":{"code":"SS10","name":"関東"},"service_area":{"code":"SA11","name":"東京"},
    "large_area":{"code":"Z011","name":"東京"},"middle_area":{"code":"Y055","name":"新宿"},
    "small_area":{"code":"X001","name":"見本町"},"lat":\(35.690 + north),"lng":139.700,
    "genre":{"code":"G001","name":"居酒屋","catch":"見本の店"},"sub_genre":{"code":"G002","name":"バル"},
    "budget":{"code":"B002","name":"2001～3000円","average":"2500円"},"budget_memo":"お通し代300円","catch":"駅から３分",
    "capacity":\(capacity),"party_capacity":"","access":"新宿駅東口から徒歩3分","mobile_access":"新宿駅3分",
    "urls":{"pc":"https://guide.example/\(id)"},
    "photo":{"pc":{"l":"https://img.example/l.jpg","m":"","s":""},"mobile":{"l":"https://img.example/ml.jpg","s":""}},
    "open":"月～土: 17:00～翌1:00 （料理L.O. 翌0:00）","close":"日","wifi":"あり","course":"あり","private_room":"あり ：10名様まで",
    "card":"利用可","non_smoking":"全面禁煙","charter":"貸切不可 ：可","parking":"なし","midnight":"営業している","english":"未確認",
    "other_memo":"","shop_detail_memo":"","coupon_urls":{"pc":"https://guide.example/\(id)/map","sp":""},
    "credit_card":[{"code":"c01","name":"VISA"}],
    "special":[{"code":"LT0001","name":"夜景","title":"夜景の店","special_category":{"code":"SPA0","name":"場面"}}]}
    """
  }
}

@MainActor
private final class GuideConnection: ByteStreamHandler {
  private let guide: GuideStandIn
  private let stream: any ByteStream
  private var bytes: [UInt8] = []

  init(guide: GuideStandIn, stream: any ByteStream) {
    self.guide = guide
    self.stream = stream
  }

  func received(_ more: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: more)
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("\r\n\r\n") else { return }
    bytes = []
    let parts = text.split(separator: " ")
    guide.take(parts.count > 1 ? String(parts[1]) : "", stream)
  }

  func ended(_ stream: any ByteStream) { stream.finish() }
  func closed(_ reason: StreamEnd) {}
}
