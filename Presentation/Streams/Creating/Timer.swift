/// The integer types of counting streams.
public typealias RxAbstractInteger = FixedWidthInteger

extension ObservableType where Element: RxAbstractInteger {
    /// Creates a stream that counts from 0 every `period`, the first time after one `period`. It never completes; the
    /// count wraps around after the largest integer.
    ///
    /// ```swift
    /// Observable<Int>.interval(.seconds(1), scheduler: scheduler)    // 0 at 1 s, 1 at 2 s, 2 at 3 s …
    /// ```
    @inlinable
    public static func interval(_ period: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        timer(period, period: period, scheduler: scheduler)
    }

    /// Creates a stream that emits 0 after `dueTime` and then completes or, with a `period`, continues to count.
    ///
    /// ```swift
    /// Observable<Int>.timer(.seconds(3), scheduler: scheduler)                          // 0 at 3 s, | at 3 s
    /// Observable<Int>.timer(.seconds(3), period: .seconds(1), scheduler: scheduler)     // 0 at 3 s, 1 at 4 s …
    /// ```
    @inlinable
    public static func timer(
        _ dueTime: RxTimeInterval, period: RxTimeInterval? = nil, scheduler: any SchedulerType
    ) -> Observable<Element> {
        .counting(from: 0, after: dueTime, every: period, on: scheduler) { count, sink in
            sink.send(count)
            return count &+ 1
        }
    }
}

extension Observable {
    /// Creates the stream of `timer`.
    ///
    /// - Parameter step: Sends the count and returns the next one, created where its type is known.
    @usableFromInline
    static func counting(
        from zero: Element, after dueTime: RxTimeInterval, every period: RxTimeInterval?,
        on scheduler: any SchedulerType,
        _ step: @escaping @Sendable (_ count: Element, Sink<Element>) -> Element
    ) -> Observable {
        Observable(
            connect: { sink in
                let work: any Disposable
                if let period {
                    work = scheduler.schedulePeriodic(zero, startAfter: dueTime, period: period) { step($0, sink) }
                } else {
                    work = scheduler.scheduleRelative((), dueTime: dueTime) { _ in
                        sink.send(zero)
                        sink.chain.complete()
                        return Disposables.create()
                    }
                }
                sink.chain.attach(any: work)
            }, name: "timer(_:period:scheduler:)")
    }
}
