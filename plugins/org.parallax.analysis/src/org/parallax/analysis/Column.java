package org.parallax.analysis;

/**
 * A column of a table.
 *
 * @param key field name in machine-readable output; documented and stable
 * @param label heading for people
 */
public record Column(String key, String label, Unit unit) {}
