# Writes OUTPUT, a C++ file that holds the files STYLES and SCRIPTS (lists separated by |) as texts:
# page_style(), page_script() and the SHA-256 of the script in hexadecimal digits.
# Usage: cmake -DOUTPUT=... -DSTYLES=... -DSCRIPTS=... -P embed_assets.cmake

# Joins files into one text.
function(join_files files result)
  string(REPLACE "|" ";" list "${files}")
  set(text "")
  foreach(file IN LISTS list)
    file(READ "${file}" part)
    string(APPEND text "${part}")
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# One function that returns the text, put together from literals that every compiler takes; they end with
# lines, so that none cuts a character.
function(write_function name text result)
  set(body "")
  string(LENGTH "${text}" length)
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} 8000 chunk)
    string(FIND "${chunk}" "\n" end REVERSE)
    math(EXPR end "${end} + 1")
    if(end EQUAL 0)
      message(FATAL_ERROR "a line is longer than 8000 bytes, or the last one has no end")
    endif()
    string(SUBSTRING "${chunk}" 0 ${end} chunk)
    string(APPEND body "      R\"~~(${chunk})~~\",\n")
    math(EXPR begin "${begin} + ${end}")
  endwhile()
  set(${result} "std::string ${name}() {\n  static constexpr const char* parts[] = {\n${body}      \"\"};\n\
  std::string text;\n  for (const char* part : parts) text += part;\n  return text;\n}\n" PARENT_SCOPE)
endfunction()

join_files("${STYLES}" style)
join_files("${SCRIPTS}" script)
string(SHA256 digest "${script}")
write_function(page_style "${style}" style_function)
write_function(page_script "${script}" script_function)
file(WRITE "${OUTPUT}" "// Generated from report/page/assets.\n#include \"visviva/report/page/assets.h\"\n
namespace visviva {\n
${style_function}\n${script_function}
std::string page_script_digest() { return \"${digest}\"; }\n
}  // namespace visviva\n")
