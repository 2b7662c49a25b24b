-- Give up the lease of a chunk that is to be sent again. Whoever does that did not die on it,
-- so that its start is no try, nor is one that took place after its lease ran out.
-- keys: flight leases tries
-- arguments: chunk holder patience
-- patience: seconds until it counts as lost
-- Returns 1 if it was the holder's, else 0.
if redis.call('HGET', leases, chunk) ~= holder then
  if tonumber(redis.call('HGET', tries, chunk) or 0) > 1 then
    redis.call('HINCRBY', tries, chunk, -1)
  end
  return 0
end
redis.call('HDEL', leases, chunk)
redis.call('HINCRBY', tries, chunk, -1)
redis.call('ZADD', flight, tonumber(redis.call('TIME')[1]) + tonumber(patience), chunk)
return 1
