-- wrk with DEPTH requests in each write; prints one line of JSON at the end.
local batch

function init(args)
  local depth = tonumber(args[1]) or 1
  local one = wrk.format("GET", wrk.path)
  batch = string.rep(one, depth)
end

function request()
  return batch
end

function done(summary, latency, requests)
  local e = summary.errors
  io.write(string.format(
    '{"ops": %d, "seconds": %.6f, "p50_us": %.1f, "p99_us": %.1f, "errors": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
