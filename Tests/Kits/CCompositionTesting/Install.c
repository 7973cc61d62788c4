#include "CCompositionTesting.h"

// Defined in the Swift module CompositionTesting: installs the kit in Composition. Swift cannot run code when an image is
// loaded, so a kit that is only linked would otherwise never run.
extern void composition_testing_install(void);

static int is_installed = 0;

__attribute__((constructor)) static void install(void) {
    composition_testing_install();
    is_installed = 1;
}

int composition_testing_is_installed(void) { return is_installed; }
