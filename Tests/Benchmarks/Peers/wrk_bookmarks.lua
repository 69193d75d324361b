-- Saves films for users, a new note each time so that every put is a write. Prints one line of JSON at the end.
local targets, at = {}, 0

function init(args)
  for line in io.lines(args[1]) do
    local token, film = line:match("(%S+) (%S+)")
    targets[#targets + 1] = {
      path = "/v1/me/bookmarks/" .. film,
      headers = { ["Authorization"] = "Bearer " .. token, ["Content-Type"] = "application/json" },
    }
  end
end

function request()
  at = at + 1
  local target = targets[at % #targets + 1]
  return wrk.format("PUT", target.path, target.headers, string.format('{"note":"%d"}', at))
end

function done(summary, latency, requests)
  local e = summary.errors
  io.write(string.format(
    '{"ops": %d, "seconds": %.6f, "p50_us": %.1f, "p99_us": %.1f, "errors": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
