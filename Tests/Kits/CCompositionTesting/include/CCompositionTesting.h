#ifndef CCOMPOSITIONTESTING_H
#define CCOMPOSITIONTESTING_H

/// Whether the kit was installed. The kit references it, so that a linker that removes unused code keeps this module.
int composition_testing_is_installed(void);

#endif
