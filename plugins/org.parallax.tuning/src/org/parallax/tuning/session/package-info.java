/** A session of tuning: live, recorded, and replayed. */
package org.parallax.tuning.session;
