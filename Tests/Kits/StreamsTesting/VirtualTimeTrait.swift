import Streams
import Synchronization

#if canImport(Testing)
public import Testing

/// Runs the whole test in the world of the ``TestScheduler`` that it creates.
///
/// Without this trait, only work that the scheduler runs, and work that is passed to ``TestScheduler/perform(_:)``,
/// is in that world. With it, tasks that streams start while the test itself subscribes or sends belong to it as
/// well, as do the drivers and signals that it creates after the scheduler, and a failure prints the seed of the scheduler.
///
/// ```swift
/// @Test(.virtualTime) func loadsOnce() {
///     let scheduler = TestScheduler()
///     let answer = scheduler.createObserver(Int.self)
///     _ = Observable.task { 42 }.subscribe(answer)
///     scheduler.run()
///     #expect(answer.events == [.next(0, 42), .completed(0)])
/// }
/// ```
public struct VirtualTimeTrait: TestTrait, SuiteTrait, TestScoping {
    public init() {}

    /// `true`: the trait applies to the tests of sub-suites as well.
    public var isRecursive: Bool { true }

    /// Runs a test in a virtual world of its own; throws what the test throws.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let scope = VirtualTimeScope()
        let home = TaskEnvironment(main: { scope.home?.main() }) { origin, operation in
            scope.home?.start(origin, operation)
        }
        let replayNotes = Self.replayNotes { scope.seed }
        try await VirtualTimeScope.$current.withValue(scope) {
            try await TaskEnvironment.$current.withValue(home) {
                try await replayNotes.provideScope(for: test, testCase: testCase, performing: function)
            }
        }
    }

    /// Returns a trait that adds a replay instruction to each failure, if there is a seed.
    package static func replayNotes(_ seed: @escaping @Sendable () -> UInt64?) -> IssueHandlingTrait {
        .compactMapIssues { issue in
            guard let replayComment = replayComment(for: seed()) else { return issue }
            var issue = issue
            issue.comments.append(replayComment)
            return issue
        }
    }

    /// Returns a replay instruction, if there is a seed.
    package static func replayComment(for seed: UInt64?) -> Comment? {
        seed.map { "Replay with TestScheduler(seed: \($0))." }
    }
}

extension Trait where Self == VirtualTimeTrait {
    /// Runs the whole test in the world of the ``TestScheduler`` that it creates.
    public static var virtualTime: Self { Self() }
}
#endif

/// The scheduler that a test with ``VirtualTimeTrait`` created last. A task-local value, so that each test has its own.
final class VirtualTimeScope: Sendable {
    @TaskLocal static var current: VirtualTimeScope?

    private let adopted = Mutex<(home: TaskEnvironment, seed: UInt64?)?>(nil)

    var home: TaskEnvironment? { adopted.withLock { $0?.home } }
    var seed: UInt64? { adopted.withLock { $0?.seed } }

    func adopt(_ home: TaskEnvironment, _ seed: UInt64?) { adopted.withLock { $0 = (home, seed) } }
}
