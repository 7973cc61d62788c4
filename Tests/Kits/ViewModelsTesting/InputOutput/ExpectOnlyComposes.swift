public import Streams
import StreamsTesting
import Synchronization
public import ViewModels

/// Fails the test unless the view model follows the rules of `ViewModel`:
///
/// 1. `transform` subscribes to nothing, sends nothing, starts no task, and leaves nothing behind;
/// 2. binding each output once subscribes to each input once, or as often as declared;
/// 3. no output ends while the inputs go on, unless it is declared as `ending`;
/// 4. disposing all bindings leaves no subscription.
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
/// It detects:
///
/// - every subscription that `transform` makes on its own thread, even if it is disposed at once, in debug builds; a
///   subscription to an input on any thread, in any build;
/// - every event that `transform` sends on its own thread to a subject, a relay or a `WaitingRelay`, in debug builds;
/// - a task that `transform` starts, unless the task runs on an actor and captures neither the view model, if that is
///   an object, nor an input;
/// - any remaining owner of an input, or of a view model that is an object, after `transform` has returned and its
///   output was released: a retain cycle, a task, work on a queue. For this, the view model and its input are made
///   twice, and the first pair is never bound. A view model that has another owner, such as a variable of the test, is
///   made once, and this check is omitted: pass the expression that makes it;
/// - every stream in the output, in stored properties of structures, objects, tuples, optionals and collections at any
///   depth. Each is bound; the inputs are delayed until all are;
/// - an output that ends after it was bound, before any input has ended: an error of its work has left `flatMapLatest`, say,
///   so that the screen is dead from then on. The check runs the work that the test gives it. So make the view model with
///   work that fails, send the elements that start it, and let it end before `whileBound` returns: at once, or in virtual
///   time.
///
/// ```swift
/// @Test(.virtualTime) @MainActor func survivesAnOutage() {
///     let scheduler = TestScheduler()
///     expectOnlyComposes(MovieSearch { _ in throw Outage() }) { inputs in
///         .init(text: inputs.count(text))
///     } whileBound: {
///         text.accept("sea")
///         scheduler.run()
///     }
/// }
/// ```
///
/// Parts that it cannot inspect also fail the test, with the words "cannot inspect", unless the test declares them in
/// `unseen`: closures, asynchronous sequences and noncopyable values in the output, which may hide streams; and `do` or
/// `debug` on the way to an output, whose functions may navigate or show a toast, which should be outputs (debug
/// builds).
///
/// An input that an output only subscribes to later, such as one inside `flatMapLatest`, counts as used if the elements of
/// `whileBound` lead to its subscription, or if the output retains it.
///
/// It does not detect: side effects in the closures of other operators; other calls of `transform` that end before it
/// returns, such as to a repository; retain cycles that arise only with an element; and subscriptions on other threads, except those to inputs.
///
/// - Parameters:
///   - viewModel: Makes the view model.
///   - unseen: The properties of the output, by name or by path (`"details.open"`), that cannot be inspected.
///   - ending: The properties of the output, by name or by path, that may end while the inputs go on, such as one of
///     `take(1)`.
///   - fileID: The file of the call, for the report of a failure.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - makeInput: Makes the input from streams that it counts.
///   - act: Sends the inputs of the screen between binding and disposal.
@MainActor
public func expectOnlyComposes<Screen: ViewModel>(
    _ viewModel: @autoclosure () -> Screen, unseen: Set<String> = [], ending: Set<String> = [],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    input makeInput: (InputCounter) -> Screen.Input, whileBound act: () -> Void = {}
) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    VirtualPlaces.noteMainActor()
    let scope = SubscriptionScope()
    let findings = SubscriptionScope.$current.withValue(scope.withCurrent) {
        let check = CompositionCheck(of: "\(Screen.self)", scope, unseen: unseen, ending: ending)
        if let owner = UniqueOwner(of: viewModel) {
            let findings = check.composesAlone(owner, makeInput)
            if !findings.isEmpty { return findings }
        }
        return check.composes(viewModel(), makeInput, whileBound: act)
    }
    for finding in findings { site.fail(finding) }
}

