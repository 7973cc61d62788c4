#if canImport(XCTest)
public import Streams
import XCTest

/// Asserts that two lists of events are equal, and reports where they differ.
@preconcurrency
public func XCTAssertEqual<Element: Equatable & Sendable>(
    _ lhs: [Event<Element>], _ rhs: [Event<Element>], file: StaticString = #filePath, line: UInt = #line
) { assertEqual(lhs, rhs, ==, file, line) }

/// Asserts that two lists of single events are equal, and reports where they differ.
@preconcurrency
public func XCTAssertEqual<Element: Equatable & Sendable>(
    _ lhs: [SingleEvent<Element>], _ rhs: [SingleEvent<Element>], file: StaticString = #filePath,
    line: UInt = #line
) { assertEqual(lhs, rhs, ==, file, line) }

/// Asserts that two lists of recorded events are equal, including ticks, and reports where they differ.
@preconcurrency
public func XCTAssertEqual<Element: Equatable & Sendable>(
    _ lhs: [Recorded<Event<Element>>], _ rhs: [Recorded<Event<Element>>], file: StaticString = #filePath,
    line: UInt = #line
) { assertEqual(lhs, rhs, ==, file, line) }

/// Asserts that two lists of recorded events are equal, including ticks, and reports where they differ.
@preconcurrency
public func XCTAssertEqual<Element: Equatable & Sendable>(
    _ lhs: [Recorded<Event<Element?>>], _ rhs: [Recorded<Event<Element?>>], file: StaticString = #filePath,
    line: UInt = #line
) { assertEqual(lhs, rhs, ==, file, line) }

/// Asserts that the recorded events contain exactly these elements, regardless of ticks.
@preconcurrency
public func XCTAssertRecordedElements<Element: Equatable & Sendable>(
    _ stream: [Recorded<Event<Element>>], _ elements: [Element], file: StaticString = #filePath,
    line: UInt = #line
) { assertEqual(stream.compactMap(\.value.element), elements, ==, file, line) }

private func assertEqual<Item>(
    _ lhs: [Item], _ rhs: [Item], _ areEqual: (Item, Item) -> Bool, _ file: StaticString, _ line: UInt
) {
    let difference = describeDifference(lhs, rhs, areEqual)
    XCTAssertTrue(difference == nil, difference ?? "", file: file, line: line)
}
#endif
