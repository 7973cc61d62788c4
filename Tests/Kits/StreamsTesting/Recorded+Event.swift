public import Streams

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
    ) -> Recorded<Event<T>> where Value == Event<T> {
        Recorded(time: time, value: .completed)
    }

    /// Creates the record of an error at `time`, in ticks.
    ///
    /// ```swift
    /// #expect(observer.events == [.next(210, "a"), .error(220, MarbleError())])
    /// ```
    public static func error<T>(
        _ time: TestTime, _ error: any Error, _ type: T.Type = T.self
    ) -> Recorded<Event<T>> where Value == Event<T> {
        Recorded(time: time, value: .error(error))
    }

    /// Returns a list of recorded events. This saves writing their type.
    ///
    /// ```swift
    /// let events = Recorded.events(.next(210, 1), .completed(220))
    /// ```
    public static func events<T>(
        _ recordedEvents: Recorded<Event<T>>...
    ) -> [Recorded<Event<T>>] where Value == Event<T> {
        recordedEvents
    }

    /// Returns a list of recorded events. This saves writing their type.
    public static func events<T>(
        _ recordedEvents: [Recorded<Event<T>>]
    ) -> [Recorded<Event<T>>] where Value == Event<T> {
        recordedEvents
    }
}

/// Creates the record of an element at `time`, in ticks.
///
/// ```swift
/// let events = [next(210, "a"), next(220, "b")]
/// ```
public func next<T>(_ time: TestTime, _ element: T) -> Recorded<Event<T>> {
    .next(time, element)
}

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
