# Makes find_package(oloid) work for others: targets oloid::oloid and one per room.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/oloid)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/oloidConfig.cmake.in oloidConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(oloidConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(FILES ${PROJECT_BINARY_DIR}/oloidConfig.cmake ${PROJECT_BINARY_DIR}/oloidConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindHDF5C.cmake
        DESTINATION ${package_dir})
install(EXPORT oloid NAMESPACE oloid:: FILE oloidTargets.cmake DESTINATION ${package_dir})
