-- Keep the explanation of a record as long as its job. Nothing happens if the job is gone.
-- keys: facts explained
-- arguments: record explanation
local expires_at = redis.call('HGET', facts, 'expires_at')
if expires_at then
  redis.call('HSET', explained, record, explanation)
  redis.call('PEXPIREAT', explained, math.floor(tonumber(expires_at) * 1000))
end
