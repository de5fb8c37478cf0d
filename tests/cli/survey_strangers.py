#!/usr/bin/env python3
"""What cardo fit and cardo domains take for a relative: every structure of the reference folder against LAO, adenylate kinase and the
maltose-binding protein.

    survey_strangers.py CARDO [SHARED]

By name, not in CI: some minutes. Prints what is accepted, with its verdict, and how many are refused, and why."""
import collections, glob, json, os, re, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

cardo = os.path.abspath(sys.argv[1])
shared = os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("CARDO_SHARED", "../shared"))
pairs = {"LAO": ("2lao", "1lst"), "AdK": ("4ake_A_fixedH", "1ake_A"), "MBP": ("1omp", "1anf")}
files = sorted(f for folder in ("pdb", "reference/structures") for f in glob.glob(f"{shared}/{folder}/*")
               if re.search(r"\.(pdb|ent|cif)(\.gz)?$", f))
work = tempfile.mkdtemp()


def call(*words):
    done = subprocess.run([cardo, *words], cwd=work, capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout, done.stderr


def why(message):
    for pattern, text in (("sequences of .* differ", "another sequence"), ("fit needs 3", "too few atoms"),
                          ("not the same fold", "another fold"), ("polymer|no residue|no atoms|residues pair", "no such chain")):
        if re.search(pattern, message):
            return text
    return "not read, or too small"


def one(job):
    verb, name, file = job
    if verb == "fit":
        code, out, err = call("fit", f"{name}.xml", file, "--json", "--model", "1") if re.search("2k39", file) else call("fit", f"{name}.xml", file, "--json")
        if code:
            return job, code, why(err), None
        frame = json.loads(out)["frames"][0]
        return job, 0, frame["verdict"], frame
    code, out, err = call("domains", f"{shared}/pdb/{pairs[name][0]}.pdb", file, "--json")
    if code:
        return job, code, why(err), None
    found = json.loads(out)
    return job, 0, found["verdict"], found


for name, (first, second) in pairs.items():
    code, out, err = call("domains", f"{shared}/pdb/{first}.pdb", f"{shared}/pdb/{second}.pdb", "-o", f"{name}.xml", "-q")
    assert code == 0, err
refused = collections.Counter()
with ThreadPoolExecutor(2) as pool:
    for (verb, name, file), code, text, found in pool.map(one, [(v, n, f) for v in ("fit", "domains") for n in pairs for f in files]):
        if code == 0:
            print(f"{verb:8} {name} {os.path.basename(file):34} {text}", flush=True)
        elif code not in (1, 2):
            print(f"{verb:8} {name} {os.path.basename(file):34} EXIT {code}", flush=True)
        else:
            refused[verb, text] += 1
print(f"{len(files)} files; refused: " + ", ".join(f"{v} {t} {n}" for (v, t), n in sorted(refused.items())))
