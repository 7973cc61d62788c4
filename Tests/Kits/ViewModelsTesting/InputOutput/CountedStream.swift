public import Streams
import Synchronization

/// A stream that counts who listens: shows that `transform` subscribes to nothing, that the edge pulls each input as
/// often as declared, and that disposing leaves nothing alive.
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
    private struct Counts {
        var subscriptions = 0
        var ends = 0
    }

    private let source: Observable<Element>
    private let counts = Mutex(Counts())

    /// Counts who listens to `source`.
    public init(_ source: Observable<Element>) {
        self.source = source
    }

    /// The stream to hand to a view model.
    public var stream: Observable<Element> {
        Observable.create { [self] observer in
            counts.withLock { $0.subscriptions += 1 }
            return Disposables.create(
                source.subscribe(observer),
                Disposables.create { [self] in counts.withLock { $0.ends += 1 } })
        }
    }

    /// How often it was subscribed to.
    public var subscriptions: Int { counts.withLock { $0.subscriptions } }

    /// How many subscriptions are neither disposed nor at their end.
    public var active: Int { counts.withLock { $0.subscriptions - $0.ends } }
}
