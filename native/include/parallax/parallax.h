/* Phases, marks, metrics and own barriers of a program in the traces of Parallax, and places at which its
 * experiments may delay it. C89 and later, C++.
 *
 *   #include <parallax/parallax.h>
 *
 *   parallax_phase_begin("assembly");
 *   ...
 *   parallax_phase_end("assembly");
 *   parallax_mark("matrix singular");
 *
 *   static parallax_metric residual;
 *   residual = parallax_define("residual", "", PARALLAX_GAUGE, PARALLAX_DOUBLE);
 *   parallax_set_double(residual, r);
 *
 *   parallax_barrier("step", &barrier, threads, spin_until_all_are_there, &barrier);
 *
 *   parallax_delay_point("before the exchange");
 *
 *   parallax_pause();
 *   warm_up();
 *   parallax_resume();
 *
 *   static long work_unit = 64;
 *   parallax_tunable_i64("work_unit", &work_unit, 1, 4096);
 *   parallax_work_done(rows);
 *
 * Nothing need be linked: the functions are found when the program is loaded by the agent of
 * Parallax (parallax record -- PROGRAM). Without it each call is the load of a word, its
 * comparison with zero and a branch. Where the compiler or the machine cannot do that (anything
 * but GCC and Clang on x86_64 ELF systems), or with PARALLAX_DISABLE defined, calls are nothing.
 *
 * Phases nest within a thread, and end in the reverse order of their beginning. Names are copied
 * at their first use. All may be called by any thread at any time, also in signal handlers.
 */
#ifndef PARALLAX_PARALLAX_H
#define PARALLAX_PARALLAX_H

#define PARALLAX_API_VERSION 1

typedef unsigned int parallax_metric; /* 0: there is no agent, or it has no room for it */

/* What values mean: one of many at a time, or a total that only grows. */
enum parallax_metric_kind { PARALLAX_GAUGE = 0, PARALLAX_COUNTER = 1 };
/* The type of its values; the other type's function converts. */
enum parallax_metric_type { PARALLAX_UINT64 = 0, PARALLAX_DOUBLE = 1 };

#if defined(__GNUC__) && defined(__x86_64__) && defined(__ELF__) && !defined(PARALLAX_DISABLE)

#define PARALLAX_FUNCTION \
  static __inline__ __attribute__((unused, always_inline, no_instrument_function))

/* The address of a function of the agent, or 0. The word stands in the global offset table, which
 * the dynamic linker fills in, also in programs that are not position-independent. */
