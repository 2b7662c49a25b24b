-- Cancel a job unless it is final. Returns the number of its chunks, or -1 if there is none.
local facts = KEYS[1]
local known = redis.call('HMGET', facts, 'created_at', 'finished_at', 'fault', 'chunks')
if not known[1] then
  return -1
end
if known[2] or known[3] then
  return 0
end
local time = redis.call('TIME')
redis.call('HSETNX', facts, 'cancelled_at', time[1] .. '.' .. string.format('%06d', time[2]))
redis.call('DEL', KEYS[3], KEYS[4], KEYS[6])
return tonumber(known[4])
