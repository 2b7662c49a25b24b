-- Mark the upload as complete. Returns 1, 2 if this finishes the job, or 0 if the job doesn't
-- accept chunks. `folders` are the upload's folders as JSON, or empty if it has none.
-- keys: facts
-- arguments: folders
local created_at, cancelled_at, done, total = unpack(redis.call('HMGET', facts,
  'created_at', 'cancelled_at', 'done', 'total'))
if not created_at or cancelled_at then
  return 0
end
local time = redis.call('TIME')
local now = time[1] .. '.' .. string.format('%06d', time[2])
if folders ~= '' then
  redis.call('HSETNX', facts, 'folders', folders)
end
redis.call('HSETNX', facts, 'sealed_at', now)
if done == total then
  redis.call('HSETNX', facts, 'finished_at', now)
  return 2
end
return 1
