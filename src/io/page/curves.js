/* Curves: by uPlot where the page has it, else as SVG; each with a read-out, its numbers as CSV and itself as SVG. */
'use strict';
const Curves = (() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const colours = () => {
    const style = getComputedStyle(document.documentElement);
    return {
      line: [0, 1, 2, 3, 4, 5, 6, 7].map((k) => style.getPropertyValue('--c' + k).trim()),
      ink: style.getPropertyValue('--ink').trim(), soft: style.getPropertyValue('--soft').trim(),
      grid: style.getPropertyValue('--line').trim(), paper: style.getPropertyValue('--paper').trim(),
    };
  };

  function element(name, attributes, ...children) {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {}))
      if (key === 'text') e.textContent = value;
      else if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
      else if (value !== null && value !== undefined) e.setAttribute(key, value);
    e.append(...children.filter((c) => c !== null && c !== undefined));
    return e;
  }
  function drawn(name, attributes, text) {
    const e = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes || {})) e.setAttribute(key, value);
    if (text !== undefined) e.textContent = text;
    return e;
  }

  function number(x, digits) {
    if (x === null || x === undefined || Number.isNaN(x)) return 'none';
    if (!Number.isFinite(x)) return x > 0 ? 'infinite' : '\u2212infinite';
    if (x === 0) return '0';
    const a = Math.abs(x), n = digits || 5;
    let text = a >= 1e7 || a < 1e-4 ? x.toExponential(n - 1).replace(/\.?0+e/, 'e') : String(Number(x.toPrecision(n)));
    return text.replace(/^-/, '\u2212').replace(/e([+-])/, (m, s) => 'e' + (s === '-' ? '\u2212' : ''));
  }
  const withUnit = (label, unit) => unit ? label + ' (' + unit + ')' : label;

  function save(name, type, text) {
    const url = URL.createObjectURL(new Blob([text], {type}));
    const link = element('a', {href: url, download: name});
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }

  /* A CSV text of Cardo's: columns with label, unit and numbers (NaN where a cell is none), or texts. */
  function parseTable(text) {
    const rows = [];
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const cells = [];
      for (let at = 0; at <= line.length;) {
        let cell;
        if (line[at] === '"') {
          let end = at + 1;
          while (end < line.length && (line[end] !== '"' || line[end + 1] === '"')) end += line[end] === '"' ? 2 : 1;
          cell = line.slice(at + 1, end).replace(/""/g, '"');
          at = line.indexOf(',', end);
        } else {
          const end = line.indexOf(',', at);
          cell = line.slice(at, end < 0 ? line.length : end);
          at = end;
        }
        cells.push(cell);
        if (at < 0) break;
        at += 1;
      }
      rows.push(cells);
    }
    const head = rows.shift() || [];
    return head.map((heading, k) => {
      const match = /^(.*?)(?: \(([^()]*)\))?$/.exec(heading);
      const cells = rows.map((r) => r[k] === undefined ? '' : r[k]);
      const values = cells.map((c) => c === '' ? NaN : Number(c));
      const numeric = cells.some((c, i) => c !== '' && !Number.isNaN(values[i])) &&
                      cells.every((c, i) => c === '' || !Number.isNaN(values[i]) || /^[-+]?(nan|inf)/i.test(c));
      return {heading, label: match[1], unit: match[2] || '', cells, values, numeric};
    });
  }

  function ticks(low, high, count) {
    const span = high - low || 1, raw = span / Math.max(count, 1), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.999);
    const out = [];
    for (let t = Math.ceil(low / step - 1e-9) * step; t <= high + 1e-9 * span; t += step)
      out.push(Math.abs(t) < 1e-9 * step ? 0 : t);
    return out;
  }

  function range(values) {
    let low = Infinity, high = -Infinity;
    for (const list of values)
      for (const v of list)
        if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
    if (low > high) return [0, 1];
    const pad = high > low ? 0.04 * (high - low) : Math.abs(low) * 0.05 || 1;
    return [low - pad, high + pad];
  }

  /* The picture for print and papers, and on the page where there is no uPlot. */
  function svgOf(spec, width, height) {
    const c = colours(), shown = spec.series.filter((s) => s.shown), left = 74, right = 14, top = 10, bottom = 46;
    const legend = spec.series.length > 1 ? 18 : 0;
    const svg = drawn('svg', {xmlns: SVG, viewBox: `0 0 ${width} ${height + legend}`, width, height: height + legend, role: 'img',
                              'aria-label': spec.title});
    const style = drawn('style', {}, `text{font:12px sans-serif;fill:${c.ink}}`);
    if (spec.standalone) svg.append(style, drawn('rect', {width: '100%', height: '100%', fill: c.paper}));
    const [x0, x1] = spec.heat ? [0, spec.heat.n] : range([spec.x.values]);
    const [y0, y1] = spec.heat ? [0, spec.heat.n] : yRange(spec);
    const X = (v) => left + (v - x0) / (x1 - x0) * (width - left - right);
    const Y = (v) => height - bottom - (v - y0) / (y1 - y0) * (height - top - bottom);
    for (const t of ticks(x0, x1, width / 90)) {
      svg.append(drawn('line', {x1: X(t), x2: X(t), y1: top, y2: height - bottom, stroke: c.grid}),
                 drawn('text', {x: X(t), y: height - bottom + 16, 'text-anchor': 'middle'}, number(t, 6)));
    }
    for (const t of ticks(y0, y1, height / 45)) {
      svg.append(drawn('line', {x1: left, x2: width - right, y1: Y(t), y2: Y(t), stroke: c.grid}),
                 drawn('text', {x: left - 6, y: Y(t) + 4, 'text-anchor': 'end'}, number(t, 6)));
    }
    svg.append(drawn('text', {x: (left + width - right) / 2, y: height - 8, 'text-anchor': 'middle'}, withUnit(spec.x.label, spec.x.unit)));
    svg.append(drawn('text', {transform: `translate(13 ${(top + height - bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle'},
                     withUnit(spec.yLabel, spec.yUnit)));
    for (const s of shown) {
      const colour = c.line[s.colour % c.line.length];
      if (s.low) {
        const there = spec.x.values.map((v, i) => i).filter((i) => Number.isFinite(s.low[i]) && Number.isFinite(s.high[i]));
        const path = there.map((i) => `${X(spec.x.values[i]).toFixed(2)},${Y(s.high[i]).toFixed(2)}`)
          .concat(there.slice().reverse().map((i) => `${X(spec.x.values[i]).toFixed(2)},${Y(s.low[i]).toFixed(2)}`));
        if (there.length) svg.append(drawn('polygon', {points: path.join(' '), fill: colour, opacity: 0.2}));
      }
      let d = '', pen = false;
      spec.x.values.forEach((v, i) => {
        if (!Number.isFinite(v) || !Number.isFinite(s.values[i])) { pen = false; return; }
        if (spec.sticks)
          d += `M${X(v).toFixed(2)},${Y(Math.max(0, y0)).toFixed(2)}V${Y(s.values[i]).toFixed(2)}`;
        else
          d += `${pen ? 'L' : 'M'}${X(v).toFixed(2)},${Y(s.values[i]).toFixed(2)}`;
        pen = true;
      });
      svg.append(drawn('path', {d, fill: 'none', stroke: colour, 'stroke-width': spec.sticks ? 3 : 1.5, 'stroke-dasharray': dashes(s).join(' ')}));
    }
    for (const m of spec.marks || [])
      if (m.x >= x0 && m.x <= x1) {
        const tick = drawn('line', {class: 'mark', x1: X(m.x), x2: X(m.x), y1: height - bottom, y2: height - bottom - 14, stroke: c.ink, 'stroke-width': 2});
        tick.append(drawn('title', {}, `q = ${number(m.x, 4)}${m.text ? ', ' + m.text : ''}`));
        svg.append(tick);
      }
    if (legend) {
      let at = left;
      for (const s of shown) {
        svg.append(drawn('line', {x1: at, x2: at + 16, y1: height + 6, y2: height + 6, stroke: c.line[s.colour % c.line.length], 'stroke-width': 3,
                                  'stroke-dasharray': dashes(s).join(' ')}),
                   drawn('text', {x: at + 20, y: height + 10}, s.label));
        at += 32 + 7 * s.label.length;
      }
    }
    return svg;
  }
  const dashes = (s) => s.colour < 8 ? [] : s.colour < 16 ? [6, 3] : [2, 3];

  function yRange(spec) {
    const shown = spec.series.filter((s) => s.shown), lists = [];
    for (const s of shown) {
      lists.push(s.values);
      if (s.low) lists.push(s.low, s.high);
    }
    if (spec.sticks) lists.push([0]);
    if (spec.clip && shown.length) {
      const all = [].concat(...lists).filter(Number.isFinite).sort((a, b) => a - b);
      const low = all[0], middle = all[Math.floor(all.length * 0.6)];
      const top = low + 8 * Math.max(middle - low, 1e-9);
      spec.cut = all[all.length - 1] > top;
      if (spec.cut) return range([[low, top]]);
    }
    return range(lists);
  }

  function uplotOf(spec, holder, width, height, moved) {
    const c = colours(), data = [spec.x.values], series = [{}], bands = [];
    for (const s of spec.series) {
      const stroke = c.line[s.colour % c.line.length];
      if (s.low) {
        data.push(s.high, s.low);
        series.push({show: s.shown, stroke: 'transparent', width: 0, points: {show: false}},
                    {show: s.shown, stroke: 'transparent', width: 0, points: {show: false}});
        bands.push({series: [data.length - 2, data.length - 1], fill: stroke + '33'});
      }
      data.push(s.values);
      series.push({label: s.label, show: s.shown, stroke, width: 1.5, dash: dashes(s).length ? dashes(s) : undefined,
                   points: {show: false}, paths: spec.sticks && uPlot.paths.bars({size: [0.6, 6]}), fill: spec.sticks ? stroke : undefined});
    }
    const nulled = data.map((list) => list.map((v) => Number.isFinite(v) ? v : null));
    const axis = (label, size) => ({label, stroke: c.ink, grid: {stroke: c.grid, width: 1}, ticks: {stroke: c.grid, width: 1}, size, labelSize: 20,
      font: '12px system-ui, sans-serif', labelFont: '12px system-ui, sans-serif', values: (u, list) => list.map((v) => v === null ? '' : number(v, 6))});
    return new uPlot({
      width, height, series, bands, legend: {show: false}, scales: {x: {time: false, range: () => range([spec.x.values])}, y: {range: () => yRange(spec)}},
      axes: [axis(withUnit(spec.x.label, spec.x.unit), 36), axis(withUnit(spec.yLabel, spec.yUnit), 70)],
      cursor: {drag: {x: false, y: false}, points: {show: false}},
      hooks: {draw: [(u) => {
        u.ctx.fillStyle = c.ink;
        for (const m of spec.marks || []) {
          const x = u.valToPos(m.x, 'x', true);
          if (x >= u.bbox.left && x <= u.bbox.left + u.bbox.width) u.ctx.fillRect(x - devicePixelRatio, u.bbox.top + u.bbox.height - 14 * devicePixelRatio, 2 * devicePixelRatio, 14 * devicePixelRatio);
        }
      }], setCursor: [(u) => { if (u.cursor.idx !== null && u.cursor.event) moved(u.cursor.idx); }]},
    }, nulled, holder);
  }

  /* A curve with its controls. spec: title, file, x {label, unit, values}, series [{label, values, shown, low, high}], yLabel, yUnit,
   * sticks, clip (far values may lie outside), onMove(value of x). Returns {figure, show(x), spec}. */
  function make(spec) {
    spec.series.forEach((s, k) => { if (s.colour === undefined) s.colour = k; });
    const holder = element('div', {class: 'plot', tabindex: 0, role: 'group', 'aria-label': spec.title + '; arrow keys read values'});
    const out = element('output', {'aria-live': 'off'});
    const caption = element('figcaption', {text: spec.title}), figure = element('figure', {}, caption, holder, out);
    let plot = null, index = -1, ready = false;

    function readOut(i) {
      index = i;
      const parts = [`${spec.x.label} = ${number(spec.x.values[i])}${spec.x.unit ? ' ' + spec.x.unit : ''}`];
      for (const s of spec.series.filter((s) => s.shown)) {
        const half = s.low ? (s.high[i] - s.low[i]) / 2 : NaN;
        parts.push(`${s.label} = ${number(s.values[i], 7)}${Number.isFinite(half) ? ' \u00b1 ' + number(half, 2) : ''}${spec.yUnit ? ' ' + spec.yUnit : ''}`);
      }
      out.textContent = parts.join('; ');
    }
    const nearest = (x) => {
      let best = -1;
      spec.x.values.forEach((v, i) => { if (Number.isFinite(v) && (best < 0 || Math.abs(v - x) < Math.abs(spec.x.values[best] - x))) best = i; });
      return best;
    };
    function mark(x) {
      if (plot) {
        plot.setCursor({left: plot.valToPos(x, 'x'), top: 10}, false);
      } else if (holder.firstChild) {
        const svg = holder.firstChild, [x0, x1] = range([spec.x.values]), w = svg.viewBox.baseVal.width;
        svg.querySelectorAll('.cursor').forEach((e) => e.remove());
        const at = 74 + (x - x0) / (x1 - x0) * (w - 88);
        svg.append(drawn('line', {class: 'cursor', x1: at, x2: at, y1: 10, y2: svg.viewBox.baseVal.height - 64, stroke: colours().ink}));
      }
    }
    function moved(i) {
      readOut(i);
      if (spec.onMove) spec.onMove(spec.x.values[i]);
    }
    function draw() {
      const width = Math.max(260, Math.floor(holder.clientWidth || 480)), height = 280;
      ready = true;
      if (plot) plot.destroy();
      plot = null;
      holder.textContent = '';
      if (typeof uPlot !== 'undefined') plot = uplotOf(spec, holder, width, height, moved);
      else holder.append(svgOf(spec, width, height));
      caption.textContent = spec.title + (spec.cut ? ' (higher values lie outside the picture)' : '');
      if (index >= 0) mark(spec.x.values[index]);
    }
    holder.addEventListener('keydown', (event) => {
      const n = spec.x.values.length, step = {ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10, Home: -n, End: n}[event.key];
      if (!step) return;
      event.preventDefault();
      const i = Math.min(n - 1, Math.max(0, (index < 0 ? 0 : index) + step));
      mark(spec.x.values[i]);
      moved(i);
    });
    const buttons = element('div', {class: 'buttons'});
    const few = (spec.marks || []).slice(0, 6);
    if (few.length)
      figure.append(element('p', {class: 'soft', text: `Ticks: where ${spec.marks.length} structure${spec.marks.length > 1 ? 's' : ''} of ${[...new Set(spec.marks.map((m) => m.of))].join(', ')} stand` +
        `${spec.marks.length > 1 ? '' : 's'}: ${few.map((m) => number(m.x, 3) + (m.text ? ` (${m.text})` : '')).join(', ')}${spec.marks.length > 6 ? ' \u2026' : ''}`}));
    if (spec.series.length > 1)
      for (const s of spec.series) {
        const key = element('span', {class: 'key'});
        key.style.background = `var(--c${s.colour % 8})`;
        const b = element('button', {type: 'button', 'aria-pressed': String(s.shown)}, key, s.label);
        b.addEventListener('click', () => {
          s.shown = !s.shown;
          b.setAttribute('aria-pressed', String(s.shown));
          draw();
          if (index >= 0) readOut(index);
        });
        buttons.append(b);
      }
    figure.append(buttons, saveButtons(spec.file, () => csvOf(spec), () => svgOf(Object.assign({}, spec, {standalone: true}), 720, 400)));
    return {figure, draw, drawn: () => ready, spec, show: (x) => { const i = nearest(x); if (i >= 0) { mark(x); readOut(i); } },
            print: (on) => { if (on) { if (plot) plot.destroy(); plot = null; holder.textContent = ''; holder.append(svgOf(spec, 560, 280)); } else draw(); }};
  }

  const quoted = (text) => /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  function csvOf(spec) {
    const columns = [spec.x].concat(...spec.series.map((s) => s.low ? [s, {label: s.label + ' low', values: s.low}, {label: s.label + ' high', values: s.high}] : [s]));
    const lines = [columns.map((col, k) => quoted(withUnit(col.label, k === 0 ? spec.x.unit : spec.yUnit))).join(',')];
    spec.x.values.forEach((v, i) => lines.push(columns.map((col) => Number.isFinite(col.values[i]) ? String(col.values[i]) : '').join(',')));
    return lines.join('\n') + '\n';
  }

  function saveButtons(file, csv, svg) {
    const stem = file.replace(/\.[^.]*$/, '').replace(/[^A-Za-z0-9._-]+/g, '-');
    return element('div', {class: 'buttons'},
      element('button', {type: 'button', 'aria-label': `save the numbers of ${file} as CSV`, text: 'CSV', onclick: () => save(stem + '.csv', 'text/csv', csv())}),
      svg && element('button', {type: 'button', 'aria-label': `save the picture of ${file} as SVG`, text: 'SVG',
                                onclick: () => save(stem + '.svg', 'image/svg+xml', new XMLSerializer().serializeToString(svg()))}));
  }

  /* A square of numbers as colours: values[row][column], between low and high. */
  function heat(spec) {
    const n = spec.rows.length, out = element('output', {}), size = 440, cell = (size - 60) / Math.max(n, 1);
    const holder = element('div', {class: 'plot', tabindex: 0, role: 'group', 'aria-label': spec.title + '; arrow keys read values'});
    /* A dot a number, as a picture: a rectangle each would be slow for hundreds of residues. */
    const coloured = (c) => {
      const canvas = element('canvas', {width: n, height: n}), at = canvas.getContext('2d'), dots = at.createImageData(n, n);
      const rgb = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16)), low = rgb(c.line[3]), high = rgb(c.line[0]);
      spec.rows.forEach((row, i) => row.forEach((v, j) => {
        if (!Number.isFinite(v)) return;
        dots.data.set([...(v < 0 ? low : high), Math.round(255 * Math.min(1, Math.abs(v) / spec.high))], 4 * (i * n + j));
      }));
      at.putImageData(dots, 0, 0);
      return canvas.toDataURL();
    };
    const draw = () => {
      const c = colours(), svg = drawn('svg', {xmlns: SVG, viewBox: `0 0 ${size} ${size}`, width: size, height: size, role: 'img', 'aria-label': spec.title});
      svg.append(drawn('image', {x: 50, y: 10, width: n * cell, height: n * cell, preserveAspectRatio: 'none', href: coloured(c)}));
      svg.lastChild.style.imageRendering = 'pixelated';
      svg.append(drawn('rect', {x: 50, y: 10, width: n * cell, height: n * cell, fill: 'none', stroke: c.soft}));
      for (const t of ticks(0, n - 1, 6))
        if (Number.isInteger(t))
          svg.append(drawn('text', {x: 50 + (t + 0.5) * cell, y: size - 32, 'text-anchor': 'middle'}, spec.labels ? spec.labels[t] : t),
                     drawn('text', {x: 44, y: 14 + (t + 0.5) * cell, 'text-anchor': 'end'}, spec.labels ? spec.labels[t] : t));
      svg.append(drawn('text', {x: size / 2, y: size - 12, 'text-anchor': 'middle'}, spec.axis));
      return svg;
    };
    let at = [0, 0];
    const tell = () => { out.textContent = `${spec.axis} ${spec.labels ? spec.labels[at[0]] : at[0]} and ${spec.labels ? spec.labels[at[1]] : at[1]}: ${number(spec.rows[at[0]][at[1]])}`; };
    holder.addEventListener('keydown', (event) => {
      const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
      if (!step) return;
      event.preventDefault();
      at = at.map((v, k) => Math.min(n - 1, Math.max(0, v + step[k])));
      tell();
    });
    holder.addEventListener('pointermove', (event) => {
      const box = holder.firstChild.getBoundingClientRect(), f = size / box.width;
      const j = Math.floor(((event.clientX - box.left) * f - 50) / cell), i = Math.floor(((event.clientY - box.top) * f - 10) / cell);
      if (i >= 0 && j >= 0 && i < n && j < n) { at = [i, j]; tell(); }
    });
    const redraw = () => { holder.textContent = ''; holder.append(draw()); };
    const figure = element('figure', {}, element('figcaption', {text: spec.title}), holder, out,
      saveButtons(spec.file, () => spec.rows.map((r) => r.join(',')).join('\n') + '\n', draw));
    return {figure, draw: redraw, drawn: () => holder.firstChild !== null, show: () => {}, print: redraw, spec};
  }

  return {make, heat, parseTable, element, number, withUnit, save, colours, range};
})();
