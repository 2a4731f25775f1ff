# Installs the build into a fresh prefix, then configures, builds and runs the consumer project against it.

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(prefix ${work}/prefix)
set(consumer ${work}/consumer)
file(REMOVE_RECURSE ${prefix} ${consumer})

run(${CMAKE_COMMAND} --install ${build} --config ${config} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${consumer} -G ${generator}
    -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_BUILD_TYPE=${config} -D CMAKE_CXX_COMPILER=${compiler}
    -D CMAKE_CXX_FLAGS=${flags})
run(${CMAKE_COMMAND} --build ${consumer})
run(${consumer}/consumer)
