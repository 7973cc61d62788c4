public import Streams

/// The errors of the streams that it tracks: what an alert or a toast shows.
///
/// - Each error is heard once. One that comes while nobody listens waits for the first who does, so that nothing is
///   lost while a screen binds its outputs one after the other.
/// - `trackError` lets the error go on as well, and end the stream; `catchAndTrack` completes the stream in its place.
///   Use one of them at one place of a chain: what is tracked twice is told twice.
/// - One that `replaysLatest` tells the latest error to everyone who listens later, too: for a view that comes back, and shows
///   what went wrong until it goes right.
///
/// It may be used from any thread. A screen has one, made where its view model composes.
///
/// ```swift
/// let errors = ErrorTracker()
/// let saved = input.saveTapped.flatMapFirst { store.save(post).catchAndTrack(errors) }
/// return Output(saved: saved.asSignal(onErrorSignalWith: .empty()), error: errors.asSignal())
/// ```
public final class ErrorTracker: SharedSequenceConvertibleType {
    /// An error.
    public typealias Element = any Error
    /// Shared as a signal.
    public typealias SharingStrategy = SignalSharingStrategy

    private let errors = WaitingRelay<any Error>()
    private let latest: ReplayRelay<any Error>?

    /// A tracker of nothing so far.
    ///
    /// - Parameter replaysLatest: Whether everyone who listens begins with the latest error, if there was one; by default an
    ///   error is heard once.
    public init(replaysLatest: Bool = false) {
        latest = replaysLatest ? .create(bufferSize: 1) : nil
    }

    /// The errors, as a signal.
    public func asSharedSequence() -> Signal<any Error> {
        guard let latest else { return errors.asSignal(onErrorSignalWith: .empty()) }  // a relay does not fail
        // Not shared, for whoever comes later begins with the latest.
        return Signal(raw: latest.observe(on: SignalSharingStrategy.scheduler))
    }

    /// Tells an error that comes from elsewhere than a stream.
    public func report(_ error: any Error) {
        if let latest { latest.accept(error) } else { errors.accept(error) }
    }

    /// Runs `operation`, and tells the error that it throws before that is thrown on.
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
    /// The stream as it is; should it fail, `tracker` is told before the error goes on.
    public func trackError(_ tracker: ErrorTracker) -> Observable<Element> {
        asObservable().do(onError: { tracker.report($0) })
    }

    /// The stream; should it fail, `tracker` is told and the stream is complete.
    ///
    /// For streams inside `flatMap` and its like: one that fails does not end the stream around it.
    ///
    /// ```swift
    /// input.refreshed.flatMapLatest { store.posts().catchAndTrack(errors) }    // every refresh asks anew
    /// ```
    public func catchAndTrack(_ tracker: ErrorTracker) -> Observable<Element> {
        asObservable().catch { error in
            tracker.report(error)
            return .empty()
        }
    }
}

extension PrimitiveSequence {
    /// The sequence as it is; should it fail, `tracker` is told before the error goes on.
    public func trackError(_ tracker: ErrorTracker) -> PrimitiveSequence<Trait, Element> {
        self.catch { error in
            tracker.report(error)
            throw error
        }
    }
}

extension PrimitiveSequence where Trait == SingleTrait {
    /// The single; should it fail, `tracker` is told and there is no element.
    public func catchAndTrack(_ tracker: ErrorTracker) -> Maybe<Element> {
        asMaybe().catchAndTrack(tracker)
    }
}

extension PrimitiveSequence where Trait == MaybeTrait {
    /// The maybe; should it fail, `tracker` is told and there is no element.
    public func catchAndTrack(_ tracker: ErrorTracker) -> Maybe<Element> {
        self.catch { error in
            tracker.report(error)
            return .empty()
        }
    }
}

extension PrimitiveSequence where Trait == CompletableTrait, Element == Never {
    /// The completable; should it fail, `tracker` is told and it completes all the same.
    public func catchAndTrack(_ tracker: ErrorTracker) -> Completable {
        self.catch { error in
            tracker.report(error)
            return .empty()
        }
    }
}
