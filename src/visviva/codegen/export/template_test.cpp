#include "visviva/codegen/export/template.h"

#include <gtest/gtest.h>

#include "visviva/base/error.h"

namespace visviva {
namespace {

TEST(Template, a_name_stands_for_its_value_wherever_it_is) {
  const TemplateValues values{.texts = {{"id", "hoist"}, {"n", "2"}}};
  EXPECT_EQ(fill_template("${id}_rates(double ${id}[${n}]);\n", values),
            "hoist_rates(double hoist[2]);\n");
  EXPECT_EQ(fill_template("${id}\n${n}", values), "hoist\n2");  // also at the start of a line
}

TEST(Template, a_value_is_never_read_as_a_template) {
  const TemplateValues values{.texts = {{"name", "${id}\n$if x\n$end\n"}, {"id", "hoist"}}};
  EXPECT_EQ(fill_template("/* ${name} */\n", values), "/* ${id}\n$if x\n$end\n */\n");
  EXPECT_EQ(fill_template("$lines name\n", values), "${id}\n$if x\n$end\n");
}

TEST(Template, a_line_of_lines_leaves_no_line_of_its_own) {
  EXPECT_EQ(fill_template("{\n$lines body\n}\n", {.texts = {{"body", "  a;\n  b;\n"}}}),
            "{\n  a;\n  b;\n}\n");
  EXPECT_EQ(fill_template("{\n$lines body\n}\n", {.texts = {{"body", ""}}}), "{\n}\n");
}

TEST(Template, conditions_take_flags_texts_and_lists) {
  const std::string text = "a\n$if x\nyes\n$else\nno\n$end\nb\n";
  EXPECT_EQ(fill_template(text, {.flags = {{"x", true}}}), "a\nyes\nb\n");
  EXPECT_EQ(fill_template(text, {.flags = {{"x", false}}}), "a\nno\nb\n");
  EXPECT_EQ(fill_template(text, {.texts = {{"x", "0"}}}), "a\nyes\nb\n");
  EXPECT_EQ(fill_template(text, {.texts = {{"x", ""}}}), "a\nno\nb\n");
  EXPECT_EQ(fill_template(text, {.lists = {{"x", {{}}}}}), "a\nyes\nb\n");
  EXPECT_EQ(fill_template(text, {.lists = {{"x", {}}}}), "a\nno\nb\n");
  EXPECT_EQ(fill_template("$if not x\nno\n$end\n", {.flags = {{"x", false}}}), "no\n");
  EXPECT_EQ(fill_template("$if not x\nno\n$end\n", {.flags = {{"x", true}}}), "");
}

TEST(Template, items_hide_what_is_outside_and_see_the_rest_of_it) {
  const TemplateValues values{
      .texts = {{"id", "hoist"}, {"name", "outer"}},
      .lists = {{"parts", {{.texts = {{"name", "first"}}}, {.texts = {}}}}}};
  EXPECT_EQ(fill_template("$each parts\n${id}_${name}\n$end\n${name}\n", values),
            "hoist_first\nhoist_outer\nouter\n");
}

TEST(Template, lists_and_conditions_stand_inside_each_other) {
  const auto item = [](const char* name, bool is_used) {
    return TemplateValues{.texts = {{"name", name}}, .flags = {{"used", is_used}}};
  };
  const TemplateValues values{
      .lists = {{"blocks",
                 {{.lists = {{"arrays", {item("M", true), item("W", false)}}}},
                  {.lists = {{"arrays", {item("f", true)}}}}}}}};
  EXPECT_EQ(fill_template("$each blocks\n{\n$each arrays\n$if used\n${name}\n$end\n$end\n}\n$end\n",
                          values),
            "{\nM\n}\n{\nf\n}\n");
}

TEST(Template, remarks_are_left_out_and_other_dollars_stay) {
  EXPECT_EQ(fill_template("$# what this is\ncosts 5 $ or $5\n", {}), "costs 5 $ or $5\n");
}

TEST(Template, a_name_without_a_value_is_our_bug) {
  for (const char* text : {"${x}", "$lines x\n", "$if x\n$end\n", "$each x\n$end\n"})
    EXPECT_THROW(fill_template(text, {.texts = {{"y", ""}}}), InternalError) << text;
  EXPECT_THROW(fill_template("${x}", {.flags = {{"x", true}}}), InternalError);
}

TEST(Template, a_template_that_cannot_be_read_is_our_bug) {
  for (const char* text : {"$end\n", "$else\n", "$if x\n", "$if x\n$else\n", "$each x\n",
                           "$each x\n$else\n$end\n", "$for x\n", "${x\n"})
    EXPECT_THROW(fill_template(text, {.flags = {{"x", true}}, .lists = {{"x", {}}}}), InternalError)
        << text;
}

TEST(Template, all_names_are_listed) {
  EXPECT_EQ(list_template_names("${a}$\n$if not b\n$each c\n$lines d\n$end\n$else\n${e}\n$end\n"),
            (std::set<std::string>{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(list_value_names({.texts = {{"a", ""}},
                              .flags = {{"b", true}},
                              .lists = {{"c", {{.texts = {{"d", ""}}}}}, {"e", {}}}}),
            (std::set<std::string>{"a", "b", "c", "d", "e"}));
}

}  // namespace
}  // namespace visviva
