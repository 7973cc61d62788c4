#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What nearly every screen depends on. None has a test value: a test says which time, identifier or number it means.
extension DependencyValues {
    /// What time it is. In tests, `.constant(…)`.
    public var date: DateGenerator {
        get { self[DateKey.self] }
        set { self[DateKey.self] = newValue }
    }

    /// How days are counted: calendar, time zone and locale. Live, the user's, as it changes.
    public var calendar: Calendar {
        get { self[CalendarKey.self] }
        set { self[CalendarKey.self] = newValue }
    }

    /// Unique identifiers. In tests, `.incrementing` or `.constant(…)`.
    public var uuid: UUIDGenerator {
        get { self[UUIDKey.self] }
        set { self[UUIDKey.self] = newValue }
    }

    /// What asynchronous code sleeps on. In tests, `virtualClock` of a `TestScheduler`.
    public var clock: any Clock<Duration> {
        get { self[ClockKey.self] }
        set { self[ClockKey.self] = newValue }
    }

    /// Random numbers. In tests, `.seeded(…)`.
    public var random: RandomSource {
        get { self[RandomKey.self] }
        set { self[RandomKey.self] = newValue }
    }
}

private enum DateKey: DependencyKey {
    static let liveValue = DateGenerator { Date() }
}

private enum CalendarKey: DependencyKey {
    static let liveValue = Calendar.autoupdatingCurrent
}

private enum UUIDKey: DependencyKey {
    static let liveValue = UUIDGenerator { UUID() }
}

private enum ClockKey: DependencyKey {
    static let liveValue: any Clock<Duration> = ContinuousClock()
}

private enum RandomKey: DependencyKey {
    static let liveValue = RandomSource.system
}
