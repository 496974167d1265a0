// A control variable of MPI_T and its values, the calls that are timed, and both commands.
#ifndef PARALLAX_STUDIES_MPI_VARIABLES_H
#define PARALLAX_STUDIES_MPI_VARIABLES_H

#include <mpi.h>

enum { MOST_BYTES = 4096, MOST_VALUES = 16, MOST_CALLS = 16 };

// What a handle reads and writes: several elements, or a text.
union content {
  char bytes[MOST_BYTES];
  long long aligned;
};

struct variable {
  char name[256], description[MOST_BYTES];
  int index, verbosity, bind, scope, count;
  MPI_Datatype type;
  MPI_T_enum items;
  MPI_T_cvar_handle handle;
};

// All return a code of MPI_T.
int describe(int index, struct variable *variable);
int open_handle(struct variable *variable);
int read_content(const struct variable *variable, union content *content);
int write_content(const struct variable *variable, const union content *content);

const char *type_name(MPI_Datatype type);
const char *scope_name(int scope);
const char *bind_name(int bind);
const char *code_name(int code);
int is_integer(MPI_Datatype type);
long long integer_of(const struct variable *variable, const union content *content);
void set_integer(const struct variable *variable, union content *content, long long value);
int is_same(const struct variable *variable, const union content *one, const union content *other);

// A call of a name such as "allreduce", "iallreduce", "neighbor_alltoall" or "pingpong" with a number of bytes.
struct call {
  char name[40];
  int bytes;
};
// Returns 0 for a name that is unknown.
int is_call(const char *name);
int needs_neighbours(const char *name);
// Whether it is the limit of eager messages that is measured, in bytes, and no time.
int is_limit(const char *name);
void make_buffers(int bytes);
// Returns the nanoseconds that this process spends in the call.
double timed_call(const struct call *call, MPI_Comm comm);
// Whether this process received what it should by one more call.
int is_right(const struct call *call, MPI_Comm comm);

int probe(int count, char **names);
int effect(int count, char **arguments);

#endif
