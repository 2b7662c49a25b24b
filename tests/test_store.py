import re
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from conftest import wait_until
from msgspec import structs

from solver.board.result import Outcome
from solver.formats.format import Block
from worker.celery_app import BIG
from worker.job import ChunkResult, JobOptions, JobState
from worker.service import Service, connect_service
from worker.settings import Settings
from worker.store import chunks, keys, scripts
from worker.store.chunks import Busy, Sending, Work
from worker.store.jobs import JobGone, JobStore
from worker.store.keys import JobKeys
from worker.store.scripts import Scripts, Verdict


def open_job(service: Service, *, chunks: int = 3, records: int = 2, client: str = "me") -> str:
    job_id = service.store.open_job(
        name="a", options=JobOptions(), format="line", context={}, client=client
    )
    for chunk in range(chunks):
        number = service.store.add_chunk(job_id, Block(b"x\n" * records, records, 1 + chunk))
        assert number == chunk
    return job_id


def answers(count: int, *, first: int = 1) -> ChunkResult:
    numbers = np.arange(first, first + count, dtype="<i8").tobytes()
    return ChunkResult(
        lines=numbers,
        outcomes=bytes(count),
        counts=numbers,
        steps=numbers,
        puzzles="\n".join(f"p{n}" for n in range(first, first + count)),
        solutions="\n".join(f"s{n}" for n in range(first, first + count)),
        details={0: "first"},
    )


def finish(service: Service, job_id: str, *, chunks: int = 3, records: int = 2) -> None:
    for chunk in range(chunks):
        assert isinstance(service.chunks.begin(job_id, chunk, holder="me"), Work)
        first = 1 + chunk * records
        service.chunks.commit(
            job_id, chunk, done=0, total=records, result=answers(records, first=first)
        )


def state(service: Service, job_id: str) -> JobState | None:
    job = service.store.job(job_id)
    return None if job is None else job.state


def puzzles(service: Service, job_id: str, **bounds: int) -> list[str]:
    parts = service.store.results(job_id, **bounds)
    return [text for _, part in parts for text in part.puzzles.split("\n")]


def test_state_follows_from_the_facts(service: Service) -> None:
    job_id = open_job(service)
    assert state(service, job_id) is JobState.UPLOADING
    service.store.seal(job_id)
    assert state(service, job_id) is JobState.QUEUED
    service.chunks.begin(job_id, 0, holder="me")
    assert state(service, job_id) is JobState.RUNNING
    finish(service, job_id)
    assert state(service, job_id) is JobState.FINISHED


def test_job_that_is_done_before_it_is_sealed_finishes_when_sealed(service: Service) -> None:
    job_id = open_job(service)
    finish(service, job_id)
    assert state(service, job_id) is JobState.UPLOADING
    service.store.seal(job_id)
    assert state(service, job_id) is JobState.FINISHED


def test_every_key_expires(service: Service) -> None:
    job_id = open_job(service)
    service.store.seal(job_id)
    service.dispatcher.advance(job_id)
    service.chunks.begin(job_id, 0, holder="me")
    service.chunks.commit(job_id, 0, done=0, total=2, result=answers(1))
    service.store.claim_key("k", client="me")
    ours = list(service.redis.keys("sudokuq:*"))
    assert len(ours) > 8
    assert [key for key in ours if service.redis.ttl(key) < 0] == []


def test_result_written_twice_changes_nothing(service: Service) -> None:
    job_id = open_job(service, chunks=1)
    chunks = service.chunks
    chunks.begin(job_id, 0, holder="me")
    assert chunks.commit(job_id, 0, done=0, total=2, result=answers(1)) == "more"
    assert chunks.commit(job_id, 0, done=0, total=2, result=answers(1)) == "stale"
    assert chunks.commit(job_id, 0, done=1, total=2, result=answers(1, first=2)) == "chunk"
    service.store.seal(job_id)
    assert chunks.commit(job_id, 0, done=0, total=2, result=answers(2)) == "stale"
    job = service.store.job(job_id)
    assert job is not None
    assert job.done == 2
    assert puzzles(service, job_id) == ["p1", "p2"]


