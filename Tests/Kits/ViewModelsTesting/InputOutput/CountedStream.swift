public import Streams
import Synchronization

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
            return Disposables.create(source.subscribe(observer), Disposables.create { report.end() })
        }
    }

    /// The number of subscriptions so far.
    public var subscriptions: Int { report.subscriptions }

    /// The number of subscriptions that are neither disposed nor terminated.
    public var active: Int { report.active }
}

/// The counts of a stream, which may outlive it.
final class SubscriptionCounts: Sendable {
    private let counts = Mutex((begun: 0, ended: 0))

    var subscriptions: Int { counts.withLock { $0.begun } }
    var active: Int { counts.withLock { $0.begun - $0.ended } }

    func begin() { counts.withLock { $0.begun += 1 } }
    func end() { counts.withLock { $0.ended += 1 } }
}
