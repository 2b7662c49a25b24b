-- Store the results that follow those of a chunk which are there already; a second delivery
-- finds them there and changes nothing.
-- ARGV: chunk, records done before, records in this part, records in the chunk, part,
--       input key, output key, then pairs: outcome field, number
-- Returns 'more', 'chunk' (the chunk is complete), 'job' (the job is), 'stale' or 'gone'.
local facts, flight, leases, done, tries = KEYS[1], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local chunk, before, size, all = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local known = redis.call('HMGET', facts, 'expires_at', 'cancelled_at', 'sealed_at', 'total', 'finished_at')
if not known[1] or known[2] then
  return 'gone'
end
if known[5] or tonumber(redis.call('HGET', done, chunk) or 0) ~= before then
  return 'stale'
end
local expires_ms = math.floor(tonumber(known[1]) * 1000)
redis.call('RPUSH', ARGV[7], ARGV[5])
redis.call('PEXPIREAT', ARGV[7], expires_ms)
redis.call('HSET', done, chunk, before + size)
redis.call('PEXPIREAT', done, expires_ms)
redis.call('HSET', tries, chunk, 1)
redis.call('PEXPIREAT', tries, expires_ms)
for i = 8, #ARGV, 2 do
  redis.call('HINCRBY', facts, ARGV[i], ARGV[i + 1])
end
local job_done = redis.call('HINCRBY', facts, 'done', size)
if before + size < all then
  return 'more'
end
redis.call('UNLINK', ARGV[6])
redis.call('ZREM', flight, chunk)
redis.call('HDEL', leases, chunk)
redis.call('HDEL', tries, chunk, 'careful:' .. chunk)
if known[3] and job_done == tonumber(known[4]) then
  local time = redis.call('TIME')
  redis.call('HSETNX', facts, 'finished_at', time[1] .. '.' .. string.format('%06d', time[2]))
  redis.call('UNLINK', flight, leases, done, tries)
  return 'job'
end
return 'chunk'
