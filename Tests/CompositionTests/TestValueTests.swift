import Composition
import CompositionTesting
import Synchronization
import TestTurns
import Testing

/// Counts how often its test value is made.
private final class Session: Sendable {
    static let made = Atomic(0)
    let number = Session.made.add(1, ordering: .relaxed).newValue
}

private enum SessionKey: DependencyKey {
    static var liveValue: Session { Session() }
    static var testValue: Session { Session() }
}

private struct Screen {
    @Dependency(SessionKey.self) var session
}

@Suite("The default value of a test", .takesTurns)
struct TestValueTests {
    /// Suites are made for each test and each case: their dependencies are those of the test.
    private let screen = Screen()

    @Test("a default test value is the same for all reads and owners, inside and outside of scopes")
    func isMadeOnce() async {
        let first = screen.session
        #expect(screen.session === first)
        #expect(Screen().session === first)
        withDependencies {
            $0.greeting = "Hi"
        } operation: {
            #expect(Screen().session === first)
        }
        let child = await Task { Screen().session }.value
        #expect(child === first)
    }

    @Test("a default test value differs between tests and cases", arguments: 0..<4)
    func isNotShared(_: Int) {
        let numbers = Self.numbers.withLock { numbers in
            numbers.append(screen.session.number)
            return numbers
        }
        #expect(Set(numbers).count == numbers.count)
    }

    private static let numbers = Mutex<[Int]>([])

    @Test(
        "a default test value differs between tests and cases, with the trait", .dependencies { _ in }, arguments: 0..<4
    )
    func isNotSharedWithTheTrait(_: Int) {
        #expect(Screen().session === screen.session)
        let numbers = Self.numbers.withLock { numbers in
            numbers.append(screen.session.number)
            return numbers
        }
        #expect(Set(numbers).count == numbers.count)
    }

    @Test("a scope may override one member of a default test value")
    func partly() {
        struct Client: Sendable {
            var load = { @Sendable in "test" }
            var save = { @Sendable in "test" }
        }
        enum ClientKey: DependencyKey {
            static var liveValue: Client { fromCompositionRoot(placeholder: Client()) }
            static var testValue: Client { Client() }
        }
        withDependencies {
            $0[ClientKey.self].load = { "mine" }
        } operation: {
            let client = DependencyValues.current[ClientKey.self]
            #expect(client.load() == "mine")
            #expect(client.save() == "test")
        }
    }
}
