-- Take the chunks that may be sent now: as many as the window has room for.
-- While an upload runs, its only chunk waits: whether the job is small is not known yet.
-- keys: facts flight
-- arguments: window patience
-- patience: seconds until a chunk that was sent and not begun counts as lost
-- Returns {small, chunk, chunk, …}; small is 1 for a job of one chunk.
local known = redis.call('HMGET', facts, 'expires_at', 'sealed_at', 'cancelled_at', 'chunks', 'next', 'finished_at')
if not known[1] or known[3] or known[6] then
  return {0}
end
local chunks, following = tonumber(known[4]), tonumber(known[5] or 0)
if not known[2] and chunks < 2 then
  return {0}
end
local room = tonumber(window) - redis.call('ZCARD', flight)
local deadline = tonumber(redis.call('TIME')[1]) + tonumber(patience)
local answer = {chunks == 1 and 1 or 0}
while room > 0 and following < chunks do
  redis.call('ZADD', flight, deadline, following)
  answer[#answer + 1] = following
  following = following + 1
  room = room - 1
end
if #answer > 1 then
  redis.call('HSET', facts, 'next', following)
  redis.call('PEXPIREAT', flight, math.floor(tonumber(known[1]) * 1000))
end
return answer