def test_lease_keeps_others_away_until_it_runs_out_or_its_holder_is_dead(
    service: Service,
) -> None:
    job_id = open_job(service)
    begin = service.chunks.begin
    assert isinstance(begin(job_id, 0, holder="one"), Work)
    assert begin(job_id, 0, holder="two") == Busy("one")
    assert service.chunks.renew(job_id, 0, holder="one")
    assert not service.chunks.renew(job_id, 0, holder="two")
    again = begin(job_id, 0, holder="two", dead="one")
    assert isinstance(again, Work)
    assert (again.tries, again.careful) == (2, True)


def test_window_bounds_what_is_on_its_way(service: Service) -> None:
    job_id = open_job(service, chunks=5)
    take = service.chunks.take
    assert take(job_id, window=2) == Sending((0, 1))
    assert take(job_id, window=2) == Sending(())
    service.chunks.begin(job_id, 0, holder="me")
    service.chunks.commit(job_id, 0, done=0, total=2, result=answers(2))
    assert take(job_id, window=2) == Sending((2,))


def test_only_chunk_waits_for_the_end_of_the_upload_and_is_small_then(service: Service) -> None:
    job_id = open_job(service, chunks=1)
    assert service.chunks.take(job_id, window=4) == Sending(())
    service.store.seal(job_id)
    assert service.chunks.take(job_id, window=4) == Sending((0,), small=True)


def test_chunk_whose_holder_fell_silent_is_sent_again(settings: Settings) -> None:
    service = connect_service(replace(settings, lease_seconds=0.0))
    job_id = open_job(service)
    service.chunks.take(job_id, window=1)
    assert service.chunks.lost(job_id, oldest=0.0) == Sending(())
    service.chunks.begin(job_id, 0, holder="me")
    assert service.chunks.lost(job_id, oldest=0.0) == Sending((0,))
    service.redis.close()


def test_upload_that_fell_silent_is_deleted(settings: Settings) -> None:
    service = connect_service(replace(settings, upload_patience=0.0))
    job_id = open_job(service)
    service.dispatcher.sweep(service.store)
    assert service.store.job(job_id) is None
    with pytest.raises(JobGone):
        service.store.add_chunk(job_id, Block(b"x", 1, 1))
    with pytest.raises(JobGone):
        service.store.seal(job_id)
    service.redis.close()


def test_cancelled_job_keeps_what_is_done_and_takes_nothing_more(service: Service) -> None:
    job_id = open_job(service)
    service.store.seal(job_id)
    service.chunks.begin(job_id, 0, holder="me")
    service.chunks.commit(job_id, 0, done=0, total=2, result=answers(2))
    assert service.store.cancel(job_id)
    assert state(service, job_id) is JobState.CANCELLED
    assert service.chunks.begin(job_id, 1, holder="me") is None
    assert service.chunks.commit(job_id, 1, done=0, total=2, result=answers(2)) == "gone"
    assert puzzles(service, job_id) == ["p1", "p2"]
    assert not service.store.cancel("nothing")


def test_final_job_is_not_cancelled(service: Service) -> None:
    job_id = open_job(service)
    finish(service, job_id)
    service.store.seal(job_id)
    assert service.store.cancel(job_id)
    assert state(service, job_id) is JobState.FINISHED
    assert len(puzzles(service, job_id)) == 6


def test_deleted_job_leaves_nothing(service: Service) -> None:
    job_id = open_job(service)
    finish(service, job_id)
    assert service.store.delete(job_id)
    assert not service.store.delete(job_id)
    assert service.redis.keys(f"sudokuq:{{{job_id}}}*") == []
    assert service.store.unfinished_jobs("me") == 0


def test_paging_finds_any_stretch_of_the_results(service: Service) -> None:
    job_id = open_job(service, chunks=200, records=3)
    finish(service, job_id, chunks=200, records=3)
    everything = [f"p{n}" for n in range(1, 601)]
    for offset in (0, 1, 3, 299, 598, 600, 1000):
        for count in (1, 2, 3, 7, 600):
            found = puzzles(service, job_id, offset=offset, count=count)
            assert found == everything[offset : offset + count]
    assert [first for first, _ in service.store.results(job_id, offset=4, count=3)] == [5, 7]


