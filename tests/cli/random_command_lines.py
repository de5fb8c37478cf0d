"""Random command lines from the program's own option tables (cardo help --json): valid names, odd values.

  random_command_lines.py CARDO SOURCE_TREE [COUNT [SEED [FIRST]]]

Whatever is typed, the program ends by itself or soon after Ctrl-C, with status 0, 1, 2, 3 or 130; a failure says what it is, on
one line that begins with the program's name; a refusal leaves no file, no folder and no change; nothing leaves temporaries or
locks; --json prints JSON; no sanitizer speaks. A command that fails is printed with its number: FIRST repeats it alone.
COUNT of 1000 is run by name; the suite takes some.
"""
import concurrent.futures, hashlib, json, os, random, resource, shutil, signal, subprocess, sys, tempfile

cardo, tree = os.path.realpath(sys.argv[1]), sys.argv[2]
count = int(sys.argv[3]) if len(sys.argv) > 3 else 60
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
first = int(sys.argv[5]) if len(sys.argv) > 5 else None
sanitized = bool(os.environ.get("CARDO_SANITIZE"))
QUICK = 20 if sanitized else 6  # s until Ctrl-C
PATIENCE = 120 if sanitized else 60  # s for it to be heard

tables = json.loads(subprocess.run([cardo, "help", "--json"], capture_output=True, check=True).stdout)
verbs = {v["name"]: v for v in tables["commands"]}
integrators = [i["name"] for i in tables["integrators"]]
integrator_fields = [f for i in tables["integrators"] for f in i["fields"]]

ODD = ["", " ", "-1", "0", "1e308", "-1e308", "nan", "inf", "-inf", "1e-320", "abc", "1,5", "0x10", "1e", "--", "-", "=", "%s%n%d",
       "ä→\u4e2d", "\U0001f9ec", "a" * 300, "../..", "/dev/null", "/", "no/such/file", "1:0", "5:1:3", "0:1:3", ":::", "1 fs", "3 parsec",
       "yes", "no", "2147483648", "-2147483649", "9223372036854775807", "1e400", "'", '"', ";", "A:1-3", "A:3-1", "*", "\t", "1;2"]


def value_of(field, rng):
    """A value for an option: often one that it takes, else an odd one."""
    if rng.random() < 0.35:
        return rng.choice(ODD)
    kind, default = field["type"], field["default"]
    if kind == "choice":
        return rng.choice(field["choices"])
    if kind == "yes or no":
        return rng.choice(["yes", "no"])
    if kind == "text":
        return rng.choice([default or "", "0:1", "constant", "constant.1", "constant=0.01", "A:1-3", "1:2-50", "A:2@CA", "300 320", "first"])
    low, high = field.get("minimum", -1e3), field.get("maximum", 1e3)
    middle = float(default) if default else 1.0
    value = rng.choice([low, high, middle, 2 * middle, middle / 3, rng.uniform(0, 1), rng.randint(0, 50)])
    if kind == "whole number":
        return str(int(min(value, 1e15)))
    return repr(value) + rng.choice(["", "", "", " " + field["unit"]])