/// Counts the subscriptions to the inputs of a view model; `expectOnlyComposes` provides it.
///
/// The counted streams emit nothing until each output is bound.
///
/// ```swift
/// expectOnlyComposes(ProfileViewModel()) { inputs in
///     .init(refresh: inputs.count(refresh), name: inputs.count(name, subscribed: 2))
/// }
/// ```
public final class InputCounter {
    struct Count {
        /// The stream of the view model, if it is an object.
        let stream: AnyObject?
        let expected: Int
        let place: String
        let subscriptions: () -> Int
        let active: () -> Int
        let isAlive: () -> Bool
        let hasEnded: @Sendable () -> Bool
    }

    private(set) var counts: [Count] = []
    private let gate: BindingGate

    init(_ gate: BindingGate) {
        self.gate = gate
    }

    /// The stream to pass to the view model in place of `source`.
    ///
    /// ```swift
    /// expectOnlyComposes(ProfileViewModel()) { inputs in
    ///     .init(refresh: inputs.count(refresh), name: inputs.count(name, subscribed: 2))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - source: The elements for the view model.
    ///   - times: The expected number of subscriptions when each output is bound once.
    ///   - fileID: The file of the call, for the name of the input in a failure.
    ///   - line: The line of the call.
    public func count<Source: ObservableConvertibleType>(
        _ source: Source, subscribed times: Int = 1, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Source.Element> {
        let stream = counted(source, times, "\(fileID):\(line)") { $0 }
        return stream
    }

    /// The driver to pass to the view model in place of `source`.
    public func count<Element>(
        _ source: Driver<Element>, subscribed times: Int = 1, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Driver<Element> {
        counted(source, times, "\(fileID):\(line)") { $0.asDriver(onErrorDriveWith: .empty()) }
    }

    /// The signal to pass to the view model in place of `source`.
    public func count<Element>(
        _ source: Signal<Element>, subscribed times: Int = 1, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Signal<Element> {
        counted(source, times, "\(fileID):\(line)") { $0.asSignal(onErrorSignalWith: .empty()) }
    }

    private func counted<Source: ObservableConvertibleType, Stream>(
        _ source: Source, _ times: Int, _ place: String, as make: (Observable<Source.Element>) -> Stream
    ) -> Stream {
        let counted = CountedStream(gate.hold(source.asObservable()))
        let stream = make(counted.stream)
        let report = counted.report
        counts.append(
            Count(
                stream: stream as? Observable<Source.Element>, expected: times, place: place,
                subscriptions: { report.subscriptions }, active: { report.active },
                isAlive: { [weak counted] in counted != nil }, hasEnded: { report.hasEnded }))
        return stream
    }
}

/// A stream that counts its subscriptions: tests that `transform` subscribes to nothing, that binding the outputs
/// subscribes to each input as often as declared, and that disposing leaves nothing alive.
///
/// ```swift
/// let name = CountedStream(Observable.just("Mina"))
/// let output = Greeter().transform(.init(name: name.stream))
/// name.subscriptions    // 0: composing starts nothing
/// let subscription = output.greeting.drive()
/// name.active           // 1
/// subscription.dispose()
/// name.active           // 0
/// ```
public final class CountedStream<Element: Sendable>: Sendable {
    private let source: Observable<Element>
    let report = SubscriptionCounts()

    /// Creates a stream that counts the subscriptions to `source`.
    public init(_ source: Observable<Element>) {
        self.source = source
    }

    /// The stream to pass to a view model.
    public var stream: Observable<Element> {
        Observable.create { [self] observer in
            let report = report
            report.begin()
            let subscription = source.subscribe { event in
                if event.isStopEvent { report.terminate() }
                observer.on(event)
            }
            return Disposables.create(subscription, Disposables.create { report.end() })
        }
    }

    /// The number of subscriptions so far.
    public var subscriptions: Int { report.subscriptions }

    /// The number of subscriptions that are neither disposed nor terminated.
    public var active: Int { report.active }
}

/// The counts of a stream, which may outlive it.
final class SubscriptionCounts: Sendable {
    private let counts = Mutex((begun: 0, ended: 0, hasTerminated: false))

    var subscriptions: Int { counts.withLock { $0.begun } }
    var active: Int { counts.withLock { $0.begun - $0.ended } }
    /// Whether the source has completed or failed.
    var hasEnded: Bool { counts.withLock { $0.hasTerminated } }

    func begin() { counts.withLock { $0.begun += 1 } }
    func end() { counts.withLock { $0.ended += 1 } }
    func terminate() { counts.withLock { $0.hasTerminated = true } }
}
