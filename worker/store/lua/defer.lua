-- Defer a chunk: its lease belongs to nobody and expires after a while.
-- keys: facts flight leases tries checkpoint
-- arguments: chunk holder seconds slow packed awaits_code
-- slow: 1 if its next record turned out to be slow, else 0. Then its job no longer counts as small,
-- and packed is the checkpoint of that record, or '' if it must start from the beginning.
-- awaits_code: 1 if the worker is still compiling code that the chunk needs, else 0
-- Returns when the lease expires, or nothing if the caller isn't its holder. If a client repeats the
-- call because a response was lost, it gets the same time.
local other = redis.call('HGET', leases, chunk)
if other == 'waiting' then
  return redis.call('ZSCORE', flight, chunk)
elseif other ~= holder then
  return false
end
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local again = now + tonumber(seconds)
local expires_at, done = unpack(redis.call('HMGET', facts, 'expires_at', 'done'))
if slow == '1' and expires_at then
  redis.call('HSET', facts, 'long', string.format('%.6f', now))
  redis.call('HINCRBY', tries, 'long:' .. chunk, packed == '' and 1 or 0)
  if packed ~= '' then
    redis.call('SET', checkpoint, packed, 'PXAT', math.floor(tonumber(expires_at) * 1000))
  end
end
if awaits_code == '1' and expires_at and tonumber(done) == 0 then
  redis.call('HSET', facts, 'awaits_code', 1)
end
redis.call('HSET', leases, chunk, 'waiting')
local attempts = redis.call('HGET', tries, 'by:' .. chunk) or ' '
local from, to = string.find(attempts, ' ' .. holder .. ' ', 1, true)
if from then
  redis.call('HSET', tries, 'by:' .. chunk, string.sub(attempts, 1, from) .. string.sub(attempts, to + 1))
end
redis.call('ZADD', flight, again, chunk)
return string.format('%.6f', again)
