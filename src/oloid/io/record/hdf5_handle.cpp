#include "oloid/io/record/hdf5_handle.h"

#include <hdf5.h>

#include <type_traits>

namespace oloid::io {

static_assert(std::is_same_v<Hdf5Handle::Id, hid_t> && std::is_same_v<int, herr_t>);

Hdf5Silence::Hdf5Silence() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Silence::~Hdf5Silence() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

}  // namespace oloid::io
