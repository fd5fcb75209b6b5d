"""Linear algebra on one thread: how a product is cut up for several decides how its sums round, and so their bits."""

from threading import Lock
from types import TracebackType

from threadpoolctl import threadpool_limits


class OneThread:
    """While anybody is inside, BLAS uses one thread.

    The limit is the whole process's, and maps score on several threads of their own. So the first to enter sets it and
    the last to leave lifts it: with one limit each, the first to leave would lift it for those still computing.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._limit: threadpool_limits | None = None

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._limit = threadpool_limits(limits=1, user_api="blas")
            self._inside += 1

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0 and self._limit is not None:
                self._limit.restore_original_limits()


ONE_THREAD = OneThread()
