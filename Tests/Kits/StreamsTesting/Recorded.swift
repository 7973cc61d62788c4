public import Streams

/// A value and the virtual time at which it was recorded.
///
/// ```swift
/// #expect(observer.events == [Recorded(time: 210, value: .next(1)), .completed(220)])
/// ```
public struct Recorded<Value> {
    public let time: TestTime
    public let value: Value

    public init(time: TestTime, value: Value) {
        self.time = time
        self.value = value
    }
}

extension Recorded: Sendable where Value: Sendable {}

extension Recorded: Equatable where Value: Equatable {}

extension Recorded: CustomDebugStringConvertible {
    public var debugDescription: String { "\(value) @ \(time)" }
}

extension Recorded {
    /// Creates the record of an element at `time`, in ticks.
    ///
    /// ```swift
    /// Recorded.next(210, "a").debugDescription    // "next(a) @ 210"
    /// ```
    public static func next<T>(_ time: TestTime, _ element: T) -> Recorded<Event<T>> where Value == Event<T> {
        Recorded(time: time, value: .next(element))
    }

    /// Creates the record of a completion at `time`, in ticks.
    ///
    /// ```swift
    /// #expect(observer.events == [.next(210, "a"), .completed(220)])
    /// ```
    public static func completed<T>(
        _ time: TestTime, _ type: T.Type = T.self
    ) -> Recorded<Event<T>> where Value == Event<T> { Recorded(time: time, value: .completed) }

    /// Creates the record of an error at `time`, in ticks.
    ///
    /// ```swift
    /// #expect(observer.events == [.next(210, "a"), .error(220, MarbleError())])
    /// ```
    public static func error<T>(
        _ time: TestTime, _ error: any Error, _ type: T.Type = T.self
    ) -> Recorded<Event<T>> where Value == Event<T> { Recorded(time: time, value: .error(error)) }

    /// Returns a list of recorded events. This saves writing their type.
    ///
    /// ```swift
    /// let events = Recorded.events(.next(210, 1), .completed(220))
    /// ```
    public static func events<T>(
        _ recordedEvents: Recorded<Event<T>>...
    ) -> [Recorded<Event<T>>] where Value == Event<T> { recordedEvents }

    /// Returns a list of recorded events. This saves writing their type.
    public static func events<T>(
        _ recordedEvents: [Recorded<Event<T>>]
    ) -> [Recorded<Event<T>>] where Value == Event<T> { recordedEvents }
}

/// Creates the record of an element at `time`, in ticks.
///
/// ```swift
/// let events = [next(210, "a"), next(220, "b")]
/// ```
public func next<T>(_ time: TestTime, _ element: T) -> Recorded<Event<T>> { .next(time, element) }

/// Creates the record of a completion at `time`, in ticks.
///
/// ```swift
/// let events = [next(210, "a"), completed(220)]
/// ```
public func completed<T>(_ time: TestTime, _ type: T.Type = T.self) -> Recorded<Event<T>> {
    .completed(time)
}

/// Creates the record of an error at `time`, in ticks.
///
/// ```swift
/// let events = [next(210, "a"), error(220, MarbleError())]
/// ```
public func error<T>(_ time: TestTime, _ error: any Error, _ type: T.Type = T.self) -> Recorded<Event<T>> {
    .error(time, error)
}

extension Event: Equatable where Element: Equatable {
    /// Compares elements with `==`. Errors are equal if they have the same type and description; completions are always
    /// equal.
    public static func == (lhs: Event<Element>, rhs: Event<Element>) -> Bool {
        switch (lhs, rhs) {
        case (.next(let lhs), .next(let rhs)): lhs == rhs
        case (.error(let lhs), .error(let rhs)): areEqual(lhs, rhs)
        case (.completed, .completed): true
        default: false
        }
    }
}

extension InfallibleEvent: Equatable where Element: Equatable {
    /// Compares elements with `==`. Completions are always equal.
    public static func == (lhs: InfallibleEvent<Element>, rhs: InfallibleEvent<Element>) -> Bool {
        switch (lhs, rhs) {
        case (.next(let lhs), .next(let rhs)): lhs == rhs
        case (.completed, .completed): true
        default: false
        }
    }
}

extension MaybeEvent: Equatable where Element: Equatable {
    /// Compares elements with `==`. Errors are equal if they have the same type and description; completions are always
    /// equal.
    public static func == (lhs: MaybeEvent<Element>, rhs: MaybeEvent<Element>) -> Bool {
        switch (lhs, rhs) {
        case (.success(let lhs), .success(let rhs)): lhs == rhs
        case (.error(let lhs), .error(let rhs)): areEqual(lhs, rhs)
        case (.completed, .completed): true
        default: false
        }
    }
}

extension CompletableEvent: Equatable {
    /// Errors are equal if they have the same type and description; completions are always equal.
    public static func == (lhs: CompletableEvent, rhs: CompletableEvent) -> Bool {
        switch (lhs, rhs) {
        case (.error(let lhs), .error(let rhs)): areEqual(lhs, rhs)
        case (.completed, .completed): true
        default: false
        }
    }
}

/// Compares the events of two singles: elements with `==`; errors are equal if they have the same type and description.
public func == <Element: Equatable>(lhs: SingleEvent<Element>, rhs: SingleEvent<Element>) -> Bool {
    switch (lhs, rhs) {
    case (.success(let lhs), .success(let rhs)): lhs == rhs
    case (.failure(let lhs), .failure(let rhs)): areEqual(lhs, rhs)
    default: false
    }
}

/// Whether two errors have the same type and description.
func areEqual(_ lhs: any Error, _ rhs: any Error) -> Bool {
    type(of: lhs) == type(of: rhs) && "\(lhs)" == "\(rhs)"
}
