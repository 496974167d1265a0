/** What a session of tuning is doing, for the people who watch it. */
package org.parallax.tuning.live;
