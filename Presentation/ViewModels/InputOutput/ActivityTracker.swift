public import Streams
import Synchronization

/// Emits whether any of the tracked work is in progress, for example to show a spinner.
///
/// - Overlapping work counts: it is `true` from the start of the first to the end of the last.
/// - Work ends when it completes, fails or is disposed, whichever comes first.
/// - As a driver it emits the current value first, and then changes only: never `true` twice in a row.
///
/// Thread-safe. Make one for each spinner, in `transform` of the view model.
///
/// ```swift
/// let activity = ActivityTracker()
/// let loads = input.refreshed.flatMapLatest { store.posts().trackActivity(activity).materialize() }.share()
/// return Output(
///     posts: loads.elements().asDriver(),
///     failure: loads.errors().asSignal(),
///     isLoading: activity.asDriver())
/// ```
///
/// `materialize` inside `flatMapLatest` keeps the list refreshable after a failure: outside, the first error would end it.
public final class ActivityTracker: SharedSequenceConvertibleType {
    public typealias Element = Bool
    public typealias SharingStrategy = DriverSharingStrategy

    private let gate = Gate()
    /// The amount of work in progress; changed inside the gate only.
    private let count = Atomic(0)
    private let isActive = BehaviorRelay(value: false)

    public init() {}

    public func asSharedSequence() -> Driver<Bool> { isActive.asDriver() }

    /// Runs `operation` and counts it as work until it returns or throws.
    public func track<Result>(_ operation: () async throws -> Result) async rethrows -> Result {
        let work = Work(of: self)
        defer { work.dispose() }
        return try await operation()
    }

    /// Emits the changes in order, even if several threads or an observer make them.
    private func change(by difference: Int) {
        if gate.enter() {
            apply(difference)
            gate.leave()
        } else {
            gate.pass(isSending: difference > 0) { [self] in apply(difference) }
        }
    }

    private func apply(_ difference: Int) {
        let (before, after) = count.add(difference, ordering: .relaxed)
        if before == 0 || after == 0 { isActive.accept(after > 0) }
    }

    /// A piece of work, in progress until it is disposed.
    @usableFromInline
    final class Work: DisposeBase {
        private let tracker: ActivityTracker
        private let isOver = Atomic(false)

        @usableFromInline
        init(of tracker: ActivityTracker) {
            self.tracker = tracker
            tracker.change(by: 1)
        }

        @usableFromInline
        package func dispose() {
            if !isOver.exchange(true, ordering: .relaxed) { tracker.change(by: -1) }
        }
    }
}

extension ObservableConvertibleType {
    /// The stream unchanged; each subscription to it counts as work of `tracker`, from before the subscription until
    /// after its completion or error was delivered, or it was disposed.
    @inlinable
    public func trackActivity(_ tracker: ActivityTracker) -> Observable<Element> {
        let source = asObservable()
        return Observable(connect: { sink in
            let chain = ResourceChain(to: sink.chain, ActivityTracker.Work(of: tracker))
            sink.chain.attach(chain)
            source.connect(sink.with(chain))
        })
    }
}

extension PrimitiveSequence {
    /// The sequence unchanged; each subscription to it counts as work of `tracker`, from before the subscription until
    /// after its end was delivered, or it was disposed.
    @inlinable
    public func trackActivity(_ tracker: ActivityTracker) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: asObservable().trackActivity(tracker))
    }
}
