-- Delete all keys of a job that exist once per job. Processes that still work for the job find no
-- facts and store nothing.
-- keys: deleted facts starts flight leases done tries counts chunk_steps sums steps times digests pictures explained
-- arguments: kept_seconds
-- deleted: the facts are moved there until the chunks are deleted too, for at most kept_seconds
-- Returns {client, number of chunks}, or nothing if the job doesn't exist. If a client repeats the
-- call because a response was lost, it gets the same. A full Redis allows all of these commands.
if redis.call('EXISTS', facts) == 1 then
  redis.call('RENAME', facts, deleted)
  redis.call('EXPIRE', deleted, kept_seconds)
  redis.call('UNLINK', unpack(KEYS, 3))
end
local client, chunks = unpack(redis.call('HMGET', deleted, 'client', 'chunks'))
if not chunks then
  return false
end
return {client or '', tonumber(chunks)}
