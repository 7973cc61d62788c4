#if canImport(Testing)
    import Streams
    public import Testing

    /// Puts all that a test does into the world of the ``TestScheduler`` that it makes.
    ///
    /// Without it, that world is what the scheduler runs, and what is handed to ``TestScheduler/perform(_:)``. With it,
    /// tasks that streams start while the test itself subscribes or sends live there as well; and when the test
    /// fails, the seed of its scheduler is told.
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
        /// A trait for one test, or all tests of a suite.
        public init() {}

        /// Applies to the tests of sub-suites as well.
        public var isRecursive: Bool { true }

        /// Runs a test in a scope of its own.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            let scope = VirtualTimeScope()
            let home = TaskEnvironment { origin, operation in scope.home?.start(origin, operation) }
            let telling = Self.telling { scope.seed }
            try await VirtualTimeScope.$current.withValue(scope) {
                try await TaskEnvironment.$current.withValue(home) {
                    try await telling.provideScope(for: test, testCase: testCase, performing: function)
                }
            }
        }

        /// Adds to each failure how to replay it, if there is a seed.
        package static func telling(_ seed: @escaping @Sendable () -> UInt64?) -> IssueHandlingTrait {
            .compactMapIssues { issue in
                guard let remark = remark(on: seed()) else { return issue }
                var issue = issue
                issue.comments.append(remark)
                return issue
            }
        }

        /// How to replay what failed, if there is a seed.
        package static func remark(on seed: UInt64?) -> Comment? {
            seed.map { "TestScheduler(seed: \($0)) replays this" }
        }
    }

    extension Trait where Self == VirtualTimeTrait {
        /// Puts all that a test does into the world of the ``TestScheduler`` that it makes.
        public static var virtualTime: Self { Self() }
    }
#endif
