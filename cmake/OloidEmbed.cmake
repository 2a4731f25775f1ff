# oloid_embed(io kReplayTemplate FILE): the bytes of a file as `const std::string_view oloid::io::kReplayTemplate`, which a header
# of the room declares. The program then needs no files beside it.
function(oloid_embed room symbol file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR bytes "${digits} / 2")
  string(REGEX REPLACE "(..)" "\\\\x\\1" escaped "${hex}")
  string(CONCAT code
    "#include <string_view>\n\nnamespace oloid::${room} {\nextern const std::string_view ${symbol};\n"
    "const std::string_view ${symbol}(\"${escaped}\", ${bytes});\n}  // namespace oloid::${room}\n")
  set(source ${PROJECT_BINARY_DIR}/generated/embedded/${symbol}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "${code}" @ONLY)
  target_sources(oloid_${room} PRIVATE ${source})
endfunction()
