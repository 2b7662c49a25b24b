-- Replace a job's images, and keep them as long as the job. Stores none if it doesn't exist.
-- keys: facts pictures
-- arguments: part
-- part: the key of a list of images, which doesn't exist if there are none
local expires_at = redis.call('HGET', facts, 'expires_at')
redis.call('UNLINK', pictures)
if not expires_at then
  redis.call('UNLINK', part)
elseif redis.call('EXISTS', part) == 1 then
  redis.call('RENAME', part, pictures)
  redis.call('PEXPIREAT', pictures, math.floor(tonumber(expires_at) * 1000))
end
