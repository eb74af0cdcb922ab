// ForceReader: gravity, forces, torques, springs, dampers and energies of a model's text.
#pragma once

#include "visviva/text/build/field_reader.h"

namespace visviva {

class ForceReader {
 public:
  ForceReader(ModelDraft& draft, NameTable& names, ExpressionReader& expressions,
              FieldReader& fields)
      : draft_(draft), names_(names), expressions_(expressions), fields_(fields) {}

  /// Reads every statement of this kind, in the order of the text.
  void read();

 private:
  void read(const SyntaxStatement& s);
  void read_density(const SyntaxStatement& s);
  Displaced read_displaced(const Expression& law);
  void read_gravity(const SyntaxStatement& s);
  void read_dissipation(const SyntaxStatement& s);
  void read_potential(const SyntaxStatement& s);
  void read_force(const SyntaxStatement& s);
  Point read_place(const SyntaxStatement& force, const Expression& at);
  void read_torque(const SyntaxStatement& s);
  void read_spring(const SyntaxStatement& s);

  ModelDraft& draft_;
  NameTable& names_;
  ExpressionReader& expressions_;
  FieldReader& fields_;
};

}  // namespace visviva
