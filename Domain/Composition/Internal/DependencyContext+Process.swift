#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension DependencyContext {
    /// The context of this process.
    static let ofProcess = DependencyContext(
        program: CommandLine.arguments.first ?? "", environment: ProcessInfo.processInfo.environment,
        hasTestKit: TestKit.installed != nil)

    /// The context of a process with that program and environment.
    init(program: String, environment: [String: String], hasTestKit: Bool) {
        // The runners of SwiftPM and of Xcode; the environment identifies the host application of a test bundle.
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
