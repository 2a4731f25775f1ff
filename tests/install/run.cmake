# Installs the build into a fresh prefix, then builds the project of the README against it, as a reader would copy it,
# and runs it.

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The first block of the README in the given language.
function(readme_block language out)
  string(FIND "${readme}" "```${language}\n" start)
  string(LENGTH "```${language}\n" fence)
  math(EXPR start "${start} + ${fence}")
  string(SUBSTRING "${readme}" ${start} -1 rest)
  string(FIND "${rest}" "```" length)
  string(SUBSTRING "${rest}" 0 ${length} text)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

set(root ${CMAKE_CURRENT_LIST_DIR}/../..)
set(prefix ${work}/prefix)
set(consumer ${work}/consumer)
file(REMOVE_RECURSE ${prefix} ${consumer})

file(READ ${root}/README.md readme)
readme_block(cmake lists)
readme_block(cpp program)
file(WRITE ${consumer}/CMakeLists.txt "${lists}")
file(WRITE ${consumer}/roll.cpp "${program}")

run(${CMAKE_COMMAND} --install ${build} --config ${config} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${consumer} -B ${consumer}/build -G ${generator} -D CMAKE_PREFIX_PATH=${prefix}
    -D CMAKE_BUILD_TYPE=${config} -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_CXX_FLAGS=${flags})
run(${CMAKE_COMMAND} --build ${consumer}/build)
execute_process(COMMAND ${consumer}/build/roll ${root}/scenes/rolling_ball.toml WORKING_DIRECTORY ${work}
                OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "${printed}")
if(NOT printed MATCHES "^t = 1 s, x = 1\\.426469364")
  message(FATAL_ERROR "the ball did not roll where it should")
endif()
