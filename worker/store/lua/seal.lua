-- Say that the upload is complete. Returns 1, or 0 if the job takes no more.
-- keys: facts
local known = redis.call('HMGET', facts, 'created_at', 'cancelled_at', 'done', 'total')
if not known[1] or known[2] then
  return 0
end
local time = redis.call('TIME')
local now = time[1] .. '.' .. string.format('%06d', time[2])
redis.call('HSETNX', facts, 'sealed_at', now)
if known[3] == known[4] then
  redis.call('HSETNX', facts, 'finished_at', now)
end
return 1
