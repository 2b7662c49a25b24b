-- Keep images instead of those that there are, as long as the job; none if it is gone.
-- keys: facts pictures
-- arguments: part
-- part: the key of a list of images; there is no such key for no images
local expires_at = redis.call('HGET', facts, 'expires_at')
redis.call('UNLINK', pictures)
if not expires_at then
  redis.call('UNLINK', part)
elseif redis.call('EXISTS', part) == 1 then
  redis.call('RENAME', part, pictures)
  redis.call('PEXPIREAT', pictures, math.floor(tonumber(expires_at) * 1000))
end
