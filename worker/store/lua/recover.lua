-- Find the chunks that were lost: their lease expired or their message disappeared.
-- They count as sent now, so the caller must send them.
-- keys: facts flight leases
-- arguments: message_timeout timeout_when_empty oldest upload_timeout lease_seconds
-- message_timeout: seconds until a message counts as lost. The score of a sent chunk in `flight` is
-- the time of sending plus this.
-- timeout_when_empty: the same while no message is waiting in any queue
-- oldest: when the oldest waiting message was sent, so messages sent earlier are no longer waiting;
-- -1 if none is waiting
-- upload_timeout: seconds of silence after which an upload counts as interrupted
-- lease_seconds: the longest possible lease
-- Times in the future are from before the clock was set back, and count as now.
-- Returns {'gone', how the job ended, '' if it doesn't exist} (nothing left to check),
-- {'interrupted'} (the upload), or {'recovered', now, when to check again, small, how many of the
-- chunks were lost, chunk, chunk, …}.
-- Chunks that were deferred don't count as lost.
local created_at, cancelled_at, finished_at, sealed_at, touched_at, chunks, fault = unpack(redis.call('HMGET', facts,
  'created_at', 'cancelled_at', 'finished_at', 'sealed_at', 'touched_at', 'chunks', 'fault'))
if not created_at or cancelled_at or finished_at then
  return {'gone', fault and 'failed' or cancelled_at and 'cancelled' or finished_at and 'finished' or ''}
end
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local again = now + tonumber(message_timeout)
if not sealed_at then
  local last_activity = tonumber(touched_at or created_at)
  if last_activity > now then
    last_activity = now
    redis.call('HSET', facts, 'touched_at', string.format('%.6f', now))
  end
  local timeout_at = last_activity + tonumber(upload_timeout)
  if timeout_at < now then
    return {'interrupted'}
  end
  again = math.min(again, timeout_at)
end
message_timeout, oldest = tonumber(message_timeout), tonumber(oldest)
-- Messages sent before this are lost.
local lost_before = math.min(oldest, now - message_timeout)
if oldest < 0 then
  lost_before = now - tonumber(timeout_when_empty)
end
local found, lost = {}, 0
local in_flight = redis.call('ZRANGE', flight, 0, -1, 'WITHSCORES')
for i = 1, #in_flight, 2 do
  local chunk, deadline = in_flight[i], tonumber(in_flight[i + 1])
  local holder = redis.call('HGET', leases, chunk)
  local leased = holder and true or false
  local latest = now + (leased and tonumber(lease_seconds) or message_timeout)
  if deadline > latest then
    deadline = latest
    redis.call('ZADD', flight, latest, chunk)
  end
  if leased and deadline <= now or not leased and deadline - message_timeout < lost_before then
    redis.call('HDEL', leases, chunk)
    redis.call('ZADD', flight, now + message_timeout, chunk)
    found[#found + 1] = tonumber(chunk)
    if holder ~= 'waiting' then
      lost = lost + 1
    end
  elseif leased then
    again = math.min(again, deadline)
  end
end
return {'recovered', string.format('%.6f', now), string.format('%.6f', again), chunks == '1' and 1 or 0, lost,
  unpack(found)}
