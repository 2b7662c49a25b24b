-- Acquire the lease of a chunk unless a live holder has it.
-- keys: facts flight leases done tries input starts checkpoint
-- arguments: chunk holder lease_seconds dead slow_seconds schema message_timeout
-- holder: the unique name of an attempt. If the same holder calls again because a response was lost,
-- that is not a new attempt.
-- slow_seconds: after a slow record, another slow one of its job is expected for this time
-- dead: a holder that is known to be dead, or ''
-- schema: the newest one that the caller can read. Chunks with a newer one count as sent again now, so
-- the caller must send them to newer workers.
-- message_timeout: seconds until a chunk that was sent and not started counts as lost
-- Returns {'gone'}, {'missing'} (the chunk is not done, and its records no longer exist),
-- {'busy', holder}, {'newer', its schema, now}, or {'acquired', now, records done,
-- attempts, one_by_one, slow, restarts, checkpoint of the next record}. restarts is how often the
-- next record was started without getting to a checkpoint, -1 if it isn't known to be slow.
local expires_at, cancelled_at, started_at, total, finished_at, slow_at, job_schema, awaits_code = unpack(
  redis.call('HMGET', facts,
    'expires_at', 'cancelled_at', 'started_at', 'total', 'finished_at', 'long', 'schema', 'awaits_code'))
if not expires_at or cancelled_at or finished_at then
  redis.call('ZREM', flight, chunk)
  return {'gone'}
end
local is_newer = tonumber(job_schema or 1) > tonumber(schema)
if not is_newer then
  local first = redis.call('ZSCORE', starts, chunk)
  local following = redis.call('ZSCORE', starts, chunk + 1) or total + 1
  local is_done = not first or tonumber(redis.call('HGET', done, chunk) or 0) >= following - first
  if is_done or redis.call('EXISTS', input) == 0 then
    redis.call('ZREM', flight, chunk)
    if is_done then
      return {'gone'}
    end
    return {'missing'}
  end
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
if is_newer then
  if not redis.call('ZSCORE', flight, chunk) then
    return {'gone'}
  end
  redis.call('HDEL', leases, chunk)
  redis.call('ZADD', flight, now + tonumber(message_timeout), chunk)
  return {'newer', tonumber(job_schema), string.format('%.6f', now)}
end
redis.call('HSET', leases, chunk, holder)
redis.call('ZADD', flight, now + tonumber(lease_seconds), chunk)
local attempts = redis.call('HGET', tries, 'by:' .. chunk) or ' '
if not string.find(attempts, ' ' .. holder .. ' ', 1, true) then
  attempts = attempts .. holder .. ' '
  redis.call('HSET', tries, 'by:' .. chunk, attempts)
end
local _, count = string.gsub(attempts, '%S+', '')
if count > 1 then
  redis.call('HSET', tries, 'careful:' .. chunk, 1)
end
local expires_ms = math.floor(tonumber(expires_at) * 1000)
for _, key in ipairs({flight, leases, tries}) do
  redis.call('PEXPIREAT', key, expires_ms)
end
local now_text = time[1] .. '.' .. string.format('%06d', time[2])
if not started_at then
  redis.call('HSET', facts, 'started_at', now_text, 'solving_at', now_text)
elseif awaits_code then
  -- Until now, every chunk waited for code. If this one must wait, too, it is deferred again.
  redis.call('HSET', facts, 'solving_at', now_text)
  redis.call('HDEL', facts, 'awaits_code')
end
local restarts = tonumber(redis.call('HGET', tries, 'long:' .. chunk) or -1)
local slow = restarts >= 0 or slow_at and now < tonumber(slow_at) + tonumber(slow_seconds)
return {'acquired', string.format('%.6f', now), tonumber(redis.call('HGET', done, chunk) or 0), count,
  redis.call('HEXISTS', tries, 'careful:' .. chunk), slow and 1 or 0, restarts,
  redis.call('GET', checkpoint)}
