import Clocks
import Observability
import Testing

@Suite("Metrics")
struct MetricsTests {
  private let metrics = Metrics()

  private func text(_ format: Metrics.Exposition = .prometheus) -> String {
    String(decoding: metrics.exposition(format), as: UTF8.self)
  }

  @Test("a counter, a gauge and summed time read as Prometheus wants them")
  func exposition() {
    metrics.counter("odi_cache_requests_total", "Lookups.", labels: ["result": "hit"]).add(3)
    metrics.counter("odi_cache_requests_total", "Lookups.", labels: ["result": "miss"]).add()
    let connections = metrics.gauge("odi_connections", "Open now.")
    connections.set(4)
    connections.add(-1)
    metrics.timeCounter("odi_loop_stall_seconds_total", "Time lost.").add(.milliseconds(1500))
    #expect(
      text() == """
        # HELP odi_cache_requests_total Lookups.
        # TYPE odi_cache_requests_total counter
        odi_cache_requests_total{result="hit"} 3
        odi_cache_requests_total{result="miss"} 1
        # HELP odi_connections Open now.
        # TYPE odi_connections gauge
        odi_connections 3.0
        # HELP odi_loop_stall_seconds_total Time lost.
        # TYPE odi_loop_stall_seconds_total counter
        odi_loop_stall_seconds_total 1.5

        """)
  }

  @Test("a histogram has growing buckets, a sum and a count, and a bound belongs to its bucket")
  func histogram() {
    let histogram = metrics.histogram(
      "http_server_request_duration_seconds", "Time.", labels: ["route": "/v1/films"], bounds: .requests)
    for milliseconds in [1, 2, 3, 250, 9_000] { histogram.record(.milliseconds(milliseconds)) }
    histogram.record(.seconds(-1))
    let lines = text().split(separator: "\n").map(String.init)
    func bucket(_ bound: String) -> String {
      "http_server_request_duration_seconds_bucket{route=\"/v1/films\",le=\"\(bound)\"} "
    }
    #expect(lines.count == 2 + 12 + 3)
    #expect(lines.contains(bucket("0.001") + "2"))
    #expect(lines.contains(bucket("0.0025") + "3"))
    #expect(lines.contains(bucket("0.005") + "4"))
    #expect(lines.contains(bucket("0.1") + "4"))
    #expect(lines.contains(bucket("0.25") + "5"))
    #expect(lines.contains(bucket("5.0") + "5"))
    #expect(lines.contains(bucket("+Inf") + "6"))
    #expect(lines.contains("http_server_request_duration_seconds_sum{route=\"/v1/films\"} 9.256"))
    #expect(lines.contains("http_server_request_duration_seconds_count{route=\"/v1/films\"} 6"))
  }

  @Test("OpenMetrics names counter families without their suffix and ends with a mark")
  func openMetrics() {
    metrics.counter("odi_busy_total", "Say \"busy\".").add()
    #expect(
      text(.openMetrics) == """
        # HELP odi_busy Say \\"busy\\".
        # TYPE odi_busy counter
        odi_busy_total 1
        # EOF

        """)
    #expect(text().contains("# HELP odi_busy_total Say \"busy\"."))
    #expect(Metrics.Exposition(accept: "application/openmetrics-text; version=1.0.0,text/plain;q=0.5") == .openMetrics)
    #expect(Metrics.Exposition(accept: "*/*") == .prometheus)
    #expect(Metrics.Exposition(accept: nil) == .prometheus)
  }

  @Test("label values are escaped")
  func escapes() {
    metrics.gauge("odi_site_state", "a\\b\nc", labels: ["site": "q\"\\\n한"]).set(1)
    #expect(text().contains("# HELP odi_site_state a\\\\b\\nc\n"))
    #expect(text().contains("odi_site_state{site=\"q\\\"\\\\\\n한\"} 1.0\n"))
  }

  @Test("the same name and labels are the same series")
  func identity() {
    metrics.counter("odi_a_total", "A.", labels: ["x": "1"]).add()
    let again = metrics.counter("odi_a_total", "A.", labels: ["x": "1"])
    again.add()
    #expect(again.value == 2)
    #expect(metrics.samples().count == 1)
  }

  @Test("series beyond the limit are counted together")
  func cardinality() {
    var limits = Metrics.Limits()
    limits.seriesPerFamily = 3
    let metrics = Metrics(limits: limits)
    for site in 0..<10 { metrics.counter("odi_pages_total", "Pages.", labels: ["site": "s\(site)"]).add() }
    metrics.counter("odi_pages_total", "Pages.", labels: ["site": "s1"]).add()
    let text = String(decoding: metrics.exposition(), as: UTF8.self)
    #expect(metrics.samples().count == 4)
    #expect(text.contains("odi_pages_total{site=\"other\"} 7\n"))
    #expect(text.contains("odi_pages_total{site=\"s1\"} 2\n"))
  }

  @Test("a family may have a limit of its own")
  func ownLimit() {
    var limits = Metrics.Limits()
    limits.seriesPerFamily = 3
    let metrics = Metrics(limits: limits)
    for site in 0..<10 {
      metrics.counter("odi_pages_total", "Pages.", labels: ["site": "s\(site)"], seriesMax: 8).add()
    }
    let text = String(decoding: metrics.exposition(), as: UTF8.self)
    #expect(text.contains("odi_pages_total{site=\"s7\"} 1\n") && text.contains("odi_pages_total{site=\"other\"} 2\n"))
  }

  @Test("a label value is cut between characters")
  func longLabel() {
    var limits = Metrics.Limits()
    limits.labelBytes = 4
    let metrics = Metrics(limits: limits)
    metrics.gauge("odi_x", "X.", labels: ["a": "한국어"]).set(1)
    #expect(String(decoding: metrics.exposition(), as: UTF8.self).contains("odi_x{a=\"한\"} 1.0\n"))
  }

  @Test("collectors run before each reading")
  func collectors() {
    let memory = metrics.gauge("process_resident_memory_bytes", "Memory.")
    metrics.beforeReading { memory.add(1) }
    _ = text()
    #expect(text().contains("process_resident_memory_bytes 2.0\n"))
  }

  @Test("odd numbers have Prometheus' names")
  func numbers() {
    metrics.gauge("odi_a", "A.").set(.nan)
    metrics.gauge("odi_b", "B.").set(-.infinity)
    #expect(text().contains("odi_a NaN\n"))
    #expect(text().contains("odi_b -Inf\n"))
  }

  @Test("counting from many threads loses nothing")
  func threads() async {
    let counter = metrics.counter("odi_a_total", "A.")
    let gauge = metrics.gauge("odi_g", "G.")
    let histogram = metrics.histogram("odi_h_seconds", "H.")
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { @concurrent in
          for _ in 0..<1_000 {
            counter.add()
            gauge.add(1)
            histogram.record(.microseconds(3))
          }
        }
      }
    }
    #expect(counter.value == 4_000)
    #expect(gauge.value == 4_000)
    #expect(histogram.distribution.count == 4_000)
    #expect(histogram.distribution.sum == .milliseconds(12))
  }
}

