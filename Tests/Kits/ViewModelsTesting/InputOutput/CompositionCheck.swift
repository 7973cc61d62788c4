import Streams
import StreamsTesting
import Synchronization
import ViewModels

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The checks of `expectOnlyComposes`, stage by stage, with their findings as text.
@MainActor
struct CompositionCheck {
    /// An input; it retains nothing.
    private struct Input {
        let name: String
        let expected: Int
        /// The number of subscriptions of the view model.
        let subscriptions: () -> Int
        let active: () -> Int
        /// Whether anything retains the stream of the view model.
        let isAlive: () -> Bool
        /// Whether it has completed or failed.
        let hasEnded: @Sendable () -> Bool

        init(_ count: InputCounter.Count, name: String) {
            let before = count.subscriptions()
            let total = count.subscriptions
            self.name = name
            expected = count.expected
            subscriptions = { total() - before }
            active = count.active
            isAlive = count.isAlive
            hasEnded = count.hasEnded
        }
    }

    private let name: String
    private let scope: SubscriptionScope
    private let unseen: Set<String>
    private let ending: Set<String>

    init(of name: String, _ scope: SubscriptionScope, unseen: Set<String>, ending: Set<String>) {
        self.name = name
        self.scope = scope
        self.unseen = unseen
        self.ending = ending
    }

    // MARK: Stages

    /// Composes without binding, releases everything, and checks for leftovers.
    func composesAlone<Screen: ViewModel>(
        _ owner: UniqueOwner<Screen>, _ makeInput: (InputCounter) -> Screen.Input
    ) -> [String] {
        let (findings, inputs) = composeAndRelease(owner, makeInput)
        let isAlive = owner.release()
        return findings.isEmpty ? afterRelease(inputs, isAlive: isAlive) : findings
    }

    private func composeAndRelease<Screen: ViewModel>(
        _ owner: UniqueOwner<Screen>, _ makeInput: (InputCounter) -> Screen.Input
    ) -> (findings: [String], inputs: [Input]) {
        guard let screen = owner.screen else { return ([], []) }
        let counter = InputCounter(BindingGate())
        let input = makeInput(counter)
        let inputs = named(counter.counts, in: input)
        let (_, findings) = compose(screen, input, inputs)
        return (findings, inputs)
    }

    /// Composes, binds, acts and disposes.
    func composes<Screen: ViewModel>(
        _ screen: Screen, _ makeInput: (InputCounter) -> Screen.Input, whileBound act: () -> Void
    ) -> [String] {
        let gate = BindingGate()
        let (output, inputs, findings) = composed(screen, makeInput, gate)
        if !findings.isEmpty { return findings }
        let reached = OutputStreams(in: output)
        let blindSpots = reached.blindSpots.filter { !isKnown($0.path, in: unseen) }
            .map { blindSpot($0.what, at: $0.path) }
        if reached.streams.isEmpty { return blindSpots.isEmpty ? [noOutputs] : blindSpots }
        let retained = inputs.map { $0.isAlive() }
        var sideEffects: [String] = []
        let ends = OutputEnds()
        let subscriptions = reached.streams.map { path, stream in
            let log = SubscriptionLog()
            let subscription = SubscriptionLog.$current.withValue(log) {
                Self.bind(stream) { [ended = inputs.map(\.hasEnded)] error in
                    // An output that ends when it is bound does not depend on the inputs.
                    if gate.isOpen, !ended.contains(where: { $0() }) { ends.add(path, error) }
                }
            }
            if log.sideEffects > 0, !isKnown(path, in: unseen) { sideEffects.append(sideEffect(at: path)) }
            return subscription
        }
        gate.open()
        let bound = inputs.map { $0.subscriptions() }
        act()
        let bindings = afterBinding(inputs, bound: bound, retained: retained)
        let ended = ends.all.filter { !isKnown($0.path, in: ending) }.map { end(at: $0.path, $0.error) }
        subscriptions.forEach { $0.dispose() }
        return blindSpots + sideEffects + bindings + ended + afterDisposal(inputs)
    }

    /// Composes; afterwards only the output, and the view model, retain the inputs.
    private func composed<Screen: ViewModel>(
        _ screen: Screen, _ makeInput: (InputCounter) -> Screen.Input, _ gate: BindingGate
    ) -> (output: Screen.Output, inputs: [Input], findings: [String]) {
        let counter = InputCounter(gate)
        let input = makeInput(counter)
        let inputs = named(counter.counts, in: input)
        let (output, findings) = compose(screen, input, inputs)
        return (output, inputs, findings)
    }

