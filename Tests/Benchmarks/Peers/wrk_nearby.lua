-- Asks for what is near: a new point each time ("distinct"), always the same one ("same"), or nginx's fixed answer
-- ("hello"). Prints one line of JSON at the end.
local kind, made = "distinct", 0

function init(args)
  kind = args[1] or "distinct"
  math.randomseed(7)
end

function request()
  if kind == "hello" then return wrk.format("GET", "/hello") end
  if kind == "same" then return wrk.format("GET", "/v1/cinemas/nearby?lat=37.566&lon=126.978") end
  made = made + 1
  local lat, lon = 33.2 + 5.3 * math.random(), 126.1 + 3.4 * math.random()
  return wrk.format("GET", string.format("/v1/cinemas/nearby?lat=%.6f&lon=%.6f", lat, lon))
end

function done(summary, latency, requests)
  local e = summary.errors
  io.write(string.format(
    '{"ops": %d, "seconds": %.6f, "p50_us": %.1f, "p99_us": %.1f, "errors": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
