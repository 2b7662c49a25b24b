-- Change the facts of a job's webhook. Does nothing if the job doesn't exist or has no webhook.
-- keys: facts
-- arguments: changes
-- changes: the new value of each field as JSON, '' to delete the field
-- Returns 1 if the facts were changed, else 0.
if redis.call('HEXISTS', facts, 'webhook_url') == 0 then
  return 0
end
for field, value in pairs(cjson.decode(changes)) do
  if value == '' then
    redis.call('HDEL', facts, field)
  else
    redis.call('HSET', facts, field, value)
  end
end
return 1
