/** An analysis and a trace format that another plug-in adds, as an example and for tests. */
package org.parallax.example;
