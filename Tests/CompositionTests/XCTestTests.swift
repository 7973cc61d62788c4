#if canImport(XCTest) && !canImport(Darwin)
import Composition
import CompositionTesting
import XCTest

/// Overrides in XCTest: once for all tests of a class.
final class XCTestTests: XCTestCase {
    private var failures: [String] = []

    override func invokeTest() {
        withDependencies {
            $0.greeting = "Hi"
        } operation: {
            super.invokeTest()
        }
    }

    func testOverridesHoldInEachTest() {
        XCTAssertEqual(Greeter().greeting, "Hi")
    }

    func testAMissingOverrideFailsTheTestWhichGoesOn() {
        XCTAssertEqual(Greeter().place, "World")
        XCTAssertEqual(failures.count, 1)
        XCTAssert(failures.first?.contains("withDependencies { $0.place = … }") ?? false)
    }

    func testAMissingOverrideOnAnotherThreadFailsTheTest() {
        let greeter = Greeter()
        let isRead = expectation(description: "read")
        DispatchQueue.global().async {
            _ = greeter.place
            isRead.fulfill()
        }
        wait(for: [isRead], timeout: 60)
        XCTAssertEqual(failures.count, 1)
    }

    /// Stores the failures that these tests expect.
    override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
        if description.contains("without overriding it") {
            failures.append(description)
        } else {
            super.recordFailure(
                withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
        }
    }
}
#endif
