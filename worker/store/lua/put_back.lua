-- Give up the lease of a chunk that is to be sent again.
-- ARGV: chunk, holder, seconds until it counts as lost; Returns 1 if it was the holder's.
local flight, leases = KEYS[3], KEYS[4]
if redis.call('HGET', leases, ARGV[1]) ~= ARGV[2] then
  return 0
end
redis.call('HDEL', leases, ARGV[1])
redis.call('HDEL', KEYS[6], ARGV[1])
redis.call('ZADD', flight, tonumber(redis.call('TIME')[1]) + tonumber(ARGV[3]), ARGV[1])
return 1
