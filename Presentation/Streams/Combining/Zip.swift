// Written for each number of streams, instead of once with a parameter pack: the compiler (6.3) does not unroll packs,
// which makes an element six times as expensive, and fails to type-check closures that take many arguments from a pack.

extension ObservableType {
    /// Combines the first elements of both streams with `resultSelector`, then the second ones, and so on.
    ///
    /// An element waits until the other stream has emitted its counterpart. Completes when all streams have completed:
    /// an active stream keeps the result from completing after another one has completed, and its elements are dropped
    /// once there is no counterpart. Fails when one stream fails or `resultSelector` throws.
    ///
    /// ```swift
    /// Observable.zip(Observable.of(1, 2, 3), Observable.of("a", "b")) { "\($0)\($1)" }    // 1a 2b |
    /// ```
    @inlinable
    @preconcurrency
    public static func zip<O1: ObservableType, O2: ObservableType>(
        _ source1: O1, _ source2: O2,
        resultSelector: @escaping @Sendable (O1.Element, O2.Element) throws -> Element
    ) -> Observable<Element> {
        Observable(run: { sink in
            let all = CombineCoordinator(of: 2, into: sink.chain, waitingForAllCompletions: true)
            let (a, b) = (ZipSource<O1.Element>(all), ZipSource<O2.Element>(all))
            let send = sink.sending { try resultSelector(a.take(), b.take()) }
            a.connect(source1, send)
            b.connect(source2, send)
        })
    }

    /// Like ``zip(_:_:resultSelector:)``, for three streams.
    @inlinable
    @preconcurrency
    public static func zip<O1: ObservableType, O2: ObservableType, O3: ObservableType>(
        _ source1: O1, _ source2: O2, _ source3: O3,
        resultSelector: @escaping @Sendable (O1.Element, O2.Element, O3.Element) throws -> Element
    ) -> Observable<Element> {
        Observable(run: { sink in
            let all = CombineCoordinator(of: 3, into: sink.chain, waitingForAllCompletions: true)
            let (a, b, c) = (ZipSource<O1.Element>(all), ZipSource<O2.Element>(all), ZipSource<O3.Element>(all))
            let send = sink.sending { try resultSelector(a.take(), b.take(), c.take()) }
            a.connect(source1, send)
            b.connect(source2, send)
            c.connect(source3, send)
        })
    }

    /// Like ``zip(_:_:resultSelector:)``, for four streams.
    @inlinable
    @preconcurrency
    public static func zip<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        resultSelector: @escaping @Sendable (O1.Element, O2.Element, O3.Element, O4.Element) throws -> Element
    ) -> Observable<Element> {
        Observable(run: { sink in
            let all = CombineCoordinator(of: 4, into: sink.chain, waitingForAllCompletions: true)
            let (a, b, c, d) = (
                ZipSource<O1.Element>(all), ZipSource<O2.Element>(all), ZipSource<O3.Element>(all),
                ZipSource<O4.Element>(all)
            )
            let send = sink.sending { try resultSelector(a.take(), b.take(), c.take(), d.take()) }
            a.connect(source1, send)
            b.connect(source2, send)
            c.connect(source3, send)
            d.connect(source4, send)
        })
    }

    /// Like ``zip(_:_:resultSelector:)``, for five streams.
    @inlinable
    @preconcurrency
    public static func zip<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType,
        O5: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        _ source5: O5,
        resultSelector:
            @escaping @Sendable (O1.Element, O2.Element, O3.Element, O4.Element, O5.Element) throws -> Element
    ) -> Observable<Element> {
        Observable(run: { sink in
            let all = CombineCoordinator(of: 5, into: sink.chain, waitingForAllCompletions: true)
            let (a, b, c, d, e) = (
                ZipSource<O1.Element>(all), ZipSource<O2.Element>(all), ZipSource<O3.Element>(all),
                ZipSource<O4.Element>(all),
                ZipSource<O5.Element>(all)
            )
            let send = sink.sending { try resultSelector(a.take(), b.take(), c.take(), d.take(), e.take()) }
            a.connect(source1, send)
            b.connect(source2, send)
            c.connect(source3, send)
            d.connect(source4, send)
            e.connect(source5, send)
        })
    }

    /// Like ``zip(_:_:resultSelector:)``, for six streams.
    @inlinable
    @preconcurrency
    public static func zip<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType,
        O5: ObservableType, O6: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        _ source5: O5, _ source6: O6,
        resultSelector:
            @escaping @Sendable (
                O1.Element, O2.Element, O3.Element, O4.Element, O5.Element, O6.Element
            ) throws -> Element
    ) -> Observable<Element> {
        Observable(run: { sink in
            let all = CombineCoordinator(of: 6, into: sink.chain, waitingForAllCompletions: true)
            let (a, b, c, d, e, f) = (
                ZipSource<O1.Element>(all), ZipSource<O2.Element>(all), ZipSource<O3.Element>(all),
                ZipSource<O4.Element>(all),
                ZipSource<O5.Element>(all), ZipSource<O6.Element>(all)
            )
            let send = sink.sending {
                try resultSelector(
                    a.take(), b.take(), c.take(), d.take(), e.take(), f.take())
            }
            a.connect(source1, send)
            b.connect(source2, send)
            c.connect(source3, send)
            d.connect(source4, send)
            e.connect(source5, send)
            f.connect(source6, send)
        })
    }

    /// Like ``zip(_:_:resultSelector:)``, for seven streams.
    @inlinable
    @preconcurrency
    public static func zip<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType,
        O5: ObservableType, O6: ObservableType, O7: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        _ source5: O5, _ source6: O6, _ source7: O7,
        resultSelector:
            @escaping @Sendable (
                O1.Element, O2.Element, O3.Element, O4.Element, O5.Element, O6.Element, O7.Element
            ) throws -> Element
    ) -> Observable<Element> {
        Observable(run: { sink in
            let all = CombineCoordinator(of: 7, into: sink.chain, waitingForAllCompletions: true)
            let (a, b, c, d, e, f, g) = (
                ZipSource<O1.Element>(all), ZipSource<O2.Element>(all), ZipSource<O3.Element>(all),
                ZipSource<O4.Element>(all),
                ZipSource<O5.Element>(all), ZipSource<O6.Element>(all), ZipSource<O7.Element>(all)
            )
            let send = sink.sending {
                try resultSelector(
                    a.take(), b.take(), c.take(), d.take(), e.take(), f.take(), g.take())
            }
            a.connect(source1, send)
            b.connect(source2, send)
            c.connect(source3, send)
            d.connect(source4, send)
            e.connect(source5, send)
            f.connect(source6, send)
            g.connect(source7, send)
        })
    }

    /// Like ``zip(_:_:resultSelector:)``, for eight streams.
    @inlinable
    @preconcurrency
    public static func zip<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType,
        O5: ObservableType, O6: ObservableType, O7: ObservableType, O8: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        _ source5: O5, _ source6: O6, _ source7: O7, _ source8: O8,
        resultSelector:
            @escaping @Sendable (
                O1.Element, O2.Element, O3.Element, O4.Element, O5.Element, O6.Element, O7.Element, O8.Element
            ) throws -> Element
    ) -> Observable<Element> {
        Observable(run: { sink in
            let all = CombineCoordinator(of: 8, into: sink.chain, waitingForAllCompletions: true)
            let (a, b, c, d, e, f, g, h) = (
                ZipSource<O1.Element>(all), ZipSource<O2.Element>(all), ZipSource<O3.Element>(all),
                ZipSource<O4.Element>(all),
                ZipSource<O5.Element>(all), ZipSource<O6.Element>(all), ZipSource<O7.Element>(all),
                ZipSource<O8.Element>(all)
            )
            let send = sink.sending {
                try resultSelector(
                    a.take(), b.take(), c.take(), d.take(), e.take(), f.take(), g.take(), h.take())
            }
            a.connect(source1, send)
            b.connect(source2, send)
            c.connect(source3, send)
            d.connect(source4, send)
            e.connect(source5, send)
            f.connect(source6, send)
            g.connect(source7, send)
            h.connect(source8, send)
        })
    }
}

