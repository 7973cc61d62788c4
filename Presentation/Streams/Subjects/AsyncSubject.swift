/// A subject that emits its last element on completion, to current and to later observers.
///
/// On failure it emits only the error. Order and threads are those of ``PublishSubject``.
///
/// ```swift
/// let subject = AsyncSubject<Int>()
/// let subscription = subject.subscribe(onNext: { print($0) })
/// subject.onNext(1)
/// subject.onNext(2)
/// subject.onCompleted()    // prints 2
/// ```
@preconcurrency
public final class AsyncSubject<Element: Sendable>: Observable<Element>, SubjectType, Cancelable, ObserverType,
    @unchecked Sendable
{
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    public typealias SubjectObserverType = AsyncSubject<Element>

    @usableFromInline let multicast: Multicast
    @usableFromInline let outcome: FinalElement<Element>

    /// Creates a subject without an element: if none is sent, its observers only receive completion.
    @inlinable
    public init() {
        let multicast = Multicast(of: AsyncSubject.self)
        let outcome = FinalElement<Element>()
        self.multicast = multicast
        self.outcome = outcome
        super.init(subject: { multicast.add(Node($0, of: multicast), replaying: outcome) })
    }

    deinit {
        multicast.close()
    }

    public var hasObservers: Bool { multicast.hasObservers }

    public var isDisposed: Bool { multicast.isDisposed }

    /// Stores an element, or terminates the subject and on completion emits the stored element.
    @inlinable
    public func on(_ event: Event<Element>) {
        #if DEBUG
        SubscriptionLog.countSend()
        #endif
        switch event {
        case .next(let element): multicast.store(element, in: outcome)
        case .error(let error): if multicast.finish(error) { forget() }
        case .completed:
            multicast.finish(nil) { [multicast, outcome] number in
                let last = multicast.guarded.withLock { _ in outcome.element }
                if let last { multicast.deliver(below: number) { Multicast.deliver(last, to: $0) } }
            }
        }
    }

    public func asObserver() -> AsyncSubject<Element> { self }

    public func dispose() {
        multicast.dispose()
        forget()
    }

    @usableFromInline
    func forget() {
        let element = multicast.guarded.withLock { _ in outcome.element.take() }
        withExtendedLifetime(element) {}  // released after the lock
    }
}
