"""Plans on many machines, by Dask.

Windows are independent tasks: nothing is shuffled, and each writes a file of its own.
"""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path
from typing import Any, Iterator, Optional, Union

from . import _parquet
from ._plan import Plan, Read

#: Where a part says of which plan it is.
_KEY = b"spinney_plan"

#: The plan itself, beside the parts; readers of data sets pass over names that begin so.
_PLAN = "_plan.json"


def scatter(
    plan: Plan,
    read: Read,
    out: Union[str, PathLike[str]],
    *,
    client: Any = None,
    crs: Any = None,
    threads: int = 1,
    retries: int = 3,
) -> int:
    """Write the points of every window to ``out/x=3/y=7/part.parquet`` and return how many they are.

    ``out`` is a folder that all workers see. Each part is a GeoParquet 1.1 file with a column ``bbox``,
    appears only when it is whole, and says of which plan it is: so a run that was broken off goes on
    where it was when it is started again, and a folder with parts of another plan is refused.

    ``client`` is a ``distributed.Client``, by default the current one. ``read`` must be picklable, as
    ``RasterReader`` is; ``threads`` are those of one window. A window whose worker dies is run again,
    up to ``retries`` times.
    """
    from distributed import as_completed, get_client

    client = get_client() if client is None else client
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    _claim(folder, plan)
    counts: dict[int, int] = {}
    todo = []
    for i in range(len(plan)):
        count = _finished(part_of(folder, plan, i), plan)
        if count is None:
            todo.append(i)
        else:
            counts[i] = count
    system = None if crs is None else _parquet.projjson(crs)
    name = plan.digest[:16]
    futures = [
        client.submit(
            run_part,
            plan,
            i,
            read,
            str(folder.absolute()),
            system,
            threads,
            key=f"spinney-{name}-{i}",
            retries=retries,
            pure=False,
        )
        for i in todo
    ]
    for done in as_completed(futures):
        i, count = done.result()
        counts[i] = count
        done.release()
    for left in _drafts(folder, plan):
        left.unlink(missing_ok=True)
    return sum(counts.values())


def run_part(
    plan: Plan, i: int, read: Read, folder: str, crs: Any = None, threads: int = 1
) -> tuple[int, int]:
    """Write the part of window ``i``, unless it is there, and return ``i`` and how many points it has."""
    path = part_of(Path(folder), plan, i)
    count = _finished(path, plan)
    if count is None:
        points = plan.run(i, read, threads=threads)
        path.parent.mkdir(parents=True, exist_ok=True)
        _parquet.write(path, points, crs, {_KEY.decode(): plan.digest})
        count = len(points)
    return i, count


def part_of(folder: Path, plan: Plan, i: int) -> Path:
    """Return the path of the part of window ``i``."""
    column, row = plan.place(i)
    return folder / f"x={column}" / f"y={row}" / "part.parquet"


def _claim(folder: Path, plan: Plan) -> None:
    """Leave the plan in the folder, or refuse a folder of another."""
    path = folder / _PLAN
    text = plan.to_json()
    if path.exists():
        if Plan.from_json(path.read_text()) != plan:
            raise ValueError(f"out: {folder} holds parts of another plan: give another folder")
        return
    draft = folder / f"{_parquet.DRAFT}{os.getpid()}.json"
    draft.write_text(text)
    os.replace(draft, path)


def _finished(path: Path, plan: Plan) -> Optional[int]:
    """Return how many points a part of this plan has; None if it is not there."""
    import pyarrow.parquet as pq

    if not path.exists():
        return None
    about = pq.read_metadata(path)
    digest = (about.metadata or {}).get(_KEY, b"").decode()
    if digest != plan.digest:
        raise ValueError(f"out: {path} is a part of another plan: give another folder")
    return int(about.num_rows)


def _drafts(folder: Path, plan: Plan) -> Iterator[Path]:
    """Files that were left half written by workers that died."""
    for i in range(len(plan)):
        yield from part_of(folder, plan, i).parent.glob(f"{_parquet.DRAFT}*")
    yield from folder.glob(f"{_parquet.DRAFT}*")