extension ObservableType where Element == any Sendable {
    /// Emits the first elements of both streams, then the second ones, and so on.
    ///
    /// ```swift
    /// Observable.zip(Observable.of(1, 2), Observable.of("a", "b"))    // (1, "a") (2, "b") |
    /// ```
    @inlinable
    public static func zip<O1: ObservableType, O2: ObservableType>(
        _ source1: O1, _ source2: O2
    ) -> Observable<(O1.Element, O2.Element)> {
        Observable.zip(source1, source2) { ($0, $1) }
    }

    /// Like ``zip(_:_:)``, for three streams.
    @inlinable
    public static func zip<O1: ObservableType, O2: ObservableType, O3: ObservableType>(
        _ source1: O1, _ source2: O2, _ source3: O3
    ) -> Observable<(O1.Element, O2.Element, O3.Element)> {
        Observable.zip(source1, source2, source3) { ($0, $1, $2) }
    }

    /// Like ``zip(_:_:)``, for four streams.
    @inlinable
    public static func zip<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4
    ) -> Observable<(O1.Element, O2.Element, O3.Element, O4.Element)> {
        Observable.zip(source1, source2, source3, source4) { ($0, $1, $2, $3) }
    }

    /// Like ``zip(_:_:)``, for five streams.
    @inlinable
    public static func zip<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType,
        O5: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        _ source5: O5
    ) -> Observable<(O1.Element, O2.Element, O3.Element, O4.Element, O5.Element)> {
        Observable.zip(source1, source2, source3, source4, source5) { ($0, $1, $2, $3, $4) }
    }

    /// Like ``zip(_:_:)``, for six streams.
    @inlinable
    public static func zip<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType,
        O5: ObservableType, O6: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        _ source5: O5, _ source6: O6
    ) -> Observable<(O1.Element, O2.Element, O3.Element, O4.Element, O5.Element, O6.Element)> {
        Observable.zip(source1, source2, source3, source4, source5, source6) { ($0, $1, $2, $3, $4, $5) }
    }

    /// Like ``zip(_:_:)``, for seven streams.
    @inlinable
    public static func zip<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType,
        O5: ObservableType, O6: ObservableType, O7: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        _ source5: O5, _ source6: O6, _ source7: O7
    ) -> Observable<(O1.Element, O2.Element, O3.Element, O4.Element, O5.Element, O6.Element, O7.Element)> {
        Observable.zip(
            source1, source2, source3, source4, source5, source6, source7
        ) { ($0, $1, $2, $3, $4, $5, $6) }
    }

    /// Like ``zip(_:_:)``, for eight streams.
    @inlinable
    public static func zip<
        O1: ObservableType, O2: ObservableType, O3: ObservableType, O4: ObservableType,
        O5: ObservableType, O6: ObservableType, O7: ObservableType, O8: ObservableType
    >(
        _ source1: O1, _ source2: O2, _ source3: O3, _ source4: O4,
        _ source5: O5, _ source6: O6, _ source7: O7, _ source8: O8
    ) -> Observable<
        (
            O1.Element, O2.Element, O3.Element, O4.Element, O5.Element, O6.Element, O7.Element, O8.Element
        )
    > {
        Observable.zip(
            source1, source2, source3, source4, source5, source6, source7, source8
        ) { ($0, $1, $2, $3, $4, $5, $6, $7) }
    }
}
