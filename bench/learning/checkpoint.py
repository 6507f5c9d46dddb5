"""Checkpoints, written after every epoch. A resumed training continues exactly as an uninterrupted one would."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from chuhe.bench.learning.quantise import Floats
from chuhe.bench.learning.recipe import TrainingError
from chuhe.bench.learning.training import Epoch, Loss, Training
from chuhe.files.writing import OutputError, replacing

FORMAT = 2


def save(path: Path, training: Training, best: Floats) -> None:
    """Write a temporary file and rename it, so that a kill leaves the last complete checkpoint."""
    state = {
        "format": FORMAT,
        "recipe": asdict(training.recipe),
        "threads": training.threads,
        "data": training.data.identity,
        "step": training.step,
        "epochs": [asdict(epoch) for epoch in training.epochs],
    }
    try:
        with replacing(path) as scratch, scratch.open("wb") as file:
            np.savez(
                file,
                state=np.frombuffer(json.dumps(state).encode(), np.uint8),
                parameters=training.trainer.parameters,
                moment1=training.trainer.moment1,
                moment2=training.trainer.moment2,
                best=best,
            )
    except OutputError as error:
        raise TrainingError(f"the checkpoint cannot be written: {error}") from None


def restore(path: Path, training: Training) -> Floats:
    """Restore a training from a checkpoint; returns the best parameters so far.

    TrainingError if the checkpoint is damaged, or has another recipe, other data or another number of threads.
    """
    state, arrays, epochs = _read(path)
    if state.get("format") != FORMAT:
        raise TrainingError(f"the checkpoint {path} is from another version")
    saved = {**state["recipe"], "threads": state.get("threads")}
    for name, value in (asdict(training.recipe) | {"threads": training.threads}).items():
        if saved.get(name) != value:
            raise TrainingError(f"the checkpoint {path} differs in {name}: {saved.get(name)}, not {value}")
    if state.get("data") != training.data.identity:
        raise TrainingError(f"the checkpoint {path} was made with other positions: its losses would not compare")
    if arrays["parameters"].size > training.parameters.size:
        training.separate_buckets(training.recipe.epochs)  # saved after they were separated
    if any(array.shape != training.parameters.shape for name, array in arrays.items() if name != "best"):
        raise TrainingError(f"the checkpoint {path} is damaged")
    for name in ("parameters", "moment1", "moment2"):
        getattr(training.trainer, name)[:] = arrays[name]
    training.separate_buckets(len(epochs))
    training.step = int(state["step"])
    training.epochs = epochs
    return arrays["best"]


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Floats], list[Epoch]]:
    try:
        with np.load(path, allow_pickle=False) as file:
            state = json.loads(file["state"].tobytes())
            arrays = {name: file[name] for name in ("parameters", "moment1", "moment2", "best")}
        epochs = [
            Epoch(row["number"], Loss(**row["training"]), Loss(**row["validation"]), row["positions_per_second"])
            for row in state["epochs"]
        ]
        int(state["step"])
        state["recipe"] = dict(state["recipe"])
        return state, arrays, epochs
    except OSError as error:
        raise TrainingError(f"the checkpoint {path} cannot be read: {error.strerror or error}") from None
    except Exception:  # numpy, zipfile and json raise many kinds for damaged files
        raise TrainingError(f"the checkpoint {path} is damaged") from None
