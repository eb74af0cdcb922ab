// Workspace: where a thread builds while a stage is at work.
//
//   Workspace work(motion.pool());        // on top of what is finished
//   ... expressions made from those of `motion`, by operators, passes, recursions ...
//   result.pool = work.finish();          // the result keeps what it is made of
// While it lives, whatever this thread builds from expressions of the pools below goes into a pool
// of its own, whichever function does it. So a stage leaves its inputs as they were, several
// threads can work on one input, and what a stage makes depends on its inputs alone. A workspace
// inside another that stands on the same pools is the other one: a verb that uses verbs builds in
// one pool.
#pragma once

#include <memory>

#include "visviva/symbolic/core/pool.h"

namespace visviva {

class Workspace {
 public:
  explicit Workspace(std::shared_ptr<const ExprPool> below);
  /// A workspace on top of a pool that outlives it and everything taken from it.
  explicit Workspace(const ExprPool& below);
  /// A workspace for single questions outside of any verb: this thread builds where pool.open()
  /// says.
  static Workspace continued(ExprPool& pool);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  ExprPool& pool() const { return *pool_; }
  /// The pool while it is being built in.
  const std::shared_ptr<ExprPool>& share() const { return pool_; }
  /// The pool, for the result that was built in it.
  std::shared_ptr<ExprPool> finish();

  /// The innermost workspace of this thread; nullptr when there is none.
  static const Workspace* current();
  const Workspace* outer() const { return outer_; }

 private:
  const Workspace* outer_;
  std::shared_ptr<ExprPool> pool_;
  bool is_inner_ = false;  // the pool goes on to be built in after this workspace

  struct Continued {};
  Workspace(Continued, ExprPool& pool);
};

}  // namespace visviva
