public import Streams

/// Emits the errors of the tracked streams, for example to show an alert or a toast.
///
/// - Each error is delivered once. An error without an observer is buffered for the first one, so that none is lost
///   while a screen binds its outputs one after the other.
/// - `trackError` also passes the error on, which ends the stream; `catchAndTrack` completes the stream instead. Use
///   one of them at one place of a chain: an error that is tracked twice is emitted twice.
/// - With `replaysLatest`, each later observer also receives the latest error: for a view that reappears and shows the
///   error until a retry succeeds.
///
/// Thread-safe. Make one for each screen, in `transform` of the view model.
///
/// ```swift
/// let errors = ErrorTracker()
/// let saved = input.saveTapped.flatMapFirst { store.save(post).catchAndTrack(errors) }
/// return Output(saved: saved.asSignal(onErrorSignalWith: .empty()), error: errors.asSignal())
/// ```
public final class ErrorTracker: SharedSequenceConvertibleType {
    /// An error of a tracked stream, as it was thrown.
    public typealias Element = any Error
    /// Shared as a signal: on the main actor, without replay.
    public typealias SharingStrategy = SignalSharingStrategy

    private let errors = WaitingRelay<any Error>()
    private let latest: ReplayRelay<any Error>?

    /// Creates a tracker without errors.
    ///
    /// - Parameter replaysLatest: Whether each observer first receives the latest error, if there was one; by default
    ///   an error is delivered once.
    public init(replaysLatest: Bool = false) {
        latest = replaysLatest ? .create(bufferSize: 1) : nil
    }

    /// The errors, as a signal: on the main actor, each to the observers at that time. With `replaysLatest`, an
    /// observer first receives the latest error.
    public func asSharedSequence() -> Signal<any Error> {
        guard let latest else { return errors.asSignal(onErrorSignalWith: .empty()) }  // a relay does not fail
        // Not shared, because each later observer first receives the latest error.
        return Signal(raw: latest.observe(on: SignalSharingStrategy.scheduler))
    }

    /// Emits an error that does not come from a stream.
    ///
    /// ```swift
    /// let errors = ErrorTracker()
    /// errors.report(TravelError.notFound(.user(id)))    // `errors` emits it
    /// ```
    public func report(_ error: any Error) {
        if let latest { latest.accept(error) } else { errors.accept(error) }
    }

    /// Runs `operation`; emits the error that it throws, and rethrows it.
    ///
    /// ```swift
    /// try await errors.track { try await store.save(draft) }
    /// ```
    public func track<Result>(_ operation: () async throws -> Result) async rethrows -> Result {
        do {
            return try await operation()
        } catch {
            report(error)
            throw error
        }
    }
}

extension ObservableConvertibleType {
    /// The stream unchanged; `tracker` receives its error before the error is passed on.
    ///
    /// ```swift
    /// store.posts().trackError(errors).asDriver(onErrorJustReturn: [])    // the error appears in `errors` as well
    /// ```
    public func trackError(_ tracker: ErrorTracker) -> Observable<Element> {
        asObservable().do(onError: { tracker.report($0) })
    }

    /// The stream, completed instead of failed; `tracker` receives the error.
    ///
    /// Use it for streams inside `flatMap` and similar operators: an inner error then does not end the outer stream.
    ///
    /// ```swift
    /// input.refreshed.flatMapLatest { store.posts().catchAndTrack(errors) }    // each refresh loads again
    /// ```
    public func catchAndTrack(_ tracker: ErrorTracker) -> Observable<Element> {
        asObservable().catch { error in
            tracker.report(error)
            return .empty()
        }
    }
}

extension PrimitiveSequence {
    /// The sequence unchanged; `tracker` receives its error before the error is passed on.
    ///
    /// ```swift
    /// Single { try await store.post(id) }.trackError(errors)    // fails, and the error appears in `errors`
    /// ```
    public func trackError(_ tracker: ErrorTracker) -> PrimitiveSequence<Trait, Element> {
        self.catch { error in
            tracker.report(error)
            throw error
        }
    }
}

extension PrimitiveSequence where Trait == SingleTrait {
    /// The single, completed without an element instead of failed; `tracker` receives the error.
    ///
    /// ```swift
    /// Single { try await store.post(id) }.catchAndTrack(errors)    // a maybe: the post, or completion
    /// ```
    public func catchAndTrack(_ tracker: ErrorTracker) -> Maybe<Element> {
        asMaybe().catchAndTrack(tracker)
    }
}

extension PrimitiveSequence where Trait == MaybeTrait {
    /// The maybe, completed without an element instead of failed; `tracker` receives the error.
    public func catchAndTrack(_ tracker: ErrorTracker) -> Maybe<Element> {
        self.catch { error in
            tracker.report(error)
            return .empty()
        }
    }
}

extension PrimitiveSequence where Trait == CompletableTrait, Element == Never {
    /// The completable, completed instead of failed; `tracker` receives the error.
    ///
    /// ```swift
    /// save(draft).catchAndTrack(errors)    // completes in any case
    /// ```
    public func catchAndTrack(_ tracker: ErrorTracker) -> Completable {
        self.catch { error in
            tracker.report(error)
            return .empty()
        }
    }
}
