"""The nights in a PostgreSQL database: open connections, transactions, what its errors mean for people, and what other
processes change. The only user of psycopg.
"""

import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from queue import Empty, LifoQueue
from typing import Any, LiteralString, TypeAlias, TypeVar

import psycopg
from psycopg import pq, sql
from psycopg.conninfo import conninfo_to_dict

from tracker.storage.database import (
    EVENTS,
    EVERYTHING,
    NOTHING,
    POSSIBLY_EVENTS,
    ChangeNotice,
    Connection,
    Cursor,
    Database,
)
from tracker.storage.errors import BadRow, NotRead, NotSaved, Unreadable, reason_of
from tracker.storage.postgres_rows import SharedRows
from tracker.storage.sqlite_schema import postgres_tables

Link: TypeAlias = psycopg.Connection[tuple[object, ...]]

# Forward only: a released migration is never edited, the next one is added below it.
VERSION = """
CREATE TABLE board_tracker_schema(version INTEGER NOT NULL);
INSERT INTO board_tracker_schema VALUES (0);
"""

BESIDE_TABLES = """
CREATE TABLE temporary(
  kind TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  until DOUBLE PRECISION NOT NULL,
  value TEXT NOT NULL
);
CREATE INDEX temporary_by_key ON temporary(kind, key);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation'; END $$;

CREATE FUNCTION refuse_gap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.number > 1 + (SELECT COALESCE(MAX(number), 0) FROM event WHERE code = NEW.code) THEN
    RAISE EXCEPTION 'event numbers have no gap' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER event_no_gap BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION refuse_gap();
CREATE TRIGGER event_no_update BEFORE UPDATE ON event
  FOR EACH ROW EXECUTE FUNCTION refuse_change('events are never changed');
CREATE TRIGGER event_no_delete BEFORE DELETE ON event
  FOR EACH ROW EXECUTE FUNCTION refuse_change('events are never deleted');
CREATE TRIGGER event_no_truncate BEFORE TRUNCATE ON event EXECUTE FUNCTION refuse_change('events are never deleted');
CREATE TRIGGER night_no_update BEFORE UPDATE OF code, preset, options, created_at ON night
  FOR EACH ROW EXECUTE FUNCTION refuse_change('a night keeps its preset');
CREATE TRIGGER night_no_delete BEFORE DELETE ON night
  FOR EACH ROW EXECUTE FUNCTION refuse_change('nights are never deleted');
"""

MIGRATIONS = (postgres_tables() + BESIDE_TABLES,)
LOCK = 0x424F5244
"""The number of the advisory lock that transactions which must not overlap take."""


def prepare(link: Link, *, read_only: bool) -> None:
    """Make the tables, or bring them up to this version. Raises Unreadable."""
    try:
        with link.transaction():
            link.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])  # two processes may start at once
            version = _version(link)
            if version > len(MIGRATIONS):
                raise Unreadable("the database was written by a newer version of the tracker; please update it")
            if version < len(MIGRATIONS) and read_only:
                raise Unreadable("there are no nights in this database yet")
            for script in ([] if version else [VERSION]) + [*MIGRATIONS[version:]]:
                link.execute(script)
            if version < len(MIGRATIONS):
                link.execute("UPDATE board_tracker_schema SET version = %s", [len(MIGRATIONS)])
                instance = "INSERT INTO setting (code, key, value) VALUES ('', 'instance', %s) ON CONFLICT DO NOTHING"
                link.execute(instance, [secrets.token_hex(4)])
    except (psycopg.errors.DuplicateTable, psycopg.errors.DuplicateFunction) as error:
        raise Unreadable("the database has tables of some other program: use one of its own") from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise Unreadable(f"this user may not make the tables: {error.diag.message_primary}") from error


def _version(link: Link) -> int:
    found = link.execute("SELECT to_regclass('board_tracker_schema')").fetchone()
    if found is None or found[0] is None:
        return 0
    row = link.execute("SELECT version FROM board_tracker_schema").fetchone()
    return int(str(row[0])) if row else 0


T = TypeVar("T")

