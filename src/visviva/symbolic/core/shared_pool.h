// SharedPool: a pool that a value owns together with others, seen as its thread builds in it.
#pragma once

#include <memory>

#include "visviva/symbolic/core/pool.h"

namespace visviva {

class SharedPool {
 public:
  SharedPool() : pool_(std::make_shared<ExprPool>()) {}

  /// The pool in which this thread builds from the pool's expressions (ExprPool::open).
  ExprPool& operator*() const { return pool_->open(); }
  ExprPool* operator->() const { return &pool_->open(); }
  /// The pool itself.
  const std::shared_ptr<ExprPool>& share() const { return pool_; }

 private:
  std::shared_ptr<ExprPool> pool_;
};

}  // namespace visviva
