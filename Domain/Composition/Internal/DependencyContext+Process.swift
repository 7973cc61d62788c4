#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension DependencyContext {
    /// Where this process runs.
    static let ofProcess = DependencyContext(
        program: CommandLine.arguments.first ?? "", environment: ProcessInfo.processInfo.environment,
        hasTestKit: TestKit.installed != nil)

    /// Where a process runs that was started so.
    init(program: String, environment: [String: String], hasTestKit: Bool) {
        // The runners of SwiftPM and of Xcode; the host application of a test bundle is known by its environment.
        let isRunner = [".xctest", "/xctest", "testing-helper"].contains(where: program.hasSuffix)
        let isHost = ["XCTestBundlePath", "XCTestConfigurationFilePath", "XCTestSessionIdentifier"]
            .contains { environment[$0] != nil }
        if environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1" {
            self = .preview
        } else {
            self = hasTestKit || isRunner || isHost ? .test : .live
        }
    }
}
