#if PostgreSQL
    /// A type-erased clock that measures from its initialization.
    struct AnyClock: Sendable {
        let now: @Sendable () -> Duration
        let sleep: @Sendable (Duration) async throws -> Void

        init(_ clock: some Clock<Duration>) {
            let start = clock.now
            now = { start.duration(to: clock.now) }
            sleep = { duration in try await clock.sleep(until: clock.now.advanced(by: duration), tolerance: nil) }
        }
    }
#endif
