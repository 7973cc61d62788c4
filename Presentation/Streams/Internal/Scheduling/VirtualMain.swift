import Synchronization

/// What takes the place of the main queue for the drivers and signals that are created in a virtual world.
///
/// The thread that runs the world is their main thread, which delivers before a send returns, and their timers are those
/// of the world.
package protocol VirtualMain: AnyObject, Sendable {
    /// Whether the current code may deliver elements before it returns.
    var isHere: Bool { get }
    /// The scheduler of timers; `nil` after its release.
    var timers: (any SchedulerType)? { get }
}

/// A use of the main queue, or of the main actor, by a driver or a signal.
package struct MainQueueUse: Sendable {
    package enum Kind: Sendable {
        /// Enqueues a delivery or a subscription.
        case delivery
        /// Waits in real time.
        case timer
        /// Calls a main-actor function on another thread.
        case function
    }

    package let kind: Kind
    /// A description of the stream, in debug builds.
    package let origin: String?
}

/// The hooks of a kit: which virtual world the current code is in, and which uses of the main queue are mistakes.
///
/// They are installed once, by the first world of the process. Without a world, no driver looks for one.
package enum VirtualWorlds {
    private final class Hooks: Sendable {
        let inScope: @Sendable () -> (any VirtualMain)?

        init(_ inScope: @escaping @Sendable () -> (any VirtualMain)?) { self.inScope = inScope }
    }

    private final class Observer: Sendable {
        let isMistake: @Sendable (MainQueueUse) -> Bool

        init(_ isMistake: @escaping @Sendable (MainQueueUse) -> Bool) { self.isMistake = isMistake }
    }

    private static let hooks = AtomicLazyReference<Hooks>()
    private static let observer = AtomicLazyReference<Observer>()
    /// Whether there was a world: without one, no driver looks up the task-local value, which takes its time.
    static let exist = Atomic(false)
    /// Whether there are hooks: a look-up of these takes its time, too.
    private static let areFoundInScope = Atomic(false)

    /// Sets the function that reports mistakes, and returns whether the use is one.
    package static func observeMainQueue(_ isMistake: @escaping @Sendable (MainQueueUse) -> Bool) {
        _ = observer.storeIfNil(Observer(isMistake))
        exist.store(true, ordering: .relaxed)
    }

    /// Sets the function that returns the world of the current scope of dependencies.
    package static func find(inScope: @escaping @Sendable () -> (any VirtualMain)?) {
        _ = hooks.storeIfNil(Hooks(inScope))
        areFoundInScope.store(true, ordering: .releasing)
    }

    /// That of the world in which the current code runs, or of the scope that it is in.
    static var current: (any VirtualMain)? {
        guard exist.load(ordering: .relaxed) else { return nil }
        if let environment = TaskEnvironment.current, let main = environment.main() { return main }
        return areFoundInScope.load(ordering: .acquiring) ? hooks.load()?.inScope() : nil
    }

    /// Whether a use of the main queue is a mistake, which was reported.
    static func isMistake(_ kind: MainQueueUse.Kind) -> Bool {
        guard let observer = observer.load() else { return false }
        #if DEBUG
        let origin = SubscriptionRegistry.currentOrigin
        #else
        let origin: String? = nil
        #endif
        return observer.isMistake(MainQueueUse(kind: kind, origin: origin))
    }

    /// Reports a use of the main queue, if it is a mistake.
    static func willUseMainQueue(_ kind: MainQueueUse.Kind) { _ = isMistake(kind) }
}
