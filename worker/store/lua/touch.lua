-- Record that the upload of a job is in progress although no chunk is complete.
-- keys: facts
if redis.call('HEXISTS', facts, 'created_at') == 1 then
  local now = redis.call('TIME')
  redis.call('HSET', facts, 'touched_at', now[1] .. '.' .. string.format('%06d', now[2]))
end
