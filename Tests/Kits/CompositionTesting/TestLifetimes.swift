import Composition
import TestReporting

#if canImport(Testing)
import Testing
#endif
#if canImport(XCTest)
import XCTest
#endif

/// The default values of each test without a trait that stores them.
///
/// Swift Testing reports no end of a test, and any number of tests may be suspended at a time. So a value is kept until
/// the process ends: memory grows with the number of tests that read default values. The trait `.dependencies` stores
/// them itself, and releases them when its test ends.
enum TestLifetimes {
    private struct State {
        var values: [String: TestValues] = [:]
        /// The values of the running test of XCTest: one at a time in a process.
        var ofXCTest: TestValues?
    }

    private static let state = Guarded(State())

    /// The values of the running test; `nil` if the test is unknown.
    static func testValues() -> TestValues? {
        #if canImport(Testing)
        if let name = nameOfTest { return values(named: name) }
        #endif
        return state.withLock { $0.ofXCTest }
    }

    private static func values(named name: String) -> TestValues {
        state.withLock { state in
            if let values = state.values[name] { return values }
            let values = TestValues()
            state.values[name] = values
            return values
        }
    }

    #if canImport(Testing)
    private static var nameOfTest: String? {
        guard let test = Test.current else { return nil }
        guard let testCase = Test.Case.current, testCase.isParameterized else { return "\(test.id)" }
        return "\(test.id) \(testCase)"
    }
    #endif

    /// Begins to observe the tests of XCTest.
    static func observe() {
        #if canImport(XCTest)
        XCTestObservationCenter.shared.addTestObserver(Observer())
        #endif
    }

    #if canImport(XCTest)
    private final class Observer: NSObject, XCTestObservation {
        func testCaseWillStart(_ testCase: XCTestCase) { TestLifetimes.set(TestValues()) }
        func testCaseDidFinish(_ testCase: XCTestCase) { TestLifetimes.set(nil) }
    }

    private static func set(_ values: TestValues?) {
        let former = state.withLock { state in
            defer { state.ofXCTest = values }
            return state.ofXCTest
        }
        withExtendedLifetime(former) {}
    }
    #endif
}