def make_inputs(folder):
    def write(name, text):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)

    for k in (1, 2):
        with open(f"{tree}/pdb/2mcg_{k}.pdb") as file:
            rows = [l for l in file if l.startswith("ATOM") and 80 <= int(l[22:26]) <= 140]
        write(f"strand{k}.pdb", "".join(rows) + "END\n")
    shutil.copy(f"{tree}/pdb/alanine.pdb", folder)
    quick = """
  <simulate timestep="20 fs" steps="40" report-interval="5" trajectory-interval="10" checkpoint-interval="10"/>
  <drive body="{body}" to="0.02" duration="1" timestep="50 fs"/>
  <sample {sample} timestep="20 fs" steps="200" equilibration="50" pull="0" probe="100" round="50" interval="10" bootstrap="2"
          bins="4" windows="2" places="5" force-bins="4" highest-start="1e6" cycles="10" burn-in="2" atom-flights="4"/>
  <minimize iterations="5"/>
  <modes frames="3" animate="1"/>
</cardo>
"""
    strand = """<cardo version="1">
  <model name="strand">
    <structure id="first" file="strand1.pdb"/>
    <structure id="second" file="strand2.pdb"/>
    <domain name="variable" residues="1:80-108"/>
    <domain name="constant" residues="1:114-140"/>
    <hinge residues="1:109-113"/>
    <body name="variable" domains="variable"/>
    <body name="constant" domains="constant" parent="variable"><path/></body>
    <forcefield files="kim-hummer.xml"/>
  </model>"""
    write("strand.xml", strand + quick.format(body="constant", sample='from="-0.05" to="0.05"'))
    write("network.xml", strand.replace("kim-hummer", "elastic-network") + quick.format(body="constant", sample='from="-0.05" to="0.05"'))
    alanine = """<cardo version="1">
  <model name="alanine">
    <structure id="a" file="alanine.pdb"/>
    <domain name="all" residues="A:1-3"/>
    <body name="peptide" domains="all" base="free"/>
    <flexible residues="A:1-3" torsions="phi psi"/>
    <forcefield files="ff14SB.xml" solvent="none"/>
  </model>"""
    write("alanine.xml", alanine + quick.format(body="A:2:phi", sample='variable="dihedral" a="A:1@C" b="A:2@N" c="A:2@CA" d="A:2@C"'))
    write("empty.pdb", "")
    write("broken.xml", "<cardo version='1'><model name='x'>")
    with open(os.path.join(folder, "binary.pdb"), "wb") as file:
        file.write(bytes(range(256)) * 8)
    write("coordinates.csv", "coordinate,value\nconstant,0.01\n")


MODELS, STRUCTURES = ["strand.xml", "strand.xml", "network.xml", "alanine.xml"], ["strand1.pdb", "strand2.pdb", "alanine.pdb"]
BAD = ["missing.xml", "empty.pdb", "broken.xml", "binary.pdb", ".", "", "ä.pdb", "strand1.pdb#9", "strand1.pdb#7:", "coordinates.csv"]


def arguments(verb, rng, inputs):
    def put(name):
        return os.path.join(inputs, name) if name else name

    def model():
        return put(rng.choice(MODELS if rng.random() < 0.93 else BAD))

    def structure():
        return put(rng.choice(STRUCTURES if rng.random() < 0.9 else BAD))

    if verb == "help":
        return rng.choice([[], ["simulate"], ["nonsense"], [""]])
    if verb == "list":
        return rng.choice([[], ["mobilizers"], ["integrators"], ["energies"], ["formats"], ["platforms"], ["commands"], ["x"], [""]])
    if verb == "fetch":
        return rng.choices(["2LAO", "xx", "", "pdb_00002lao", "../2lao", "1ABC"], k=rng.randint(0, 2))
    if verb in ("prepare", "check"):
        return [structure()] if rng.random() < 0.95 else []
    if verb == "domains":
        return [structure() for _ in range(rng.choice([0, 1, 2, 2, 2, 3]))]
    if verb == "fit":
        return [model()] + [structure() for _ in range(rng.choice([0, 1, 1, 2]))]
    if verb == "info" and rng.random() < 0.2:
        return [structure(), structure(), "--stationary", rng.choice(["1:80-108", "x", ""]), "--mobile", rng.choice(["1:114-140", "*"])]
    return [model()] if rng.random() < 0.97 else [model(), model()][: rng.choice([0, 2])]


def set_value(verb, rng):
    groups = [f for g in verbs[verb]["groups"] for f in g["fields"]]
    if verb == "domains":
        field = rng.choice(groups)
        return f"domains.{field['name']}={value_of(field, rng)}"
    choices = [("forcefield", f) for f in tables["forcefield"]]
    if groups and rng.random() < 0.75:
        choices = [(verb, f) for f in groups]
        if verb in ("simulate", "drive", "sample"):
            choices += [(verb, f) for f in integrator_fields]
            choices += 12 * [(verb, {"name": "integrator", "type": "choice", "choices": integrators, "default": ""})]
        if verb == "sample":
            methods = ["umbrella", "metadynamics", "adaptive-force", "mixed", "scan"]
            choices += 25 * [(verb, {"name": "method", "type": "choice", "choices": methods, "default": ""})]
    if rng.random() < 0.1:
        return rng.choice(["model.base=welded", "model.base=free", "path.interpolation=euler", "path.start=0.5", "model.name=" + rng.choice(ODD),
                           "structure.numbering=label", "nonsense.x=1", "simulate.nonsense=1", "simulate", "=", "", "path.start=nan"])
    element, field = rng.choice(choices)
    return f"{element}.{field['name']}={value_of(field, rng)}"


