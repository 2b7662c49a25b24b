-- Give up the lease of a chunk that is to be sent again.
-- keys: flight leases tries
-- arguments: chunk holder patience
-- patience: seconds until it counts as lost
-- Returns 1 if it was the holder's, else 0.
if redis.call('HGET', leases, chunk) ~= holder then
  return 0
end
redis.call('HDEL', leases, chunk)
redis.call('HDEL', tries, chunk)
redis.call('ZADD', flight, tonumber(redis.call('TIME')[1]) + tonumber(patience), chunk)
return 1
