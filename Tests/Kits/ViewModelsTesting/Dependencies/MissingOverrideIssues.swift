public import Composition
import StreamsTesting

/// Makes missing overrides failures of the test that runs, in every test process that links this kit.
///
/// Not for use by tests. It is public because `Composition` finds it in the process by its name: production code does
/// not link a testing framework, and has no other way to make a test fail.
public enum MissingOverrideIssues: MissingOverrideReporting {
    /// Makes the test that runs fail, at the declaration of the dependency.
    package static func report(_ missing: MissingOverride) {
        callSite(of: missing).fail(missing.message)
    }

    static func callSite(of missing: MissingOverride) -> CallSite {
        guard let place = missing.place else {
            return CallSite(fileID: #fileID, filePath: #filePath, line: #line, column: #column)
        }
        return CallSite(fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
    }
}
