// What libstdc++'s headers call where they would throw. Its own comes with all of exceptions, whose
// constructors take memory and time in every process that the agent is loaded into.
namespace std {

[[noreturn]] __attribute__((visibility("hidden"))) void __throw_out_of_range_fmt(const char*, ...);
void __throw_out_of_range_fmt(const char*, ...) { __builtin_trap(); }

}  // namespace std
