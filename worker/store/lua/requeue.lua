-- Release the lease of a chunk that must be sent again. The caller hasn't crashed on it, so its
-- attempt doesn't count, even if the lease had expired.
-- keys: flight leases tries
-- arguments: chunk holder message_timeout
-- message_timeout: seconds until it counts as lost
-- Returns the time, or nothing if another holder has the lease.
local attempts = redis.call('HGET', tries, 'by:' .. chunk)
if attempts then
  local from, to = string.find(attempts, ' ' .. holder .. ' ', 1, true)
  if from then
    redis.call('HSET', tries, 'by:' .. chunk, string.sub(attempts, 1, from) .. string.sub(attempts, to + 1))
  end
end
local other = redis.call('HGET', leases, chunk)
if other and other ~= holder or not redis.call('ZSCORE', flight, chunk) then
  return false
end
redis.call('HDEL', leases, chunk)
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
redis.call('ZADD', flight, now + tonumber(message_timeout), chunk)
return string.format('%.6f', now)
