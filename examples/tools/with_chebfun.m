% Three of the five problems with Chebfun: intervals and disks; a ring and an L-shape are no shapes of it.
L = chebop(@(x, u) -diff(u, 2)/1000 + diff(u), [0 1], 0, 0);         % layer
u = L \ 1;  layer = u(0.999)
S = spinop([0 2*pi], [0 5]);                                         % phases
S.lin = @(c) diff(c, 2)/20;  S.nonlin = @(c) c - c.^3;  S.init = chebfun(@(x) sin(x)/2, [0 2*pi], 'trig');
c = spin(S, 128, 1e-3, 'plot', 'off');  phases = c(1)
s = linspace(0.05, 0.95, 19)';  d = sinh(3*s)/sinh(3);               % number
z = @(k) chebop(@(s, z) diff(z, 2) - k*z, [0 1], 0, 1) \ 0;
number = fminsearch(@(k) norm(feval(z(k), s) - d), 1, optimset('TolX', 1e-10))
