import Composition
import TestReporting

#if canImport(Testing)
import Testing
#endif
#if canImport(XCTest)
import XCTest
#endif

/// The default values of each test without a trait that stores them.
enum TestLifetimes {
    private struct State {
        var values: [String: TestValues] = [:]
        var order: [String] = []
        /// The values of the running test of XCTest: one at a time in a process.
        var ofXCTest: TestValues?
    }

    private static let state = Guarded(State())

    /// Swift Testing does not report the end of a test, so the values of the newest tests are kept.
    private static let limit = 256

    /// The values of the running test; `nil` if the test is unknown.
    static func testValues() -> TestValues? {
        #if canImport(Testing)
        if let name = nameOfTest { return values(named: name) }
        #endif
        return state.withLock { $0.ofXCTest }
    }

    private static func values(named name: String) -> TestValues {
        let new = TestValues()
        let (values, dropped) = state.withLock { state -> (TestValues, TestValues?) in
            if let values = state.values[name] { return (values, nil) }
            state.values[name] = new
            state.order.append(name)
            let oldest = state.order.count > limit ? state.order.removeFirst() : nil
            return (new, oldest.flatMap { state.values.removeValue(forKey: $0) })
        }
        withExtendedLifetime(dropped) {}  // release outside the lock
        return values
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
