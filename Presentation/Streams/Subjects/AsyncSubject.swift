/// Sends the last element it was told, once it is complete; to those who come later as well.
///
/// An error it sends at once, without an element.
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

    /// The type of the observer side.
    public typealias SubjectObserverType = AsyncSubject<Element>

    @usableFromInline let multicast: Multicast
    /// The last element.
    @usableFromInline let buffer: ReplayBuffer<Element>

    /// A subject without an element.
    @inlinable
    public init() {
        let multicast = Multicast(of: AsyncSubject.self)
        let buffer = ReplayBuffer<Element>(capacity: 1)
        self.multicast = multicast
        self.buffer = buffer
        super.init(subject: { sink in
            multicast.add(Node(sink, in: multicast)) {
                if !multicast.isOpen { buffer.replay(to: sink) }
            }
        })
    }

    deinit {
        multicast.close()
    }

    /// Whether anyone listens.
    public var hasObservers: Bool { multicast.hasObservers }

    /// Whether it was disposed.
    public var isDisposed: Bool { multicast.isDisposed }

    /// Takes an element, or sends the end and what comes with it.
    @inlinable
    public func on(_ event: Event<Element>) {
        multicast.gate.pass { [multicast, buffer] in
            guard multicast.isOpen else { return }
            switch event {
            case .next(let element): buffer.append(element)
            case .error(let error):
                buffer.removeAll()
                multicast.finishInside(error)
            case .completed:
                for element in buffer.elements { multicast.deliver(element) }
                multicast.finishInside(nil)
            }
        }
    }

    /// The observer side alone.
    public func asObserver() -> AsyncSubject<Element> { self }

    /// Lets all observers go without a word. From now on what is sent is ignored, and subscribing is an error.
    public func dispose() {
        multicast.dispose()
        multicast.gate.pass { [buffer] in buffer.removeAll() }
    }
}
