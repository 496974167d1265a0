/** The timeline: what threads do when, drawn at the level of detail of pixels. */
package org.parallax.ui.timeline;
