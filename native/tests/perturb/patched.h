// The functions of patched.S and patched_functions.cpp.
#pragma once

extern "C" {
long patched_frame(long, long);
long patched_pushes(long, long);
long patched_two(long, long);
long patched_relative(long, long);
long patched_marked(long, long);
long patched_jump(long, long);
long patched_call(long, long);
long patched_inner(long, long);
long patched_loop(long, long);
long patched_nothing(long, long);
long patched_behind(long, long);
long patched_tiny(long, long);
long patched_returns(long, long);
long patched_tail(long, long);
long patched_state(long, long);
long patched_vector(long, long);
long patched_compiled(long, long);
long patched_throws(long, long);
int patched_int(int, int);
long patched_other(long, long);
long patched_wrapper(long, long);
void patched_add(long);
extern long patchedTotal;
}
