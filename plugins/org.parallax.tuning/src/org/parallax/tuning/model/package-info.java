/** Tuning models as data: files, their errors, and those that Parallax has. */
package org.parallax.tuning.model;
