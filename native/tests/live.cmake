# Live tuning: the page from both sides, and programs that are tuned.
parallax_test(live-core-test OPTIMIZED live/live_page_test.cpp)
target_link_libraries(live-core-test PRIVATE parallax-live-monitor)
