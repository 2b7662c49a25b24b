-- Change the name of a job, and return 1, or 0 if the job does not exist.
-- keys: facts
-- arguments: name
if redis.call('HEXISTS', facts, 'created_at') == 0 then
  return 0
end
redis.call('HSET', facts, 'name', name)
return 1
