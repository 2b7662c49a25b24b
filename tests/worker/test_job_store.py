"""Jobs, chunks, leases, results, and idempotency keys in Redis.

Commands that are sent twice after a lost reply have the effect of one. Scripts return only listed
replies.
"""

import re
import secrets
import time
from pathlib import Path
from typing import Any

import pytest
from jobs import answers, finish, open_job, state
from msgspec import structs
from redis.client import Pipeline, Redis

from solver.board.result import Outcome
from solver.board.text_lines import Lines
from solver.formats.format import Block
from worker.job import JobState
from worker.records.chunk_result import ChunkResult
from worker.service import Service
from worker.store import keys, scripts
from worker.store.chunks import AcquiredChunk, Busy
from worker.store.jobs import JobGone
from worker.store.keys import JobKeys
from worker.store.scripts import ScriptReply, Scripts


def puzzles(service: Service, job_id: str, **bounds: int) -> list[str]:
    parts = service.results.read(job_id, **bounds)
    return [text for _, part in parts for text in part.puzzles.split()]


def test_state_follows_from_the_facts(service: Service) -> None:
    job_id = open_job(service)
    assert state(service, job_id) is JobState.UPLOADING
    service.jobs.seal(job_id)
    assert state(service, job_id) is JobState.QUEUED
    service.chunks.acquire(job_id, 0, holder="me")
    assert state(service, job_id) is JobState.RUNNING
    finish(service, job_id)
    assert state(service, job_id) is JobState.FINISHED


