"""Writes chuhe/web/page.d.ts, the types of the server's messages for the page, from chuhe/web/outgoing.py."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import get_args

ROOT = Path(__file__).resolve().parents[2]
SOURCE, TARGET = ROOT / "chuhe/web/outgoing.py", ROOT / "chuhe/web/page.d.ts"
SIMPLE = {"str": "string", "int": "number", "float": "number", "bool": "boolean", "None": "null", "Any": "any"}
HEAD = "// Written by tests/tools/page_types.py from outgoing.py; do not edit.\n"


def typescript(node: ast.expr) -> str:
    """A Python type as a TypeScript type."""
    if isinstance(node, ast.Constant):
        if node.value is None:
            return "null"
        return node.value if isinstance(node.value, str) else str(node.value).lower()
    if isinstance(node, ast.Name):
        return SIMPLE.get(node.id, node.id)
    if isinstance(node, ast.BinOp):
        return f"{typescript(node.left)} | {typescript(node.right)}"
    assert isinstance(node, ast.Subscript), ast.dump(node)
    assert isinstance(node.value, ast.Name)
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if node.value.id == "Literal":
        return literal(part.value for part in parts if isinstance(part, ast.Constant))
    if node.value.id == "Union":
        return " | ".join(map(typescript, parts))
    if node.value.id == "list":
        return f"({typescript(parts[0])})[]"
    assert node.value.id == "dict"
    key = typescript(parts[0])
    return (
        f"{{ [key in {key}]?: {typescript(parts[1])} }}"
        if key == "Notation"
        else f"Record<{key}, {typescript(parts[1])}>"
    )


def literal(values: Iterable[object]) -> str:
    return " | ".join(f'"{value}"' if isinstance(value, str) else str(value).lower() for value in values)


def declaration(node: ast.stmt) -> str:
    if isinstance(node, ast.ImportFrom) and str(node.module).startswith("chuhe."):
        module = import_module(str(node.module))
        shared = {alias.name: get_args(getattr(module, alias.name)) for alias in node.names}
        return "\n".join(f"export type {name} = {literal(values)};" for name, values in shared.items())
    if isinstance(node, ast.ClassDef):
        bases = [base.id for base in node.bases if isinstance(base, ast.Name) and base.id != "TypedDict"]
        optional = "?" if any(keyword.arg == "total" for keyword in node.keywords) else ""
        fields = [
            f"  {field.target.id}{optional}: {typescript(field.annotation)};"
            for field in node.body
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        ]
        extends = f" extends {', '.join(bases)}" if bases else ""
        return "\n".join([f"export interface {node.name}{extends} {{", *fields, "}"])
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return f"export type {node.targets[0].id} = {typescript(node.value)};"
    return ""


def page_types() -> str:
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    return "\n".join([HEAD, *filter(None, map(declaration, tree.body)), ""])


if __name__ == "__main__":
    TARGET.write_text(page_types(), encoding="utf-8")
