/**
 * Reads and writes session and experiment files, and finds the runs that a path stands for: {@link
 * org.parallax.model.files.RunResolver} is the only place that does so.
 */
package org.parallax.model.files;
