-- Keep the lease of a chunk. Returns 1, or 0 if it is not the holder's any more.
-- keys: facts flight leases
-- arguments: chunk holder lease_seconds
if redis.call('HEXISTS', facts, 'cancelled_at') == 1 or redis.call('HGET', leases, chunk) ~= holder then
  return 0
end
redis.call('ZADD', flight, tonumber(redis.call('TIME')[1]) + tonumber(lease_seconds), chunk)
return 1
