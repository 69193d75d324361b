import Clocks
import EventLoops
import Fetch
import Testing

@Suite("AddressGuard", .serialized)
@MainActor
struct AddressGuardTests {
  @Test(
    "special addresses are refused in every form",
    arguments: [
      "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255",
      "127.0.0.1", "127.255.255.254",
      "169.254.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1",
      "192.88.99.1", "192.168.0.1",
      "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1",
      "240.0.0.1", "255.255.255.255",
      "168.63.129.16", "192.31.196.1", "192.52.193.1", "192.175.48.1", "::", "::1", "::127.0.0.1", "::8.8.8.8",
      "::ffff:127.0.0.1", "::ffff:10.0.0.1",
      "::ffff:169.254.169.254", "64:ff9b::127.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::8.8.8.8", "100::1", "2001::1",
      "2001:0:4136:e378:8000:63bf:3fff:fdd2",
      "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::1", "2620:4f:8000::1", "3fff::1",
      "5f00::1", "fc00::1", "fd00:ec2::254",
      "fe80::1", "febf::1", "fec0::1", "ff02::1", "4000::1", "::2", "1::1", "2a00:1450::5efe:7f00:1",
      "2a00:1450::200:5efe:10.0.0.1",
    ])
  func special(text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(AddressGuard().refusal(of: address, port: 80) != nil)
    #expect(AddressGuard.off.refusal(of: address, port: 80) == nil)
  }

  @Test(
    "public addresses are allowed, on the ports of the web",
    arguments: [
      "8.8.8.8", "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
      "128.0.0.0", "169.253.255.255",
      "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
      "223.255.255.255",
      "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2001:4860:4860::8888", "2a00:1450:4001::1", "2606:4700::1",
      "2a00:1450::5efe:8.8.8.8", "2001:200::1",
    ])
  func open(text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(AddressGuard().refusal(of: address, port: 443) == nil)
    for port in [0, 22, 25, 81, 3_306, 6_379, 8_080] as [UInt16] {
      #expect(AddressGuard().refusal(of: address, port: port) != nil)
    }
  }

  @Test("an exception is one address and one port")
  func exception() throws {
    let guarded = AddressGuard(exceptions: [try SocketAddress(parsing: "127.0.0.1:7190")])
    #expect(guarded.refusal(of: .loopback, port: 7_190) == nil)
    #expect(guarded.refusal(of: .loopback, port: 7_191) != nil)
    #expect(guarded.refusal(of: .loopback, port: 80) != nil)
    #expect(guarded.refusal(of: try #require(IPAddress("127.0.0.2")), port: 7_190) != nil)
  }

  /// Ways to this machine, to its network and to clouds' metadata; `PORT` is where a listener waits.
  static let attempts = [
    "http://127.0.0.1:PORT/", "http://127.1:PORT/", "http://127.0.1:PORT/", "http://0x7f.1:PORT/",
    "http://0x7f.0.0.1:PORT/", "http://0x7f000001:PORT/",
    "http://0177.0.0.1:PORT/", "http://017700000001:PORT/", "http://2130706433:PORT/", "http://127.0.0.1.:PORT/",
    "http://127.000.000.001:PORT/",
    "http://0:PORT/", "http://0.0.0.0:PORT/", "http://127.255.255.254:PORT/", "http://127.0.0.2:PORT/",
    "http://localhost:PORT/", "http://LOCALHOST:PORT/",
    "http://localhost.:PORT/", "http://one.rebind.example:PORT/", "http://[::1]:PORT/", "http://[::]:PORT/",
    "http://[0:0:0:0:0:0:0:1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/", "http://[::ffff:7f00:1]:PORT/", "http://[::127.0.0.1]:PORT/",
    "http://[64:ff9b::127.0.0.1]:PORT/",
    "http://[2002:7f00:1::]:PORT/", "http://[fe80::1]:PORT/", "http://[fe80::1%25lo]:PORT/", "http://[fc00::1]:PORT/",
    "http://[fd00:ec2::254]/latest/",
    "http://10.0.0.1:PORT/", "http://10.255.255.255/", "http://172.16.0.1/", "http://172.31.255.255/",
    "http://192.168.0.1/", "http://192.168.1.1:PORT/",
    "http://100.64.0.1/", "http://100.100.100.200/latest/", "http://169.254.169.254/latest/meta-data/",
    "http://169.254.170.2/v2/credentials",
    "http://[::ffff:169.254.169.254]/", "http://[::ffff:a9fe:a9fe]/", "http://0xa9fea9fe/", "http://2852039166/",
    "http://0251.0376.0251.0376/",
    "http://168.63.129.16/machine", "http://192.0.0.192/opc/", "http://198.18.0.1/", "http://224.0.0.1/",
    "http://255.255.255.255/", "http://240.0.0.1/",
    "http://user@127.0.0.1:PORT/", "http://good.example@127.0.0.1:PORT/", "http://127.0.0.1:PORT@good.example/",
    "http://good.example\\@127.0.0.1:PORT/",
    "http://127.0.0.1\\.good.example:PORT/", "http://127.0.0.1:PORT\\@good.example/",
    "http://good.example#@127.0.0.1:PORT/", "http://127.0.0.1%2f:PORT/",
    "http://%31%32%37.0.0.1:PORT/", "http://１２７.０.０.１:PORT/", "http://127。0。0。1:PORT/", "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/",
    "http:127.0.0.1:PORT/",
    "http:/127.0.0.1:PORT/", "http:///127.0.0.1:PORT/", "//127.0.0.1:PORT/", "gopher://127.0.0.1:PORT/_",
    "file:///etc/passwd", "dict://127.0.0.1:PORT/",
    "http://8.8.8.8:22/", "http://good.example:22/", "http://127.0.0.1:22/", "http://127.0.0.1:PORT\t/",
    "http://127.0.0.1 :PORT/", "http://a\r\n.example/",
    "jar:http://127.0.0.1:PORT/", "http://[::1]:PORT:80/", "http://127.0.0.1:PORT/../../",
  ]

