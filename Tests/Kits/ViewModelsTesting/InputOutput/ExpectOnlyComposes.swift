import Streams
import StreamsTesting
public import ViewModels

/// Fails the test unless the view model keeps to the rules of ``ViewModels/ViewModel``:
///
/// 1. `transform` subscribes to nothing, neither to an input nor to anything else;
/// 2. when each output is bound once, each input is subscribed to once, or as often as declared;
/// 3. when what is bound is disposed, nothing is left alive.
///
/// Every stream in the output is bound, in the order of its properties. Subscriptions to other streams than the inputs
/// are known in debug builds only.
///
/// ```swift
/// @Test @MainActor func composes() {
///     expectOnlyComposes(MovieDetailsViewModel(movie: movie)) { inputs in
///         .init(trigger: inputs.count(trigger), rating: inputs.count(rating, subscribed: 2))
///     } whileBound: {
///         trigger.onNext(())
///     }
/// }
/// ```
///
/// - Parameters:
///   - viewModel: What composes.
///   - input: Makes the input of streams that it counts.
///   - act: What happens on the screen between binding and disposal.
@MainActor
public func expectOnlyComposes<Screen: ViewModel>(
    _ viewModel: Screen, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, input makeInput: (InputCounter) -> Screen.Input, whileBound act: () -> Void = {}
) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let ledger = SubscriptionLedger()
    let inputs = InputCounter()
    let findings = SubscriptionLedger.$current.withValue(ledger.withCurrent) {
        let input = makeInput(inputs)
        let check = CompositionCheck(of: "\(Screen.self)", inputs.counts, namedBy: input, ledger)
        let output = viewModel.transform(input)
        let findings = check.afterTransform()
        if !findings.isEmpty { return findings }
        let streams = streams(in: output)
        if streams.isEmpty { return [check.noOutputs] }
        let subscriptions = streams.map { bind($0) }
        let bindings = check.afterBinding()
        act()
        subscriptions.forEach { $0.dispose() }
        return bindings + check.afterDisposal()
    }
    for finding in findings { site.fail(finding) }
}

private func bind(_ stream: some ObservableConvertibleType) -> any Disposable {
    stream.asObservable().subscribe { _ in }
}

/// The streams in `output`: itself, or those in what it stores, objects apart.
private func streams(in output: Any) -> [any ObservableConvertibleType] {
    if let stream = output as? any ObservableConvertibleType { return [stream] }
    return Mirror(reflecting: output).children.flatMap { _, value in
        let isPlainObject =
            Mirror(reflecting: value).displayStyle == .class && !(value is any ObservableConvertibleType)
        return isPlainObject ? [] : streams(in: value)
    }
}

/// What is found wrong at each stage, in words.
private struct CompositionCheck {
    private let name: String
    private let inputs: [(name: String, count: InputCounter.Count)]
    private let ledger: SubscriptionLedger

    init(of name: String, _ counts: [InputCounter.Count], namedBy input: Any, _ ledger: SubscriptionLedger) {
        self.name = name
        self.ledger = ledger
        let properties = Mirror(reflecting: input).children
        inputs = counts.map { count in
            let property = properties.first { ($0.value as AnyObject) === count.stream }
            return ("the input \(property?.label.map { "`\($0)` " } ?? "")(counted at \(count.place))", count)
        }
    }

    private var live: String {
        ledger.live.isEmpty ? "" : ":\n\(LiveSubscriptions.draw(ledger.live))"
    }

    func afterTransform() -> [String] {
        let heard = inputs.filter { $0.count.subscriptions() > 0 }.map(\.name)
        if heard.isEmpty && ledger.live.isEmpty { return [] }
        let what = heard.isEmpty ? "streams of its own" : heard.joined(separator: ", ")
        return [
            """
            `transform` of \(name) subscribes to \(what)\(live)
            It is to compose only. Return what it makes of the stream as an output, or join it to one by an operator \
            (withLatestFrom, flatMapLatest, combineLatest), in place of subscribe, bind or drive.
            """
        ]
    }

    var noOutputs: String {
        """
        the output of \(name) has no streams to bind
        Make them stored properties of `Output`.
        """
    }

    func afterBinding() -> [String] {
        inputs.compactMap { name, count in
            let found = count.subscriptions()
            if found == count.expected { return nil }
            let remedy =
                found < count.expected
                ? "An output that should depend on it does not; or declare it: `count(…, subscribed: \(found))`."
                : """
                Share what is made of it before the ways part (`share()`, `asDriver(…)`); or declare it: \
                `count(…, subscribed: \(found))`.
                """
            return """
                binding each output of \(self.name) once subscribes to \(name) \(times(found)), not \
                \(times(count.expected))
                \(remedy)
                """
        }
    }

    func afterDisposal() -> [String] {
        let heard = inputs.filter { $0.count.active() > 0 }.map(\.name)
        if heard.isEmpty && ledger.live.isEmpty { return [] }
        let what = heard.isEmpty ? "streams of its own" : heard.joined(separator: ", ")
        return [
            """
            after all that was bound is disposed, \(name) still listens to \(what)\(live)
            Make the subscription a part of the output it serves (flatMapLatest, using, merge), in place of subscribe, \
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
