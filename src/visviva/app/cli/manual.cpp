// The manual page visviva(1): commands and options from the command line, statements from the table of
// the language.
#include <string>

#include "visviva/app/cli/command_line.h"
#include "visviva/text/grammar/grammar.h"

namespace visviva {
namespace {

// Text as roff: no character of it is a request, and a minus is one that can be copied.
std::string escape_roff(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else if (c == '\'')
      escaped += "\\(aq";
    else if (c == '^')
      escaped += "\\(ha";
    else if (c == '~')
      escaped += "\\(ti";
    else if (c == '"')
      escaped += "\\(dq";
    else
      escaped += c;
  }
  return escaped.starts_with('.') ? "\\&" + escaped : escaped;
}

std::string bold(const std::string& text) { return "\\fB" + escape_roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + escape_roff(text) + "\\fR"; }

// A word with its explanation, indented.
std::string write_item(const std::string& label, const std::string& meaning) {
  return ".TP\n" + label + "\n" + escape_roff(meaning) + "\n";
}

// What a user puts for the value of an option.
std::string placeholder(const ValueKind& kind) {
  switch (kind.kind) {
    case ValueKind::model:
      return "MODEL";
    case ValueKind::file:
      return "FILE";
    case ValueKind::folder:
      return "FOLDER";
    default:
      return "VALUE";
  }
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::string write_option(const CommandLine& line, const CLI::Option& option) {
  std::string label = bold("--" + option.get_lnames().front());
  if (takes_value(option)) label += " " + italic(placeholder(line.kind_of(&option)));
  return write_item(label, option.get_description());
}

bool is_help(const CLI::Option* option) { return option->check_lname("help"); }

std::string write_command(const CommandLine& line, const CLI::App& command) {
  std::string title = bold(line.app().get_name() + " " + command.get_name());
  std::string options;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional())
      title += " " + italic(option->get_name());
    else if (!is_help(option))
      options += write_option(line, *option);
  }
  if (!options.empty()) title += " [" + italic("OPTION") + "]...";
  return ".SS " + title + "\n" + escape_roff(command.get_description()) + ".\n" + options;
}

}  // namespace

std::string write_manual(const CommandLine& line) {
  std::string text = ".\\\" Written by `visviva manual`.\n.TH VISVIVA 1 \"\" \"visviva " +
                     line.version() + "\" \"User Commands\"\n";
  text += ".SH NAME\nvisviva \\- equations of motion, and simulations that prove themselves\n";
  text += ".SH SYNOPSIS\n" + bold("visviva") + " " + italic("COMMAND") + " [" + italic("OPTION") +
          "]... " + italic("ARGUMENT") + "\n.br\n" + bold("visviva") + " " + bold("--version") +
          " | " + bold("--help") + "\n";
  text +=
      ".SH DESCRIPTION\nA mechanism is described by its positions and orientations, in a text file "
      "whose statements are listed below.\n" +
      bold("visviva") +
      " derives its equations of motion, says which of its energies and momenta are constant and "
      "why,\nsimulates it with a certificate, and shows all of it on one page.\n";
  text += ".SH COMMANDS\n";
  for (const CLI::App* command : line.commands()) text += write_command(line, *command);
  text += ".SH THE MODEL LANGUAGE\nOne statement a line, its keyword first; " + bold("#") +
          " begins a comment.\nUnits stand at every number and are checked.\n";
  for (const StatementRule& rule : statement_rules())
    text += write_item(bold(rule.syntax), rule.meaning);
  text += ".SH EXIT STATUS\n" + escape_roff(line.app().get_footer()) + "\n";
  text += ".SH EXAMPLES\n.nf\nvisviva new pendulum\nvisviva report pendulum.viva " +
          escape_roff("--energy 1e-9") + "\n.fi\n";
  return text;
}

}  // namespace visviva
