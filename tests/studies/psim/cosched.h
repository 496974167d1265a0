// What processes ask of the co-scheduler.
#ifndef PARALLAX_STUDIES_COSCHED_H
#define PARALLAX_STUDIES_COSCHED_H

// Registers this process as one of an application; from then on it runs in turns with those of
// others. Returns a descriptor that lasts as long as the registration, or -1 with errno.
int registerWithCoscheduler(const char* socketPath, const char* application);

#endif
