-- Start work on a chunk: acquire its lease unless a living holder has it.
-- keys: facts flight leases done tries input starts checkpoint
-- arguments: chunk holder lease_seconds dead long_seconds schema parking_seconds
-- holder: the unique name of an attempt. If the same holder calls again because a response was lost,
-- that is not a new attempt.
-- long_seconds: after a long record, another long one of its job is expected for this time
-- dead: a holder that is known to be dead, or ''
-- schema: the newest one that the caller can read. Chunks with a newer one are deferred, for others.
-- Returns {'gone'}, {'vanished'} (the chunk is not done, and its records no longer exist),
-- {'busy', holder}, {'newer', its schema, when it is sent again}, or {'work', now, records done,
-- attempts, careful, long, in_vain, checkpoint of the next record}. in_vain is how often the next
-- record was started without getting to a checkpoint, −1 if it isn't known to be long.
local known = redis.call('HMGET', facts, 'expires_at', 'cancelled_at', 'started_at', 'total', 'finished_at', 'long', 'schema')
if not known[1] or known[2] or known[5] then
  redis.call('ZREM', flight, chunk)
  return {'gone'}
end
local is_newer = tonumber(known[7] or 1) > tonumber(schema)
if not is_newer and redis.call('EXISTS', input) == 0 then
  redis.call('ZREM', flight, chunk)
  local first = redis.call('ZSCORE', starts, chunk)
  local following = redis.call('ZSCORE', starts, chunk + 1) or known[4] + 1
  if first and tonumber(redis.call('HGET', done, chunk) or 0) < following - first then
    return {'vanished'}
  end
  return {'gone'}
end
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local other = redis.call('HGET', leases, chunk)
if other and other ~= holder and other ~= dead then
  local deadline = tonumber(redis.call('ZSCORE', flight, chunk) or 0)
  if deadline > now then
    -- A deadline later than any lease is from before the clock was set back.
    if deadline > now + tonumber(lease_seconds) then
      redis.call('ZADD', flight, now + tonumber(lease_seconds), chunk)
    end
    return {'busy', other}
  end
end
local expires_ms = math.floor(tonumber(known[1]) * 1000)
if is_newer then
  if not redis.call('ZSCORE', flight, chunk) then
    return {'gone'}
  end
  local again = now + tonumber(parking_seconds)
  redis.call('HSET', leases, chunk, 'waiting')
  redis.call('ZADD', flight, again, chunk)
  redis.call('PEXPIREAT', flight, expires_ms)
  redis.call('PEXPIREAT', leases, expires_ms)
  return {'newer', tonumber(known[7]), string.format('%.6f', again)}
end
redis.call('HSET', leases, chunk, holder)
redis.call('ZADD', flight, now + tonumber(lease_seconds), chunk)
local attempts = redis.call('HGET', tries, 'by:' .. chunk) or ' '
if not string.find(attempts, ' ' .. holder .. ' ', 1, true) then
  attempts = attempts .. holder .. ' '
  redis.call('HSET', tries, 'by:' .. chunk, attempts)
end
local _, begun = string.gsub(attempts, '%S+', '')
if begun > 1 then
  redis.call('HSET', tries, 'careful:' .. chunk, 1)
end
for _, key in ipairs({flight, leases, tries}) do
  redis.call('PEXPIREAT', key, expires_ms)
end
if not known[3] then
  redis.call('HSET', facts, 'started_at', time[1] .. '.' .. string.format('%06d', time[2]))
end
local in_vain = tonumber(redis.call('HGET', tries, 'long:' .. chunk) or -1)
local long = in_vain >= 0 or known[6] and now < tonumber(known[6]) + tonumber(long_seconds)
return {'work', string.format('%.6f', now), tonumber(redis.call('HGET', done, chunk) or 0), begun,
  redis.call('HEXISTS', tries, 'careful:' .. chunk), long and 1 or 0, in_vain,
  redis.call('GET', checkpoint)}
