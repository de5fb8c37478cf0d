/* Places of bodies and atoms from coordinates q, as Cardo's library has them: X_GB = X_GP X_PF X_FM(q) X_BM^-1, bodies after their
 * parents. A transform is twelve numbers, R by rows and then p. */
'use strict';
const Kinematics = (() => {
  const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const scale = (s, a) => [s * a[0], s * a[1], s * a[2]];
  const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  const norm = (a) => Math.sqrt(dot(a, a));
  const turn = (R, v) => [dot(R, v), dot(R.slice(3, 6), v), dot(R.slice(6, 9), v)];
  const apply = (X, v) => add(turn(X, v), X.slice(9));

  function product(A, B) {
    const C = new Array(12);
    for (let i = 0; i < 3; ++i)
      for (let j = 0; j < 3; ++j)
        C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
    const p = apply(A, B.slice(9));
    C[9] = p[0]; C[10] = p[1]; C[11] = p[2];
    return C;
  }

  function inverse(X) {
    const R = [X[0], X[3], X[6], X[1], X[4], X[7], X[2], X[5], X[8]];
    return R.concat(scale(-1, turn(R, X.slice(9))));
  }

  /* exp of an angle vector. */
  function rotation(phi) {
    const x = norm(phi);
    if (x < 1e-300) return IDENTITY.slice(0, 9);
    const [a, b, c] = scale(1 / x, phi), s = Math.sin(x), h = Math.sin(x / 2), v = 2 * h * h;
    return [1 - v * (b * b + c * c), v * a * b - s * c, v * a * c + s * b,
            v * a * b + s * c, 1 - v * (a * a + c * c), v * b * c - s * a,
            v * a * c - s * b, v * b * c + s * a, 1 - v * (a * a + b * b)];
  }

  function quaternionRotation(q) {
    const n = Math.hypot(q[0], q[1], q[2], q[3]) || 1, [w, x, y, z] = q.map((e) => e / n);
    return [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
            2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
  }

  /* The angle vector of a rotation, by its quaternion. */
  function logarithm(R) {
    const t = R[0] + R[4] + R[8];
    const squares = [t, R[0], R[4], R[8]], k = squares.indexOf(Math.max(...squares));
    let q;
    if (k === 0) q = [1 + t, R[7] - R[5], R[2] - R[6], R[3] - R[1]];
    else if (k === 1) q = [R[7] - R[5], 1 + 2 * R[0] - t, R[1] + R[3], R[2] + R[6]];
    else if (k === 2) q = [R[2] - R[6], R[1] + R[3], 1 + 2 * R[4] - t, R[5] + R[7]];
    else q = [R[3] - R[1], R[2] + R[6], R[5] + R[7], 1 + 2 * R[8] - t];
    if (q[0] < 0) q = q.map((e) => -e);
    const v = q.slice(1), s = norm(v);
    return s < 1e-300 ? [0, 0, 0] : scale(2 * Math.atan2(s, q[0]) / s, v);
  }

  /* V(phi) rho and its inverse, V the left Jacobian of SO(3): coefficients of rho, phi x rho, phi x (phi x rho). */
  function jacobian(phi, rho) {
    const x = norm(phi), w = cross(phi, rho), ww = cross(phi, w);
    const b = x < 1e-4 ? 0.5 - x * x / 24 : 2 * Math.sin(x / 2) ** 2 / (x * x);
    const c = x < 1e-4 ? 1 / 6 - x * x / 120 : (x - Math.sin(x)) / (x * x * x);
    return add(rho, add(scale(b, w), scale(c, ww)));
  }
  function jacobianSolve(phi, p) {
    const x = norm(phi), w = cross(phi, p), ww = cross(phi, w);
    const c = x < 1e-3 ? 1 / 12 + x * x / 720 : (1 - x / 2 / Math.tan(x / 2)) / (x * x);
    return add(p, add(scale(-0.5, w), scale(c, ww)));
  }

  function eulerRotation(a) {
    return product(product(rotation([a[0], 0, 0]).concat([0, 0, 0]), rotation([0, a[1], 0]).concat([0, 0, 0])),
                   rotation([0, 0, a[2]]).concat([0, 0, 0])).slice(0, 9);
  }
  function eulerAngles(R) {
    return [Math.atan2(-R[5], R[8]), Math.asin(Math.max(-1, Math.min(1, R[2]))), Math.atan2(-R[1], R[0])];
  }

  /* Second derivatives of the natural cubic spline through values at 0, 1, ... */
  function naturalSpline(y) {
    const n = y.length, c = new Array(n).fill(0), d = new Array(n).fill(0);
    for (let i = 1; i < n - 1; ++i) {
      const w = 4 - c[i - 1];
      c[i] = 1 / w;
      d[i] = (6 * (y[i + 1] - 2 * y[i] + y[i - 1]) - d[i - 1]) / w;
    }
    const m = new Array(n).fill(0);
    for (let i = n - 2; i > 0; --i) m[i] = d[i] - c[i] * m[i + 1];
    return m;
  }
  /* Beyond the ends it goes on straight, as its second derivatives are none there. */
  function splineValue(y, m, q) {
    const n = y.length;
    if (q < 0) return y[0] + q * (y[1] - y[0] - m[1] / 6);
    if (q > n - 1) return y[n - 1] + (q - n + 1) * (y[n - 1] - y[n - 2] + m[n - 2] / 6);
    const i = Math.min(Math.floor(q), n - 2), b = q - i, a = 1 - b;
    return a * y[i] + b * y[i + 1] + ((a * a * a - a) * m[i] + (b * b * b - b) * m[i + 1]) / 6;
  }

  function compilePath(body) {
    const first = body.X_FM[0], back = inverse(first);
    const path = {kind: body.path, first, extras: body.extras};
    let before = [0, 0, 0];
    const coordinates = body.X_FM.map((X) => {
      const D = product(X, back);
      let phi = logarithm(D);
      const x = norm(phi);
      if (path.kind === 'spline' && x >= 1e-9) {
        const turns = Math.round((dot(before, phi) / x - x) / (2 * Math.PI));
        phi = add(phi, scale(turns * 2 * Math.PI / x, phi));
      }
      before = phi;
      return phi.concat(jacobianSolve(phi, D.slice(9)));
    });
    if (path.kind === 'spline') {
      path.values = [0, 1, 2, 3, 4, 5].map((k) => coordinates.map((c) => c[k]));
      path.curvatures = path.values.map(naturalSpline);
    } else if (path.kind === 'euler') {
      const D = product(body.X_FM[1], back);
      path.angles = eulerAngles(D);
      path.displacement = D.slice(9);
    } else {
      path.twist = coordinates[1];
    }
    return path;
  }

  function pathTransform(path, q) {
    let D;
    if (path.kind === 'euler') {
      D = eulerRotation(scale(q[0], path.angles)).concat(scale(q[0], path.displacement));
    } else {
      const c = path.kind === 'spline' ? path.values.map((y, k) => splineValue(y, path.curvatures[k], q[0]))
                                       : path.twist.map((t) => q[0] * t);
      const phi = c.slice(0, 3);
      D = rotation(phi).concat(jacobian(phi, c.slice(3)));
    }
    let X = product(D, path.first);
    path.extras.forEach((extra, k) => {
      const along = scale(q[1 + k], extra.axis);
      X = product(X, extra.shift ? IDENTITY.slice(0, 9).concat(along) : rotation(along).concat([0, 0, 0]));
    });
    return X;
  }

  const orientation = (body, q) => body.euler ? eulerRotation(q) : quaternionRotation(q);
  /* X_FM(q) of the mobilizers that a model file can have. */
  const mobilizers = {
    'weld': () => IDENTITY,
    'pin': (body, q) => rotation([0, 0, q[0]]).concat([0, 0, 0]),
    'slider': (body, q) => IDENTITY.slice(0, 9).concat([q[0], 0, 0]),
    'ball': (body, q) => orientation(body, q).concat([0, 0, 0]),
    'free': (body, q) => orientation(body, q).concat(q.slice(body.euler ? 3 : 4)),
    'path': (body, q) => pathTransform(body.compiled, q),
  };

  /* The bodies of motion.json, made ready; unknown: names of mobilizers that are none of the above. */
  function compile(motion) {
    const bodies = motion.bodies.map((b) => Object.assign({}, b, {
      X_MB: inverse(b.X_BM),
      compiled: b.mobilizer === 'path' ? compilePath(b) : null,
    }));
    return {bodies, unknown: [...new Set(bodies.map((b) => b.mobilizer).filter((m) => !mobilizers[m]))]};
  }

  /* Poses X_GB, of ground first. */
  function poses(model, q) {
    const X = [IDENTITY];
    for (const body of model.bodies) {
      const own = mobilizers[body.mobilizer](body, q.slice(body.q_first, body.q_first + body.nq));
      const X_FM = body.reversed ? inverse(own) : own;
      X.push(product(product(product(X[body.parent], body.X_PF), X_FM), body.X_MB));
    }
    return X;
  }

  /* Atoms of motion.json in angstrom, three numbers each. */
  function places(motion, X) {
    const n = motion.atom_body.length, out = new Float64Array(3 * n);
    for (let k = 0; k < n; ++k) {
      const T = X[motion.atom_body[k]], s = motion.atom_place[k], f = 1e-4;
      for (let i = 0; i < 3; ++i)
        out[3 * k + i] = f * (T[3 * i] * s[0] + T[3 * i + 1] * s[1] + T[3 * i + 2] * s[2]) + 10 * T[9 + i];
    }
    return out;
  }

  /* q moved along speeds u for a unit of time: orientations turn, the others add up. */
  function moved(model, q, u, uFirst) {
    const out = q.slice();
    model.bodies.forEach((body, b) => {
      const v = u.slice(uFirst[b]), at = body.q_first;
      if ((body.mobilizer === 'ball' || body.mobilizer === 'free') && !body.euler) {
        const x = norm(v), s = x < 1e-12 ? 0.5 : Math.sin(x / 2) / x, d = [Math.cos(x / 2)].concat(scale(s, v));
        const p = q.slice(at, at + 4);
        out[at] = d[0] * p[0] - d[1] * p[1] - d[2] * p[2] - d[3] * p[3];
        out[at + 1] = d[0] * p[1] + d[1] * p[0] + d[2] * p[3] - d[3] * p[2];
        out[at + 2] = d[0] * p[2] - d[1] * p[3] + d[2] * p[0] + d[3] * p[1];
        out[at + 3] = d[0] * p[3] + d[1] * p[2] - d[2] * p[1] + d[3] * p[0];
        for (let k = 4; k < body.nq; ++k) out[at + k] += v[k - 1];
      } else {
        for (let k = 0; k < body.nq; ++k) out[at + k] += v[k];
      }
    });
    return out;
  }

  return {compile, poses, places, moved, apply, turn, dot, cross, scale, add, norm};
})();
if (typeof module !== 'undefined') module.exports = Kinematics;
