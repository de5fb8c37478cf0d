"""Opens a page of `cardo report` in headless Chromium, with questions of ours beside its own scripts, and judges the answers.

report_page.py PAGE.html RUN...: the page is of the first run; of all of them the last frame of trajectory.pdb is compared with what
the page's kinematics make of motion.json and the last row of trajectory.csv.
"""
import csv
import html
import json
import os
import re
import subprocess
import sys


def case(run):
    """Coordinates of the last row, and where the last frame has the atoms that the page shows."""
    motion = json.load(open(f"{run}/motion.json"))
    rows = list(csv.reader(open(f"{run}/trajectory.csv")))
    heads = [re.sub(r" \([^()]*\)$", "", h) for h in rows[0]]
    q = [float(rows[-1][heads.index(c["column"])]) for c in motion["coordinates"]]
    frame = open(f"{run}/trajectory.pdb").read().split("MODEL ")[-1]
    residues, where, last = -1, {}, None
    for line in frame.splitlines():
        if line.startswith(("ATOM", "HETATM")):
            if line[17:27] != last:
                residues, last = residues + 1, line[17:27]
            where[residues, line[12:16].strip()] = [float(line[k:k + 8]) for k in (30, 38, 46)]
    expected = [where[r, n] for r, n in zip(motion["atom_residue"], motion["atoms"])]
    return {"run": run, "motion": motion, "q": q, "expected": expected}


AXE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/report/axe.min.js")
QUESTIONS = """
(async () => {
  const answers = {cases: [], errors: []};
  addEventListener('error', (e) => answers.errors.push(String(e.message)));
  addEventListener('securitypolicyviolation', (e) => answers.errors.push('policy: ' + e.violatedDirective + ' ' + e.blockedURI));
  try {
    while (document.documentElement.dataset.ready !== 'yes') await new Promise((go) => setTimeout(go, 20));
    const cases = JSON.parse(document.getElementById('cases').textContent);
    for (const c of cases) {
      const model = Kinematics.compile(c.motion), p = Kinematics.places(c.motion, Kinematics.poses(model, c.q));
      let worst = 0;
      c.expected.forEach((at, k) => at.forEach((x, i) => { worst = Math.max(worst, Math.abs(x - p[3 * k + i])); }));
      answers.cases.push({run: c.run, worst, atoms: c.expected.length, unknown: model.unknown});
    }
    const page = window.cardoPage, charts = page.charts;
    charts.forEach((c) => c.draw());  // also those that are far from what is looked at
    answers.charts = charts.map((c) => ({title: c.spec.title, x: c.spec.x && Array.from(c.spec.x.values),
      series: c.spec.series && c.spec.series.map((s) => [s.key || s.label, Array.from(s.values)])}));
    answers.marks = charts.filter((c) => c.spec.marks && c.spec.marks.length).map((c) => c.spec.marks.map((m) => m.x));
    answers.title = document.title;
    answers.broken = document.getElementById('broken') !== null;
    answers.unlabelled = [...document.querySelectorAll('input, select, button')].filter((e) =>
      !(e.labels && e.labels.length) && !e.getAttribute('aria-label') && !e.textContent.trim()).length;
    if (page.molecule) {
      const slider = document.querySelector('#molecule input[type=range]'), n = page.molecule.natoms - 1;
      const before = page.molecule.screen(n), still = page.molecule.screen(0);
      slider.value = slider.max;
      slider.dispatchEvent(new Event('input'));
      await new Promise((go) => setTimeout(go, 50));
      const after = page.molecule.screen(n), rest = page.molecule.screen(0);
      answers.moved = Math.hypot(after.x - before.x, after.y - before.y);
      answers.stood = Math.hypot(rest.x - still.x, rest.y - still.y);
      answers.readout = [...document.querySelectorAll('output')].map((o) => o.textContent).filter((t) => t.startsWith('hinge'));
    }
    if (typeof axe !== 'undefined') {
      const seen = await axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], resultTypes: ['violations']});
      answers.axe = {passes: seen.passes.length, violations: seen.violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 2).map((n) => n.html.slice(0, 120)).join(' ')}`)};
    }
  } catch (reason) { answers.errors.push(String(reason.stack)); }
  document.body.append(Object.assign(document.createElement('pre'), {id: 'answers', textContent: 'ANSWERS' + JSON.stringify(answers) + 'END'}));
})();
"""


