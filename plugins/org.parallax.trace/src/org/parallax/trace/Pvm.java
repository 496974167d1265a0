package org.parallax.trace;

/**
 * What a process knows of PVM.
 *
 * @param machine shared by the tasks of one virtual machine
 * @param task this process's task id
 * @param parentTask the task id of who spawned it, 0 for none
 */
public record Pvm(long machine, int task, int parentTask) {
}
