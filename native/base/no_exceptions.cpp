// The functions that libstdc++'s headers call instead of throwing. libstdc++'s own functions need
// the whole support of exceptions, whose constructors cost memory and time in each process with the
// agent.
namespace std {

[[noreturn]] __attribute__((visibility("hidden"))) void __throw_out_of_range_fmt(const char*, ...);
void __throw_out_of_range_fmt(const char*, ...) { __builtin_trap(); }

}  // namespace std
