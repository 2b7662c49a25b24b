-- Start work on a chunk: take its lease unless somebody alive holds it.
-- keys: facts flight leases done tries input
-- arguments: chunk holder lease_seconds dead
-- dead: a holder that is known to be dead, or ''
-- Returns {'gone'}, {'busy', holder} or {'work', blob, records done, tries, careful}.
local known = redis.call('HMGET', facts, 'expires_at', 'cancelled_at', 'started_at')
local blob = redis.call('GET', input)
if not known[1] or known[2] or not blob then
  redis.call('ZREM', flight, chunk)
  return {'gone'}
end
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local other = redis.call('HGET', leases, chunk)
if other and other ~= holder and other ~= dead then
  local deadline = redis.call('ZSCORE', flight, chunk)
  if deadline and tonumber(deadline) > now then
    return {'busy', other}
  end
end
local expires_ms = math.floor(tonumber(known[1]) * 1000)
redis.call('HSET', leases, chunk, holder)
redis.call('ZADD', flight, now + tonumber(lease_seconds), chunk)
local begun = redis.call('HINCRBY', tries, chunk, 1)
if begun > 1 then
  redis.call('HSET', tries, 'careful:' .. chunk, 1)
end
for _, key in ipairs({flight, leases, tries}) do
  redis.call('PEXPIREAT', key, expires_ms)
end
if not known[3] then
  redis.call('HSET', facts, 'started_at', time[1] .. '.' .. string.format('%06d', time[2]))
end
return {'work', blob, tonumber(redis.call('HGET', done, chunk) or 0), begun,
  redis.call('HEXISTS', tries, 'careful:' .. chunk)}
