/** The tabs of launches, their shortcut and questions, and the view of measurements. */
package org.parallax.launch.ui;
