-- Find the chunks that were sent and of which nobody is heard: leases that ran out, messages
-- that vanished. They count as sent again; whoever asks must send them.
-- keys: facts flight leases
-- arguments: patience patience_when_empty oldest upload_patience lease_seconds
-- patience: seconds that a message is not missed for; so far behind its sending lies its place
-- in flight; patience_when_empty: likewise, while no message waits in any queue
-- oldest: when the oldest message that waits was sent, so that what was sent before it waits no
-- longer; -1 if none waits
-- upload_patience: seconds of silence after which an upload counts as broken
-- lease_seconds: no lease lasts longer
-- A time in the future is older than a clock that was set back since, and counts as now.
-- Returns {'gone', what became of the job, '' if it is not there} (nothing left to watch),
-- {'broken'} or
-- {'lost', now, when to look again, small, how many of the chunks are lost, chunk, chunk, …}:
-- those that were parked were not.
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
