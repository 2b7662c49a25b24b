-- Cancel a job unless it is final. Returns the number of its chunks, or -1 if it doesn't exist.
-- keys: facts flight leases tries
local created_at, finished_at, fault, chunks = unpack(redis.call('HMGET', facts,
  'created_at', 'finished_at', 'fault', 'chunks'))
if not created_at then
  return -1
end
if finished_at or fault then
  return 0
end
local time = redis.call('TIME')
redis.call('HSETNX', facts, 'cancelled_at', time[1] .. '.' .. string.format('%06d', time[2]))
redis.call('DEL', flight, leases, tries)
return tonumber(chunks)
