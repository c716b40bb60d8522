"""Plans on many machines, with Dask.

Windows are independent tasks: nothing is shuffled, and each writes its own file.
"""

from __future__ import annotations

import json
import os
import uuid
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
    """Write the points of every window to ``out/column=3/row=7/part.parquet`` and return the number of points.

    ``out`` is a folder that all workers can write to. Each part is a GeoParquet 1.1 file with a column ``bbox``
    and the name of its plan, and appears only when it is complete. An interrupted run therefore continues
    with the missing parts when it is started again. A folder with parts of another plan or in another coordinate
    system is refused. ``crs`` is the coordinate system, by default ``plan.crs``.

    ``client`` is a ``distributed.Client``, by default the current one. ``read`` must be picklable, as
    ``RasterReader`` is. ``threads`` is the number for each window. A window whose worker dies is run again,
    up to ``retries`` times.
    """
    from distributed import as_completed, get_client

    client = get_client() if client is None else client
    plan._check_reader(read)
    system = _parquet.projjson_of(crs, plan.crs)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    _claim(folder, plan)
    counts: dict[int, int] = {}
    todo = []
    for i in range(len(plan)):
        count = _finished(part_of(folder, plan, i), plan, system)
        if count is None:
            todo.append(i)
        else:
            counts[i] = count
    # Dask would take the results of an earlier call for tasks of the same names.
    call = uuid.uuid4().hex
    futures = [
        client.submit(
            run_part,
            plan,
            i,
            read,
            str(folder.absolute()),
            system,
            threads,
            key=f"spinney-{call}-{i}",
            retries=retries,
            pure=False,
        )
        for i in todo
    ]
    try:
        for done in as_completed(futures):
            i, count = done.result()
            counts[i] = count
            done.release()
    except BaseException:
        client.cancel(futures)
        raise
    for left in _drafts(folder, plan):
        left.unlink(missing_ok=True)
    return sum(counts.values())


def run_part(
    plan: Plan, i: int, read: Read, folder: str, crs: Any = None, threads: int = 1
) -> tuple[int, int]:
    """Write the part of window ``i``, unless it exists, and return ``i`` and the number of its points. ``crs`` is
    PROJJSON.
    """
    path = part_of(Path(folder), plan, i)
    count = _finished(path, plan, crs)
    if count is None:
        points = plan.run(i, read, threads=threads)
        path.parent.mkdir(parents=True, exist_ok=True)
        _parquet.write(path, points, crs, {_KEY.decode(): plan.digest})
        count = len(points)
    return i, count


def part_of(folder: Path, plan: Plan, i: int) -> Path:
    """Return the path of the part of window ``i``."""
    column, row = plan.place(i)
    # Not x and y: readers add the folders' names as columns, and the file has columns x and y.
    return folder / f"column={column}" / f"row={row}" / "part.parquet"


def _claim(folder: Path, plan: Plan) -> None:
    """Store the plan in the folder, or refuse the folder of another plan."""
    path = folder / _PLAN
    text = plan.to_json()
    if path.exists():
        if path.read_text() != text:
            raise ValueError(f"out: {folder} holds parts of another plan: give another folder")
        return
    draft = folder / f"{_parquet.DRAFT}{os.getpid()}.json"
    draft.write_text(text)
    os.replace(draft, path)


def _finished(path: Path, plan: Plan, crs: Any) -> Optional[int]:
    """Return the number of points of a part of this plan in this system; None if the part does not exist."""
    import pyarrow
    import pyarrow.parquet as pq

    if not path.exists():
        return None
    try:
        about = pq.read_metadata(path)
    except pyarrow.ArrowInvalid as error:
        problem = str(error).partition("\n")[0]
        raise ValueError(f"out: {path} cannot be read ({problem}): remove it, to write it again") from None
    known = about.metadata or {}
    if known.get(_KEY, b"").decode() != plan.digest:
        raise ValueError(f"out: {path} is a part of another plan: give another folder")
    if not _parquet.is_same(json.loads(known[b"geo"])["columns"]["geometry"]["crs"], crs):
        raise ValueError(f"out: {path} is in another coordinate system: give its crs, or another folder")
    return int(about.num_rows)


def _drafts(folder: Path, plan: Plan) -> Iterator[Path]:
    """Yield incomplete files of workers that died."""
    for i in range(len(plan)):
        yield from part_of(folder, plan, i).parent.glob(f"{_parquet.DRAFT}*")
    yield from folder.glob(f"{_parquet.DRAFT}*")
