-- Mark a job as failed, with the reason. It stops in the same way as a cancelled job.
-- keys: facts flight leases tries
-- arguments: fault
local created_at, cancelled_at, finished_at = unpack(redis.call('HMGET', facts,
  'created_at', 'cancelled_at', 'finished_at'))
if created_at and not cancelled_at and not finished_at then
  local time = redis.call('TIME')
  redis.call('HSET', facts, 'fault', fault,
    'cancelled_at', time[1] .. '.' .. string.format('%06d', time[2]))
  redis.call('DEL', flight, leases, tries)
end
