function model = double_pendulum()
% Equations of motion of double_pendulum, written by visviva export: MATLAB R2016b or later.
% "Two particles on two strings, with the tensions nobody needs"
%
% Derived by the method of Kane; all numbers in SI units, angles in rad.
% The speeds u follow M u' = f, solved at every call.
% One evaluation of the equations: 45 operations, 4 of them functions; 11 temporaries.
%
% State, with its start values:
%     1  q1   1    2.0944
%     2  q2   1    2.0944
%     3  q1'  1/s  0
%     4  q2'  1/s  0
%
% Inputs:
%   none
%
% Parameters:
%     1  m1  kg     1
%     2  m2  kg     1
%     3  L   m      1
%     4  g   m/s^2  9.81
%
% Outputs:
%     1  E_Z
%     2  q1
%     3  q2
%
% Integrals over time that outputs and events need, zero at the start:
%     1  Z
%
% How to use it:
%   model = double_pendulum();
%   rates = model.rates(0, model.start_state, model.default_inputs, model.default_parameters);
% All functions take (t, state, inputs, parameters); state, inputs and parameters are columns.
model.name = 'double_pendulum';
model.state_names = {'q1', 'q2', 'q1''', 'q2'''};
model.state_units = {'1', '1', '1/s', '1/s'};
model.start_state = [2.0943951023931953; 2.0943951023931953; 0.0; 0.0];
model.input_names = {};
model.input_units = {};
model.default_inputs = zeros(0, 1);
model.parameter_names = {'m1', 'm2', 'L', 'g'};
model.parameter_units = {'kg', 'kg', 'm', 'm/s^2'};
model.default_parameters = [1.0; 1.0; 1.0; 9.81];
model.rates = @local_rates;
model.mass_matrix = @local_mass_matrix;
model.forcing = @local_forcing;
model.energies = @local_energies;
model.integral_names = {'Z'};
model.integral_rates = @local_integral_rates;
model.output_names = {'E_Z', 'q1', 'q2'};
model.output_units = {'J', '1', '1'};
model.outputs = @local_outputs;
model.point_names = {'P1', 'P2'};
model.jacobians = @local_jacobians;
model.independent = [1; 2];
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
if isempty(integrals), integrals = zeros(1, 1); end
known = [inputs(:); x; integrals(:)];
end

function outputs = local_outputs(t, state, inputs, parameters, integrals)
% Outputs in the order of output_names; integrals over time since the start are zero where they are not given.
if nargin < 5, integrals = []; end
known = local_known(t, state, inputs, parameters, integrals);
c = local_output_values(t, state, known, parameters);
outputs = c.outputs;
end

function rates = local_integral_rates(t, state, inputs, parameters, integrals)
% The rates of the integrals over time, in the order of integral_names.
if nargin < 5, integrals = []; end
known = local_known(t, state, inputs, parameters, integrals);
c = local_integral_values(t, state, known, parameters);
rates = c.integral_rates;
end

function [J, remainder] = local_jacobians(t, state, inputs, parameters)
% The velocity of point k along N is J(:, :, k)*u + remainder(:, k).
c = local_point_values(t, state, inputs, parameters);
J = permute(reshape(c.J, 3, 2, 2), [1, 3, 2]);
remainder = reshape(c.remainder, 3, 2);
end

function forces = local_inverse(t, state, inputs, parameters, independent_rates)
% Inverse dynamics: the generalized forces that these rates of the speeds `independent` ask for besides what acts.
e = local_equations(t, state, inputs, parameters);
M = e.M + tril(e.M, -1)';
forces = M*independent_rates(:) - e.f;
end

function out = local_equations(t, state, inputs, parameters) %#ok<INUSD>
out.q_rates = zeros(2, 1);
out.M = zeros(2, 2);
out.f = zeros(2, 1);
q1 = state(1);
q2 = state(2);
q1_d = state(3);
q2_d = state(4);
m1 = parameters(1);
m2 = parameters(2);
L = parameters(3);
g = parameters(4);
v1 = L*sin(q1);
v2 = L*cos(q1);
v3 = L*sin(q2);
v4 = L*cos(q2);
v5 = m2*v3;
v6 = m2*v4;
v7 = m2 + m1;
v8 = q1_d*v1*q1_d;
v9 = q1_d*v2*q1_d + g;
v10 = m2*(q2_d*v3*q2_d + v8);
v11 = m2*(v9 + q2_d*v4*q2_d);
out.q_rates(1) = q1_d;
out.q_rates(2) = q2_d;
out.M(1, 1) = v1*v7*v1 + v2*v7*v2;
out.f(1) = v2*(v10 + m1*v8) - v1*(v11 + m1*v9);
out.M(2, 1) = v1*v5 + v2*v6;
out.M(2, 2) = v3*v5 + v4*v6;
out.f(2) = v4*v10 - v3*v11;
end

function out = local_energy_values(t, state, inputs, parameters) %#ok<INUSD>
out.energies = zeros(7, 1);
q1 = state(1);
q2 = state(2);
q1_d = state(3);
q2_d = state(4);
m1 = parameters(1);
m2 = parameters(2);
L = parameters(3);
g = parameters(4);
v1 = L*cos(q1);
v2 = L*cos(q2);
v3 = q1_d*v1;
v4 = L*sin(q1)*q1_d;
v5 = q2_d*v2 + v3;
v6 = L*sin(q2)*q2_d + v4;
out.energies(3) = 0.5*(m2*(v5*v5 + v6*v6) + m1*(v3*v3 + v4*v4));
out.energies(4) = -(g*(v2 + v1)*m2 + g*v1*m1);
end

function out = local_output_values(t, state, inputs, parameters) %#ok<INUSD>
out.outputs = zeros(3, 1);
q1 = state(1);
q2 = state(2);
q1_d = state(3);
q2_d = state(4);
Z = inputs(3);
m1 = parameters(1);
m2 = parameters(2);
L = parameters(3);
g = parameters(4);
v1 = L*cos(q1);
v2 = L*cos(q2);
v3 = q1_d*v1;
v4 = L*sin(q1)*q1_d;
v5 = q2_d*v2 + v3;
v6 = L*sin(q2)*q2_d + v4;
v7 = Z - g*v1*m1 - g*(v2 + v1)*m2 + 0.5*(m2*(v5*v5 + v6*v6) + m1*(v3*v3 + v4*v4));
out.outputs(1) = v7;
out.outputs(2) = q1;
out.outputs(3) = q2;
end

function out = local_integral_values(t, state, inputs, parameters) %#ok<INUSD>
out.integral_rates = zeros(1, 1);
end

function out = local_point_values(t, state, inputs, parameters) %#ok<INUSD>
out.J = zeros(6, 2);
out.remainder = zeros(6, 1);
q1 = state(1);
q2 = state(2);
L = parameters(3);
v1 = L*sin(q1);
v2 = L*cos(q1);
out.J(1, 1) = v2;
out.J(2, 1) = v1;
out.J(4, 1) = v2;
out.J(5, 1) = v1;
out.J(4, 2) = L*cos(q2);
out.J(5, 2) = L*sin(q2);
end

function x = local_solve(M, f)
% x of M x = f, M symmetric and positive; NaN where it is singular.
x = NaN(size(f));
if ~all(isfinite([M(:); f])) || ~all(diag(M) > 0), return, end
scale = 1./sqrt(diag(M));
[R, fault] = chol(M.*(scale*scale'));
if fault == 0 && all(diag(R).^2 > 1e-14), x = scale.*(R\(R'\(scale.*f))); end
end
