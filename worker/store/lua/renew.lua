-- Renew the lease of a chunk. Returns 1, or 0 if the holder no longer has it.
-- keys: facts flight leases
-- arguments: chunk holder lease_seconds
if redis.call('HEXISTS', facts, 'cancelled_at') == 1 or redis.call('HGET', leases, chunk) ~= holder then
  return 0
end
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
redis.call('ZADD', flight, now + tonumber(lease_seconds), chunk)
return 1