    private func compose<Screen: ViewModel>(
        _ screen: Screen, _ input: Screen.Input, _ inputs: [Input]
    ) -> (Screen.Output, [String]) {
        let log = SubscriptionLog()
        let (output, jobs) = SubscriptionLog.$current.withValue(log) {
            EnqueuedJobs.counted { screen.transform(input) }
        }
        return (output, afterTransform(inputs, log, jobs))
    }

    private static func bind(
        _ stream: some ObservableConvertibleType, onEnd: @escaping @Sendable (_ error: (any Error)?) -> Void = { _ in }
    ) -> any Disposable {
        stream.asObservable().subscribe { event in if event.isStopEvent { onEnd(event.error) } }
    }

    private func isKnown(_ path: String, in declared: Set<String>) -> Bool {
        declared.contains(path) || declared.contains(String(path.prefix { $0 != "." }))
    }

    // MARK: Names

    /// Names the inputs by the properties that hold them. An observable is found by its identity; a stream that was
    /// derived from it, such as a driver, by subscribing to it while the inputs are delayed.
    private func named(_ counts: [InputCounter.Count], in input: Any) -> [Input] {
        let properties = OutputStreams(in: input).streams
        var paths: [Int: String] = [:]
        for (index, count) in counts.enumerated() {
            let property = properties.first { count.stream != nil && ($0.stream as AnyObject) === count.stream }
            if let property { paths[index] = property.path }
        }
        if paths.count < counts.count {
            for (path, stream) in properties where !paths.values.contains(path) {
                let before = counts.map { $0.subscriptions() }
                Self.bind(stream).dispose()
                for (index, count) in counts.enumerated() where count.subscriptions() > before[index] {
                    paths[index] = paths[index] ?? path
                }
            }
        }
        return counts.enumerated().map { index, count in
            let path = paths[index].map { $0.isEmpty ? "" : "`\($0)` " } ?? ""
            return Input(count, name: "the input \(path)(counted at \(count.place))")
        }
    }

    // MARK: Findings

    private var live: String {
        scope.live.isEmpty ? "" : ":\n\(LiveSubscriptions.draw(scope.live))"
    }

    private func afterTransform(_ inputs: [Input], _ log: SubscriptionLog, _ jobs: Int) -> [String] {
        let affected = inputs.filter { $0.subscriptions() > 0 }.map(\.name)
        let made = log.subscriptions
        if affected.isEmpty && made.isEmpty && log.sends > 0 {
            return [
                """
                `transform` of \(name) sends to a subject or a relay
                It must only compose. Derive what it sends from the inputs and return it as an output; give a first \
                element to the initializer of the relay, or to startWith.
                """
            ]
        }
        if affected.isEmpty && made.isEmpty && jobs > 0 {
            return [
                """
                `transform` of \(name) starts a task
                It must only compose. Make the task a part of an output: Observable.task { … }, or the \
                asynchronous form of flatMapLatest.
                """
            ]
        }
        if affected.isEmpty && made.isEmpty { return [] }
        let what = affected.isEmpty ? "other streams" : affected.joined(separator: ", ")
        let places = made.filter { $0.hasPrefix("subscribe") }
        let ended = ":\n" + (places.isEmpty ? made : places).prefix(5).joined(separator: "\n")
        return [
            """
            `transform` of \(name) subscribes to \(what)\(live.isEmpty && !made.isEmpty ? ended : live)
            It must only compose. Return the derived stream as an output, or combine it with one by an operator \
            (withLatestFrom, flatMapLatest, combineLatest), instead of subscribe, bind or drive.
            """
        ]
    }

    private func afterRelease(_ inputs: [Input], isAlive: Bool) -> [String] {
        // A task or a queue may have subscribed in the meantime.
        let affected = inputs.filter { $0.subscriptions() > 0 || $0.isAlive() }.map(\.name)
        if affected.isEmpty && !isAlive { return [] }
        let what = (isAlive ? ["the view model itself"] : []) + affected
        return [
            """
            after `transform` of \(name) has returned and its output was released, something still retains \
            \(what.joined(separator: ", "))
            The cause is a retain cycle (an object holds a stream whose closures capture that object: capture it weakly), or work \
            that `transform` has started (a task, a queue): make it a part of an output.
            """
        ]
    }

    private var noOutputs: String {
        """
        the output of \(name) has no streams to bind
        Make them stored properties of `Output`.
        """
    }

    private func blindSpot(_ what: String, at path: String) -> String {
        """
        cannot inspect the output \(path.isEmpty ? "of \(name)" : "`\(path)` of \(name)"): it is \(what), which may \
        hide streams
        Make the streams stored properties of `Output`; or, if there are none, declare it: `unseen: ["\(path)"]`.
        """
    }

