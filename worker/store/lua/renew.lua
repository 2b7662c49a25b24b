-- Keep the lease of a chunk. Returns 1, or 0 if it is not the holder's any more.
-- ARGV: chunk, holder, lease seconds
local facts, flight, leases = KEYS[1], KEYS[3], KEYS[4]
if redis.call('HEXISTS', facts, 'cancelled_at') == 1 or redis.call('HGET', leases, ARGV[1]) ~= ARGV[2] then
  return 0
end
redis.call('ZADD', flight, tonumber(redis.call('TIME')[1]) + tonumber(ARGV[3]), ARGV[1])
return 1
