import CCompositionTesting
import Composition
import TestReporting

/// Called by the C module of this kit when the image is loaded.
@_cdecl("composition_testing_install")
func install() {
    TestKit(
        reporter: MissingOverrideReporter { RunningTests.report($0) },
        testValues: { TestLifetimes.testValues() }
    ).install()
    TestLifetimes.observe()
}

/// Whether that was done: always, unless a linker left the C module out.
package var isInstalled: Bool { composition_testing_is_installed() == 1 }

extension MissingOverride {
    /// A finding at the declaration of the dependency that was read.
    func finding(remark: String = "") -> Finding {
        guard let place else { return Finding(message + remark) }
        return Finding(
            message + remark, fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
    }
}
