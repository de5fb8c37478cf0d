#!/usr/bin/env python3
"""What `cardo study` says of every pair of the reference folder, in both directions, as the table of src/study/transition/README.md.

    survey_pairs.py CARDO [SHARED] [--time MINUTES] [--rung RUNG]

By name, not in CI: a quarter of an hour. Prints a row for each direction, and at its end how many took between half and twice what was
told beforehand. Exits with 1 where a study ends without an answer or a reason, or a page is above 2 MB."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

PAIRS = [("4ake_A_fixedH", "1ake_A"), ("1omp", "1anf"), ("1ggg_B", "1wdn"), ("1urp_A_bb", "2dri"), ("1dpe_A_bb", "1dpp_A_bb"),
         ("1bpd_A_bb", "2bpg_E_bb"), ("3o80_A_bb", "3o8m_A_bb"), ("1ggg_A_bb", "1wdn"), ("5ggm_A_bb", "1cll_A_bb"),
         ("2mcg#1", "2mcg#2"), ("1r19_dssp#A", "1r19_dssp#B"), ("4ake_scipion", "1ake_chimerax"), ("2lao", "1lst"),
         ("adk_xray_ensemble_ca#13:A", "adk_xray_ensemble_ca#1:A")]
LARGEST_PAGE = 2_000_000

arguments = argparse.ArgumentParser()
arguments.add_argument("cardo")
arguments.add_argument("shared", nargs="?", default=os.environ.get("CARDO_SHARED", "../shared"))
arguments.add_argument("--time", default="3")
arguments.add_argument("--rung", default="rigid")
chosen = arguments.parse_args()
work = tempfile.mkdtemp()


def file_of(name):
    stem, _, part = name.partition("#")
    for ending in (".pdb", ".cif"):
        path = os.path.join(chosen.shared, "pdb", stem + ending)
        if os.path.exists(path):
            return path + ("#" + part if part else "")
    sys.exit(f"{stem}: no such structure in {chosen.shared}/pdb")


def found(pattern, text, otherwise="-"):
    match = re.search(pattern, text)
    return match.group(1) if match else otherwise


def seconds_of(text):
    count, unit = text.split()
    return int(count) * (60 if unit == "min" else 1)


def study(first, second):
    folder = os.path.join(work, re.sub(r"\W", "_", first + "-" + second))
    done = subprocess.run([os.path.abspath(chosen.cardo), "study", file_of(first), file_of(second), "--out", folder, "--time",
                           chosen.time, "--rung", chosen.rung], capture_output=True, text=True, check=False)
    if done.returncode:
        return None, done.stderr.strip().splitlines()[-1], None
    with open(os.path.join(folder, "result.json"), encoding="utf-8") as file:
        result = json.load(file)
    return result, " ".join(line["line"] for line in result["answer"]), folder


def row_of(first, second):
    result, text, folder = study(first, second)
    if result is None:
        return f"| {first}, {second} | refused: {text} |", None, True
    page = os.path.getsize(os.path.join(folder, "page.html"))
    headline = result.get("headline", {})
    difference = "-" if "difference_kT" not in headline else "%+.2f ± %.2f" % (
        headline["difference_kT"], max(0.01, headline["error_kT"]))
    domains = found(r"^[^:]+(?::[^:]+)*?: ((?:one|two|three|four|five|six|seven|\d+) [^:]*?), explains", text)
    if headline.get("two_wells"):
        answer = "two wells, q = %.2f and %.2f; %.1f kT at %.2f" % tuple(
            headline[k] for k in ("first_well_q", "second_well_q", "barrier_kT", "barrier_q"))
    else:
        answer = found(r"q: 0 is the first structure, 1 the second\): ?no two wells: (.*?)\.(?: |$)", text,
                       "none: " + found(r"cannot be made here: (.*?)[.:] ", text, ""))
    contacts = found(r"knows neither structure \(Kim & Hummer 2008\), along [^:]*: (?:no two wells: )?(.*?)(?:: at its|\.) ", text)
    atoms = found(r"All atoms, rigid domains: (?:the motion is )?(.*?)(?:, all else|;|\.) ", text)
    if "hardly more than a backbone" in atoms:
        atoms = "no side chains"
    length = r"(\d+ (?:s|min))"
    times = re.search(f"looking at the structures took {length}, then about {length} were planned; all took {length}", text)
    looked, planned, took = (seconds_of(t) for t in times.groups()) if times else (0, 0, 0)
    fits = times is not None and 0.5 <= max(took, 1) / max(looked + planned, 1) <= 2
    row = f"| {first}, {second} | {domains} | {answer} | {difference} | {contacts} | {atoms} | {looked + planned}, {took} | {page // 1000} |"
    return row, fits, page > LARGEST_PAGE or answer == "none: "


print("| first, second | domains and hinges | along its hinge | second side against the first, kT | contacts | all atoms, rigid domains "
      "| told, took (s) | page (kB) |\n|---|---|---|---|---|---|---|---|")
fitting, failed = [], False
for pair in PAIRS:
    for first, second in (pair, pair[::-1]):
        line, fits, bad = row_of(first, second)
        print(line, flush=True)
        fitting.append(fits)
        failed = failed or bad
print(f"\n{sum(bool(f) for f in fitting)} of {len(fitting)} took between half and twice what was told")
sys.exit(failed)
