-- Cancel a job unless it is final. Returns the number of its chunks, or -1 if it doesn't exist.
-- keys: facts flight leases tries
local known = redis.call('HMGET', facts, 'created_at', 'finished_at', 'fault', 'chunks')
if not known[1] then
  return -1
end
if known[2] or known[3] then
  return 0
end
local time = redis.call('TIME')
redis.call('HSETNX', facts, 'cancelled_at', time[1] .. '.' .. string.format('%06d', time[2]))
redis.call('DEL', flight, leases, tries)
return tonumber(known[4])
