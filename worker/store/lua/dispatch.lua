-- Select the chunks to send now: as many as fit into the in-flight quota, or one at a time if the
-- job's chunks depend on the chunks before them. During an upload,
-- the first chunk waits, because it isn't known yet whether the job is small.
-- keys: facts flight
-- arguments: quota message_timeout
-- message_timeout: seconds until a chunk that was sent and not started counts as lost
-- Returns {now, small, chunk, chunk, …}. small is 1 for a job of one chunk.
local expires_at, sealed_at, cancelled_at, chunks, following, finished_at, in_order = unpack(redis.call('HMGET', facts,
  'expires_at', 'sealed_at', 'cancelled_at', 'chunks', 'next', 'finished_at', 'in_order'))
if not expires_at or cancelled_at or finished_at then
  return {0, 0}
end
chunks, following = tonumber(chunks), tonumber(following or 0)
if not sealed_at and chunks < 2 then
  return {0, 0}
end
-- A chunk leaves `flight` when it is done.
local room = (in_order and math.min(quota, 1) or tonumber(quota)) - redis.call('ZCARD', flight)
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local deadline = now + tonumber(message_timeout)
local reply = {string.format('%.6f', now), chunks == 1 and 1 or 0}
while room > 0 and following < chunks do
  redis.call('ZADD', flight, deadline, following)
  reply[#reply + 1] = following
  following = following + 1
  room = room - 1
end
if #reply > 2 then
  redis.call('HSET', facts, 'next', following)
  redis.call('PEXPIREAT', flight, math.floor(tonumber(expires_at) * 1000))
end
return reply