def ask(page, cases):
    text = open(page).read()
    nonce = re.search(r"<script nonce=\"([0-9a-f]+)\"", text).group(1)
    packed = json.dumps(cases).replace("<", "\\u003c")
    extra = f'<script type="text/plain" id="cases">{packed}</script>\n<script nonce="{nonce}">{QUESTIONS}</script>\n'
    if os.path.exists(AXE):
        extra = f'<script nonce="{nonce}">{open(AXE).read()}</script>\n{extra}'
    open("asked.html", "w").write(text.replace("</body>", extra + "</body>"))
    done = subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-dev-shm-usage", "--use-gl=angle", "--use-angle=swiftshader",
         "--enable-unsafe-swiftshader", "--window-size=1000,800", "--user-data-dir=" + os.path.abspath("browser"), "--enable-logging=stderr",
         "--virtual-time-budget=60000", "--dump-dom", "file://" + os.path.abspath("asked.html")],
        capture_output=True, text=True, timeout=200)
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line and "GPU stall" not in line and "[.WebGL-" not in line]
    found = re.search(r'id="answers">ANSWERS(.*?)END<', done.stdout, re.S)
    if not found:
        sys.exit("the page gave no answer:\n" + done.stderr[-3000:])
    return json.loads(html.unescape(found.group(1))), console


def main():
    page, runs = sys.argv[1], sys.argv[2:]
    answers, console = ask(page, [case(run) for run in runs])
    wrong = console + answers["errors"]
    for one in answers["cases"]:
        print(f"{one['run']}: {one['atoms']} atoms, farthest {one['worst']:.2e} A")
        if one["unknown"] or one["worst"] > 1.5e-3:  # a PDB file has three digits
            wrong.append(f"{one['run']}: the page puts an atom {one['worst']} A from the library's; unknown: {one['unknown']}")
    rows = list(csv.reader(open(f"{runs[0]}/trajectory.csv")))
    columns = {re.sub(r" \([^()]*\)$", "", h): [float(r[k]) for r in rows[1:]] for k, h in enumerate(rows[0])}
    shown = {name: (c["x"], values) for c in answers["charts"] if c["x"] == columns["time"]
             for name, values in c["series"] or []}
    for name in ("potential", "temperature", "q constant"):
        if shown.get(name) != (columns["time"], columns[name]):
            wrong.append(f"the curve of {name} is not the table's")
    rows = list(csv.DictReader(open("fit.csv")))
    fitted = [float(row["q constant"]) for row in rows]
    if len(fitted) != 2 or not answers["marks"] or any(marks != fitted for marks in answers["marks"]):
        wrong.append(f"structures of fit.csv are at {fitted}, ticks at {answers['marks']}")
    if answers["broken"] or not answers["title"].startswith("elbow </script>"):
        wrong.append(f"a name became markup: {answers['title']}")
    if answers["unlabelled"]:
        wrong.append(f"{answers['unlabelled']} controls have no label")
    if "moved" in answers:
        print(f"the slider moves an atom by {answers['moved']:.1f} pixels, one of the base by {answers['stood']:.1f}")
        if not answers["moved"] > 5 or not answers["stood"] < 0.5 or not answers["readout"]:
            wrong.append(f"the slider moves atoms by {answers['moved']} and {answers['stood']} pixels, and says {answers['readout']}")
    else:
        print("note: 3Dmol.js is missing: the page has no molecule, and no slider was moved")
    if "axe" in answers:
        print(f"axe-core: {answers['axe']['passes']} rules pass")
        wrong += answers["axe"]["violations"]
        if answers["axe"]["passes"] < 10:
            wrong.append("axe-core looked at next to nothing")
    else:
        print("note: axe.min.js is missing (cmake/fetch-report-assets.sh build/report --tests): nobody looked whether all can use the page")
    for line in wrong:
        print("FAILED:", line)
    sys.exit(1 if wrong else 0)


main()
