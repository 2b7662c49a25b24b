-- Take the facts of a job away, and remove all else that there is one of. Whoever still writes for
-- the job finds no facts and stores nothing.
-- keys: deleted facts starts flight leases done tries counts chunk_steps sums steps times pictures explained
-- arguments: kept_seconds
-- deleted: where the facts stay until the chunks are deleted, too, for kept_seconds at most
-- Returns {client, number of chunks}, or nothing if there is no such job. Asked again, as a client
-- does whose answer was lost, it returns the same. A full Redis allows all of this.
if redis.call('EXISTS', facts) == 1 then
  redis.call('RENAME', facts, deleted)
  redis.call('EXPIRE', deleted, kept_seconds)
  redis.call('UNLINK', unpack(KEYS, 3))
end
local known = redis.call('HMGET', deleted, 'client', 'chunks')
if not known[2] then
  return false
end
return {known[1] or '', tonumber(known[2])}