  private func fetcher(_ addressGuard: AddressGuard) -> Fetcher {
    // Every name leads to this machine: the first answer that a rebinding name server gives does not matter.
    Fetcher(addressGuard: addressGuard) { _, port in [.ip(.loopback, port: port)] }
  }

  @Test("none of these ways in is even tried: no socket is opened and the listener hears nothing")
  func nothingIsTried() async throws {
    #expect(Self.attempts.count >= 60)
    let zoo = try Zoo(ok("inside"))
    let fetcher = fetcher(AddressGuard(ports: [80, 443, zoo.port]))
    defer { fetcher.close(); zoo.close() }
    for attempt in Self.attempts {
      let text = attempt.replacing("PORT", with: "\(zoo.port)")
      await #expect(throws: FetchError.self, "\(text)") { try await fetcher.fetch(FetchRequest(text)) }
    }
    #expect(fetcher.connectionsTried == 0 && zoo.accepted == 0)
  }

  private func address(_ url: FetchURL) -> IPAddress {
    if case .address(let address) = url.host { address } else { .loopback }
  }

  @Test("with the guard off they get in: the guard is what stopped them")
  func control() async throws {
    let zoo = try Zoo(ok("inside"))
    let fetcher = fetcher(.off)
    defer { fetcher.close(); zoo.close() }
    var inside = 0
    // Addresses that nobody answers at would only be waited for.
    for attempt in Self.attempts where attempt.contains("127") || attempt.contains("localhost") {
      guard let request = try? FetchRequest(attempt.replacing("PORT", with: "\(zoo.port)")),
        AddressGuard.specialRange(of: address(request.url)) == "this machine"
      else { continue }
      if (try? await fetcher.fetch(request).isSuccess) == true { inside += 1 }
    }
    #expect(inside >= 4)
    #expect(zoo.accepted >= 2)
  }

  @Test("a name that changes its answer, or mixes its answers, gains nothing")
  func rebinding() async throws {
    let zoo = try Zoo(ok("inside"))
    let other = try Zoo(ok("outside"))
    let inside = try #require(IPAddress("127.0.0.2"))
    // The other listener's address is allowed, as a public one would be; 127.0.0.2 is not.
    var answers: [[IPAddress]] = [[.loopback], [inside], [inside, .loopback]]
    let time = ManualTime()
    let fetcher = Fetcher(addressGuard: AddressGuard(exceptions: [other.address]), time: time) { _, port in
      answers.removeFirst().map { .ip($0, port: port) }
    }
    defer { fetcher.close(); zoo.close(); other.close() }
    let request = FetchRequest(try other.url("/", host: "rebind.example"))
    #expect(try await fetcher.fetch(request).address == .loopback)
    time.advance(by: .seconds(61))
    await #expect(throws: FetchError.self) { try await fetcher.fetch(request) }
    time.advance(by: .seconds(61))
    #expect(try await fetcher.fetch(request).address == .loopback)
    #expect(answers.isEmpty && zoo.accepted == 0)
  }
}
