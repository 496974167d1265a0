package org.parallax.tuning.model;

/**
 * A number of visits of a measure point.
 *
 * @param count how many
 * @param point of which
 */
public record Visits(long count, String point) {
}
