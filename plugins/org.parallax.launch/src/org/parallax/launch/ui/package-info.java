/** The tabs of launches, their shortcuts and questions. */
package org.parallax.launch.ui;