TRIES = 5
"""How often a transaction is run that another one came in the way of."""
CONSTRAINTS = (psycopg.IntegrityError, psycopg.DataError)
SERVER_ERRORS = (psycopg.OperationalError, psycopg.InterfaceError, psycopg.InternalError)
MOST_CONNECTIONS = 8
WAIT_SECONDS = 10.0
"""For a connection that another thread gives back."""
CLOSE_SECONDS = 5.0
TIMES: dict[str, Any] = {
    "connect_timeout": 3,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # milliseconds: a server that vanished without a word is noticed
}
CHECK_SECONDS = 1.0
"""Between two looks at the numbers of events, which a process that was killed may not have told."""
RETRY_SECONDS, LISTEN_SECONDS = 0.3, 3.0


def connect(url: str, *, read_only: bool = False) -> Link:
    """Open a connection that loses no acknowledged commit. Raises psycopg.Error, Unreadable."""
    check_url(url)
    link = psycopg.connect(url, autocommit=True, client_encoding="utf8", application_name="board-tracker", **TIMES)
    try:
        link.execute("SET synchronous_commit = on")  # unless set, a server may acknowledge what isn't on its disk
        if read_only:
            link.execute("SET default_transaction_read_only = on")
        _check_settings(link)
        return link
    except BaseException:
        link.close()
        raise


def check_url(url: str) -> None:
    """Raise Unreadable for an address that can't be read; libpq's own sentence would repeat parts of the password."""
    try:
        numbers = [conninfo_to_dict(url).get(name) or 0 for name in ("port", "connect_timeout")]
        [int(number) for number in numbers]
    except (psycopg.Error, ValueError):
        raise Unreadable("the database can't be used: its address has to be like postgresql://user@host/name") from None


def _check_settings(link: Link) -> None:
    """Raise Unreadable for a server that may lose what it has acknowledged, or can't store every name."""
    row = link.execute("SELECT current_setting('fsync'), current_setting('server_encoding')").fetchone()
    fsync, encoding = row or ("", "")
    if fsync != "on":
        raise Unreadable("the database server runs with fsync = off: a power cut could lose what was recorded")
    if encoding != "UTF8":
        raise Unreadable(f"the database is in {encoding}: it has to be made with ENCODING 'UTF8'")


class Pool:
    """The connections of a process; each is opened when a thread needs one more than there are."""

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        self._connect = partial(connect, url, read_only=read_only)
        self._unused: LifoQueue[Link | None] = LifoQueue()  # None stands for one that is not open
        for _ in range(MOST_CONNECTIONS):
            self._unused.put(None)
        self._closed = False

    def take(self) -> Link:
        """Return a connection that works, for this thread alone. Raises psycopg.Error, RuntimeError when closed."""
        if self._closed:
            raise RuntimeError("the store is closed")
        try:
            link = self._unused.get(timeout=WAIT_SECONDS)
        except Empty:
            raise psycopg.OperationalError("all connections to the database are in use") from None
        if link and is_alive(link):
            return link
        try:
            if link:
                link.close()
            return self._connect()
        except BaseException:
            self._unused.put(None)
            raise

    def give_back(self, link: Link) -> None:
        """Take a connection back; one that is in the middle of a transaction is closed."""
        is_idle = not link.closed and link.info.transaction_status == pq.TransactionStatus.IDLE
        is_kept = is_idle and not self._closed
        if not is_kept:
            with suppress(psycopg.Error):
                link.close()
        self._unused.put(link if is_kept else None)

    def close(self) -> None:
        """Close every connection, after waiting a moment for those that are in use; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        until = time.monotonic() + CLOSE_SECONDS
        for _ in range(MOST_CONNECTIONS):
            with suppress(Empty):
                if link := self._unused.get(timeout=max(0.0, until - time.monotonic())):
                    link.close()


def is_alive(link: Link) -> bool:
    """Return whether an idle connection still works: a server that went away has closed it, which can be read here.

    It is read twice: a server that stopped in good order has sent a message before the end.
    """
    if link.closed:
        return False
    try:
        link.pgconn.consume_input()
        link.pgconn.consume_input()
    except psycopg.Error:
        return False
    return link.pgconn.status == pq.ConnStatus.OK


def _storable(value: Any) -> Any:
    """Return a text without what PostgreSQL fails on (NUL, half a surrogate pair), as which no stored text is found."""
    if isinstance(value, str) and not (value.isascii() and "\0" not in value):
        return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
    return value


@cache
def _translated(sql: str) -> str:
    """Return a statement with psycopg's signs for its parameters."""
    return sql.replace("%", "%%").replace("?", "%s")


