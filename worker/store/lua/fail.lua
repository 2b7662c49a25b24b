-- Mark a job as failed, with the reason. It stops in the same way as a cancelled job.
-- keys: facts flight leases tries
-- arguments: fault
local known = redis.call('HMGET', facts, 'created_at', 'cancelled_at', 'finished_at')
if known[1] and not known[2] and not known[3] then
  local time = redis.call('TIME')
  redis.call('HSET', facts, 'fault', fault,
    'cancelled_at', time[1] .. '.' .. string.format('%06d', time[2]))
  redis.call('DEL', flight, leases, tries)
end
