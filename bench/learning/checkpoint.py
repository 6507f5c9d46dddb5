"""Checkpoints, written after every epoch. A resumed training continues exactly as an uninterrupted one would."""

from __future__ import annotations

import json
import zipfile
from dataclasses import asdict
from pathlib import Path

import numpy as np

from bench.learning.training import Epoch, Floats, Loss, Training, TrainingError
from engine.safe_files import OutputError, replacing

FORMAT = 1


def save(path: Path, training: Training, best: Floats) -> None:
    """Write a temporary file and rename it, so that a kill leaves the last complete checkpoint."""
    state = {
        "format": FORMAT,
        "recipe": asdict(training.recipe),
        "threads": training.threads,
        "positions": len(training.data.records),
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
    try:
        with np.load(path, allow_pickle=False) as file:
            state = json.loads(file["state"].tobytes())
            arrays = {name: file[name] for name in ("parameters", "moment1", "moment2", "best")}
    except OSError as error:
        raise TrainingError(f"the checkpoint {path} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise TrainingError(f"the checkpoint {path} is damaged") from None
    if state.get("format") != FORMAT:
        raise TrainingError(f"the checkpoint {path} is from another version")
    mine = {"recipe": asdict(training.recipe), "threads": training.threads, "positions": len(training.data.records)}
    for name, value in mine.items():
        if state[name] != value:
            raise TrainingError(f"the checkpoint {path} differs in {name}: {state[name]}, not {value}")
    if len(arrays["parameters"]) > len(training.parameters):
        training.use_sets(training.recipe.epochs)  # saved after the sets were separated
    for name in ("parameters", "moment1", "moment2"):
        getattr(training.trainer, name)[:] = arrays[name]
    training.use_sets(len(state["epochs"]))
    training.step = state["step"]
    training.epochs = [
        Epoch(row["number"], Loss(**row["training"]), Loss(**row["validation"]), row["positions_per_second"])
        for row in state["epochs"]
    ]
    best: Floats = arrays["best"]
    return best
