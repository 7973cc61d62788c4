import Streams
import StreamsTesting
import ViewModels

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
        let isAlive: () -> Bool

        init(_ count: InputCounter.Count, name: String) {
            let before = count.subscriptions()
            let total = count.subscriptions
            self.name = name
            expected = count.expected
            subscriptions = { total() - before }
            active = count.active
            isAlive = count.isAlive
        }
    }

    private let name: String
    private let scope: SubscriptionScope
    private let unseen: Set<String>

    init(of name: String, _ scope: SubscriptionScope, _ unseen: Set<String>) {
        self.name = name
        self.scope = scope
        self.unseen = unseen
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
        let counter = InputCounter(gate)
        let input = makeInput(counter)
        let inputs = named(counter.counts, in: input)
        let (output, findings) = compose(screen, input, inputs)
        if !findings.isEmpty { return findings }
        let reached = OutputStreams(in: output)
        let blindSpots = reached.blindSpots.filter { !isKnown($0.path) }.map { blindSpot($0.what, at: $0.path) }
        if reached.streams.isEmpty { return blindSpots.isEmpty ? [noOutputs] : blindSpots }
        var sideEffects: [String] = []
        let subscriptions = reached.streams.map { path, stream in
            let log = SubscriptionLog()
            let subscription = SubscriptionLog.$current.withValue(log) { Self.bind(stream) }
            if log.sideEffects > 0, !isKnown(path) { sideEffects.append(sideEffect(at: path)) }
            return subscription
        }
        gate.open()
        let bindings = afterBinding(inputs)
        act()
        subscriptions.forEach { $0.dispose() }
        return blindSpots + sideEffects + bindings + afterDisposal(inputs)
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

    private static func bind(_ stream: some ObservableConvertibleType) -> any Disposable {
        stream.asObservable().subscribe { _ in }
    }

    private func isKnown(_ path: String) -> Bool {
        unseen.contains(path) || unseen.contains(String(path.prefix { $0 != "." }))
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

    private func afterBinding(_ inputs: [Input]) -> [String] {
        inputs.compactMap { input in
            let found = input.subscriptions()
            let expected = input.expected
            if found == expected { return nil }
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
