-- Append blocks of records to the job as its next chunks. Returns the number of the last one, or -1 if the
-- job doesn't accept chunks. If a client repeats the last call because a response was lost, it gets the same number.
-- keys: facts starts
-- arguments: parts inputs records
-- parts: the keys of the blocks, separated by spaces
-- inputs: the prefix of the keys of inputs
-- records: the number of records in each block, separated by spaces
local keys_of_parts, last = {}, nil
for part in string.gmatch(parts, '%S+') do
  table.insert(keys_of_parts, part)
  last = part
end
local expires_at, sealed_at, cancelled_at, chunks, total, last_part = unpack(redis.call('HMGET', facts,
  'expires_at', 'sealed_at', 'cancelled_at', 'chunks', 'total', 'last_part'))
if not expires_at or sealed_at or cancelled_at then
  for _, part in ipairs(keys_of_parts) do
    redis.call('UNLINK', part)
  end
  return -1
end
chunks, total = tonumber(chunks), tonumber(total)
if last_part == last then
  return chunks - 1
end
local expires_ms = math.floor(tonumber(expires_at) * 1000)
local next_part = 1
for size in string.gmatch(records, '%S+') do
  redis.call('RENAME', keys_of_parts[next_part], inputs .. chunks)
  redis.call('PEXPIREAT', inputs .. chunks, expires_ms)
  redis.call('ZADD', starts, total + 1, chunks)
  chunks, total, next_part = chunks + 1, total + tonumber(size), next_part + 1
end
redis.call('PEXPIREAT', starts, expires_ms)
local now = redis.call('TIME')
redis.call('HSET', facts, 'chunks', chunks, 'total', total, 'last_part', last,
  'touched_at', now[1] .. '.' .. string.format('%06d', now[2]))
return chunks - 1
