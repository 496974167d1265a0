# The monitor of live tuning.

# The requests.
parallax_plain_test(tune-requests-test tune/requests_test.cpp)
target_link_libraries(tune-requests-test PRIVATE parallax-tune-core)
