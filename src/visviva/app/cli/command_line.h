// CommandLine: the commands of the program with their options. Parsing, help, the manual page and the
// shells' completions all come from this one table.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "visviva/base/source_text.h"

namespace visviva {

/// What an argument or the value of an option is, so that a shell can complete it.
struct ValueKind {
  enum Kind { text, model, file, folder, word } kind = text;
  std::vector<std::string> words{};  ///< of a `word`
};

class CommandLine {
 public:
  /// `command` is the command line as a shell takes it, for files that say how they were made.
  CommandLine(const std::string& version, const std::string& command);

  /// Commands ask about this model, whatever file they name.
  void take_model_text(const SourceText& text) { text_ = text; }
  /// Reads the arguments. CLI::ParseError when they are wrong, or ask for help.
  void parse(int argument_count, char** arguments) { app_.parse(argument_count, arguments); }
  /// Does what the command that was read asks for, and answers with its exit status.
  int run(std::ostream& out, std::ostream& err) const { return work_(out, err); }

  const CLI::App& app() const { return app_; }
  const std::string& version() const { return version_; }
  /// The commands that help shows, in its order.
  std::vector<const CLI::App*> commands() const;
  std::vector<std::string> command_names() const;
  bool has_command(const std::string& name) const;  ///< hidden ones too
  /// The long options of a command: "--json", ...
  std::vector<std::string> option_names(const std::string& command) const;
  ValueKind kind_of(const CLI::Option* option) const;

 private:
  using Work = std::function<int(std::ostream& out, std::ostream& err)>;
  struct ModelArguments;

  // One command each.
  void add_new();
  void add_check();
  void add_derive();
  void add_energy();
  void add_interactions();
  void add_prove();
  void add_evaluate();
  void add_linearize();
  void add_simulate(const std::string& command);
  void add_report(const std::string& command);
  void add_export();
  void add_convert();
  void add_explain();
  void add_manual();
  void add_completions();
  void require_values();

  CLI::App* add_command(const char* name, const char* meaning);
  std::shared_ptr<ModelArguments> add_model_options(CLI::App* command);
  void add_equilibrium(CLI::App* command, bool* equilibrium);
  static void add_full(CLI::App* command, bool* full);
  void add_run_options(CLI::App* command, struct RunTexts* run);
  void add_method(CLI::App* command, std::string* method);
  void add_force(CLI::App* command, bool* force);
  /// The value must be one of these words.
  void take_words(CLI::Option* option, const std::vector<std::string>& words);
  void take(CLI::Option* option, ValueKind::Kind kind) { kinds_[option].kind = kind; }

  CLI::App app_;
  std::string version_;
  std::map<const CLI::Option*, ValueKind> kinds_;
  std::optional<SourceText> text_;
  Work work_;
};

/// The manual page visviva(1), as roff.
std::string write_manual(const CommandLine& line);
/// Completions for "bash", "zsh" or "fish"; UsageError for another shell.
std::string write_completions(const CommandLine& line, const std::string& shell);
/// The shells that write_completions() knows.
const std::vector<std::string>& list_shells();

}  // namespace visviva
