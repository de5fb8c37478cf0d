/* A result as words: verdicts and warnings first, then its values under their labels, and its tables. Nothing here knows a study. */
'use strict';
const Words = (() => {
  const {element, number, withUnit} = Curves;
  const MOST_ROWS = 24;
  const readable = (name) => String(name).replace(/_(kJ_per_mol|per_cm|ps|ns|nm|K|A|s|degrees)$/, '').replace(/_/g, ' ');
  /* Units that stand in a key where the result tells none. */
  const unitOf = (name) => ({kJ_per_mol: 'kJ/mol', per_cm: '1/cm', ps: 'ps', ns: 'ns', nm: 'nm', K: 'K', A: '\u00c5', s: 's', degrees: 'degrees'})[
    (/_(kJ_per_mol|per_cm|ps|ns|nm|K|A|s|degrees)$/.exec(name) || [])[1]] || '';
  const isRow = (v) => v !== null && typeof v === 'object' && !Array.isArray(v);
  const isScalar = (v) => v === null || typeof v !== 'object';

  function quantityOf(run, path) {
    const q = (run.result && run.result.quantities || {})[path] || {};
    const name = path.split('/').pop();
    return {label: q.label || readable(name), unit: q.unit === undefined ? unitOf(name) : q.unit, meaning: q.meaning, severity: q.severity};
  }
  function scalar(v) {
    if (v === null) return 'none';
    if (v === true) return 'yes';
    if (v === false) return 'no';
    return typeof v === 'number' ? number(v, 6) : String(v);
  }

  /* Walks a result: see(value, path as in "quantities", path with numbers). */
  function walk(value, path, concrete, see) {
    see(value, path, concrete);
    const below = (p, name) => p ? p + '/' + name : name;
    if (Array.isArray(value)) value.forEach((v, k) => walk(v, below(path, '*'), below(concrete, k), see));
    else if (isRow(value))
      for (const [name, v] of Object.entries(value))
        if (concrete !== '' || name !== 'quantities') walk(v, below(path, name), below(concrete, name), see);
  }

  /* What is to be told first: by severity, and what is called a verdict. */
  function remarks(run) {
    const found = [];
    if (!run.result) return found;
    const quantities = run.result.quantities || {};
    walk(run.result, '', '', (value, path, concrete) => {
      const q = quantities[concrete] || quantities[path] || {}, last = path.split('/').filter((w) => w !== '*').pop() || '';
      const text = typeof value === 'string' ? value : isRow(value) && typeof value.text === 'string' ? value.text : null;
      if (!text) return;
      const severity = q.severity || (/verdict$/.test(last) ? 'verdict' : /warnings?$/.test(last) ? 'warning' : null);
      const part = path.split('/').slice(-2, -1)[0] || '';
      const told = q.severity || /\s/.test(text) || !part || part === '*' ? text : `${readable(part)}: ${text}`; // one word means nothing alone
      if (severity && !found.some((f) => f.text === told))
        found.push({severity, text: told, place: isRow(value) && value.place || null});
    });
    const order = ['verdict', 'warning', 'note'];
    return found.sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  }
  function remark(r) {
    const name = {verdict: 'Verdict', warning: 'Warning', note: 'Note'}[r.severity];
    return element('div', {class: 'remark ' + r.severity}, element('strong', {text: name + ': '}), (r.place ? r.place + ': ' : '') + r.text);
  }

  /* Remarks of several runs that say the same, but for numbers and names of files, as one: [remarks of a group]. */
  function alike(list) {
    const groups = new Map();
    for (const r of list) {
      const key = r.severity + r.text.replace(/\S*\/\S+|[-+\u2212]?\d+(\.\d+)?(e[-+]?\d+)?/g, '#');
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(r);
    }
    return [...groups.values()];
  }
  function together(list) {
    const texts = [...new Set(list.map((r) => r.text))];
    const from = (text) => [...new Set(list.filter((r) => r.text === text).map((r) => [r.run, r.place].filter(Boolean).join(', ')))].filter(Boolean).join('; ');
    const box = remark(Object.assign({}, list[0], {place: from(texts[0])}));
    if (texts.length > 1)
      box.append(element('details', {}, element('summary', {text: `${texts.length - 1} more like it`}),
        ...texts.slice(1).map((t) => element('p', {text: (from(t) ? from(t) + ': ' : '') + t}))));
    return box;
  }
  /* What is told of all runs before anything else: the first run's remarks, then warnings, then verdicts of the others, like ones together. */
  function first(runs) {
    const box = element('section', {'aria-label': 'verdicts and warnings'});
    const all = runs.flatMap((run, k) => remarks(run).filter((r) => r.severity !== 'note').map((r) => Object.assign({}, r, {of: k, run: runs.length > 1 && k > 0 ? run.name : null})));
    const told = new Set(all.filter((r) => r.of === 0).map((r) => r.text)), others = all.filter((r) => r.of > 0 && !told.has(r.text));
    const warnings = alike(others.filter((r) => r.severity === 'warning')), verdicts = alike(others.filter((r) => r.severity !== 'warning'));
    box.append(...all.filter((r) => r.of === 0).map((r) => remark(r)), ...warnings.map(together));
    if (verdicts.length > 3)
      box.append(element('details', {}, element('summary', {text: `verdicts of single runs (${verdicts.length})`}), ...verdicts.map(together)));
    else
      box.append(...verdicts.map(together));
    return box;
  }

  function table(run, rows, path) {
    const names = [...new Set(rows.flatMap((r) => Object.keys(r)))].filter((n) => rows.every((r) => r[n] === undefined || isScalar(r[n]) ||
      Array.isArray(r[n]) && r[n].length <= 4 && r[n].every(isScalar)));
    const what = names.map((n) => quantityOf(run, path + '/*/' + n));
    const numeric = names.map((n) => rows.every((r) => r[n] === undefined || r[n] === null || typeof r[n] === 'number'));
    const line = (r) => element('tr', {}, ...names.map((n, k) => element('td', {class: numeric[k] ? 'number' : null,
      text: r[n] === undefined ? '' : Array.isArray(r[n]) ? r[n].map(scalar).join(', ') : scalar(r[n])})));
    const head = element('tr', {}, ...names.map((n, k) => element('th', {scope: 'col', class: numeric[k] ? 'number' : null, title: what[k].meaning,
                                                                       text: withUnit(what[k].label, what[k].unit)})));
    const body = (list) => element('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `${run.name}: ${readable(path)}`},
                                   element('table', {}, element('thead', {}, head), element('tbody', {}, ...list.map(line))));
    const box = element('div', {}, body(rows.slice(0, MOST_ROWS)));
    if (rows.length > MOST_ROWS) {
      const more = element('button', {type: 'button', text: `all ${rows.length} rows`});
      more.addEventListener('click', () => { box.textContent = ''; box.append(body(rows)); });
      box.append(more);
    }
    return box;
  }

  /* A group with all below it. */
  function group(run, value, path, depth) {
    const box = element('div', {}), list = element('dl', {});
    const entries = Object.entries(value).filter(([name]) => !(depth === 0 && ['quantities', 'study', 'folder'].includes(name)));
    for (const [name, v] of entries) {
      const below = path ? path + '/' + name : name, q = quantityOf(run, below);
      if (q.severity && q.severity !== 'plain') continue;
      if (isScalar(v) || Array.isArray(v) && v.length > 0 && v.length <= 8 && v.every(isScalar)) {
        const text = Array.isArray(v) ? v.map(scalar).join(', ') : scalar(v);
        list.append(element('dt', {text: q.label, title: q.meaning}), element('dd', {text: text + (q.unit && typeof v !== 'string' ? ' ' + q.unit : '')}));
      }
    }
    if (list.childNodes.length) box.append(list);
    for (const [name, v] of entries) {
      const below = path ? path + '/' + name : name, q = quantityOf(run, below);
      if (isScalar(v) || q.severity) continue;
      let content = null;
      if (Array.isArray(v) && v.length > 0 && v.every(isRow)) content = v.length === 1 && depth < 2 && Object.values(v[0]).some((x) => !isScalar(x))
        ? group(run, v[0], below + '/*', depth + 1) : table(run, v, below);
      else if (isRow(v) && Object.keys(v).length > 0) content = group(run, v, below, depth + 1);
      if (!content || !content.childNodes.length) continue;
      box.append(depth === 0 ? element('details', {open: Array.isArray(v) && v.length <= 12 ? '' : null}, element('summary', {text: q.label}), content)
                             : element('div', {}, element('h4', {text: q.label}), content));
    }
    return box;
  }

  function reproduce(run) {
    const r = run.record || {}, box = element('div', {});
    if (r.command) box.append(element('pre', {text: (r.command_folder ? 'cd ' + r.command_folder + '\n' : '') + r.command}));
    const facts = Object.entries(r).filter(([name, v]) => isScalar(v) && !['command', 'command_folder'].includes(name));
    const options = Object.entries(r.options || {});
    const list = (entries) => element('dl', {}, ...entries.flatMap(([n, v]) => [element('dt', {text: readable(n)}), element('dd', {text: scalar(v)})]));
    if (facts.length || options.length)
      box.append(element('details', {}, element('summary', {text: 'versions, options and seeds'}), list(facts), element('h4', {text: 'options'}), list(options)));
    return box;
  }

  return {remarks, remark, first, group, table, reproduce, readable};
})();
