public import Streams
import Synchronization

/// Whether any of the work that it tracks is under way: what a spinner shows.
///
/// - Work that overlaps counts: it is `true` from the beginning of the first to the end of the last.
/// - Work is over when it completes, fails or is disposed, whichever comes first.
/// - As a driver it begins with how things are, and from then on says changes only: never `true` twice in a row.
///
/// It may be used from any thread. A screen has one for each spinner, made where its view model composes.
///
/// ```swift
/// let activity = ActivityTracker()
/// let posts = input.refreshed.flatMapLatest { store.posts().trackActivity(activity) }
/// return Output(posts: posts.asDriver(onErrorJustReturn: []), isLoading: activity.asDriver())
/// ```
public final class ActivityTracker: SharedSequenceConvertibleType {
    /// Whether work is under way.
    public typealias Element = Bool
    /// Shared as a driver.
    public typealias SharingStrategy = DriverSharingStrategy

    private let gate = Gate()
    /// The work under way; changed inside the gate only.
    private let count = Atomic(0)
    private let isActive = BehaviorRelay(value: false)

    /// A tracker of nothing so far.
    public init() {}

    /// Whether work is under way, as a driver.
    public func asSharedSequence() -> Driver<Bool> { isActive.asDriver() }

    /// Runs `operation` and counts it as work until it returns or throws.
    ///
    /// ```swift
    /// try await activity.track { try await store.save(draft) }
    /// ```
    public func track<Result>(_ operation: () async throws -> Result) async rethrows -> Result {
        let work = Work(of: self)
        defer { work.dispose() }
        return try await operation()
    }

    /// Changes are told in the order in which they are made, by several threads or by one who is being told.
    private func change(by difference: Int) {
        gate.pass { [self] in
            let (before, after) = count.add(difference, ordering: .relaxed)
            if before == 0 || after == 0 { isActive.accept(after > 0) }
        }
    }

    /// A piece of work, under way until it is disposed.
    fileprivate final class Work: Disposable {
        private let tracker: ActivityTracker
        private let isOver = Atomic(false)

        init(of tracker: ActivityTracker) {
            self.tracker = tracker
            tracker.change(by: 1)
        }

        func dispose() {
            if !isOver.exchange(true, ordering: .relaxed) { tracker.change(by: -1) }
        }
    }
}

extension ObservableConvertibleType {
    /// The stream as it is; each subscription to it counts as work of `tracker`, from before it is made until after
    /// its end was heard, or it was disposed.
    ///
    /// ```swift
    /// Observable.task { try await store.posts() }.trackActivity(activity)
    /// ```
    public func trackActivity(_ tracker: ActivityTracker) -> Observable<Element> {
        let source = asObservable()
        return .using({ ActivityTracker.Work(of: tracker) }, observableFactory: { _ in source })
    }
}

extension PrimitiveSequence {
    /// The sequence as it is; each subscription to it counts as work of `tracker`, from before it is made until after
    /// its end was heard, or it was disposed.
    ///
    /// ```swift
    /// Single { try await store.post(id) }.trackActivity(activity)
    /// ```
    public func trackActivity(_ tracker: ActivityTracker) -> PrimitiveSequence<Trait, Element> {
        .using({ ActivityTracker.Work(of: tracker) }, primitiveSequenceFactory: { _ in self })
    }
}
