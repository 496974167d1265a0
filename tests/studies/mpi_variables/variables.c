#include "variables.h"

#include <string.h>

int describe(int index, struct variable *variable) {
  int name_length = sizeof variable->name, description_length = sizeof variable->description;
  memset(variable, 0, sizeof *variable);
  variable->index = index;
  const int code = MPI_T_cvar_get_info(index, variable->name, &name_length, &variable->verbosity, &variable->type,
                                       &variable->items, variable->description, &description_length, &variable->bind,
                                       &variable->scope);
  for (char *c = variable->description; *c != 0; c++) {
    if (*c == '\n' || *c == '\r' || *c == '\t') *c = ' ';
  }
  return code;
}

int open_handle(struct variable *variable) {
  MPI_Comm comm = MPI_COMM_WORLD;
  return MPI_T_cvar_handle_alloc(variable->index, variable->bind == MPI_T_BIND_MPI_COMM ? &comm : NULL,
                                 &variable->handle, &variable->count);
}

int read_content(const struct variable *variable, union content *content) {
  memset(content, 0, sizeof *content);
  return MPI_T_cvar_read(variable->handle, content->bytes);
}

int write_content(const struct variable *variable, const union content *content) {
  return MPI_T_cvar_write(variable->handle, content->bytes);
}

const char *type_name(MPI_Datatype type) {
  if (type == MPI_INT) return "int";
  if (type == MPI_UNSIGNED) return "unsigned";
  if (type == MPI_LONG) return "long";
  if (type == MPI_UNSIGNED_LONG) return "unsigned long";
  if (type == MPI_UNSIGNED_LONG_LONG) return "unsigned long long";
  if (type == MPI_COUNT) return "count";
  if (type == MPI_CHAR) return "text";
  if (type == MPI_DOUBLE) return "double";
  if (type == MPI_C_BOOL) return "bool";
  if (type == MPI_INT32_T) return "int32";
  if (type == MPI_UINT32_T) return "uint32";
  if (type == MPI_INT64_T) return "int64";
  if (type == MPI_UINT64_T) return "uint64";
  return "other";
}

const char *scope_name(int scope) {
  switch (scope) {
    case MPI_T_SCOPE_CONSTANT: return "constant";
    case MPI_T_SCOPE_READONLY: return "read-only";
    case MPI_T_SCOPE_LOCAL: return "local";
    case MPI_T_SCOPE_GROUP: return "group";
    case MPI_T_SCOPE_GROUP_EQ: return "group-equal";
    case MPI_T_SCOPE_ALL: return "all";
    case MPI_T_SCOPE_ALL_EQ: return "all-equal";
    default: return "unknown";
  }
}

const char *bind_name(int bind) {
  switch (bind) {
    case MPI_T_BIND_NO_OBJECT: return "none";
    case MPI_T_BIND_MPI_COMM: return "communicator";
    case MPI_T_BIND_MPI_DATATYPE: return "datatype";
    case MPI_T_BIND_MPI_ERRHANDLER: return "errhandler";
    case MPI_T_BIND_MPI_FILE: return "file";
    case MPI_T_BIND_MPI_GROUP: return "group";
    case MPI_T_BIND_MPI_OP: return "op";
    case MPI_T_BIND_MPI_REQUEST: return "request";
    case MPI_T_BIND_MPI_WIN: return "window";
    case MPI_T_BIND_MPI_MESSAGE: return "message";
    case MPI_T_BIND_MPI_INFO: return "info";
    default: return "unknown";
  }
}

const char *code_name(int code) {
  if (code == MPI_SUCCESS) return "yes";
  if (code == MPI_T_ERR_CVAR_SET_NEVER) return "never";
  if (code == MPI_T_ERR_CVAR_SET_NOT_NOW) return "not-now";
  if (code == MPI_T_ERR_INVALID_INDEX) return "invalid-index";
  if (code == MPI_T_ERR_INVALID_HANDLE) return "invalid-handle";
  if (code == MPI_T_ERR_MEMORY) return "no-memory";
  if (code == MPI_T_ERR_OUT_OF_HANDLES) return "out-of-handles";
  return "refused";
}

int is_integer(MPI_Datatype type) { return type != MPI_CHAR && type != MPI_DOUBLE && strcmp(type_name(type), "other") != 0; }

static int size_of(MPI_Datatype type) {
  int size = 0;
  MPI_Type_size(type, &size);
  return size;
}

// Of the first element.
long long integer_of(const struct variable *variable, const union content *content) {
  long long value = 0;
  const int size = size_of(variable->type);
  memcpy(&value, content->bytes, size);
  const int isSigned = variable->type == MPI_INT || variable->type == MPI_INT32_T || variable->type == MPI_LONG;
  return size == sizeof(int) && isSigned ? (int)value : value;
}

void set_integer(const struct variable *variable, union content *content, long long value) {
  memcpy(content->bytes, &value, size_of(variable->type));
}

int is_same(const struct variable *variable, const union content *one, const union content *other) {
  if (variable->type == MPI_CHAR) return strcmp(one->bytes, other->bytes) == 0;
  return memcmp(one->bytes, other->bytes, (size_t)size_of(variable->type) * variable->count) == 0;
}
