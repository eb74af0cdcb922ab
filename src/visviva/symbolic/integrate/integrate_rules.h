// The rules of integration, in the order in which integrate.cpp tries them.
//
// Symbols: x the variable, u a new one, c, p, P free of u or polynomials in x as said.
//   int x^e = x^(e+1)/(e+1),  int 1/x = log|x|,  int |x|^e = sign(x) |x|^(e+1)/(e+1)              (1)
//   int e^A (s sin B + c cos B), A' = a, B' = b, s and c Laurent polynomials:
//     F = e^A (f sin B + g cos B),  f' + a f - b g = s,  g' + a g + b f = c                       (2)
//   int P S^e, S and P polynomials:  F = S^(e+1) p,  (e+1) S' p + S p' = P                        (3)
//   int S^e, S = s2 x^2 + s1 x + s0, D = 4 s2 s0 - s1^2:
//     (e+1) D int S^e = (4 e + 6) s2 int S^(e+1) - S' S^(e+1)                                     (4)
//   int h(S) (c0 + c1 S + ...) S' dx = int h(u) (c0 + c1 u + ...) du                              (5)
//   int (G S^(e+1))' = G S^(e+1),  its terms with the lowest power of S being (e+1) G S' S^e      (6)
// (2) and (3) are solved from the highest power down. (1) to (4) are in every table of integrals,
// for instance Gradshteyn and Ryzhik 2.1 to 2.6; every result is proved by its derivative.
#pragma once

#include "visviva/symbolic/integrate/integrate_terms.h"

namespace visviva {

/// The integral of a term that is a power of x, by (1).
std::optional<Expr> integrate_power(const ProductTerm& term, Integration& in);

/// The integral of x^n f(x)^k for the functions f that have a table entry.
std::optional<Expr> integrate_function(const ProductTerm& term, Integration& in);

// Each of the next three adds to the sum and takes away the terms that it has integrated; what is
// left is for the rules after it.

/// Integrates by (2), for each family of waves of one growth and angle.
void integrate_waves(std::vector<WaveTerm>* terms, Expr* sum, Integration& in);

/// Integrates by (5), for one u after another.
void integrate_by_substitution(std::vector<WaveTerm>* terms, Expr* sum, Integration& in);

/// Integrates by (3) and (4): all of the terms, or none.
void integrate_algebraic(std::vector<WaveTerm>* terms, Expr* sum, Integration& in);

/// The part of an integral that (6) gives, G S^(e+1) for the first S whose lowest power has a
/// factor S'; nothing when there is none.
std::optional<Expr> find_part_of_integral(const Expr& expr, Integration& in);

/// An integral by (1) to (5).
std::optional<Expr> integrate_by_rules(const Expr& expr, Integration& in);

/// An antiderivative by (1) to (6), proved. The result is to be smooth in the symbols in `moving`
/// as well.
std::optional<Expr> find_antiderivative(const Expr& expr, const Expr& x,
                                        const std::vector<Expr>& moving);

/// Throws UsageError naming the function unless x is a symbol.
void require_variable(const Expr& x, const char* function);

}  // namespace visviva
