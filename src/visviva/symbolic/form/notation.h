// The three notations behind one interface: how each writes names, fractions, powers and calls.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "visviva/symbolic/core/pool.h"
#include "visviva/symbolic/form/decimal_text.h"

namespace visviva {

/// The notations that expressions are written in.
enum class Notation { language, latex, mathml };

/// How tightly a written piece holds together; the loosest comes first.
enum class Binding { sum, product, power, atom };

/// A written piece and how tightly it holds together.
struct Piece {
  std::string text;
  Binding binding = Binding::atom;
};

/// A text and the sign before it.
struct SignedText {
  bool negative = false;
  std::string text;
};

/// A function applied: operands written, and an exponent to set on the function's name, or "".
struct CallText {
  Op op;
  std::vector<std::string> operands;
  bool operand_is_name = false;  ///< one operand, a bare symbol
  std::string exponent;
};

/// A function that nobody defined, or a derivative of it, applied.
struct FunctionText {
  std::string name;                    ///< as declared
  std::vector<std::string> by;         ///< parameters that it is differentiated by, as declared
  std::vector<std::string> over;       ///< parameters that it is integrated over
  std::vector<std::string> arguments;  ///< written
  bool is_at_parameters =
      false;  ///< the arguments are the scalars that its parameters are called by
};

class NotationWriter {
 public:
  virtual ~NotationWriter() = default;

  virtual std::string number(const DecimalText& decimal) const = 0;
  /// A symbol's name. Whatever it contains, the result is safe in this notation.
  virtual std::string name(std::string_view name) const = 0;
  virtual std::string pi() const = 0;
  virtual std::string sum(const std::vector<SignedText>& terms) const = 0;
  virtual std::string product(const std::vector<std::string>& factors) const = 0;
  /// Above and below come grouped where the notation writes fractions on one line.
  virtual std::string fraction(const std::string& above, const std::string& below) const = 0;
  virtual bool stacks_fractions() const = 0;
  virtual std::string power(const std::string& base, const std::string& exponent) const = 0;
  virtual Piece call(const CallText& call) const = 0;
  virtual Piece function(const FunctionText& function) const = 0;
  /// True when a power of this function is written on its name, as in sin^2 x.
  virtual bool takes_exponent(Op op) const = 0;
  virtual std::string group(const std::string& text) const = 0;
  /// "expression where name = definition, ...": the last resort for one large expression.
  virtual std::string where(const std::string& expression, const std::vector<std::string>& names,
                            const std::vector<std::string>& definitions) const = 0;
};

/// The writer of a notation; lives as long as the program.
const NotationWriter& notation_writer(Notation notation);
const NotationWriter& language_writer();
const NotationWriter& latex_writer();
const NotationWriter& mathml_writer();

}  // namespace visviva
