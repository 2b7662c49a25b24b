-- Mark the upload as complete. Returns 1, 2 if this finishes the job, or 0 if it doesn't accept any
-- more chunks.
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
  return 2
end
return 1
