from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

GROUP: int
MAX_THREADS: int
RECORD_SIZE: int

class Trainer:
    parameters: npt.NDArray[np.float32]
    moment1: npt.NDArray[np.float32]
    moment2: npt.NDArray[np.float32]
    threads: int
    def __init__(
        self,
        hidden: int,
        buckets: int,
        slope: float,
        threads: int = ...,
        bucket_of: Sequence[int] = ...,
    ) -> None: ...
    def gradient_of(self, thread: int) -> npt.NDArray[np.float32]: ...
    def slice(
        self,
        thread: int,
        records: npt.NDArray[np.uint8],
        order: npt.NDArray[np.int64],
        flips: npt.NDArray[np.uint8],
        blend: float,
        learn: bool = ...,
    ) -> tuple[float, float]: ...
    def adam(
        self, first: int, end: int, scale: float, rate: float, step: int, bound: float, decay: float = ...
    ) -> None: ...
    def outputs(self, records: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]: ...
