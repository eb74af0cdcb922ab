function model = hoist()
% Equations of motion of hoist, written by visviva export: MATLAB R2016b or later.
% "A body hanging from a hoist that follows a given x(t)"
%
% Derived by the method of Kane; all numbers in SI units, angles in rad.
% The speeds u follow M u' = f, solved at every call.
% One evaluation of the equations: 9 operations, 1 of them functions; 0 temporaries.
%
% State, with its start values:
%     1  theta   1    0.523599  "angle of the body from straight down"
%     2  theta'  1/s  0
%
% Inputs:
%   none
%
% Parameters:
%     1  mQ  kg     1
%     2  mB  kg     2
%     3  L   m      0.5
%     4  g   m/s^2  9.8
%
% Parameters that follow from these:
%        I = 1/12*mB*L^2
%
% Outputs:
%     1  E
%     2  H
%     3  C
%
% How to use it:
%   model = hoist();
%   rates = model.rates(0, model.start_state, model.default_inputs, model.default_parameters);
% All functions take (t, state, inputs, parameters); state, inputs and parameters are columns.
model.name = 'hoist';
model.state_names = {'theta', 'theta'''};
model.state_units = {'1', '1/s'};
model.start_state = [0.5235987755982988; 0.0];
model.input_names = {};
model.input_units = {};
model.default_inputs = zeros(0, 1);
model.parameter_names = {'mQ', 'mB', 'L', 'g'};
model.parameter_units = {'kg', 'kg', 'm', 'm/s^2'};
model.default_parameters = [1.0; 2.0; 0.5; 9.8];
model.rates = @local_rates;
model.mass_matrix = @local_mass_matrix;
model.forcing = @local_forcing;
model.energies = @local_energies;
model.output_names = {'E', 'H', 'C'};
model.output_units = {'J', 'J', 'J'};
model.outputs = @local_outputs;
model.point_names = {'Q', 'Bcm'};
model.jacobians = @local_jacobians;
model.independent = [1];
model.inverse = @local_inverse;
end

function rates = local_rates(t, state, inputs, parameters)
e = local_equations(t, state, inputs, parameters);
M = e.M + tril(e.M, -1)';
rates = [e.q_rates; local_solve(M, e.f)];
end

function M = local_mass_matrix(t, state, inputs, parameters)
e = local_equations(t, state, inputs, parameters);
M = e.M + tril(e.M, -1)';
end

function f = local_forcing(t, state, inputs, parameters)
e = local_equations(t, state, inputs, parameters);
f = e.f;
end

function energies = local_energies(t, state, inputs, parameters)
% The integral of Z_rate makes K2 + U + Z constant.
c = local_energy_values(t, state, inputs, parameters);
energies.K0 = c.energies(1);
energies.K1 = c.energies(2);
energies.K2 = c.energies(3);
energies.U = c.energies(4);
energies.sigma_R = c.energies(5);
energies.P_nonconservative = c.energies(6);
energies.Z_rate = c.energies(7);
end

function known = local_known(t, state, inputs, parameters, integrals)
% Inputs, u', unknown forces, multipliers and integrals: what outputs are made of.
e = local_equations(t, state, inputs, parameters);
x = local_solve(e.M + tril(e.M, -1)', e.f);
if isempty(integrals), integrals = zeros(0, 1); end
known = [inputs(:); x; integrals(:)];
end

function outputs = local_outputs(t, state, inputs, parameters, integrals)
% Outputs in the order of output_names; integrals over time since the start are zero where they are not given.
if nargin < 5, integrals = []; end
known = local_known(t, state, inputs, parameters, integrals);
c = local_output_values(t, state, known, parameters);
outputs = c.outputs;
end

function [J, remainder] = local_jacobians(t, state, inputs, parameters)
% The velocity of point k along N is J(:, :, k)*u + remainder(:, k).
c = local_point_values(t, state, inputs, parameters);
J = permute(reshape(c.J, 3, 2, 1), [1, 3, 2]);
remainder = reshape(c.remainder, 3, 2);
end

function forces = local_inverse(t, state, inputs, parameters, independent_rates)
% Inverse dynamics: the generalized forces that these rates of the speeds `independent` ask for besides what acts.
e = local_equations(t, state, inputs, parameters);
M = e.M + tril(e.M, -1)';
forces = M*independent_rates(:) - e.f;
end

function out = local_equations(t, state, inputs, parameters) %#ok<INUSD>
out.q_rates = zeros(1, 1);
out.M = zeros(1, 1);
out.f = zeros(1, 1);
theta = state(1);
theta_d = state(2);
mB = parameters(2);
L = parameters(3);
g = parameters(4);
out.q_rates(1) = theta_d;
out.M(1, 1) = L*L*mB*1.0833333333333333;
out.f(1) = -(g*sin(theta)*mB*L);
end

function out = local_energy_values(t, state, inputs, parameters) %#ok<INUSD>
out.energies = zeros(7, 1);
theta = state(1);
theta_d = state(2);
mQ = parameters(1);
mB = parameters(2);
L = parameters(3);
g = parameters(4);
v1 = L*theta_d;
v2 = sin(t);
v3 = v2*v2;
out.energies(1) = mB*v3*4.5 + mQ*v3*4.5;
out.energies(3) = v1*v1*mB*0.5416666666666666;
out.energies(4) = -(L*cos(theta)*g*mB);
end

function out = local_output_values(t, state, inputs, parameters) %#ok<INUSD>
out.outputs = zeros(3, 1);
theta = state(1);
theta_d = state(2);
mQ = parameters(1);
mB = parameters(2);
L = parameters(3);
g = parameters(4);
v1 = L*theta_d;
v2 = sin(t);
v3 = v1*v1;
v4 = mB*v3;
v5 = L*cos(theta)*g*mB;
v6 = v2*v2;
v7 = mQ*v6;
v8 = 0.5416666666666666*v4;
v9 = 0.5*(9.0*v7 + 0.08333333333333333*v4 + mB*(9.0*v6 + v3)) - v5;
out.outputs(1) = v8 - v5;
out.outputs(2) = v8 - v5 - (mB*v6*4.5 + 4.5*v7);
out.outputs(3) = v9;
end

function out = local_point_values(t, state, inputs, parameters) %#ok<INUSD>
out.J = zeros(6, 1);
out.remainder = zeros(6, 1);
theta = state(1);
L = parameters(3);
v1 = 3.0*sin(t);
out.remainder(1) = -v1;
out.J(5, 1) = L*sin(theta);
out.J(6, 1) = -(L*cos(theta));
out.remainder(4) = -v1;
end

function x = local_solve(M, f)
% x of M x = f, M symmetric and positive; NaN where it is singular.
x = NaN(size(f));
if ~all(isfinite([M(:); f])) || ~all(diag(M) > 0), return, end
scale = 1./sqrt(diag(M));
[R, fault] = chol(M.*(scale*scale'));
if fault == 0 && all(diag(R).^2 > 1e-14), x = scale.*(R\(R'\(scale.*f))); end
end
