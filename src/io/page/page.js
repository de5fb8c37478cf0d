/* Puts the page together from what was packed into it. */
'use strict';
(async () => {
  const nonce = document.currentScript.nonce;
  const {element, number} = Curves, content = document.getElementById('content'), about = document.getElementById('about');

  async function unpacked(id) {
    const text = document.getElementById(id).textContent.trim();
    if (text === '') return null;
    const packed = atob(text), bytes = new Uint8Array(packed.length);
    for (let k = 0; k < packed.length; k += 1) bytes[k] = packed.charCodeAt(k);
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
  }
  function add(name, text) {
    const e = document.createElement(name);
    e.nonce = nonce;
    e.textContent = text;
    document.head.append(e);
  }

  /* Lets the browser show what is there before more is made. */
  const breath = () => new Promise((go) => { setTimeout(go, 0); });
  const shown = () => new Promise((go) => { requestAnimationFrame(() => setTimeout(go, 0)); setTimeout(go, 200); });

  if (typeof DecompressionStream === 'undefined') return;
  const data = JSON.parse(await unpacked('packed-data'));
  const css = await unpacked('packed-uplot-css'), uplot = await unpacked('packed-uplot');
  if (css) add('style', css);
  if (uplot) add('script', uplot);

  about.textContent = `${data.runs.length} run${data.runs.length === 1 ? '' : 's'}, shown by ${data.program || 'Cardo'} ${data.version}.`;
  const missing = [];
  if (data.missing.includes('3Dmol-min.js')) missing.push('the molecule (3Dmol.js)');
  if (data.missing.includes('uPlot.iife.min.js')) missing.push('curves that follow the pointer (uPlot); they are drawn plainly');
  if (missing.length) about.after(element('p', {class: 'remark warning no-print', text: 'This page was made without ' + missing.join(' and ') + '.'}));

  /* ---- curves of a run's tables ---- */
  const charts = [];
  let molecule = null;

  /* A heading such as "q constant" as what it means. */
  function named(run, column) {
    const motion = run.motion, k = motion ? motion.coordinates.findIndex((c) => c.column === column.label || c.of && c.of === column.label) : -1;
    return k < 0 ? {label: column.label, q: -1} : {label: Molecule.coordinateName(motion, k), q: k};
  }
  function readableSpread(series) {
    const spans = series.map((s) => { const [a, b] = Curves.range([s.values]); return [a, b]; });
    const all = Math.max(...spans.map((s) => s[1])) - Math.min(...spans.map((s) => s[0]));
    const middle = spans.map((s) => s[1] - s[0]).sort((a, b) => a - b)[spans.length >> 1];
    return all <= 30 * middle;
  }

  /* Columns "X" with "X error", "error of X" or one column "error" beside it. */
  function withBands(columns) {
    const used = new Set(), out = [];
    columns.forEach((c, k) => {
      if (used.has(k)) return;
      const error = columns.findIndex((d, j) => j > k && !used.has(j) && d.unit === c.unit && /(^| )(standard )?(error|sigma)s?( |$)/i.test(d.label) &&
        (j === k + 1 || d.label.includes(c.label)));
      const s = {label: c.label, values: c.values, unit: c.unit};
      if (error >= 0 && !/error|sigma/i.test(c.label)) {
        used.add(error);
        const e = columns[error].values;
        s.low = c.values.map((v, i) => v - e[i]);
        s.high = c.values.map((v, i) => v + e[i]);
      }
      out.push(s);
    });
    return out;
  }

  function histogram(values, count) {
    const there = values.filter(Number.isFinite), low = Math.min(...there), high = Math.max(...there), width = (high - low) / count || 1;
    const bins = new Array(count).fill(0);
    there.forEach((v) => { bins[Math.min(count - 1, Math.floor((v - low) / width))] += 1 / (there.length * width); });
    return {x: bins.map((b, i) => low + (i + 0.5) * width), y: bins};
  }

  function chartsOf(run, table) {
    const columns = Curves.parseTable(table.text), out = [], n = columns.length ? columns[0].cells.length : 0;
    const what = table.file.replace(/\.csv$/, '').replace(/[-_.]/g, ' ');
    const thinned = table.step > 1 ? ` (one of ${table.step} of its ${table.rows} rows)` : '';
    if (n < 2 || columns.length < 2) return out;
    if (columns.length - 1 === n && columns.slice(1).every((c) => c.numeric)) {
      const rows = columns[0].cells.map((x, i) => columns.slice(1).map((c) => c.values[i]));
      const high = Math.max(...rows.flat().filter(Number.isFinite).map(Math.abs));
      return [Curves.heat({title: what, file: table.file, rows, high: high || 1, labels: columns[0].cells, axis: columns[0].label})];
    }
    let x = columns[0], rest = columns.slice(1);
    const time = rest.find((c) => c.label === 'time');
    if (x.label === 'step' && time) { rest = rest.filter((c) => c !== time); x = time; }
    const speeds = run.motion ? run.motion.speeds : [];
    /* Numbers of rows elsewhere are no curve. */
    rest = rest.filter((c) => c.numeric && !/^number in /.test(c.label) && !speeds.includes(c.label) && c.values.some(Number.isFinite));
    const rows = {label: x.label, unit: x.unit, values: x.values};
    if (!x.numeric) { rows.values = x.cells.map((c, i) => i + 1); rows.unit = ''; }
    else if (x.values.some((v, i) => i > 0 && v < x.values[i - 1])) return out;
    const xq = named(run, x);
    rows.label = xq.label;
    const groups = new Map();
    for (const c of rest) {
      const key = c.unit || c.label.split(' ')[0];
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(c);
    }
    for (const list of groups.values()) {
      const base = run.motion ? list.filter((c) => { const k = named(run, c).q; return k >= 0 && ['free', 'ball'].includes(run.motion.bodies.find((b) => k >= b.q_first && k < b.q_first + b.nq).mobilizer); }) : [];
      const series = withBands(list.filter((c) => list.length === base.length || !base.includes(c))).map((s) => Object.assign(s, {label: named(run, s).label, key: s.label}));
      if (series.length === 0 || series.length > 64) continue;
      if (!list[0].unit && rows.values.length > 2 && series.every((s) => s.values.every((v) => v === 0))) continue; // what never happened
      const all = series.length <= 6 && readableSpread(series);
      series.forEach((s, k) => { s.shown = all || k === 0; });
      const unit = list[0].unit, title = (series.length === 1 ? series[0].label : unit ? `${what}: ${list.map((c) => c.label).slice(0, 3).join(', ')}${list.length > 3 ? ' \u2026' : ''}` : series[0].label) + thinned;
      const spec = {title: series.length === 1 ? `${what}: ${title}` : title, file: `${run.name}-${table.file}`, x: rows, series, yLabel: series.length > 1 ? 'value' : named(run, {label: series[0].key}).q >= 0 ? 'q' : series[0].label, yUnit: unit,
                    clip: xq.q >= 0 && ['kJ/mol', 'kT'].includes(unit), sticks: /modes|spectrum/.test(what), q: xq.q, run, marks: xq.q >= 0 && !run.fitted && ['kJ/mol', 'kT'].includes(unit) ? structuresAt(run.motion, xq.q) : []};
      if (xq.q >= 0) spec.onMove = (v) => { if (molecule && molecule.runs.includes(run)) molecule.moveTo(xq.q, v); };
      out.push(Curves.make(spec));
      for (const s of series)
        if (x === time && named(run, {label: s.key}).q >= 0 && series.length <= 3 && base.length < list.length) {
          const h = histogram(s.values, 40);
          out.push(Curves.make({title: `${what}: how often q was where`, file: `${run.name}-histogram.csv`, x: {label: s.label, unit: s.unit, values: h.x},
                                series: [{label: 'density', values: h.y, shown: true}], yLabel: 'density', yUnit: '', sticks: true, q: named(run, {label: s.key}).q, run}));
        }
    }
    return out;
  }

  /* Frames of q that a run's tables hold. */
  function framesOf(run, motion) {
    const found = [];
    for (const table of run.tables || []) {
      const columns = Curves.parseTable(table.text);
      const q = motion.coordinates.map((c) => columns.find((col) => col.label === c.column));
      if (!q.some((c) => c && c.numeric)) continue;
      const x = columns.find((c) => c.label === 'time') || columns[0];
      found.push({name: run.fitted ? run.name : `${run.name}, ${table.file}`, label: x.label, unit: x.unit, times: x.values, frames: x.values.map((v, i) => q.map((c) => c ? c.values[i] : NaN)),
                  show: (t) => charts.filter((c) => c.spec.run === run && c.spec.x.label === x.label).forEach((c) => c.show(t))});
    }
    return found.filter((f) => f.frames.length > 1);
  }
  function modesOf(run, motion) {
    const table = (run.tables || []).find((t) => t.file === 'speeds.csv');
    if (!table) return [];
    const columns = Curves.parseTable(table.text);
    return columns.slice(1).filter((c) => c.numeric && c.values.length === motion.speeds.length).map((c) => ({label: c.label, speeds: c.values}));
  }

  /* ---- the page ---- */
  data.runs.forEach((run) => { if (Number.isInteger(run.motion)) run.motion = data.runs[run.motion].motion; });
  data.runs.forEach((run) => { run.name = run.folder.replace(/\/+$/, '').split('/').pop(); });
  /* A table by itself is of structures that were put on the coordinates of a model: it moves as that does. */
  const heads = (run) => (run.tables || []).flatMap((t) => Curves.parseTable(t.text.split('\n', 2).join('\n')));
  data.runs.filter((run) => !run.motion && !run.result && !run.record).forEach((run) => {
    const names = heads(run).map((c) => c.label), like = data.runs.find((r) => r.motion && r.motion.coordinates.some((c) => names.includes(c.column)));
    run.motion = like ? like.motion : null;
    run.fitted = true;
  });
  /* Where such structures are along coordinate k. */
  function structuresAt(motion, k) {
    const marks = [];
    for (const run of data.runs.filter((r) => r.fitted && r.motion)) {
      const same = JSON.stringify(run.motion.coordinates) === JSON.stringify(motion.coordinates);
      for (const table of same ? run.tables : []) {
        const columns = Curves.parseTable(table.text), q = columns.find((c) => c.label === motion.coordinates[k].column), left = columns.find((c) => c.label === 'rmsd');
        if (q) q.values.forEach((x, i) => marks.push({x, of: run.name, text: left ? `RMSD ${number(left.values[i], 3)} ${left.unit}` : ''}));
      }
    }
    return marks.filter((m) => Number.isFinite(m.x));
  }
  content.append(Words.first(data.runs));

  const moving = data.runs.find((r) => r.motion && r.motion.atoms && r.motion.atoms.length);
  const hasViewer = !data.missing.includes('3Dmol-min.js');
  let place = null;
  if (moving && hasViewer) {
    place = element('section', {}, element('h2', {text: 'The molecule'}));
    content.append(place);
    const motion = moving.motion;
    const same = data.runs.filter((r) => r.motion && JSON.stringify(r.motion.coordinates) === JSON.stringify(motion.coordinates));
    /* The molecule begins between its structures: the ends of a scan are beyond them. */
    for (const b of motion.bodies) if (b.mobilizer === 'path') motion.q[b.q_first] = Math.min(Math.max(motion.q[b.q_first], 0), 1);
    motion.bodies.forEach((b) => { if (b.u_first === undefined) b.u_first = 0; });
    molecule = Molecule.make(motion, same.flatMap((r) => framesOf(r, motion)), same.flatMap((r) => modesOf(r, motion)), (q) => {
      for (const c of charts) if (c.spec.q >= 0 && same.includes(c.spec.run)) c.show(q[c.spec.q]);
    });
    molecule.runs = same;
    if (molecule.unknown.length) {
      place.append(element('p', {text: `This page cannot move ${molecule.unknown.join(', ')}.`}));
      molecule = null;
    } else {
      place.append(molecule.box);
    }
  }

  /* Curves are drawn when they come near to what is looked at. */
  const near = new IntersectionObserver((seen) => {
    for (const one of seen)
      if (one.isIntersecting) { near.unobserve(one.target); charts.find((c) => c.figure === one.target).draw(); }
  }, {rootMargin: '300px'});

  function addRun(run) {
    const study = run.fitted ? 'structures on the model' : run.result && run.result.study || run.record && run.record.study || 'run';
    const section = element('section', {}, element('h2', {text: `${study}: ${run.name}`}));
    for (const r of Words.remarks(run)) if (r.severity === 'note') section.append(Words.remark(r));
    const own = (run.tables || []).flatMap((t) => chartsOf(run, t));
    charts.push(...own);
    if (own.length) section.append(element('div', {class: 'curves'}, ...own.map((c) => c.figure)));
    if (run.result) section.append(element('h3', {text: 'Numbers'}), Words.group(run, run.result, '', 0));
    else if (!run.fitted) section.append(element('p', {text: 'This run was made before runs kept their results (result.json): its tables alone are shown.'}));
    if (!run.fitted) section.append(element('h3', {text: 'How to repeat it'}), Words.reproduce(run));
    content.append(section);
    own.forEach((c) => near.observe(c.figure));
  }

  /* What is to be read first is there; then the molecule; then the runs, one after the other. */
  performance.mark('words');
  await shown();
  if (molecule) {
    try {
      add('script', await unpacked('packed-3dmol'));
      await breath();
      molecule.open();
    } catch {
      /* no WebGL, say: all else is there without it */
      molecule.box.replaceWith(element('p', {text: 'The molecule cannot be drawn: this browser has no WebGL, or does not allow it.'}));
      molecule = null;
    }
  }
  performance.mark('molecule');
  for (const run of data.runs) {
    await breath();
    addRun(run);
  }
  const bibtex = Citations.bibtex(data.runs, place !== null);
  content.append(element('section', {}, element('h2', {text: 'Citations'}), element('pre', {text: bibtex, tabindex: 0}),
    element('button', {type: 'button', text: 'save as BibTeX', onclick: () => Curves.save('cardo.bib', 'text/plain', bibtex)})));

  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    charts.forEach((c) => { if (c.drawn()) c.draw(); });
    if (molecule) molecule.resize();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    charts.forEach((c) => { if (c.drawn()) c.draw(); });
    if (molecule) molecule.recolour();
  });
  addEventListener('beforeprint', () => { charts.forEach((c) => c.print(true)); document.querySelectorAll('details').forEach((d) => { d.open = true; }); });
  addEventListener('afterprint', () => charts.forEach((c) => c.print(false)));
  window.cardoPage = {charts, data, molecule};
  performance.mark('all');
  document.documentElement.dataset.ready = 'yes';
})().catch((reason) => {
  const about = document.getElementById('about');
  about.textContent = 'This page could not be shown: ' + reason.message;
  throw reason;
});