class PostgresDatabase(Database):
    """A connection within a transaction."""

    now, row_id = "EXTRACT(EPOCH FROM clock_timestamp())", "ctid"

    def __init__(self, link: Link) -> None:
        self._link = link

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> Cursor:
        return self._link.execute(_translated(sql), [_storable(value) for value in parameters])

    def insert_many(self, table: str, columns: str, rows: Sequence[Sequence[Any]]) -> None:
        with self._link.cursor().copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

    def reset_sequence(self, table: str) -> None:
        self.execute(
            f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), MAX(id)) FROM {table} HAVING MAX(id) > 0"  # noqa: S608
        )

    def as_bytes(self, column: str) -> str:
        return f"convert_to({column}, 'UTF8')"

    @contextmanager
    def without_delete_triggers(self, *tables: str) -> Iterator[None]:
        for table in tables:
            self.execute(f"ALTER TABLE {table} DISABLE TRIGGER {table}_no_delete")
        yield
        for table in tables:
            self.execute(f"ALTER TABLE {table} ENABLE TRIGGER {table}_no_delete")

    def commit_without_waiting(self) -> None:
        self.execute("SET LOCAL synchronous_commit = off")

    def lock_table(self, table: str) -> None:
        self.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")


def channel_of(channel: str, code: str) -> str:
    """Return the name of a night's channel, which may have 63 bytes."""
    return f"{channel}_{code[:32]}"


def _listen(link: Link, command: LiteralString, channel: str) -> None:
    link.execute(sql.SQL(command + " {}").format(sql.Identifier(channel)))


