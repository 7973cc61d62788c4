#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Dependencies of nearly every screen. None has a test value: a test sets the time, identifiers or numbers explicitly.
extension DependencyValues {
    /// The current time. In tests, `.constant(…)`.
    public var date: DateGenerator {
        get { self[DateKey.self] }
        set { self[DateKey.self] = newValue }
    }

    /// The calendar, time zone and locale. The live value is the user's, which updates automatically.
    public var calendar: Calendar {
        get { self[CalendarKey.self] }
        set { self[CalendarKey.self] = newValue }
    }

    /// Unique identifiers. In tests, `.incrementing` or `.constant(…)`.
    public var uuid: UUIDGenerator {
        get { self[UUIDKey.self] }
        set { self[UUIDKey.self] = newValue }
    }

    /// The clock of asynchronous sleeps. In tests, `virtualClock` of a `TestScheduler`.
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
