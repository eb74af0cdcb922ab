#include "visviva/symbolic/core/workspace.h"

namespace visviva {
namespace {

thread_local const Workspace* innermost = nullptr;

std::shared_ptr<const ExprPool> unowned(const ExprPool& pool) {
  return {std::shared_ptr<const ExprPool>(), &pool};
}

}  // namespace

Workspace::Workspace(std::shared_ptr<const ExprPool> below) : outer_(innermost) {
  for (const Workspace* w = outer_; w != nullptr && !pool_; w = w->outer()) {
    if (w->pool().stands_on(*below)) pool_ = w->pool_;
  }
  is_inner_ = pool_ != nullptr;
  if (!is_inner_) pool_ = std::make_shared<ExprPool>(std::move(below));
  innermost = this;
}

Workspace::Workspace(const ExprPool& below) : Workspace(unowned(below)) {}

Workspace::Workspace(Continued, ExprPool& pool)
    : outer_(innermost), pool_(std::shared_ptr<ExprPool>(), &pool.open()), is_inner_(true) {
  innermost = this;
}

Workspace Workspace::continued(ExprPool& pool) { return Workspace(Continued{}, pool); }

Workspace::~Workspace() {
  innermost = outer_;
  if (!is_inner_) pool_->finish();
}

std::shared_ptr<ExprPool> Workspace::finish() {
  if (!is_inner_) pool_->finish();
  return pool_;
}

const Workspace* Workspace::current() { return innermost; }

ExprPool& ExprPool::open() {
  for (const Workspace* w = Workspace::current(); w != nullptr; w = w->outer()) {
    if (w->pool().stands_on(*this)) return w->pool();
  }
  return is_finished() ? page() : *this;
}

}  // namespace visviva
