// What each variable does when it is read and written, in a child process.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "variables.h"

enum { MOST_SECONDS = 3 };

static void print_items(int out, const struct variable *variable) {
  char name[256] = "";
  int count = 0, length = sizeof name;
  if (variable->items == MPI_T_ENUM_NULL) return;
  if (MPI_T_enum_get_info(variable->items, &count, name, &length) != MPI_SUCCESS) return;
  for (int i = 0; i < count; i++) {
    int value = 0;
    length = sizeof name;
    if (MPI_T_enum_get_item(variable->items, i, &value, name, &length) == MPI_SUCCESS) dprintf(out, "item %d %s\n", value, name);
  }
}

static void print_value(int out, const struct variable *variable, const union content *content) {
  if (variable->type == MPI_CHAR) {
    dprintf(out, "value %.*s\n", (int)strcspn(content->bytes, "\r\n"), content->bytes);
  } else if (variable->type == MPI_DOUBLE) {
    double value = 0;
    memcpy(&value, content->bytes, sizeof value);
    dprintf(out, "value %g\n", value);
  } else if (is_integer(variable->type)) {
    dprintf(out, "value %lld\n", integer_of(variable, content));
  }
}

// The number-th other value that the variable may take: its items, then a near one. Returns 0 if there is none.
static int change(const struct variable *variable, union content *content, int number) {
  if (variable->type == MPI_CHAR) {
    strcpy(content->bytes, content->bytes[0] == 'x' ? "y" : "x");
    return number == 0;
  }
  if (variable->type == MPI_DOUBLE) {
    double value = 0;
    memcpy(&value, content->bytes, sizeof value);
    value += 1;
    memcpy(content->bytes, &value, sizeof value);
    return number == 0;
  }
  if (!is_integer(variable->type)) return 0;
  const long long before = integer_of(variable, content);
  char name[256];
  int count = 0, value = 0, length = sizeof name;
  if (variable->items != MPI_T_ENUM_NULL) MPI_T_enum_get_info(variable->items, &count, name, &length);
  length = sizeof name;
  if (number < count && MPI_T_enum_get_item(variable->items, number, &value, name, &length) == MPI_SUCCESS) {
    set_integer(variable, content, value);
  } else {
    set_integer(variable, content, before == 1 ? 0 : before + 1);
  }
  return number <= count;
}

// A crash ends the line of steps; the last one is that which crashed.
static void access_variable(int out, struct variable *variable) {
  dprintf(out, "step handle\n");
  int code = open_handle(variable);
  if (code != MPI_SUCCESS) {
    dprintf(out, "read %s\n", code_name(code));
    return;
  }
  dprintf(out, "count %d\n", variable->count);
  if (variable->count > (int)(MOST_BYTES / sizeof(double)) && variable->type != MPI_CHAR) return;
  dprintf(out, "step read\n");
  union content first, second, found;
  code = read_content(variable, &first);
  dprintf(out, "read %s\n", code_name(code));
  if (code != MPI_SUCCESS) return;
  print_value(out, variable, &first);
  dprintf(out, "step write\n");
  code = write_content(variable, &first);
  if (code != MPI_SUCCESS) {
    dprintf(out, "write %s\n", code_name(code));
    return;
  }
  code = MPI_T_ERR_CVAR_SET_NEVER;
  second = first;
  for (int i = 0; code != MPI_SUCCESS && change(variable, &second, i); i++) {
    if (!is_same(variable, &first, &second)) code = write_content(variable, &second);
    if (code != MPI_SUCCESS) second = first;
  }
  dprintf(out, "write %s\n", code == MPI_SUCCESS ? "yes" : "same-only");
  if (code != MPI_SUCCESS) return;
  dprintf(out, "step read-back\n");
  if (read_content(variable, &found) == MPI_SUCCESS) {
    dprintf(out, "read_back %s\n", is_same(variable, &second, &found) ? "yes" : "no");
  }
}

// Never returns. It writes at once, so that what was done before a crash is known.
static void child(int out, int index) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM, SIGALRM, SIGPIPE};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  alarm(MOST_SECONDS);
  struct variable variable;
  dprintf(out, "step describe\n");
  const int code = describe(index, &variable);
  if (code != MPI_SUCCESS) {
    dprintf(out, "describe %s\n", code_name(code));
  } else {
    dprintf(out, "name %s\ntype %s\nscope %s\nbind %s\nverbosity %d\ndescription %s\n", variable.name,
            type_name(variable.type), scope_name(variable.scope), bind_name(variable.bind), variable.verbosity,
            variable.description);
    print_items(out, &variable);
    access_variable(out, &variable);
  }
  dprintf(out, "step end\n");
  _exit(0);
}

static void probe_one(int index) {
  int ends[2], status = 0;
  char text[4096];
  if (pipe(ends) != 0) return;
  printf("variable %d\n", index);
  fflush(stdout);
  const pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    child(ends[1], index);
  }
  close(ends[1]);
  for (ssize_t length; (length = read(ends[0], text, sizeof text)) > 0;) fwrite(text, 1, (size_t)length, stdout);
  close(ends[0]);
  if (pid < 0 || waitpid(pid, &status, 0) != pid) {
    printf("ended unknown\n");
  } else if (WIFSIGNALED(status)) {
    printf("ended %s\n", WTERMSIG(status) == SIGALRM ? "hang" : strsignal(WTERMSIG(status)));
  } else {
    printf("ended %s\n", WEXITSTATUS(status) == 0 ? "well" : "exit");
  }
}

int probe(int count, char **names) {
  int all = 0;
  MPI_T_cvar_get_num(&all);
  if (count == 0) {
    for (int i = 0; i < all; i++) probe_one(i);
  }
  for (int i = 0; i < count; i++) {
    int index = 0;
    if (MPI_T_cvar_get_index(names[i], &index) == MPI_SUCCESS) probe_one(index);
  }
  printf("complete 1\n");
  return 0;
}
