-- Append results to those of a chunk. A second delivery finds them stored and changes nothing.
-- keys: facts flight leases done tries input output checkpoint counts chunk_steps sums steps times digests
-- arguments: chunk part before size all keep added steps_added bucket slots new_digests pace_seconds pace_records
-- part: the key of a list with one item, the results
-- before, size, all: number of records done before, in this part, and in the chunk
-- keep: '1' if the records stay stored when the chunk is complete
-- added: the amount to add to each field of the facts, as JSON
-- steps_added: the same for guesses, by outcome and class; see worker.store.statistics for both
-- slots: maximum number of time slots. When they are full, each becomes twice as wide.
-- pace_seconds, pace_records: minimum duration of half the period in which the current speed is
-- measured, and minimum number of records done in it
-- new_digests: numbers and digests of the records, if they are distinct puzzles, or ''
-- Returns 'more', 'chunk_done', 'job_done', 'stale', or 'gone'.
before, size, all = tonumber(before), tonumber(size), tonumber(all)
local expires_at, cancelled_at, sealed_at, total, finished_at, started_at, solving_at, pace = unpack(
  redis.call('HMGET', facts,
    'expires_at', 'cancelled_at', 'sealed_at', 'total', 'finished_at', 'started_at', 'solving_at', 'pace'))
if not expires_at or cancelled_at then
  redis.call('UNLINK', part)
  return 'gone'
end
if finished_at or tonumber(redis.call('HGET', done, chunk) or 0) ~= before then
  redis.call('UNLINK', part)
  return 'stale'
end
local expires_ms = math.floor(tonumber(expires_at) * 1000)
if before == 0 then
  redis.call('RENAME', part, output)
elseif not redis.call('LMOVE', part, output, 'LEFT', 'RIGHT') then
  error('the earlier results of the chunk are missing')
end
redis.call('PEXPIREAT', output, expires_ms)
if new_digests ~= '' then
  redis.call('RPUSH', digests, new_digests)
  redis.call('PEXPIREAT', digests, expires_ms)
end
redis.call('HSET', done, chunk, before + size)
redis.call('PEXPIREAT', done, expires_ms)
local holder = redis.call('HGET', leases, chunk)
redis.call('HSET', tries, 'by:' .. chunk, holder and ' ' .. holder .. ' ' or ' ')
redis.call('HDEL', tries, 'long:' .. chunk)
redis.call('PEXPIREAT', tries, expires_ms)
redis.call('UNLINK', checkpoint)
local of_chunk = cjson.decode(redis.call('HGET', counts, chunk) or '{}')
for field, number in pairs(cjson.decode(added)) do
  redis.call('HINCRBY', facts, field, number)
  redis.call('HINCRBY', sums, bucket .. ':' .. field, number)
  of_chunk[field] = (of_chunk[field] or 0) + number
end
redis.call('HSET', counts, chunk, cjson.encode(of_chunk))
local steps_of_chunk = cjson.decode(redis.call('HGET', chunk_steps, chunk) or '{}')
for outcome, classes in pairs(cjson.decode(steps_added)) do
  local of_outcome = steps_of_chunk[outcome] or {}
  for class, number in pairs(classes) do
    local field = outcome .. ':' .. class
    redis.call('HINCRBY', steps, field, number)
    redis.call('HINCRBY', sums, bucket .. ':steps:' .. field, number)
    of_outcome[class] = (of_outcome[class] or 0) + number
  end
  steps_of_chunk[outcome] = of_outcome
end
redis.call('HSET', chunk_steps, chunk, cjson.encode(steps_of_chunk))
local time = redis.call('TIME')
local seconds = math.max(time[1] + time[2] / 1000000 - tonumber(started_at or time[1]), 0)
local width, wider = tonumber(redis.call('HGET', times, 'width') or '0.01'), 1
while seconds / (width * wider) >= tonumber(slots) do
  wider = wider * 2
end
if wider > 1 then
  local narrow = redis.call('HGETALL', times)
  redis.call('DEL', times)
  for i = 1, #narrow, 2 do
    if narrow[i] ~= 'width' then
      redis.call('HINCRBY', times, math.floor(narrow[i] / wider), narrow[i + 1])
    end
  end
end
redis.call('HSET', times, 'width', width * wider)
redis.call('HINCRBY', times, math.floor(seconds / (width * wider)), size)
for _, key in ipairs({ counts, chunk_steps, sums, steps, times }) do
  redis.call('PEXPIREAT', key, expires_ms)
end
local job_done = redis.call('HINCRBY', facts, 'done', size)
-- pace: the start of the period in which the current speed is measured, the number of records done
-- then, and the same for its middle. When its second half is long enough, it becomes the first one.
local now = time[1] .. '.' .. string.format('%06d', time[2])
local middle_at, middle_done = string.match(pace or '', '^%S+ %S+ (%S+) (%S+)$')
middle_at, middle_done = middle_at or solving_at or started_at or now, middle_done or '0'
if tonumber(now) - tonumber(middle_at) >= tonumber(pace_seconds)
    and job_done - tonumber(middle_done) >= tonumber(pace_records) then
  redis.call('HSET', facts, 'pace', table.concat({ middle_at, middle_done, now, job_done }, ' '))
end
if before + size < all then
  return 'more'
end
if keep ~= '1' then
  redis.call('UNLINK', input)
end
redis.call('ZREM', flight, chunk)
redis.call('HDEL', leases, chunk)
redis.call('HDEL', tries, 'by:' .. chunk, 'careful:' .. chunk)
if sealed_at and job_done == tonumber(total) then
  redis.call('HSETNX', facts, 'finished_at', now)
  redis.call('UNLINK', flight, leases, done, tries, digests)
  return 'job_done'
end
return 'chunk_done'
