-- Store the explanation of a record for as long as its job. Does nothing if the job doesn't exist.
-- keys: facts explained
-- arguments: record explanation
local expires_at = redis.call('HGET', facts, 'expires_at')
if expires_at then
  redis.call('HSET', explained, record, explanation)
  redis.call('PEXPIREAT', explained, math.floor(tonumber(expires_at) * 1000))
end
