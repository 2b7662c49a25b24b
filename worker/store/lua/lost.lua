-- Find the chunks that were sent and then lost: their lease expired or their message vanished.
-- They count as sent again, so the caller must send them.
-- keys: facts flight leases
-- arguments: patience patience_when_empty oldest upload_patience lease_seconds
-- patience: seconds until a message counts as lost. The score of a sent chunk in `flight` is the
-- time of sending plus this.
-- patience_when_empty: the same while no message is waiting in any queue
-- oldest: when the oldest waiting message was sent, so messages sent earlier are no longer waiting;
-- -1 if none is waiting
-- upload_patience: seconds of silence after which an upload counts as interrupted
-- lease_seconds: the longest possible lease
-- Times in the future are from before the clock was set back, and count as now.
-- Returns {'gone', how the job ended, '' if it doesn't exist} (nothing left to check), {'broken'},
-- or {'lost', now, when to check again, small, how many of the chunks are lost, chunk, chunk, …}.
-- Chunks that were deferred don't count as lost.
local known = redis.call('HMGET', facts, 'created_at', 'cancelled_at', 'finished_at', 'sealed_at', 'touched_at', 'chunks',
  'fault')
if not known[1] or known[2] or known[3] then
  return {'gone', known[7] and 'failed' or known[2] and 'cancelled' or known[3] and 'finished' or ''}
end
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local again = now + tonumber(patience)
if not known[4] then
  local heard = tonumber(known[5] or known[1])
  if heard > now then
    heard = now
    redis.call('HSET', facts, 'touched_at', string.format('%.6f', now))
  end
  local silent = heard + tonumber(upload_patience)
  if silent < now then
    return {'broken'}
  end
  again = math.min(again, silent)
end
patience, oldest = tonumber(patience), tonumber(oldest)
local missed = math.min(oldest, now - patience)
if oldest < 0 then
  missed = now - tonumber(patience_when_empty)
end
local chunks, vanished = {}, 0
local flying = redis.call('ZRANGE', flight, 0, -1, 'WITHSCORES')
for place = 1, #flying, 2 do
  local chunk, deadline = flying[place], tonumber(flying[place + 1])
  local holder = redis.call('HGET', leases, chunk)
  local leased = holder and true or false
  local latest = now + (leased and tonumber(lease_seconds) or patience)
  if deadline > latest then
    deadline = latest
    redis.call('ZADD', flight, latest, chunk)
  end
  if leased and deadline <= now or not leased and deadline - patience < missed then
    redis.call('HDEL', leases, chunk)
    redis.call('ZADD', flight, now + patience, chunk)
    chunks[#chunks + 1] = tonumber(chunk)
    if holder ~= 'waiting' then
      vanished = vanished + 1
    end
  elseif leased then
    again = math.min(again, deadline)
  end
end
return {'lost', string.format('%.6f', now), string.format('%.6f', again), known[6] == '1' and 1 or 0, vanished, unpack(chunks)}
