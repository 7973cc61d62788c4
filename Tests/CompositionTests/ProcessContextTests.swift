import Testing

@testable import Composition

@Suite("The context of a process")
struct ProcessContextTests {
    @Test(
        "the context of a process follows from its program, its environment and its linked test kit",
        arguments: [
            ("/usr/bin/traveline", [:], false, DependencyContext.live),
            ("", [:], false, .live),
            ("/build/debug/travelinePackageTests.xctest", [:], false, .test),
            ("/Xcode/usr/bin/xctest", [:], false, .test),
            ("/Xcode/usr/libexec/swiftpm-testing-helper", [:], false, .test),
            ("/App.app/App", ["XCTestConfigurationFilePath": ""], false, .test),
            ("/App.app/App", ["XCTestBundlePath": "/App.app/PlugIns/AppTests.xctest"], false, .test),
            ("/App.app/App", [:], true, .test),
            ("/App.app/App", ["XCODE_RUNNING_FOR_PREVIEWS": "1"], false, .preview),
            ("/App.app/App", ["XCODE_RUNNING_FOR_PREVIEWS": "0"], false, .live),
        ])
    func isFound(program: String, environment: [String: String], hasTestKit: Bool, context: DependencyContext) {
        #expect(DependencyContext(program: program, environment: environment, hasTestKit: hasTestKit) == context)
    }

    @Test("the context of a process with a linked test kit is a test")
    func here() {
        #expect(TestKit.installed != nil)
        #expect(DependencyContext.ofProcess == .test)
        #expect(DependencyValues.current.context == .test)
    }
}
