package org.parallax.trace;

/**
 * A program or shared library that was loaded into a process.
 *
 * @param id number in its process, in the order of loading
 * @param loadNs when it was loaded
 * @param unloadNs when it was unloaded, {@link Long#MAX_VALUE} if it stayed
 * @param loadBias what was added to the addresses of the file
 * @param firstAddress the first address of the mapped range
 * @param endAddress the first address after it
 * @param buildId in hex, empty when the file has none
 * @param path absolute path of the file
 */
public record Module(int id, long loadNs, long unloadNs, long loadBias, long firstAddress,
    long endAddress, String buildId, String path) {

  /** The same module with times later by {@code deltaNs}. */
  Module movedBy(long deltaNs) {
    return new Module(id, loadNs + deltaNs,
        unloadNs == Long.MAX_VALUE ? unloadNs : unloadNs + deltaNs, loadBias, firstAddress,
        endAddress, buildId, path);
  }

  /** Whether the address lies in the mapped range (as unsigned numbers). */
  public boolean contains(long address) {
    return Long.compareUnsigned(address, firstAddress) >= 0
        && Long.compareUnsigned(address, endAddress) < 0;
  }

  /** The file's name without its directory. */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
