import Dispatch
public import Synchronization

extension SharedSequenceConvertibleType {
    /// Subscribes main-actor-isolated functions.
    ///
    /// Elements arrive on the strategy's scheduler, which is the main one; each call checks the isolation. If a test
    /// mocks the scheduler, the test must run on the main actor.
    @inlinable
    func subscribeOnMainActor(
        _ onNext: (@MainActor @Sendable (Element) -> Void)?,
        _ onCompleted: (@MainActor @Sendable () -> Void)?,
        _ onDisposed: (@Sendable () -> Void)?,
        _ file: StaticString, _ line: UInt
    ) -> any Disposable {
        if onCompleted == nil, onDisposed == nil { return subscribeOnMainActor(onNext, file, line) }
        // Not `map`: the compiler would wrap a function that is passed to a generic function in another closure.
        let next: (@Sendable (Element) -> Void)? = if let onNext { onMainActor(onNext) } else { nil }
        let completed: (@Sendable () -> Void)? = if let onCompleted { onMainActor(onCompleted) } else { nil }
        return asObservable().subscribe(
            onNext: next, onCompleted: completed, onDisposed: onDisposed, file: file, line: line)
    }

    /// Subscribes a main-actor-isolated function to the elements only.
    @inlinable
    func subscribeOnMainActor(
        _ onNext: (@MainActor @Sendable (Element) -> Void)?, _ file: StaticString, _ line: UInt
    ) -> any Disposable {
        let chain = Chain(reportingErrorsAt: file, line)
        guard let onNext else {
            asObservable().subscribe(Sink(chain) { _ in })
            return chain
        }
        let next = withoutIsolation(onNext)
        asObservable().subscribe(
            Sink(chain) { element in
                if chain.isLive {
                    if MainActorCheck.passes() { next(element) }
                } else {
                    chain.drop()
                }
            })
        return chain
    }

    @inlinable
    func subscribeOnMainActor<Object: AnyObject & Sendable>(
        with object: Object,
        _ onNext: (@MainActor @Sendable (Object, Element) -> Void)?,
        _ onCompleted: (@MainActor @Sendable (Object) -> Void)?,
        _ onDisposed: (@Sendable (Object) -> Void)?,
        _ file: StaticString, _ line: UInt
    ) -> any Disposable {
        let reference = WeakReference(object)
        return subscribeOnMainActor(
            { element in
                if let onNext, let object = reference.object { onNext(object, element) }
            },
            {
                if let onCompleted, let object = reference.object { onCompleted(object) }
            },
            {
                if let onDisposed, let object = reference.object { onDisposed(object) }
            },
            file, line)
    }

    @inlinable
    func subscribeOnMainActor<Observer: ObserverType>(
        _ observers: [Observer], _ file: StaticString, _ line: UInt
    ) -> any Disposable where Observer.Element == Element {
        asObservable().subscribe(file: file, line: line) { event in observers.forEach { $0.on(event) } }
    }
}

/// The check that code runs on the main actor: once for all observers of a delivery.
@usableFromInline
enum MainActorCheck {
    /// The thread that runs `work` of ``passed(_:)``; otherwise 0. Only the thread of the main queue changes it.
    @usableFromInline static let thread = Atomic<UInt>(0)

    /// Calls `work`, on the main queue. Checks inside pass by comparing the thread.
    @inlinable
    static func passed<Result>(_ work: () -> Result) -> Result {
        let outer = thread.load(ordering: .relaxed)
        thread.store(Thread.current, ordering: .relaxed)
        defer { thread.store(outer, ordering: .relaxed) }
        return work()
    }

    /// Whether this code is inside ``passed(_:)``.
    @inlinable static var isPassed: Bool { thread.load(ordering: .relaxed) == Thread.current }

    /// Stops the program if it does not run on the main actor. In a virtual world, whose test fails then, returns false.
    @inlinable
    static func passes() -> Bool { isPassed || isOnMainActor() }

    @usableFromInline
    static func isOnMainActor() -> Bool {
        if VirtualWorlds.exist.load(ordering: .relaxed), !DispatchQueue.isMain,
            VirtualWorlds.isMistake(.function)
        {
            return false
        }
        MainActor.shared.preconditionIsolated()
        return true
    }
}

/// Returns a function that calls `body` after checking that it is called on the main actor.
@inlinable
func onMainActor<Element: Sendable>(
    _ body: @escaping @MainActor @Sendable (Element) -> Void
) -> @Sendable (Element) -> Void {
    let body = withoutIsolation(body)
    return { element in
        if MainActorCheck.passes() { body(element) }
    }
}

/// Returns `body` without its isolation, for callers that check that they are on the main actor.
///
/// `MainActor.assumeIsolated` does the same with an allocation for each call. The isolation of a synchronous function
/// is part of its type only, not of its calling convention.
@inlinable
func withoutIsolation<Element>(
    _ body: @escaping @MainActor @Sendable (Element) -> Void
) -> @Sendable (Element) -> Void {
    unsafeBitCast(IsolatedFunction(call: body), to: PlainFunction<Element>.self).call
}

// Structs, because the compiler wraps a function that is passed directly to a generic function in another closure.
@usableFromInline
struct IsolatedFunction<Element> {
    @usableFromInline let call: @MainActor @Sendable (Element) -> Void

    @inlinable
    init(call: @escaping @MainActor @Sendable (Element) -> Void) { self.call = call }
}

@usableFromInline
struct PlainFunction<Element> {
    @usableFromInline let call: @Sendable (Element) -> Void
}

/// Returns a function that calls `body` after checking that it is called on the main actor.
@inlinable
func onMainActor(_ body: @escaping @MainActor @Sendable () -> Void) -> @Sendable () -> Void {
    { if MainActorCheck.passes() { MainActor.assumeIsolated(body) } }
}
