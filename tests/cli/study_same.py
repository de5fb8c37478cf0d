"""Compares two folders of `cardo study`: all files must be the same to the bit, but for what the clock has said.

That is in "timings" of a study's result and a line of its answer, in the notes of its plan, and in a simulation's speed.
"""
import base64
import gzip
import json
import os
import re
import sys

# steps_now: those that the times are of
CLOCK = ("elapsed_s", "ns_per_day", "ms_per_step", "steps_now", "command", "command_folder")
NOTES = ("seconds", "processor_s", "predicted", "looked", "evaluation_s", "atoms_evaluation_s", "share", "work")
LINE = "By the clock"


def is_line(value):
    return isinstance(value, dict) and str(value.get("line", "")).startswith(LINE)


def without_clock(value):
    if isinstance(value, dict):
        return {k: without_clock(v) for k, v in value.items() if k not in CLOCK and k.split("/")[0] != "timings"}
    if isinstance(value, list):
        return [without_clock(v) for v in value if not is_line(v)]
    return value


def content(path):
    data = open(path, "rb").read()
    if path.endswith(".json"):
        return without_clock(json.loads(data))
    if path.endswith("answer.txt"):
        return [line for line in data.decode().splitlines() if not line.startswith(LINE)]
    if path.endswith("plan.cardo"):
        notes = [line.split("\t") for line in data.decode("latin-1").split("\n") if line.count("\t") == 2]
        return [note for note in notes[1:] if note[1] not in NOTES]  # the first stands beside the head
    if path.endswith("page.html"):
        packed = re.search(rb'id="packed-data">([^<]*)<', data).group(1)
        return without_clock(json.loads(gzip.decompress(base64.b64decode(packed))))
    return data


def main():
    one, other = sys.argv[1:]
    wrong, compared = [], 0
    for folder, _, names in os.walk(one):
        there = folder.replace(one, other, 1)
        if sorted(os.listdir(folder)) != sorted(os.listdir(there)):
            wrong.append(f"{folder}: {sorted(os.listdir(folder))}, {there}: {sorted(os.listdir(there))}")
            continue
        for name in names:
            compared += 1
            if content(f"{folder}/{name}") != content(f"{there}/{name}"):
                wrong.append(f"{folder}/{name} differs")
    print("\n".join(wrong) or f"{compared} files are the same")
    sys.exit(1 if wrong or compared < 10 else 0)


main()