def option_value(verb, option, rng, inputs):
    name = option["name"]
    if name == "set":
        return set_value(verb, rng)
    if rng.random() < 0.3 and name not in ("out", "output", "table", "processes"):
        return rng.choice(ODD)
    sane = {"out": ["result", "result", "a/b/c", "result/", "./result", "", "ä result", "x" * 300], "output": ["fitted.pdb", "no/where.pdb", ""],
            "table": ["table.csv", "no/where.csv", ""], "at": ["constant=0.01", "constant=nan", "constant.2=1", "nobody=1", "constant=1e9"],
            "from": [os.path.join(inputs, "coordinates.csv"), "missing.csv"], "processes": ["1", "2", "0", "-1", "5000", "x", ""],
            "scan": ["constant=0:0.1:3", "constant=0:0.1:1", "constant=1:0:4", "constant=nan:1:3", "x=0:1:3"],
            "platform": ["CPU", "Reference", "auto", "nonsense"], "provider": ["rigid", "openmm", "auto", "x"], "threads": ["1", "2", "0"],
            "ph": ["7", "2", "-3"], "forcefield": ["ff14SB.xml", "missing.xml", "kim-hummer.xml"], "keep": ["water", "all", "ions,ligands"],
            "cap": ["ends", "all", "x"], "breaks": ["report", "cap", "close"], "model": ["1", "2"], "chains": ["1", "A", "Z"],
            "joint": ["path", "hinge", "pin", "ball", "free", "x"], "base": ["free", "welded"], "cutoff": ["1.5", "0.1"],
            "timeout": ["1", "0.5"], "format": ["cif", "pdb", "x"], "numbering": ["auth", "label", "x"]}
    return rng.choice(sane.get(name, ODD))


def out_name(verb, rng):
    return {"prepare": "result" + rng.choice([".pdb", ".cif", ""]), "domains": "result" + rng.choice([".xml", ".xml", ".xml", ""])}.get(verb, "result")


def make_command(rng, inputs):
    verb = rng.choices(list(verbs), weights=[{"sample": 5, "simulate": 5, "drive": 3, "minimize": 2, "modes": 2, "energy": 2}.get(v, 1) for v in verbs])[0]
    words = [verb] + arguments(verb, rng, inputs)
    options = verbs[verb]["options"]
    for option in rng.choices(options, k=rng.choice([0, 1, 1, 2, 3])) if options else []:
        words += [rng.choice(["--" + option["name"]])]
        if option["argument"]:
            words += [option_value(verb, option, rng, inputs)]
    names = [o["name"] for o in options]
    for _ in range(rng.choice([0, 1, 1, 2]) if "set" in names else 0):
        words += ["--set", set_value(verb, rng)]
    if "out" in names and "--out" not in words and rng.random() < 0.9 or verb in ("prepare",) and "--out" not in words:
        words += ["--out", out_name(verb, rng)]
    if verb == "fetch":
        words += ["--url", "http://127.0.0.1:9/"]
    if verb == "sample" and "--processes" not in words:
        words += ["--processes", rng.choice(["1", "2"])]
    return words


def snapshot(folder):
    """Every file with its bytes, every folder."""
    found = {}
    for path, folders, files in os.walk(folder):
        for name in folders:
            found[os.path.join(path, name)] = "folder"
        for name in files:
            with open(os.path.join(path, name), "rb") as file:
                found[os.path.join(path, name)] = hashlib.sha1(file.read()).hexdigest()
    return found


def limit():
    if not sanitized:
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))


