package org.parallax.model.program;

/**
 * A procedure of a trace.
 *
 * @param name the function as the compiler recorded it, demangled; the routine's name for an
 *     intercepted one; {@code module+0xoffset} of its beginning where it could not be resolved
 * @param file the source file as the compiler recorded it, empty where unknown
 * @param line the line where it is declared, else a line in it, 0 where both are unknown
 * @param module path of the program or library that holds it, empty for intercepted routines
 * @param reason why it could not be resolved, empty otherwise
 */
public record ProcedureInfo(String name, String file, int line, String module, ProcedureKind kind,
    String reason) {
}