def test_no_command_line_takes_an_id_for_an_option(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = iter(["-du3KybFl0Xkj8zgELYjUg", "--u3KybFl0Xkj8zgELYjUg", "d-_KybFl0Xkj8zgELYjUg-"])
    monkeypatch.setattr(secrets, "token_urlsafe", lambda _: next(drawn))
    assert open_job(service) == "d-_KybFl0Xkj8zgELYjUg-"


def test_job_that_is_done_before_it_is_sealed_finishes_when_sealed(service: Service) -> None:
    job_id = open_job(service)
    finish(service, job_id)
    assert state(service, job_id) is JobState.UPLOADING
    service.jobs.seal(job_id)
    assert state(service, job_id) is JobState.FINISHED


def test_renewed_lease_lasts_as_long_as_a_new_one(service: Service) -> None:
    job_id = open_job(service)
    service.chunks.acquire(job_id, 0, holder="me")
    for _ in range(5):
        seconds, microseconds = service.redis.time()
        before = seconds + microseconds / 1e6
        assert service.chunks.renew(job_id, 0, holder="me")
        ends = service.redis.zscore(JobKeys(job_id).once["flight"], "0")
        assert ends is not None
        assert ends >= before + service.settings.lease_seconds
        time.sleep(0.15)


def test_every_key_expires(service: Service) -> None:
    job_id = open_job(service)
    service.jobs.seal(job_id)
    service.dispatcher.dispatch(job_id)
    service.chunks.acquire(job_id, 0, holder="me")
    service.chunks.commit(job_id, 0, done=0, total=2, result=answers(1))
    service.idempotency_keys.claim("k", client="me")
    ours = list(service.redis.keys("sudokuq:*"))
    assert len(ours) > 8
    assert [key for key in ours if service.redis.ttl(key) < 0] == []


def test_result_written_twice_changes_nothing(service: Service) -> None:
    job_id = open_job(service, chunks=1)
    chunks = service.chunks
    chunks.acquire(job_id, 0, holder="me")
    assert chunks.commit(job_id, 0, done=0, total=2, result=answers(1)) == "more"
    assert chunks.commit(job_id, 0, done=0, total=2, result=answers(1)) == "stale"
    assert chunks.commit(job_id, 0, done=1, total=2, result=answers(1, first=2)) == "chunk_done"
    service.jobs.seal(job_id)
    assert chunks.commit(job_id, 0, done=0, total=2, result=answers(2)) == "stale"
    job = service.jobs.get(job_id)
    assert job is not None
    assert job.done == 2
    assert puzzles(service, job_id) == ["p1", "p2"]


def test_rejected_results_and_blocks_leave_no_keys(service: Service) -> None:
    job_id = open_job(service, chunks=1)
    service.chunks.acquire(job_id, 0, holder="me")
    for done in (0, 0, 1, 1):
        part = answers(1, first=done + 1)
        service.chunks.commit(job_id, 0, done=done, total=3, result=part)
    assert puzzles(service, job_id) == ["p1", "p2"]
    service.jobs.cancel(job_id)
    assert service.chunks.commit(job_id, 0, done=2, total=3, result=answers(1)) == "gone"
    with pytest.raises(JobGone):
        service.jobs.add_chunk(job_id, Block(b"", 1, 1))
    assert service.redis.keys("sudokuq:*:part:*") == []


_COMMAND: Any = Redis.execute_command


def command_twice(redis: Redis, *words: Any, **options: Any) -> Any:
    """Send a command twice, as the client does if the first reply is lost.

    Returns the second reply.
    """
    _COMMAND(redis, *words, **options)
    return _COMMAND(redis, *words, **options)


def test_block_sent_again_after_a_lost_reply_is_stored_once(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Redis, "execute_command", command_twice)
    job_id = open_job(service, chunks=2)
    monkeypatch.undo()
    job = service.jobs.get(job_id)
    assert job is not None
    assert (job.chunks, job.total) == (2, 4)
    assert service.redis.keys("sudokuq:*:part:*") == []


def test_key_claimed_again_after_a_lost_reply_belongs_to_its_claimer(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Redis, "execute_command", command_twice)
    claim = service.idempotency_keys.claim("k", client="me")
    assert claim.mine
    assert not service.idempotency_keys.claim("k", client="me").mine
    monkeypatch.undo()
    assert service.idempotency_keys.fulfill("k", claim, client="me", job_id="j", digest="d")


def test_result_sent_again_after_a_lost_reply_is_stored_once(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute = Pipeline.execute

    def twice(pipe: Pipeline, **options: bool) -> list[Any]:
        commands = list(pipe.command_stack)
        execute(pipe, **options)
        pipe.command_stack.extend(commands)
        return execute(pipe, **options)

    job_id = open_job(service, chunks=1)
    service.chunks.acquire(job_id, 0, holder="me")
    monkeypatch.setattr(Pipeline, "execute", twice)
    for done in (0, 1):
        part = answers(1, first=done + 1)
        service.chunks.commit(job_id, 0, done=done, total=2, result=part)
    monkeypatch.undo()
    assert puzzles(service, job_id) == ["p1", "p2"]


def test_job_whose_end_was_not_reported_frees_its_clients_quota(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = open_job(service, chunks=1)
    service.jobs.seal(job_id)
    service.dispatcher.dispatch(job_id)
    service.chunks.acquire(job_id, 0, holder="me")
    monkeypatch.setattr(Redis, "execute_command", command_twice)
    last = service.chunks.commit(job_id, 0, done=0, total=2, result=answers(2))
    monkeypatch.undo()
    assert (last, state(service, job_id)) == ("stale", JobState.FINISHED)
    assert service.recovery.recover(job_id, oldest=None) is ScriptReply.GONE
    indexes = [keys.ACTIVE, keys.client("me"), *(keys.turns("me", small=s) for s in (True, False))]
    assert service.redis.exists(*indexes) == 0


def test_lease_excludes_others_until_it_expires_or_its_holder_dies(
    service: Service,
) -> None:
    job_id = open_job(service)
    begin = service.chunks.acquire
    assert isinstance(begin(job_id, 0, holder="one"), AcquiredChunk)
    assert begin(job_id, 0, holder="two") == Busy("one")
    assert service.chunks.renew(job_id, 0, holder="one")
    assert not service.chunks.renew(job_id, 0, holder="two")
    again = begin(job_id, 0, holder="two", dead="one")
    assert isinstance(again, AcquiredChunk)
    assert (again.attempts, again.one_by_one) == (2, True)


def test_cancelled_job_keeps_its_results_and_accepts_no_more(service: Service) -> None:
    job_id = open_job(service)
    service.jobs.seal(job_id)
    service.chunks.acquire(job_id, 0, holder="me")
    service.chunks.commit(job_id, 0, done=0, total=2, result=answers(2))
    assert service.jobs.cancel(job_id)
    assert state(service, job_id) is JobState.CANCELLED
    assert service.chunks.acquire(job_id, 1, holder="me") is None
    assert service.chunks.commit(job_id, 1, done=0, total=2, result=answers(2)) == "gone"
    assert puzzles(service, job_id) == ["p1", "p2"]
    assert not service.jobs.cancel("nothing")


def test_final_job_is_not_cancelled(service: Service) -> None:
    job_id = open_job(service)
    finish(service, job_id)
    service.jobs.seal(job_id)
    assert service.jobs.cancel(job_id)
    assert state(service, job_id) is JobState.FINISHED
    assert len(puzzles(service, job_id)) == 6


def test_deleted_job_leaves_nothing(service: Service) -> None:
    job_id = open_job(service)
    finish(service, job_id)
    assert service.jobs.delete(job_id)
    assert not service.jobs.delete(job_id)
    assert service.redis.keys(f"sudokuq:{{{job_id}}}*") == []
    assert service.active_jobs.count("me") == 0


def test_any_range_of_results_can_be_read(service: Service) -> None:
    job_id = open_job(service, chunks=200, records=3)
    finish(service, job_id, chunks=200, records=3)
    everything = [f"p{n}" for n in range(1, 601)]
    for offset in (0, 1, 3, 299, 598, 600, 1000):
        for count in (1, 2, 3, 7, 600):
            found = puzzles(service, job_id, offset=offset, count=count)
            assert found == everything[offset : offset + count]
    assert [first for first, _ in service.results.read(job_id, offset=4, count=3)] == [5, 7]


def test_records_of_an_outcome_are_found_without_reading_other_chunks(service: Service) -> None:
    wanted = int(Outcome.INVALID)
    patterns = [bytes(wanted * ((n >> bit) & 1) for bit in range(3)) for n in (0, 5, 0, 7, 2, 0)]
    job_id = open_job(service, chunks=len(patterns), records=3)
    for number, outcomes in enumerate(patterns):
        service.chunks.acquire(job_id, number, holder="me")
        result = structs.replace(answers(3, first=1 + 3 * number), outcomes=outcomes)
        service.chunks.commit(job_id, number, done=0, total=3, result=result)
    everything = [n for n, code in enumerate(b"".join(patterns), 1) if code == wanted]
    for offset in range(len(everything) + 2):
        parts, skipped = service.results.read_matching(job_id, outcomes={"invalid"}, offset=offset)
        read = list(parts)
        assert all(wanted in part.outcomes for _, part in read)
        numbers = [
            first + n for first, part in read for n in range(3) if part.outcomes[n] == wanted
        ]
        assert numbers[offset - skipped :] == everything[offset:]


def test_slice_of_a_result_keeps_its_remarks_in_place() -> None:
    whole = answers(5)
    assert whole.slice(0, 3).details == {0: "first"}
    assert whole.slice(2, 5).details == {}
    assert whole.slice(2, 4).puzzles.split() == ["p3", "p4"]
    assert ChunkResult.integers(whole.slice(2, 4).lines).tolist() == [3, 4]


@pytest.mark.parametrize(
    "texts", [["p1", "p2", "p3", "p4"], ["p", "", "longer", "xy"], ["", "abc", "ab", "a"]]
)
def test_records_of_a_result_are_selected_by_position(texts: list[str]) -> None:
    whole = structs.replace(
        answers(4), puzzles=Lines("\n".join(texts)), details={1: "first", 3: "last"}
    )
    for places in ([0], [1, 3], [3, 0, 2], [0, 1, 2, 3]):
        some = whole.at(places)
        assert some.puzzles.split() == [texts[place] for place in places]
        assert some.solutions.split() == [f"s{place + 1}" for place in places]
        assert ChunkResult.integers(some.lines).tolist() == [place + 1 for place in places]
        kept = {
            place: whole.details[places[place]] for place in range(len(places)) if places[place] % 2
        }
        assert some.details == kept


def test_idempotency_key_is_claimed_once(service: Service) -> None:
    idempotency_keys = service.idempotency_keys
    claim = idempotency_keys.claim("k", client="me")
    assert claim.mine
    waiting = idempotency_keys.claim("k", client="me")
    assert (waiting.mine, waiting.job_id) == (False, None)
    job_id = open_job(service, chunks=0)
    assert idempotency_keys.fulfill("k", claim, client="me", job_id=job_id, digest="d")
    assert idempotency_keys.claim("k", client="me").job_id == job_id
    assert idempotency_keys.claim("k", client="you").mine
    service.jobs.delete(job_id)
    again = idempotency_keys.claim("k", client="me")
    assert again.mine
    idempotency_keys.release("k", again, client="me")
    assert idempotency_keys.claim("k", client="me").mine


def test_idempotency_key_is_held_as_long_as_it_is_renewed(service: Service) -> None:
    idempotency_keys = service.idempotency_keys
    lost = idempotency_keys.claim("k", client="me")
    [held] = service.redis.keys("sudokuq:request:*")
    service.redis.expire(held, 5)
    idempotency_keys.renew("k", lost, client="me")
    assert service.redis.ttl(held) > 5
    assert not idempotency_keys.claim("k", client="me").mine
    service.redis.delete(held)  # as if the claim had expired
    assert idempotency_keys.claim("k", client="me").mine
    # A process that lost its claim can neither release the new claim nor store a response.
    idempotency_keys.release("k", lost, client="me")
    assert not idempotency_keys.fulfill("k", lost, client="me", job_id="j", digest="d")
    assert not idempotency_keys.claim("k", client="me").mine


def test_job_ids_cannot_be_guessed(service: Service) -> None:
    found = {open_job(service, chunks=0) for _ in range(20)}
    assert len(found) == 20
    assert all(len(job_id) >= 22 for job_id in found)


def test_scripts_reply_only_with_listed_words() -> None:
    """The Lua scripts return exactly the words that are listed in `ScriptReply`."""
    folder = Path(scripts.__file__).parent / "lua"
    words = {
        word
        for script in folder.glob("*.lua")
        for line in script.read_text().splitlines()
        if not line.startswith("--")
        for word in re.findall(r"(?:return |answer = )\{?'(\w+)'", line)
    }
    assert words == set(ScriptReply)


def test_scripts_require_the_arguments_that_their_headers_name(service: Service) -> None:
    job = JobKeys(open_job(service, chunks=1))
    run = Scripts(service.redis).run
    assert run("renew", job, chunk=0, holder="me", lease_seconds=1) == 0
    with pytest.raises(TypeError, match="holder"):
        run("renew", job, chunk=0, lease_seconds=1)