#define PARALLAX_FIND(name, address)          \
  __asm__(".weak parallax_agent_" #name "\n\t" \
          "movq parallax_agent_" #name "@GOTPCREL(%%rip), %0" : "=r"(address))

PARALLAX_FUNCTION void parallax_phase_begin(const char* name) {
  void (*agent)(const char*);
  PARALLAX_FIND(phase_begin, agent);
  if (__builtin_expect(agent != 0, 0)) agent(name);
}

PARALLAX_FUNCTION void parallax_phase_end(const char* name) {
  void (*agent)(const char*);
  PARALLAX_FIND(phase_end, agent);
  if (__builtin_expect(agent != 0, 0)) agent(name);
}

/* An event: something that happens at one moment. */
PARALLAX_FUNCTION void parallax_mark(const char* name) {
  void (*agent)(const char*);
  PARALLAX_FIND(mark, agent);
  if (__builtin_expect(agent != 0, 0)) agent(name);
}

/* Returns the metric of this name; the first definition counts. */
PARALLAX_FUNCTION parallax_metric parallax_define(const char* name, const char* unit,
                                                  enum parallax_metric_kind kind,
                                                  enum parallax_metric_type type) {
  parallax_metric (*agent)(const char*, const char*, int, int);
  PARALLAX_FIND(define, agent);
  return __builtin_expect(agent != 0, 0) ? agent(name, unit, (int)kind, (int)type) : 0;
}

PARALLAX_FUNCTION void parallax_set_uint64(parallax_metric metric, unsigned long value) {
  void (*agent)(parallax_metric, unsigned long);
  PARALLAX_FIND(set_uint64, agent);
  if (__builtin_expect(agent != 0, 0)) agent(metric, value);
}

PARALLAX_FUNCTION void parallax_set_double(parallax_metric metric, double value) {
  void (*agent)(parallax_metric, double);
  PARALLAX_FIND(set_double, agent);
  if (__builtin_expect(agent != 0, 0)) agent(metric, value);
}

/* Calls wait(argument), which waits at a barrier that the program has made itself until as many
 * participants have called it: threads, or processes that share the memory at `barrier`, whose
 * address says which one it is. It is a call of that name in profiles, and what it waits, spinning
 * or not, is time at a barrier; what it calls is part of it. Also without the agent wait is called. */
PARALLAX_FUNCTION void parallax_barrier(const char* name, const void* barrier,
                                        unsigned int participants, void (*wait)(void*),
                                        void* argument) {
  void (*agent)(const char*, const void*, unsigned int, void (*)(void*), void*);
  PARALLAX_FIND(barrier, agent);
  if (__builtin_expect(agent != 0, 0)) {
    agent(name, barrier, participants, wait, argument);
  } else {
    wait(argument);
  }
}

/* Nothing that this process does from here on is recorded, until parallax_resume(), in all of its threads and in
 * the processes that it forks meanwhile. The time is shown as not recorded. Pausing twice is pausing once. */
PARALLAX_FUNCTION void parallax_pause(void) {
  void (*agent)(void);
  PARALLAX_FIND(pause, agent);
  if (__builtin_expect(agent != 0, 0)) agent();
}

PARALLAX_FUNCTION void parallax_resume(void) {
  void (*agent)(void);
  PARALLAX_FIND(resume, agent);
  if (__builtin_expect(agent != 0, 0)) agent();
}

/* A place that an experiment can name (macro:NAME): delays, or what else it tries there, are put in and
 * counted when the experiment has a factor there; else nothing is. A statement. The name must be the
 * same each time, as it is looked up once. */
#define parallax_delay_point(name)                                   \
  do {                                                               \
    static const void* parallax_site;                                \
    void (*parallax_agent)(const char*, const void**);               \
    PARALLAX_FIND(delay_point, parallax_agent);                      \
    if (__builtin_expect(parallax_agent != 0, 0)) {                  \
      parallax_agent(name, &parallax_site);                          \
    }                                                                \
  } while (0)

/* A variable that live tuning may change, within limits, while the program runs: "work_unit", say. It must exist as long as
 * the program. The program reads it as usual; it changes only inside a call that Parallax intercepts, such as one of MPI or PVM, or
 * in parallax_tuning_point(). A variable of the same name that is declared later takes the place of the first one. */
enum parallax_tunable_type { PARALLAX_TUNABLE_I64 = 2, PARALLAX_TUNABLE_F64 = 5 };

PARALLAX_FUNCTION void parallax_tunable_i64(const char* name, long* variable, long least, long most) {
  void (*agent)(const char*, int, void*, unsigned long, unsigned long);
  PARALLAX_FIND(tunable, agent);
  if (__builtin_expect(agent != 0, 0)) agent(name, PARALLAX_TUNABLE_I64, variable, (unsigned long)least, (unsigned long)most);
}

PARALLAX_FUNCTION void parallax_tunable_f64(const char* name, double* variable, double least, double most) {
  void (*agent)(const char*, int, void*, unsigned long, unsigned long);
  PARALLAX_FIND(tunable, agent);
  if (__builtin_expect(agent != 0, 0)) {
    union {
      double number;
      unsigned long bits;
    } low, high;
    low.number = least;
    high.number = most;
    agent(name, PARALLAX_TUNABLE_F64, variable, low.bits, high.bits);
  }
}

/* A place at which live tuning may change variables and call functions of the program. */
PARALLAX_FUNCTION void parallax_tuning_point(void) {
  void (*agent)(void);
  PARALLAX_FIND(tuning_point, agent);
  if (__builtin_expect(agent != 0, 0)) agent();
}

/* So much of the program's work is done, in any unit that stays the same: rows, tasks, particles. Live tuning judges by the time
 * for it whether a change helps. Call it in a process that declares the variable to be tuned, as a master does for each answer
 * of a worker. As parallax_tuning_point(), it is a place at which live tuning may change variables. */
PARALLAX_FUNCTION void parallax_work_done(unsigned long amount) {
  void (*agent)(unsigned long);
  PARALLAX_FIND(work_done, agent);
  if (__builtin_expect(agent != 0, 0)) agent(amount);
}

#else

#define parallax_tunable_i64(name, variable, least, most) ((void)(name), (void)(variable), (void)(least), (void)(most))
#define parallax_tunable_f64(name, variable, least, most) ((void)(name), (void)(variable), (void)(least), (void)(most))
#define parallax_tuning_point() ((void)0)
#define parallax_work_done(amount) ((void)(amount))
#define parallax_delay_point(name) ((void)(name))
#define parallax_phase_begin(name) ((void)(name))
#define parallax_phase_end(name) ((void)(name))
#define parallax_mark(name) ((void)(name))
#define parallax_pause() ((void)0)
#define parallax_resume() ((void)0)
#define parallax_define(name, unit, kind, type) \
  ((void)(name), (void)(unit), (void)(kind), (void)(type), (parallax_metric)0)
#define parallax_set_uint64(metric, value) ((void)(metric), (void)(value))
#define parallax_set_double(metric, value) ((void)(metric), (void)(value))
#define parallax_barrier(name, barrier, participants, wait, argument) \
  ((void)(name), (void)(barrier), (void)(participants), (wait)(argument))

#endif

#ifdef __cplusplus
namespace parallax {

/* A phase from here to the end of the block: const parallax::Phase phase("solve"); */
class Phase {
 public:
  explicit Phase(const char* name) : name_(name) { parallax_phase_begin(name); }
  ~Phase() { parallax_phase_end(name_); }

 private:
  Phase(const Phase&);
  Phase& operator=(const Phase&);
  const char* name_;
};

}
#endif

#endif
