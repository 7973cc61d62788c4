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

/// Whether the kit is installed: always, unless a linker removed the C module.
package var isInstalled: Bool { composition_testing_is_installed() == 1 }

extension MissingOverride {
    /// A finding at the declaration of the dependency that was read.
    func finding(remark: String = "") -> Finding {
        guard let position else { return Finding(message + remark) }
        return Finding(
            message + remark, fileID: position.fileID, filePath: position.filePath, line: position.line,
            column: position.column)
    }
}
