"""Plans on many machines, with Dask.

Windows are independent tasks: nothing is shuffled, and each writes its own file.
"""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path
from typing import Any, Iterator, Optional, Union

from . import _parquet
from ._plan import Plan, Read

#: The key in a part's metadata whose value identifies its plan.
_KEY = b"spinney_plan"

#: The file of the plan, beside the parts. Readers of data sets skip names with this prefix.
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
    """Write the points of every window to ``out/x=3/y=7/part.parquet`` and return the number of points.

    ``out`` is a folder that all workers can write to. Each part is a GeoParquet 1.1 file with a column ``bbox``
    and the name of its plan, and appears only when it is complete. An interrupted run therefore continues
    with the missing parts when it is started again. A folder with parts of another plan is refused.

    ``client`` is a ``distributed.Client``, by default the current one. ``read`` must be picklable, as
    ``RasterReader`` is. ``threads`` is the number for each window. A window whose worker dies is run again,
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
    """Write the part of window ``i``, unless it exists, and return ``i`` and the number of its points."""
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
    """Store the plan in the folder, or refuse the folder of another plan."""
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
    """Return the number of points of a part of this plan; None if the part does not exist."""
    import pyarrow.parquet as pq

    if not path.exists():
        return None
    about = pq.read_metadata(path)
    digest = (about.metadata or {}).get(_KEY, b"").decode()
    if digest != plan.digest:
        raise ValueError(f"out: {path} is a part of another plan: give another folder")
    return int(about.num_rows)


def _drafts(folder: Path, plan: Plan) -> Iterator[Path]:
    """Yield incomplete files of workers that died."""
    for i in range(len(plan)):
        yield from part_of(folder, plan, i).parent.glob(f"{_parquet.DRAFT}*")
    yield from folder.glob(f"{_parquet.DRAFT}*")