def test_records_of_an_outcome_are_found_without_reading_other_chunks(service: Service) -> None:
    wanted = int(Outcome.INVALID)
    patterns = [bytes(wanted * ((n >> bit) & 1) for bit in range(3)) for n in (0, 5, 0, 7, 2, 0)]
    job_id = open_job(service, chunks=len(patterns), records=3)
    for number, outcomes in enumerate(patterns):
        service.chunks.begin(job_id, number, holder="me")
        result = structs.replace(answers(3, first=1 + 3 * number), outcomes=outcomes)
        service.chunks.commit(job_id, number, done=0, total=3, result=result)
    everything = [n for n, code in enumerate(b"".join(patterns), 1) if code == wanted]
    for offset in range(len(everything) + 2):
        parts, skipped = service.store.results_among(job_id, outcomes={"invalid"}, offset=offset)
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
    assert whole.slice(2, 4).puzzles == "p3\np4"
    assert ChunkResult.integers(whole.slice(2, 4).lines).tolist() == [3, 4]


def test_idempotency_key_is_claimed_once(service: Service) -> None:
    store = service.store
    claim = store.claim_key("k", client="me")
    assert claim.mine
    waiting = store.claim_key("k", client="me")
    assert (waiting.mine, waiting.job_id) == (False, None)
    job_id = open_job(service, chunks=0)
    assert store.fulfil_key("k", claim, client="me", job_id=job_id, digest="d")
    assert store.claim_key("k", client="me").job_id == job_id
    assert store.claim_key("k", client="you").mine
    store.delete(job_id)
    again = store.claim_key("k", client="me")
    assert again.mine
    store.release_key("k", again, client="me")
    assert store.claim_key("k", client="me").mine


def test_idempotency_key_is_held_as_long_as_it_is_renewed(service: Service) -> None:
    impatient = replace(service.settings, upload_patience=1.0)
    store = JobStore(service.redis, settings=impatient)
    lost = store.claim_key("k", client="me")
    for _ in range(3):
        time.sleep(0.6)
        store.renew_key("k", lost, client="me")
    assert not store.claim_key("k", client="me").mine
    wait_until(lambda: not service.redis.keys("sudokuq:request:*"), seconds=5)
    claim = store.claim_key("k", client="me")
    assert claim.mine
    # Whoever lost it neither keeps the other from it nor answers for it.
    store.release_key("k", lost, client="me")
    assert not store.fulfil_key("k", lost, client="me", job_id="j", digest="d")
    assert not store.claim_key("k", client="me").mine


def test_job_ids_cannot_be_guessed(service: Service) -> None:
    found = {open_job(service, chunks=0) for _ in range(20)}
    assert len(found) == 20
    assert all(len(job_id) >= 22 for job_id in found)


def test_scripts_answer_in_the_words_of_one_list() -> None:
    """Every word that a script returns is a verdict, and there is no other verdict."""
    folder = Path(scripts.__file__).parent / "lua"
    words = {
        word
        for script in folder.glob("*.lua")
        for line in script.read_text().splitlines()
        if not line.startswith("--")
        for word in re.findall(r"(?:return |answer = )\{?'(\w+)'", line)
    }
    assert words == set(Verdict)


def test_script_takes_what_its_header_names_and_nothing_else(service: Service) -> None:
    job = JobKeys(open_job(service, chunks=1))
    run = Scripts(service.redis).run
    assert run("renew", job, chunk=0, holder="me", lease_seconds=1) == 0
    with pytest.raises(TypeError, match="holder"):
        run("renew", job, chunk=0, lease_seconds=1)


def depth(service: Service) -> int:
    return sum(service.dispatcher.queue_depths().values())


def test_message_that_waits_is_not_sent_again_however_long(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "SENT_PATIENCE", 0)
    monkeypatch.setattr(chunks, "SENDING_SECONDS", 1e-5)
    jobs = [open_job(service, chunks=4, client=f"{number}") for number in range(5)]
    for job_id in jobs:
        service.dispatcher.advance(job_id)
    assert depth(service) == 20
    for _ in range(5):
        make_due(service)
        service.dispatcher.sweep(service.store)
    assert depth(service) == 20
    # Those before the oldest that waits are lost: they were taken, and nobody began with them.
    service.redis.rpop(BIG, 4)
    make_due(service)
    service.dispatcher.sweep(service.store)
    assert depth(service) == 20
    service.redis.delete(BIG)
    monkeypatch.setattr(chunks, "SENT_PATIENCE_WHEN_EMPTY", 0)
    service.dispatcher.sweep(service.store)
    assert depth(service) == 20