class PostgresConnection(Connection):
    """A PostgreSQL database that several threads and processes use at once."""

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        """Raises Unreadable when the database can't be reached or used."""
        super().__init__()
        self._url = url
        self._pool = Pool(url, read_only=read_only)
        self._locking = Pool(url)  # who holds a lock asks for another connection: never for one of the same few
        self._name = secrets.token_hex(4)
        """By which this process recognizes its own notifications."""
        self._alone = threading.Lock()
        self._listeners: list[threading.Thread] = []
        self._is_closing = threading.Event()
        try:
            with self._link() as link:
                prepare(link, read_only=read_only)
                row = link.execute("SELECT value FROM setting WHERE code = '' AND key = 'instance'").fetchone()
                self._channel = f"board_tracker_{row[0] if row else ''}"
        except psycopg.Error as error:
            self.close()
            raise Unreadable(f"the database can't be used: {str(error).strip()}") from error
        except BaseException:
            self.close()
            raise

    def expiring_rows(self) -> SharedRows:
        """Return what keeps rows for some minutes for all processes."""
        return SharedRows(self)

    @contextmanager
    def _link(self, pool: Pool | None = None) -> Iterator[Link]:
        pool = pool or self._pool
        link = pool.take()
        try:
            yield link
        finally:
            pool.give_back(link)

    @contextmanager
    def read(self) -> Iterator[Database]:
        try:
            with self._link() as link:
                yield PostgresDatabase(link)
        except SERVER_ERRORS as error:
            raise NotRead(reason_of(error, "server")) from error

    @contextmanager
    def write(self, change: ChangeNotice = NOTHING) -> Iterator[Database]:
        with self._alone, self._transaction(change) as db:  # threads of this process don't wait with a connection each
            db.execute("SELECT pg_advisory_xact_lock(?)", [LOCK])
            yield db

    def run(self, function: Callable[[Database], T], change: ChangeNotice) -> T:
        """Call `function` in a transaction and return its result once that is on the disk.

        Another process may take the same number at the same moment: then it is called again, and sees the other's row.
        """
        for _ in range(TRIES - 1):
            try:
                with self._transaction(change) as db:
                    return function(db)
            except BadRow as error:
                if not isinstance(error.__cause__, psycopg.errors.UniqueViolation):
                    raise
        with self._transaction(change) as db:
            return function(db)

    @contextmanager
    def _transaction(self, change: ChangeNotice, pool: Pool | None = None) -> Iterator[Database]:
        is_ending = False
        try:
            with self._link(pool) as link:
                db = PostgresDatabase(link)
                db.execute("BEGIN")
                try:
                    yield db
                    if change not in (NOTHING, ChangeNotice(EVENTS, change.code)):
                        self._tell(link, change)
                    is_ending = True
                    db.execute("COMMIT")
                except BaseException:
                    self._rollback(link)
                    raise
                if change.kind == EVENTS:
                    # PostgreSQL holds all commits with a notification in one line, each until it is on the disk
                    # (measured: 1,900 events/s in it, 8,750 after it). What is told after it may be lost with this
                    # process, so a listener also looks at the numbers of events now and then.
                    with suppress(psycopg.Error):
                        self._tell(link, change)
        except CONSTRAINTS as error:
            raise BadRow(str(error)) from error
        except SERVER_ERRORS as error:
            # Without the answer to COMMIT nobody knows: what was sent may be in the database all the same.
            self.on_trouble(reason_of(error, "server"))
            raise NotSaved(reason_of(error, "server"), certain=not is_ending) from error

    def _rollback(self, link: Link) -> None:
        """Undo the open transaction; a connection that can't do that is closed."""
        try:
            link.execute("ROLLBACK")
        except psycopg.Error:
            link.close()

    @contextmanager
    def exclusive(self, name: str) -> Iterator[bool]:
        with self._transaction(NOTHING, self._locking) as db:
            db.execute("SELECT pg_advisory_xact_lock(?, hashtext(?))", [LOCK, name])
            yield True

    # What other processes change

    def subscribe(self, changed: Callable[[ChangeNotice], None], open_codes: Callable[[], Iterable[str]]) -> None:
        """Call `changed` in a thread, which listens when this returns, unless the server does not answer.

        After a lost connection it is called with EVERYTHING.
        """
        is_listening = threading.Event()

        def listen() -> None:
            while not self._is_closing.is_set():
                with suppress(psycopg.Error, Unreadable), connect(self._url) as link:
                    _listen(link, "LISTEN", self._channel)
                    if is_listening.is_set():
                        changed(EVERYTHING)
                    is_listening.set()
                    for change in self._changes(link, open_codes):
                        changed(change)
                self._is_closing.wait(RETRY_SECONDS)

        listener = threading.Thread(target=listen, name="listener", daemon=True)
        self._listeners.append(listener)
        listener.start()
        is_listening.wait(LISTEN_SECONDS)

    def _changes(self, link: Link, open_codes: Callable[[], Iterable[str]]) -> Iterator[ChangeNotice]:
        """Yield each change of another process until this is closed. Raises psycopg.Error.

        Each night has a channel of its own, for its events: so many processes are not woken by every tap of all nights.
        """
        followed: set[str] = set()
        while not self._is_closing.is_set():
            before, followed = followed, set(open_codes())
            for code in followed - before:
                _listen(link, "LISTEN", channel_of(self._channel, code))
            for code in before - followed:
                _listen(link, "UNLISTEN", channel_of(self._channel, code))
            for note in link.notifies(timeout=CHECK_SECONDS):
                name, kind, code = note.payload.split(" ", 2)
                if self._is_closing.is_set():
                    return
                if name != self._name:
                    yield ChangeNotice(kind, code)
            yield POSSIBLY_EVENTS

    def notify(self, change: ChangeNotice) -> None:
        with suppress(psycopg.Error, Unreadable, RuntimeError), self._link() as link:  # RuntimeError: it is closed
            self._tell(link, change)

    def _tell(self, link: Link, change: ChangeNotice) -> None:
        channel = channel_of(self._channel, change.code) if change.kind == EVENTS else self._channel
        link.execute("SELECT pg_notify(%s, %s)", [channel, f"{self._name} {change.kind} {change.code}"])

    def close(self) -> None:
        self._is_closing.set()
        while self._listeners:
            listener = self._listeners.pop()
            self.notify(NOTHING)  # wakes it
            if threading.current_thread() is not listener:
                listener.join()
        self._locking.close()
        self._pool.close()
