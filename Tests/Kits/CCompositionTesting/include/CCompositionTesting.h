#ifndef CCOMPOSITIONTESTING_H
#define CCOMPOSITIONTESTING_H

/// Whether the kit was installed. Referred to by the kit, so that a linker which takes only what is used takes this too.
int composition_testing_is_installed(void);

#endif