def make_due(service: Service) -> None:
    service.redis.zadd(keys.ACTIVE, dict.fromkeys(service.chunks.active_jobs(), 0.0))


def test_sweep_looks_at_few_jobs_however_many_there_are(service: Service) -> None:
    for _ in range(300):
        job_id = open_job(service, chunks=2)
        service.dispatcher.advance(job_id)
    for _ in range(5):  # each is new, and looked at once
        service.dispatcher.sweep(service.store)
    before = service.redis.info("stats")["total_commands_processed"]
    for _ in range(10):
        service.dispatcher.sweep(service.store)
    after = service.redis.info("stats")["total_commands_processed"]
    assert after - before < 200


def test_job_with_a_lease_is_looked_at_when_that_may_have_run_out(service: Service) -> None:
    job_id = open_job(service)
    service.redis.zadd(keys.ACTIVE, {job_id: 9e9})
    service.chunks.begin(job_id, 0, holder="me")
    due = service.redis.zscore(keys.ACTIVE, job_id)
    seconds, _ = service.redis.time()
    assert due is not None
    assert seconds <= due <= seconds + service.settings.lease_seconds + 60


@pytest.mark.parametrize("way", ["finished", "sealed last", "cancelled", "deleted", "failed"])
def test_count_of_unfinished_jobs_follows_every_way_to_end(service: Service, way: str) -> None:
    job_id = open_job(service)
    assert service.store.unfinished_jobs("me") == 1
    match way:
        case "finished":
            service.store.seal(job_id)
            finish(service, job_id)
        case "sealed last":
            finish(service, job_id)
            service.store.seal(job_id)
        case "cancelled":
            service.store.cancel(job_id)
        case "deleted":
            service.store.delete(job_id)
        case "failed":
            service.chunks.fail(job_id, fault="why")
    assert service.store.unfinished_jobs("me") == 0
    assert job_id not in service.chunks.active_jobs()


def test_indexes_last_as_long_as_the_jobs_in_them(service: Service, settings: Settings) -> None:
    open_job(service)
    brief = connect_service(replace(settings, retention=10.0))
    open_job(brief)
    for index in (keys.ACTIVE, keys.client("me")):
        assert service.redis.ttl(index) > 1_000
    brief.redis.close()


def on_their_way(service: Service, jobs: list[str]) -> int:
    return sum(service.redis.zcard(JobKeys(job_id).once["flight"]) for job_id in jobs)


@pytest.mark.parametrize("chunks_each", [1, 5])
def test_client_with_many_jobs_has_no_more_on_its_way_than_one_with_few(
    service: Service, chunks_each: int
) -> None:
    many = [open_job(service, chunks=chunks_each, client="many") for _ in range(20)]
    few = [open_job(service, chunks=4, client="few")]
    for job_id in many + few:
        service.store.seal(job_id)
        service.dispatcher.advance(job_id)
    assert on_their_way(service, few) == 4
    # The first had all of the window to itself, the second half of it, and so on.
    assert on_their_way(service, many) == (4 if chunks_each == 1 else 4 + 2 + 1 + 1)
    for number, job_id in enumerate(many):  # in turn, without any sweep
        assert on_their_way(service, [job_id]) > 0, number
        for chunk in range(chunks_each):
            service.dispatcher.advance(job_id)
            service.chunks.begin(job_id, chunk, holder="me")
            service.chunks.commit(job_id, chunk, done=0, total=2, result=answers(2))
        assert state(service, job_id) is JobState.FINISHED
        service.dispatcher.follow(job_id)


def test_small_jobs_of_a_client_do_not_wait_for_its_big_ones(service: Service) -> None:
    big = [open_job(service, chunks=5) for _ in range(20)]
    for job_id in big:
        service.dispatcher.advance(job_id)
    small = open_job(service, chunks=1)
    service.store.seal(small)
    service.dispatcher.advance(small)
    assert on_their_way(service, [small]) == 1


def test_jobs_that_expired_unfinished_take_no_turns(service: Service) -> None:
    for _ in range(10):
        job_id = open_job(service)
        service.dispatcher.advance(job_id)
        index = keys.turns("me", small=False)
        service.redis.zadd(index, {job_id: 1.0})
        service.redis.delete(JobKeys(job_id).facts)
    job_id = open_job(service)
    service.dispatcher.advance(job_id)
    assert on_their_way(service, [job_id]) == 3
