-- Find the chunks that were sent and of which nobody is heard: leases that ran out, messages
-- that vanished. They count as sent again; whoever asks must send them.
-- keys: facts flight leases
-- arguments: patience patience_now upload_patience
-- patience: seconds until a chunk that was sent and not begun counts as lost; patience_now:
-- those that matter now, fewer while the queues are empty; upload_patience: seconds of
-- silence after which an upload counts as broken
-- Returns {'gone'} (nothing left to watch), {'broken'} or {'lost', small, chunk, chunk, …}.
local known = redis.call('HMGET', facts, 'created_at', 'cancelled_at', 'finished_at', 'sealed_at', 'touched_at', 'chunks')
if not known[1] or known[2] or known[3] then
  return {'gone'}
end
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
if not known[4] and tonumber(known[5] or known[1]) + tonumber(upload_patience) < now then
  return {'broken'}
end
patience, patience_now = tonumber(patience), tonumber(patience_now)
local answer = {'lost', known[6] == '1' and 1 or 0}
local function send_again(chunk)
  redis.call('HDEL', leases, chunk)
  redis.call('ZADD', flight, now + patience, chunk)
  answer[#answer + 1] = tonumber(chunk)
end
for _, chunk in ipairs(redis.call('ZRANGEBYSCORE', flight, '-inf', now)) do
  send_again(chunk)
end
for _, chunk in ipairs(redis.call('ZRANGEBYSCORE', flight, '(' .. now, now + patience - patience_now)) do
  if redis.call('HEXISTS', leases, chunk) == 0 then
    send_again(chunk)
  end
end
return answer
