# One target per room of src/oloid: oloid_room(geometry DEPENDS spatial numerics formula) makes oloid::geometry.
#
# Headers form a file set, so that they are installed; scripts/check_headers compiles each alone. A room without .cpp
# files is an INTERFACE library. DEPENDS are the include arrows; scripts/check_includes reads them from the same line.

include(GNUInstallDirs)

option(OLOID_UNITY "Compile several files together: half the time of a build" ON)

# Files are compiled together in the order of their paths, in groups of equal size, `most` at most.
function(oloid_unity_groups most)
  if(NOT OLOID_UNITY OR NOT ARGN)
    return()
  endif()
  list(LENGTH ARGN files)
  math(EXPR groups "(${files} + ${most} - 1) / ${most}")
  math(EXPR size "(${files} + ${groups} - 1) / ${groups}")
  set(count 0)
  foreach(source IN LISTS ARGN)
    math(EXPR part "${count} / ${size}")
    math(EXPR count "${count} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${part})
  endforeach()
endfunction()

function(oloid_room room)
  cmake_parse_arguments(PARSE_ARGV 1 ROOM "" "" "DEPENDS")
  set(dir ${PROJECT_SOURCE_DIR}/src/oloid/${room})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${dir}/*.h)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cpp)

  oloid_unity_groups(15 ${sources})

  set(target oloid_${room})
  if(sources)
    add_library(${target} STATIC ${sources})
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${OLOID_UNITY} UNITY_BUILD_MODE GROUP)
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(oloid::${room} ALIAS ${target})

  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${headers})
  target_compile_features(${target} ${scope} cxx_std_20)
  list(TRANSFORM ROOM_DEPENDS PREPEND oloid::)
  target_link_libraries(${target} ${scope} ${ROOM_DEPENDS})

  set_target_properties(${target} PROPERTIES EXPORT_NAME ${room})
  install(TARGETS ${target} EXPORT oloid FILE_SET HEADERS)
  set_property(GLOBAL APPEND PROPERTY OLOID_ROOMS ${room})
endfunction()

# Adds usage requirements to a room whether or not it has sources: PRIVATE ones exist only if there are.
function(oloid_room_uses room)
  cmake_parse_arguments(PARSE_ARGV 1 USES "" "" "PUBLIC;PRIVATE")
  get_target_property(type oloid_${room} TYPE)
  if(type STREQUAL INTERFACE_LIBRARY)
    target_link_libraries(oloid_${room} INTERFACE ${USES_PUBLIC})
  else()
    target_link_libraries(oloid_${room} PUBLIC ${USES_PUBLIC} PRIVATE ${USES_PRIVATE})
  endif()
endfunction()
