add_subdirectory(sampler)