@Suite("Distribution")
struct DistributionTests {
  private func distribution(_ durations: [Duration]) -> Distribution {
    let histogram = Metrics().histogram("odi_h_seconds", "H.")
    for duration in durations { histogram.record(duration) }
    return histogram.distribution
  }

  @Test("a quantile is never off by more than a quarter", arguments: [0.5, 0.9, 0.99, 1.0])
  func quantiles(share: Double) throws {
    let durations = (1...1_000).map { Duration.microseconds($0 * 17) }
    let exact = durations[Int((1_000 * share).rounded(.up)) - 1]
    let found = try #require(distribution(durations).quantile(share))
    #expect(abs(found / exact - 1) < 0.25)
  }

  @Test("an empty one has no quantile, one beyond the scale tells the scale's end")
  func edges() {
    #expect(distribution([]).quantile(0.5) == nil)
    #expect(distribution([.seconds(1_000_000)]).quantile(0.5) == .seconds(1_000))
    #expect(distribution([.zero]).quantile(0.5) == .microseconds(1))
  }

  @Test("every duration falls into a bucket whose edges hold it")
  func everyBucket() throws {
    var nanoseconds: Int64 = 1
    while nanoseconds < 2_000_000_000_000 {
      for value in [nanoseconds, nanoseconds - 1, nanoseconds + 1] where value > 1_000 && value < 1_000_000_000_000 {
        let one = distribution([.nanoseconds(value)])
        let top = try #require(one.quantile(1)).saturatedNanoseconds
        #expect(top >= value && Double(top) <= Double(value) * 1.25 + 1, "\(value) fell to \(top)")
      }
      nanoseconds = nanoseconds * 5 / 4 + 1
    }
  }

  @Test("a difference tells what happened in between")
  func since() {
    let histogram = Metrics().histogram("odi_h_seconds", "H.")
    histogram.record(.seconds(1))
    let before = histogram.distribution
    histogram.record(.milliseconds(1))
    let step = histogram.distribution.since(before)
    #expect(step.count == 1)
    #expect(step.sum == .milliseconds(1))
    #expect(step.quantile(1) == .milliseconds(1))
  }
}
