import CompositionTesting
import Synchronization
import Testing
import TestReporting

/// A fake that stores what was saved: the default of tests.
private final class SavingStore: Sendable {
    let saved = Mutex<[Int]>([])
}

private enum SavingStoreKey: DependencyKey {
    static var liveValue: SavingStore { SavingStore() }
    static var testValue: SavingStore { SavingStore() }
}

private struct Editor {
    @Dependency(SavingStoreKey.self) var store

    func save(_ number: Int) { store.saved.withLock { $0.append(number) } }
    var saved: [Int] { store.saved.withLock { $0 } }
}

private let started = Atomic(0)

@Suite("The default values of a test", .timeLimit(.minutes(5)))
struct TestLifetimesTests {
    private static let count = 600

    // Without turns, so that all cases run at the same time.
    @Test("a test keeps its default values, however many tests run beside it", arguments: 0..<count)
    func keeps(number: Int) async {
        Editor().save(number)
        started.add(1, ordering: .relaxed)
        // Without parallelism, the others start later.
        for _ in 0..<2_000 where started.load(ordering: .relaxed) < Self.count { await Task.yield() }
        #expect(Editor().saved == [number])
    }

    @Test("the trait releases the default values of a test at its end")
    func releases() async throws {
        let (test, testCase) = try (#require(Test.current), Test.Case.current)
        let reference = Mutex(WeakStore())
        try await DependenciesTrait.dependencies.provideScope(for: test, testCase: testCase) {
            Editor().save(1)
            #expect(Editor().saved == [1])
            reference.withLock { $0.store = Editor().store }
        }
        #expect(reference.withLock { $0.store == nil })
        #expect(Editor().saved == [])
    }
}

private struct WeakStore {
    weak var store: SavingStore?
}
