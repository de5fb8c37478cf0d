/* The molecule, moved by its coordinates: a slider, a run's frames, a mode along the joints. */
'use strict';
const Molecule = (() => {
  const {element, number} = Curves;
  const ELEMENTS = {6: 'C', 7: 'N', 8: 'O', 15: 'P', 16: 'S', 9: 'F', 12: 'MG', 17: 'CL', 20: 'CA', 25: 'MN', 26: 'FE', 30: 'ZN', 34: 'SE', 35: 'BR', 53: 'I'};
  const bodyColours = ['#4f81bd', '#e0913a', '#57a05b', '#8f6bc4', '#c2577d', '#8c8c2e', '#3aa0a8', '#9c6b4a'];
  const BENDS = '#d81b60';

  /* Model files name hinges by the body that turns: what q means, in words. */
  function coordinateName(motion, k) {
    const c = motion.coordinates[k], axis = motion.axes.find((a) => motion.bodies[a.body - 1].q_first === k);
    const body = motion.bodies.find((b) => k >= b.q_first && k < b.q_first + b.nq);
    const names = axis ? axis.structures.map((p) => p.split('/').pop()) : [], apart = new Set(names).size === names.length;
    if (axis && body.mobilizer === 'path')
      return `hinge of ${body.name}, q: ` + names.map((s, i) => `${i} = ${apart ? s : (['first', 'second', 'third'][i] || `${i + 1}th`) + ' structure'}`).join(', ');
    if (body.mobilizer === 'pin') return `turn of ${body.name}`;
    return c.of || c.column;
  }

  /* The PDB text that the viewer reads; names of chains are its own, as the format has one letter for them. */
  function pdbOf(motion, places) {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', chains = [...new Set(motion.residues.map((r) => r.chain))];
    const lines = motion.atoms.map((name, k) => {
      const r = motion.residues[motion.atom_residue[k]], el = ELEMENTS[motion.atom_element[k]] || '', at = [0, 1, 2].map((i) => places[3 * k + i].toFixed(3).padStart(8));
      const label = el.length === 2 || name.length > 3 ? name.slice(0, 4).padEnd(4) : (' ' + name).padEnd(4);
      return `${r.hetero ? 'HETATM' : 'ATOM  '}${String((k + 1) % 100000).padStart(5)} ${label} ${r.name.slice(0, 3).padStart(3)} ${letters[chains.indexOf(r.chain) % letters.length]}` +
        `${String(motion.atom_residue[k] % 10000).padStart(4)}    ${at.join('')}  1.00  0.00          ${el.padStart(2)}`;
    });
    return lines.join('\n') + '\nEND\n';
  }

  function make(motion, sources, modes, onMove) {
    const model = Kinematics.compile(motion), start = motion.q.slice();
    let q = start.slice(), viewer = null, atoms = null, settle = 0, timer = 0, theme = '';
    const view = element('div', {id: 'view', role: 'img', 'aria-label': `${motion.model}, coloured by domain`});
    const bends = new Set(motion.residues.map((r, k) => r.bends ? k : -1).filter((k) => k >= 0));
    const domainColour = (d) => d > 0 ? bodyColours[(d - 1) % bodyColours.length] : '#9a9a9a';
    const colour = (atom) => {
      const r = atom.resi;
      return bends.has(r) ? BENDS : domainColour(motion.residues[r].domain > 0 ? motion.residues[r].domain : motion.atom_body[atom.serialIndex]);
    };

    function axes() {
      const X = Kinematics.poses(model, q);
      return motion.axes.map((a) => {
        const T = X[motion.bodies[a.body - 1].parent], point = Kinematics.scale(10, Kinematics.apply(T, a.point)), along = Kinematics.turn(T, a.axis);
        return [Kinematics.add(point, Kinematics.scale(-25, along)), Kinematics.add(point, Kinematics.scale(25, along))];
      });
    }
    const at = (p) => ({x: p[0], y: p[1], z: p[2]});
    /* Without oxygens a ribbon has no plane: a tube through the alpha carbons then. */
    const ribbon = motion.atoms.includes('O') ? {thickness: 0.4} : {style: 'trace', thickness: 0.9};
    /* Of so few residues no ribbon can be drawn (study/motion/motion.c shows all their atoms). */
    const few = motion.residues.length <= 8;
    function style() {
      viewer.setStyle({}, {});
      if (few) {
        viewer.setStyle({}, {stick: {radius: 0.16, colorfunc: colour}, sphere: {scale: 0.2, colorfunc: colour}});
        return;
      }
      viewer.setStyle({hetflag: false}, {cartoon: {...ribbon, colorfunc: colour}});
      viewer.setStyle({hetflag: true}, {stick: {radius: 0.2, colorfunc: colour}});
      const pieces = atoms.filter((a) => !['N', 'C', 'O'].includes(a.atom) && a.inPiece).map((a) => a.index);
      if (pieces.length) viewer.addStyle({index: pieces}, {stick: {radius: 0.16, colorfunc: colour}});
      const marked = atoms.filter((a) => a.atom === 'CA' && bends.has(a.resi)).map((a) => a.index);
      if (marked.length) viewer.addStyle({index: marked}, {sphere: {radius: 0.9, color: BENDS}});
    }
    function place() {
      const p = Kinematics.places(motion, Kinematics.poses(model, q));
      atoms.forEach((a) => { a.x = p[3 * a.serialIndex]; a.y = p[3 * a.serialIndex + 1]; a.z = p[3 * a.serialIndex + 2]; });
    }
    function render(fine) {
      if (!viewer) return;
      place();
      viewer.getModel().defaultCartoonQuality = fine ? 10 : 3;
      style();
      viewer.removeAllShapes();
      for (const [a, b] of axes())
        viewer.addArrow({start: at(a), end: at(b), radius: 0.45, radiusRatio: 2.2, mid: 0.9, color: theme === 'dark' ? '#f0f0f0' : '#222222'});
      viewer.render();
    }
    /* Coarse while it moves, fine when it rests. */
    function draw() {
      render(false);
      clearTimeout(settle);
      settle = setTimeout(() => render(true), 250);
    }

    function open() {
      theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
      viewer = $3Dmol.createViewer(view, {backgroundColor: Curves.colours().paper, antialias: true, cartoonQuality: 10});
      viewer.addModel(pdbOf(motion, Kinematics.places(motion, Kinematics.poses(model, q))), 'pdb');
      atoms = viewer.getModel().selectedAtoms({});
      atoms.forEach((a) => {
        a.serialIndex = a.serial - 1;
        a.inPiece = motion.bodies[motion.atom_body[a.serialIndex] - 1].piece;
      });
      viewer.zoomTo();
      draw();
    }

    /* ---- controls ---- */
    const sliders = [];
    function set(next, quiet) {
      q = next;
      for (const s of sliders) s.read();
      draw();
      if (!quiet) onMove(q);
    }
    function stop() {
      if (timer) cancelAnimationFrame(timer);
      timer = 0;
      for (const b of players) b.setAttribute('aria-pressed', 'false');
    }
    const players = [];
    function player(label, step) {
      const b = element('button', {type: 'button', 'aria-pressed': 'false', text: label});
      b.addEventListener('click', () => {
        const playing = b.getAttribute('aria-pressed') === 'true';
        stop();
        if (playing) return;
        b.setAttribute('aria-pressed', 'true');
        const began = performance.now();
        const tick = (now) => { step((now - began) / 1000); timer = requestAnimationFrame(tick); };
        timer = requestAnimationFrame(tick);
      });
      players.push(b);
      return b;
    }

    function slider(k, from, to) {
      const id = 'q' + k, name = coordinateName(motion, k);
      const range = element('input', {type: 'range', id, min: from, max: to, step: (to - from) / 400, value: q[k]});
      const value = element('input', {type: 'number', id: id + '-number', step: 'any', value: q[k], 'aria-label': name});
      const take = (v) => {
        if (!Number.isFinite(v)) return;
        stop();
        const next = q.slice();
        next[k] = v;
        for (const f of followers) if (f.follows === k) next[f.coordinate] = v;
        set(next);
      };
      range.addEventListener('input', () => take(range.valueAsNumber));
      value.addEventListener('change', () => take(value.valueAsNumber));
      const read = () => {
        range.value = q[k];
        if (document.activeElement !== value) value.value = Number(q[k].toPrecision(6));
        range.setAttribute('aria-valuetext', number(q[k]));
      };
      sliders.push({k, read});
      read();
      return element('div', {class: 'control'}, element('label', {for: id, text: name}), range, value);
    }

    /* What goes as another coordinate does has no slider of its own. */
    const followers = motion.followers || [], follows = (k) => followers.some((f) => f.coordinate === k);
    const paths = motion.axes.map((a) => motion.bodies[a.body - 1]).filter((b) => b.nq > 0 && b.mobilizer !== 'free').map((b) => b.q_first).filter((k) => !follows(k));
    const others = motion.bodies.filter((b) => ['pin', 'slider', 'path'].includes(b.mobilizer)).flatMap((b) => Array.from({length: b.nq}, (x, i) => b.q_first + i))
      .filter((k) => !paths.includes(k) && !follows(k));
    const rangeOf = (k) => {
      const seen = sources.flatMap((s) => s.frames.map((f) => f[k])).filter(Number.isFinite);
      const axis = motion.axes.find((a) => motion.bodies[a.body - 1].q_first === k);
      const usual = axis && motion.bodies[axis.body - 1].mobilizer === 'path' ? [-0.2, motion.bodies[axis.body - 1].X_FM.length - 0.8] : [-Math.PI, Math.PI];
      return [Math.min(usual[0], q[k], ...seen.slice(0, 5000)), Math.max(usual[1], q[k], ...seen.slice(0, 5000))];
    };
    const panel = element('div', {});
    for (const k of paths) panel.append(slider(k, ...rangeOf(k)));
    if (paths.length === 0 && others.length > 0) { const k = others.shift(); panel.append(slider(k, ...rangeOf(k))); }
    if (others.length) {
      const choice = element('select', {id: 'other-choice'}, ...others.map((k) => element('option', {value: k, text: coordinateName(motion, k)})));
      const holder = element('div', {});
      const change = () => {
        for (let i = sliders.length - 1; i >= 0; --i) if (others.includes(sliders[i].k)) sliders.splice(i, 1);
        holder.textContent = '';
        holder.append(slider(Number(choice.value), ...rangeOf(Number(choice.value))));
      };
      choice.addEventListener('change', change);
      panel.append(element('div', {class: 'control'}, element('label', {for: 'other-choice', text: 'another joint'}), choice), holder);
      change();
    }
    sources.forEach((s, n) => {
      const id = 'frames' + n, range = element('input', {type: 'range', id, min: 0, max: s.frames.length - 1, step: 1, value: 0});
      const out = element('output', {for: id});
      const showFrame = (i) => {
        range.value = i;
        out.textContent = `${s.label} ${number(s.times[i])} ${s.unit}`;
        range.setAttribute('aria-valuetext', out.textContent);
        set(s.frames[i].map((v, k) => Number.isFinite(v) ? v : start[k]));
        s.show(s.times[i]);
      };
      range.addEventListener('input', () => { stop(); showFrame(range.valueAsNumber); });
      let from = 0;
      const play = player('play', (t) => showFrame((from + Math.floor(24 * t)) % s.frames.length));
      play.addEventListener('click', () => { from = range.valueAsNumber; });
      panel.append(element('div', {class: 'control'}, element('label', {for: id, text: `frames of ${s.name}`}), range, out, element('div', {}, play)));
    });
    if (modes.length) {
      const choice = element('select', {id: 'mode-choice'}, ...modes.map((m, i) => element('option', {value: i, text: m.label})));
      let base = start;
      const swing = player('swing', (t) => {
        const m = modes[Number(choice.value)], s = Math.sin(2 * Math.PI * t / 2.5) * m.amplitude;
        set(Kinematics.moved(model, base, m.speeds.map((u) => s * u), motion.bodies.map((b) => b.u_first)));
      });
      panel.append(element('div', {class: 'control'}, element('label', {for: 'mode-choice', text: 'mode, along its joints'}), choice, element('div', {}, swing)));
      for (const m of modes) {
        const far = Kinematics.places(motion, Kinematics.poses(model, Kinematics.moved(model, base, m.speeds.map((u) => 1e-3 * u), motion.bodies.map((b) => b.u_first))));
        const near = Kinematics.places(motion, Kinematics.poses(model, base));
        let sum = 0;
        far.forEach((v, i) => { sum += (v - near[i]) ** 2; });
        m.amplitude = 2e-3 / (Math.sqrt(sum / motion.atoms.length) || 1);
      }
    }
    panel.append(element('div', {class: 'buttons'},
      element('button', {type: 'button', text: 'back to the start', onclick: () => { stop(); set(start.slice()); }}),
      element('button', {type: 'button', text: 'whole molecule', onclick: () => { if (viewer) { viewer.zoomTo(); viewer.render(); } }}),
      element('button', {type: 'button', text: 'PNG', 'aria-label': 'save the picture as PNG', onclick: () => {
        const link = element('a', {href: viewer.pngURI(), download: 'molecule.png'});
        document.body.append(link); link.click(); link.remove();
      }})));
    const domains = [...new Set(motion.residues.map((r) => r.domain))].filter((d) => d > 0).sort((a, b) => a - b);
    const swatch = (c, text) => { const s = element('span', {class: 'swatch'}); s.style.background = c; return element('li', {}, s, text); };
    panel.append(element('ul', {class: 'legend'}, ...domains.map((d) => swatch(domainColour(d), motion.bodies[d - 1].name)),
      bends.size ? swatch(BENDS, 'where the chain bends') : null,
      ...motion.axes.map((a) => swatch('var(--ink)', `axis of ${motion.bodies[a.body - 1].name}: ${number(a.angle * 180 / Math.PI, 3)}\u00b0, ${number(10 * a.translation, 2)} \u00c5 along it from q = 0 to the last structure`))));
    if (followers.length)
      panel.append(element('p', {class: 'soft', text: 'Hinges that are copies of each other go with the slider of one of them.'}));
    if (motion.constraints > followers.length)
      panel.append(element('p', {class: 'soft', text: 'The slider moves one joint; closed strands and other constraints follow in the run\u2019s frames only.'}));

    view.tabIndex = 0;
    view.addEventListener('keydown', (event) => {
      const turn = {ArrowLeft: [-10, 'y'], ArrowRight: [10, 'y'], ArrowUp: [-10, 'x'], ArrowDown: [10, 'x']}[event.key];
      if (viewer && turn) { event.preventDefault(); viewer.rotate(...turn); viewer.render(); }
      else if (viewer && (event.key === '+' || event.key === '-')) { viewer.zoom(event.key === '+' ? 1.2 : 1 / 1.2); viewer.render(); }
    });
    return {
      box: element('div', {id: 'molecule'}, view, panel), open, unknown: model.unknown,
      moveTo: (k, v) => { const next = q.slice(); next[k] = v; set(next, true); },
      screen: (index) => viewer.modelToScreen(at([atoms[index].x, atoms[index].y, atoms[index].z])),
      places: () => Array.from(Kinematics.places(motion, Kinematics.poses(model, q))), set,
      natoms: motion.atoms.length, resize: () => { if (viewer) { viewer.resize(); viewer.render(); } },
      recolour: () => { if (viewer) { theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'; viewer.setBackgroundColor(Curves.colours().paper); render(true); } },
    };
  }

  return {make, coordinateName};
})();
