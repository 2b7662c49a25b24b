-- Let a chunk wait whose next record is long: its lease goes to nobody, and runs out. Its job is
-- no small one any more.
-- keys: facts flight leases tries
-- arguments: chunk holder seconds
-- Returns when that is, or nothing if the lease was not the holder's.
if redis.call('HGET', leases, chunk) ~= holder then
  return false
end
local time = redis.call('TIME')
local again = tonumber(time[1]) + tonumber(time[2]) / 1000000 + tonumber(seconds)
if redis.call('EXISTS', facts) == 1 then
  redis.call('HSET', facts, 'long', 1)
end
redis.call('HSET', leases, chunk, 'waiting')
redis.call('HINCRBY', tries, chunk, -1)
redis.call('HSET', tries, 'long:' .. chunk, 1)
redis.call('ZADD', flight, again, chunk)
return string.format('%.6f', again)
