/* What is cited when: words in a run's record and result say what was used. */
'use strict';
const Citations = (() => {
  const entry = (key, when, fields) => ({key, when, fields});
  const article = (author, title, journal, year, volume, pages) => ({author, title, journal, year, volume, pages});
  const all = [
    entry('seth2010', null, article('Seth, A. and Sherman, M. and Eastman, P. and Delp, S.', 'Minimal formulation of joint motion for biomechanisms', 'Nonlinear Dynamics', 2010, 62, '291--303')),
    entry('sherman2011', null, article('Sherman, M. A. and Seth, A. and Delp, S. L.', 'Simbody: multibody dynamics for biomedical research', 'Procedia IUTAM', 2011, 2, '241--261')),
    entry('jain1993', null, article('Jain, A. and Vaidehi, N. and Rodriguez, G.', 'A fast recursive algorithm for molecular dynamics simulation', 'Journal of Computational Physics', 1993, 106, '258--268')),
    entry('eastman2017', /openmm/i, article('Eastman, P. and others', 'OpenMM 7: Rapid development of high performance algorithms for molecular dynamics', 'PLoS Computational Biology', 2017, 13, 'e1005659')),
    entry('maier2015', /ff14SB/i, article('Maier, J. A. and others', 'ff14SB: Improving the accuracy of protein side chain and backbone parameters from ff99SB', 'Journal of Chemical Theory and Computation', 2015, 11, '3696--3713')),
    entry('onufriev2004', /obc2/i, article('Onufriev, A. and Bashford, D. and Case, D. A.', 'Exploring protein native states and large-scale conformational changes with a modified generalized Born model', 'Proteins', 2004, 55, '383--394')),
    entry('shirts2008', /mbar|umbrella/i, article('Shirts, M. R. and Chodera, J. D.', 'Statistically optimal analysis of samples from multiple equilibrium states', 'Journal of Chemical Physics', 2008, 129, '124105')),
    entry('barducci2008', /metadynamics/i, article('Barducci, A. and Bussi, G. and Parrinello, M.', 'Well-tempered metadynamics: a smoothly converging and tunable free-energy method', 'Physical Review Letters', 2008, 100, '020603')),
    entry('fixman1974', /"fixman": ?"?(yes|true)/i, article('Fixman, M.', 'Classical statistical mechanics of constraints: a theorem and application to polymers', 'Proceedings of the National Academy of Sciences', 1974, 71, '3050--3053')),
    entry('rego2015', null, article('Rego, N. and Koes, D.', '3Dmol.js: molecular visualization with WebGL', 'Bioinformatics', 2015, 31, '1322--1324')),
  ];

  /* BibTeX of what the runs used, by the words of their records and results. */
  function bibtex(runs, molecule) {
    const words = runs.map((r) => JSON.stringify(r.record) + JSON.stringify(r.result)).join('\n');
    return all.filter((e) => e.key === 'rego2015' ? molecule : !e.when || e.when.test(words)).map((e) =>
      `@article{${e.key},\n` + Object.entries(e.fields).map(([k, v]) => `  ${k} = {${v}}`).join(',\n') + '\n}').join('\n\n');
  }
  return {bibtex};
})();
