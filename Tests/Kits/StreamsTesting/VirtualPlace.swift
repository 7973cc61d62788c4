import Streams
import Synchronization
import TestReporting

#if canImport(Testing)
import Testing
#endif

/// The thread that runs a ``TestScheduler``: the main thread of the drivers and signals in its world.
final class VirtualPlace: VirtualMain {
    private let thread = Atomic<UInt>(0)
    /// Whether the test uses the scheduler on the main thread. Then other threads of the test send to the main queue, as
    /// they do without a scheduler.
    private let usesMainThread = Atomic(MainScheduler.isOnMainQueue)
    private let scheduler = Guarded(WeakScheduler())
    private let hasFailed = Atomic(false)
    private let origin: CallSite
    private let test = CurrentTest.id

    /// - Parameter origin: The location of the code that created the scheduler.
    init(_ origin: CallSite) {
        self.origin = origin
    }

    deinit { VirtualPlaces.remove(self, of: test) }

    func serve(_ scheduler: TestScheduler) {
        self.scheduler.withLock { $0.scheduler = scheduler }
        VirtualPlaces.add(self, of: test)
    }

    /// Begins to run the world on the current thread; returns the thread that runs it outside.
    func enter() -> UInt {
        noteThread()
        return thread.exchange(Thread.current, ordering: .relaxed)
    }

    /// Notes whether the current thread, which uses the world, is the main thread.
    func noteThread() {
        let isMain = MainScheduler.isOnMainQueue
        if usesMainThread.load(ordering: .relaxed) != isMain { usesMainThread.store(isMain, ordering: .relaxed) }
    }

    func leave(to outer: UInt) { thread.store(outer, ordering: .relaxed) }

    /// Whether the current thread runs the world.
    var isRunning: Bool { thread.load(ordering: .relaxed) == Thread.current }

    /// Whether the current thread runs the world, or the test that uses it off the main thread.
    var isHere: Bool { isRunning || (isOffMainThread && CurrentTest.isKnown) }

    var isOffMainThread: Bool { !usesMainThread.load(ordering: .relaxed) }

    var timers: (any SchedulerType)? { scheduler.withLock { $0.scheduler } }

    /// Fails the test, once.
    func fail(for use: MainQueueUse) {
        if hasFailed.exchange(true, ordering: .relaxed) { return }
        let stream = use.origin.map { " (\($0))" } ?? ""
        let (problem, isSolvedByMainActor) =
            switch use.kind {
            case .delivery: ("waits for the main queue", true)
            case .timer: ("waits in real time", false)
            case .function: ("calls a main-actor function on another thread", true)
            }
        origin.fail(
            """
            a driver or signal\(stream) \(problem), which virtual time does not reach: a test may not see its elements
            Create it in the closure of `start`, or in a scope with the virtual time of the scheduler:
              withDependencies { $0.useVirtualTime(of: scheduler) } operation: { … }\
            \(isSolvedByMainActor ? "\nOr run the test on the main actor: @MainActor" : "")
            """)
    }
}

private struct WeakScheduler {
    weak var scheduler: TestScheduler?
}

/// The places of the live schedulers of each test.
package enum VirtualPlaces {
    private struct WeakPlace {
        weak var place: VirtualPlace?
        let id: ObjectIdentifier
    }

    private static let places = Guarded<[CurrentTest.ID: [WeakPlace]]>([:])
    private static let isObserving: Void = VirtualWorlds.observeMainQueue { isMistake($0) }

    static func add(_ place: VirtualPlace, of test: CurrentTest.ID?) {
        isObserving
        guard let test else { return }
        places.withLock { $0[test, default: []].append(WeakPlace(place: place, id: ObjectIdentifier(place))) }
    }

    static func remove(_ place: VirtualPlace, of test: CurrentTest.ID?) {
        guard let test else { return }
        places.withLock { places in
            places[test]?.removeAll { $0.id == ObjectIdentifier(place) }
            if places[test]?.isEmpty == true { places[test] = nil }
        }
    }

    /// Notes that the current test runs on the main actor, if it does. Its schedulers may have been created elsewhere: the
    /// properties of a suite are, even for a test that is on the main actor.
    package static func noteMainActor() {
        guard MainScheduler.isOnMainQueue, let test = CurrentTest.id else { return }
        let live = places.withLock { $0[test]?.compactMap(\.place) } ?? []
        for place in live { place.noteThread() }
    }

    /// Fails the test of a driver or signal that leaves virtual time.
    private static func isMistake(_ use: MainQueueUse) -> Bool {
        guard let place = place(of: use) else { return false }
        place.fail(for: use)
        return true
    }

    private static func place(of use: MainQueueUse) -> VirtualPlace? {
        if use.kind != .timer, MainScheduler.isOnMainQueue { return nil }
        if let running = TaskEnvironment.current?.main() as? VirtualPlace, running.isRunning {
            // Without Swift Testing, as in code from RxTest, real timers stay what they were.
            return use.kind == .timer && !CurrentTest.isKnown ? nil : running
        }
        guard use.kind != .timer, let test = CurrentTest.id else { return nil }
        return places.withLock { $0[test]?.compactMap(\.place) }?.last { $0.isOffMainThread && $0.timers != nil }
    }
}

/// The running test of Swift Testing.
enum CurrentTest {
    #if canImport(Testing)
    typealias ID = Test.ID
    static var id: ID? { Test.current?.id }
    static var isKnown: Bool { Test.current != nil }
    #else
    typealias ID = Never
    static var id: ID? { nil }
    static var isKnown: Bool { false }
    #endif
}
