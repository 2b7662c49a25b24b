-- Select the chunks to send now: as many as fit into the window.
-- During an upload, its first chunk waits, because it isn't known yet whether the job is small.
-- keys: facts flight
-- arguments: window patience
-- patience: seconds until a chunk that was sent and not started counts as lost
-- Returns {now, small, chunk, chunk, …}. small is 1 for a job of one chunk.
local known = redis.call('HMGET', facts, 'expires_at', 'sealed_at', 'cancelled_at', 'chunks', 'next', 'finished_at')
if not known[1] or known[3] or known[6] then
  return {0, 0}
end
local chunks, following = tonumber(known[4]), tonumber(known[5] or 0)
if not known[2] and chunks < 2 then
  return {0, 0}
end
local room = tonumber(window) - redis.call('ZCARD', flight)
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local deadline = now + tonumber(patience)
local answer = {string.format('%.6f', now), chunks == 1 and 1 or 0}
while room > 0 and following < chunks do
  redis.call('ZADD', flight, deadline, following)
  answer[#answer + 1] = following
  following = following + 1
  room = room - 1
end
if #answer > 2 then
  redis.call('HSET', facts, 'next', following)
  redis.call('PEXPIREAT', flight, math.floor(tonumber(known[1]) * 1000))
end
return answer
