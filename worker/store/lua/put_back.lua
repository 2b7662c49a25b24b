-- Give up the lease of a chunk that is to be sent again. Whoever does that did not die on it,
-- so that its start is no try, nor is one that took place after its lease ran out.
-- keys: flight leases tries
-- arguments: chunk holder patience
-- patience: seconds until it counts as lost
-- Returns the time if it was the holder's, else nothing.
if redis.call('HGET', leases, chunk) ~= holder then
  if tonumber(redis.call('HGET', tries, chunk) or 0) > 1 then
    redis.call('HINCRBY', tries, chunk, -1)
  end
  return false
end
redis.call('HDEL', leases, chunk)
redis.call('HINCRBY', tries, chunk, -1)
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
redis.call('ZADD', flight, now + tonumber(patience), chunk)
return string.format('%.6f', now)
