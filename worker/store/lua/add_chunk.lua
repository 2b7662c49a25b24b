-- Append the records in `part` to the job as its next chunk. Returns its number, or -1 if the job
-- doesn't accept chunks. If a client repeats the call for the last part because a response was lost, it gets
-- the same number.
-- keys: facts starts
-- arguments: part inputs records
-- part: the key of the records
-- inputs: the prefix of the keys of inputs
local expires_at, sealed_at, cancelled_at, chunks, total, last_part = unpack(redis.call('HMGET', facts,
  'expires_at', 'sealed_at', 'cancelled_at', 'chunks', 'total', 'last_part'))
if not expires_at or sealed_at or cancelled_at then
  redis.call('UNLINK', part)
  return -1
end
local chunk = tonumber(chunks)
if last_part == part then
  return chunk - 1
end
local expires_ms = math.floor(tonumber(expires_at) * 1000)
redis.call('RENAME', part, inputs .. chunk)
redis.call('PEXPIREAT', inputs .. chunk, expires_ms)
redis.call('ZADD', starts, total + 1, chunk)
redis.call('PEXPIREAT', starts, expires_ms)
local now = redis.call('TIME')
redis.call('HSET', facts, 'chunks', chunk + 1, 'total', total + tonumber(records), 'last_part', part,
  'touched_at', now[1] .. '.' .. string.format('%06d', now[2]))
return chunk
