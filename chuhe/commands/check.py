"""`chuhe check ENGINE`: does an engine follow the protocol?"""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict

from chuhe.bench.matches.config import ConfigError
from chuhe.bench.matches.engine_text import engine_from_text
from chuhe.bench.measuring.check import CHECKS, run_checks
from chuhe.common.command_line import Parser, counted, report_fault
from chuhe.common.progress import Bar


def main(arguments: list[str]) -> int:
    top = Parser(prog="chuhe check", description="Test whether an engine follows the protocol.")
    top.add_argument(
        "engine", metavar="ENGINE", help='a command, with properties as in chuhe match: "fairy-stockfish;protocol=uci1"'
    )
    top.add_argument("--json", action="store_true", help="print the findings as JSON")
    options = top.parse_args(arguments)
    try:
        spec = engine_from_text(options.engine)
    except ConfigError as error:
        return report_fault("check", error)
    bar = Bar(len(CHECKS), "checks")
    try:
        found = asyncio.run(run_checks(spec, bar))
    finally:
        bar.close()
    failed = sum(finding.status == "FAILED" for finding in found)
    if options.json:
        print(json.dumps([asdict(finding) for finding in found]))
    else:
        for finding in found:
            print(f"{finding.status:<8} {finding.check}" + (f": {finding.text}" if finding.text else ""))
        print(f"{counted(len(found), 'check')}, {failed} failed")
    return 1 if failed else 0
