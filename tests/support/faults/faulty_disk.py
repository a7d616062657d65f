"""Stands between SQLite and the disk: sees every write, and can make any of them fail.

It wraps the file layer (VFS) of the very SQLite that the store uses, so what runs is the real store with its own
settings. Only the functions that change something are wrapped; all others stay SQLite's.
"""

from __future__ import annotations

import _sqlite3
import ctypes as c
import os
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_longlong, c_void_p
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

OK, FULL = 0, 13
WRITE_ERROR, SYNC_ERROR, TRUNCATE_ERROR, DELETE_ERROR = 778, 1034, 1546, 2570

Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
Delete = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)
Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_longlong)
Truncate = CFUNCTYPE(c_int, c_void_p, c_longlong)
Sync = CFUNCTYPE(c_int, c_void_p, c_int)


class Layer(c.Structure):
    """struct sqlite3_vfs"""

    _fields_ = (
        ("version", c_int), ("file_size", c_int), ("longest_name", c_int), ("next", c_void_p), ("name", c_char_p),
        ("data", c_void_p), ("open", c_void_p), ("delete", c_void_p), ("rest", c_void_p * 14),
    )  # fmt: skip


class Methods(c.Structure):
    """struct sqlite3_io_methods"""

    _fields_ = (
        ("version", c_int), ("close", c_void_p), ("read", c_void_p), ("write", c_void_p), ("truncate", c_void_p),
        ("sync", c_void_p), ("rest", c_void_p * 13),
    )  # fmt: skip


@dataclass(frozen=True)
class Step:
    """One thing that was done to the disk."""

    kind: str
    """`open`, `write`, `truncate`, `sync` or `delete`; `told` is put between them by a test."""
    name: str
    data: bytes = b""
    at: int = 0
    """Where it was written, to which size it was cut, whether the folder was synced too, or what was told."""


Fault = Callable[[Step], tuple[bool, int]]
"""Says whether a step is done at all, and which code SQLite then hears."""


class FaultyDisk:
    """While it is entered, every database of this process is opened through it."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.fault: Fault = lambda _: (True, OK)
        self._library = c.CDLL(_sqlite3.__file__)
        self._library.sqlite3_vfs_find.restype = POINTER(Layer)
        self._library.sqlite3_vfs_register.argtypes = [c_void_p, c_int]
        self._library.sqlite3_vfs_unregister.argtypes = [c_void_p]
        self._real = self._library.sqlite3_vfs_find(None)
        self._layer = Layer.from_buffer_copy(self._real.contents)
        self._layer.name = b"faulty"
        self._names: dict[int, str] = {}
        self._methods: dict[int, Methods] = {}
        self._kept: list[object] = [self._wrap_open(), self._wrap_delete()]  # or Python would forget the functions

    def __enter__(self) -> FaultyDisk:
        self._library.sqlite3_vfs_register(c.byref(self._layer), 1)
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self._library.sqlite3_vfs_unregister(c.byref(self._layer))
        self._library.sqlite3_vfs_register(self._real, 1)

    def tell(self, what: int) -> None:
        """Note between the steps that something was answered."""
        self.steps.append(Step("notice", "", at=what))

    def _do(self, step: Step, go: Callable[[], int]) -> int:
        is_done, heard = self.fault(step)
        came = OK
        if is_done:
            self.steps.append(step)
            came = go()
        return heard or came

    def _wrap_open(self) -> object:
        real = Open(self._real.contents.open)

        def opened(_layer: int, name: int | None, file: int, flags: int, out: int | None) -> int:
            path = c.string_at(name) if name else b""
            is_new = bool(path) and not os.path.exists(path)  # noqa: PTH110 - bytes
            came: int = real(c.addressof(self._real.contents), name, file, flags, out)
            if came == OK and path:
                self._names[file] = Path(os.fsdecode(path)).name
                if is_new:
                    self.steps.append(Step("open", self._names[file]))
                pointer = c.cast(file, POINTER(c_void_p))
                pointer[0] = c.addressof(self._wrapped(pointer[0] or 0))
            return came

        function = Open(opened)
        self._layer.open = c.cast(function, c_void_p)
        return function

    def _wrap_delete(self) -> object:
        real = Delete(self._real.contents.delete)

        def deleted(_layer: int, name: bytes, folder_too: int) -> int:
            step = Step("delete", Path(os.fsdecode(name)).name, at=folder_too)
            return self._do(step, lambda: int(real(c.addressof(self._real.contents), name, folder_too)))

        function = Delete(deleted)
        self._layer.delete = c.cast(function, c_void_p)
        return function

    def _wrapped(self, address: int) -> Methods:
        """Return a copy of a file's functions with those wrapped that change it."""
        if address not in self._methods:
            methods = Methods.from_buffer_copy((c.c_char * c.sizeof(Methods)).from_address(address))
            write, truncate, sync = Write(methods.write), Truncate(methods.truncate), Sync(methods.sync)

            def written(file: int, data: int, size: int, at: int) -> int:
                step = Step("write", self._names[file], c.string_at(data, size), at)
                return self._do(step, lambda: int(write(file, data, size, at)))

            def cut(file: int, size: int) -> int:
                return self._do(Step("truncate", self._names[file], at=size), lambda: int(truncate(file, size)))

            def synced(file: int, flags: int) -> int:
                return self._do(Step("sync", self._names[file]), lambda: int(sync(file, flags)))

            functions = Write(written), Truncate(cut), Sync(synced)
            methods.write, methods.truncate, methods.sync = (c.cast(one, c_void_p) for one in functions)
            self._kept.append(functions)
            self._methods[address] = methods
        return self._methods[address]