    private func sideEffect(at path: String) -> String {
        """
        cannot inspect the `do` (or `debug`) on the way to the output \
        \(path.isEmpty ? "of \(name)" : "`\(path)` of \(name)"): it may have side effects
        Navigation, toasts and other one-time events are outputs: return a `Signal`. If it has no side effects, declare \
        it: `unseen: ["\(path)"]`.
        """
    }

    private func end(at path: String, _ error: (any Error)?) -> String {
        """
        the output \(path.isEmpty ? "of \(name)" : "`\(path)` of \(name)") ends\(error.map { " with the error \($0)" } ?? "") \
        although the inputs go on
        An error of its work may have ended it: make the error an element where the work is (`materialize` or `catch` \
        inside flatMapLatest), because `asDriver` and `asSignal` only replace it. If the output is to end, declare it: \
        `ending: ["\(path)"]`.
        """
    }

    /// - Parameters:
    ///   - inputs: The inputs, after the elements of the test.
    ///   - bound: The number of subscriptions to each, before these elements.
    ///   - retained: Whether the output retains each.
    private func afterBinding(_ inputs: [Input], bound: [Int], retained: [Bool]) -> [String] {
        zip(inputs, zip(bound, retained)).compactMap { input, state in
            let (found, isRetained) = state
            let expected = input.expected
            if found == expected { return nil }
            // What only an element subscribes to, inside `flatMapLatest`.
            if found < expected, input.subscriptions() >= expected || found == 0 && isRetained { return nil }
            let remedy =
                found < expected
                ? "No output depends on it; or declare it: `count(…, subscribed: \(found))`."
                : """
                Share the derived stream before it branches (`share()`, `asDriver(…)`); or declare it: \
                `count(…, subscribed: \(found))`.
                """
            return """
                binding each output of \(name) once subscribes to \(input.name) \(times(found)), not \(times(expected))
                \(remedy)
                """
        }
    }

    private func afterDisposal(_ inputs: [Input]) -> [String] {
        let affected = inputs.filter { $0.active() > 0 }.map(\.name)
        if affected.isEmpty && scope.live.isEmpty { return [] }
        let what = affected.isEmpty ? "other streams" : affected.joined(separator: ", ")
        return [
            """
            after all subscriptions are disposed, \(name) is still subscribed to \(what)\(live)
            Make the subscription a part of an output (flatMapLatest, using, merge), instead of subscribe, \
            bind or drive.
            """
        ]
    }

    private func times(_ count: Int) -> String {
        switch count {
        case 0: "never"
        case 1: "once"
        case 2: "twice"
        default: "\(count) times"
        }
    }
}

/// A view model that is a value, or an object without other owners.
@MainActor
final class UniqueOwner<Screen> {
    private(set) var screen: Screen?

    /// `nil` if the result of `make` has another owner.
    init?(of make: () -> Screen) {
        screen = make()
        guard Screen.self is AnyClass else { return }
        var object = screen.map { $0 as AnyObject }
        screen = nil
        guard isKnownUniquelyReferenced(&object) else { return nil }
        screen = object as? Screen
    }

    /// Releases the view model.
    ///
    /// - Returns: Whether it is an object that is still alive.
    func release() -> Bool {
        weak let object = Screen.self is AnyClass ? screen.map { $0 as AnyObject } : nil
        screen = nil
        return object != nil
    }
}

/// The streams that reflection finds in an output or an input, and the values that it cannot inspect.
struct OutputStreams {
    /// The streams, each with its path, such as `rows` or `details.title`.
    private(set) var streams: [(path: String, stream: any ObservableConvertibleType)] = []
    /// The paths of values that may hide streams, each with its description.
    private(set) var blindSpots: [(path: String, what: String)] = []
    private var visited: Set<ObjectIdentifier> = []

    init(in value: Any) {
        visit(value, at: "")
    }