def run(words, folder):
    """Status, output, messages, and whether Ctrl-C was needed."""
    process = subprocess.Popen([cardo] + words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               preexec_fn=limit, start_new_session=True)
    try:
        out, err = process.communicate(timeout=QUICK)
        return process.returncode, out, err, False
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGINT)
    try:
        out, err = process.communicate(timeout=PATIENCE)
        return process.returncode, out, err, True
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        return None, out, err, True


def judge(words, status, out, err, stopped, before, after):
    text = err.decode(errors="replace")
    wrong = []
    if status is None:
        return ["it does not end, nor by Ctrl-C"]
    # Studies that write no checkpoint have nothing to save, and end as any program does.
    if stopped and status == -signal.SIGINT:
        status = 130
    if status not in (0, 1, 2, 3, 130):
        wrong.append(f"status {status}")
    for word in ("AddressSanitizer", "runtime error:", "LeakSanitizer: detected", "terminate called", "ssertion"):
        if word in text:
            wrong.append(word)
    if status in (1, 2, 3):
        lines = [l for l in text.splitlines() if l.startswith("cardo")]
        if not lines or len(lines[-1].split(": ", 1)[-1]) < 12:
            wrong.append("no message")
    if status in (1, 2) and before != after:
        changed = sorted(k for k in set(before) | set(after) if before.get(k) != after.get(k))
        wrong.append("the refusal left or changed " + ", ".join(changed[:5]))
    for name in after:
        if ".part" in os.path.basename(name) or name.endswith(".cardo.lock"):
            wrong.append("left over: " + name)
    if status == 0 and words[0] != "fetch" and "--json" in words and "--man" not in words:
        try:
            json.loads(out)
        except ValueError:
            wrong.append("no JSON")
    return wrong


def try_one(k, inputs, scratch):
    rng = random.Random(f"{seed} {k}")
    folder = os.path.join(scratch, str(k))
    os.mkdir(folder)
    words = make_command(rng, inputs)
    statuses, problems = [], []
    # Some go on, or over it again, where one has succeeded.
    for turn in range(3):
        before = snapshot(folder)
        status, out, err, stopped = run(words, folder)
        after = snapshot(folder)
        wrong = judge(words, status, out, err, stopped, before, after)
        statuses.append(status)
        if wrong:
            problems.append((list(words), wrong, status, err.decode(errors="replace")[-1500:]))
        again = [o["name"] for o in verbs[words[0]]["options"] if o["name"] in ("continue", "force")]
        if wrong or status not in (0, 130) or not again or rng.random() < 0.5:
            break
        words = [w for w in words if w not in ("--continue", "--force")]
        words.insert(1, "--" + rng.choice(again))
        for _ in range(rng.choice([0, 1, 2]) if verbs[words[0]]["groups"] else 0):
            words += ["--set", set_value(words[0], rng)]
    shutil.rmtree(folder)
    return k, statuses, problems


def main():
    scratch = tempfile.mkdtemp(prefix="cardo-random-")
    inputs = os.path.join(scratch, "inputs")
    os.mkdir(inputs)
    make_inputs(inputs)
    # Pictures take most of the time of such short runs, and others test them.
    tools = os.path.join(scratch, "bin")
    os.mkdir(tools)
    os.environ["PATH"] = tools
    numbers = range(count) if first is None else [first]
    totals, failed = {}, 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for k, statuses, problems in pool.map(lambda n: try_one(n, inputs, scratch), numbers):
            for status in statuses:
                totals[status] = totals.get(status, 0) + 1
            for words, wrong, status, err in problems:
                failed += 1
                print(f"FAILED: number {k} of seed {seed}: {'; '.join(wrong)} (status {status})\n  cardo {words!r}\n{err}", flush=True)
    shutil.rmtree(scratch)
    print(f"{sum(totals.values())} commands from {len(numbers)} lines, seed {seed}: " +
          ", ".join(f"{n} with status {s}" for s, n in sorted(totals.items(), key=str)))
    # One that refuses all, or nothing, would prove little.
    if first is None and not (totals.get(0, 0) > len(numbers) / 10 and totals.get(1, 0) > len(numbers) / 10 and totals.get(2, 0) > 0):
        print("FAILED: too few of some status")
        failed += 1
    sys.exit(failed > 0)


main()