    private mutating func visit(_ value: Any, at path: String) {
        if let stream = value as? any ObservableConvertibleType { return streams.append((path, stream)) }
        let type = String(reflecting: Swift.type(of: value))
        if value is any AsyncSequence {
            return blindSpots.append((path, "an asynchronous sequence"))
        }
        let mirror = Mirror(reflecting: value)
        let isCollection =
            [.collection, .dictionary, .set, .optional, .tuple].contains(mirror.displayStyle)
        if mirror.displayStyle == nil, type.contains("->") { return blindSpots.append((path, "a closure")) }
        if !isCollection {
            // Types of the system and of the streams hold no outputs of the screen.
            let module = type.prefix { $0 != "." }
            if Self.closedModules.contains(String(module)) { return }
            if module == "ViewModels", mirror.displayStyle == .class { return }
            if value is any CustomReflectable {
                return blindSpots.append((path, "a value with a custom mirror"))
            }
        }
        if mirror.displayStyle == .class {
            guard visited.insert(ObjectIdentifier(value as AnyObject)).inserted else { return }
        }
        var level: Mirror? = mirror
        while let mirror = level {
            for (number, child) in mirror.children.enumerated() {
                let label = child.label ?? "\(number)"
                let isWrapper = [.optional].contains(mirror.displayStyle)
                let childPath = isWrapper ? path : path.isEmpty ? label : "\(path).\(label)"
                if Self.isUnreadable(child.value, in: mirror) {
                    blindSpots.append((childPath, "a value that cannot be copied"))
                } else {
                    visit(child.value, at: childPath)
                }
            }
            level = mirror.superclassMirror
        }
    }

    /// Whether reflection yields an empty tuple for a noncopyable value, such as a `Mutex`.
    private static func isUnreadable(_ value: Any, in mirror: Mirror) -> Bool {
        value is Void && mirror.displayStyle == .class
    }

    private static let closedModules: Set<String> = [
        "Swift", "_Concurrency", "Synchronization", "Foundation", "FoundationEssentials", "Dispatch", "Observation",
        "Streams", "Composition", "__C",
    ]
}

/// The outputs that have ended, each once, in order.
private final class OutputEnds: Sendable {
    private let ends = Mutex<[(path: String, error: (any Error)?)]>([])

    var all: [(path: String, error: (any Error)?)] { ends.withLock { $0 } }

    func add(_ path: String, _ error: (any Error)?) {
        ends.withLock { $0.append((path, error)) }
    }
}

/// Delays the inputs until all outputs are bound: a screen binds its outputs before its inputs emit, and an input that
/// completes synchronously would otherwise complete before the second output subscribes.
final class BindingGate: Sendable {
    /// The delayed subscriptions; `nil` once the gate is open.
    private let waiting = Mutex<[@Sendable () -> Void]?>([])

    var isOpen: Bool { waiting.withLock { $0 == nil } }

    /// `source`, subscribed to when the gate opens.
    func hold<Element: Sendable>(_ source: Observable<Element>) -> Observable<Element> {
        Observable.create { [self] observer in
            let subscription = SingleAssignmentDisposable()
            let begin = { @Sendable in
                if !subscription.isDisposed { subscription.setDisposable(source.subscribe(observer)) }
            }
            let isOpen = waiting.withLock { waiting in
                waiting?.append(begin)
                return waiting == nil
            }
            if isOpen { begin() }
            return subscription
        }
    }

    /// Subscribes to all inputs, in the order of their subscriptions.
    func open() {
        for begin in waiting.withLock({ $0.take() }) ?? [] { begin() }
    }
}

/// Counts the tasks that this thread starts on the global executor, through the hook of the concurrency runtime.
///
/// Without that hook in the runtime, it counts none. It does not see tasks on the main actor and on other actors.
enum EnqueuedJobs {
    private typealias Enqueue = @convention(thin) (UnsafeRawPointer) -> Void
    private typealias Hook = @convention(thin) (UnsafeRawPointer, Enqueue) -> Void

    private static let count = Atomic(0)
    /// The observed thread; 0 for none. One at a time, because callers are on the main actor.
    private static let watched = Atomic<UInt>(0)

    /// Installed once, for the life of the process: it forwards every job and counts those of the observed thread.
    private static let isInstalled: Bool = {
        guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "swift_task_enqueueGlobal_hook") else {
            return false
        }
        let hook = symbol.assumingMemoryBound(to: Hook?.self)
        // An existing hook is kept.
        guard hook.pointee == nil else { return false }
        hook.pointee = { job, enqueue in
            if EnqueuedJobs.watched.load(ordering: .relaxed) == EnqueuedJobs.thisThread {
                EnqueuedJobs.count.add(1, ordering: .relaxed)
            }
            enqueue(job)
        }
        return true
    }()

    private static var thisThread: UInt {
        #if canImport(Darwin)
        UInt(bitPattern: pthread_self())
        #else
        UInt(pthread_self())
        #endif
    }

    /// Runs `body`, and returns how many jobs this thread enqueued during it.
    @MainActor
    static func counted<Result>(_ body: () -> Result) -> (result: Result, count: Int) {
        guard isInstalled else { return (body(), 0) }
        count.store(0, ordering: .relaxed)
        watched.store(thisThread, ordering: .relaxed)
        defer { watched.store(0, ordering: .relaxed) }
        let result = body()
        return (result, count.load(ordering: .relaxed))
    }
}
