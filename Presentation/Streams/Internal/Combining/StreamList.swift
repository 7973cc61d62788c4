/// A stream whose element type is not known.
@usableFromInline typealias ErasedStream = Observable<ErasedElement>

/// The stream of a `concat`, `startWith` or `merge`.
///
/// Its properties are accessed without the type of the elements: their types, and so their places, do not depend on it.
@usableFromInline
final class CompoundStream<Element: Sendable>: Observable<Element>, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    let list: StreamList
    /// Connects a sink to all streams concurrently; `nil` for `concat` and `startWith`.
    let merge: (@Sendable (StreamList, Sink<Element>) -> Void)?

    /// Creates a `concat`.
    @usableFromInline
    init(concatenating list: StreamList) {
        self.list = list
        merge = nil
        super.init(.concat)
    }

    /// Creates a `startWith`.
    @usableFromInline
    convenience init(_ initial: InitialElements<Element>, before stream: Observable<Element>) {
        self.init(concatenating: StreamList([initial.erasedStream, stream.erasedStream]))
    }

    @usableFromInline
    init(merging list: StreamList, _ merge: @escaping @Sendable (StreamList, Sink<Element>) -> Void) {
        self.list = list
        self.merge = merge
        super.init(.merge)
    }
}

/// The same object as one of another class, of which the caller knows that it is or that the two have one layout.
// Not `unsafeBitCast`, which compares the sizes and looks up metadata for it; nor `unsafeDowncast`, which checks the class
// in debug builds.
@inlinable
func recast<Object: AnyObject, Result: AnyObject>(_ object: Object) -> Result {
    Unmanaged.fromOpaque(Unmanaged.passUnretained(object).toOpaque()).takeUnretainedValue()
}

extension Observable {
    /// This stream, for lists of streams.
    @inlinable
    var erasedStream: ErasedStream { recast(self) }

    /// The same array, whose elements are references.
    @inlinable
    static func erasing(_ streams: [Observable]) -> [ErasedStream] { unsafeBitCast(streams, to: [ErasedStream].self) }
}

extension ErasedStream {
    /// The stream of which this is the ``erasedStream``. The sinks that are connected to a list have the element type of
    /// the ``CompoundStream``, which creates the list from streams of that type. Debug builds check it.
    // Not `recast`: where the type is not known, that looks up its metadata.
    @inlinable
    func restored<E: Sendable>() -> Observable<E> { unsafeDowncast(self as AnyObject, to: Observable<E>.self) }

    /// The streams of a `concat`, `startWith` or `merge`.
    fileprivate var streamList: StreamList { (recast(self) as CompoundStream<ErasedElement>).list }
}

/// The elements that `startWith` emits first.
@usableFromInline
final class InitialElements<Element: Sendable>: Observable<Element>, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; the property it adds is a `let` of a `Sendable` type.

    /// Sends the elements: a function, which is created where their type is known.
    let send: @Sendable (Sink<Element>) -> Void

    @usableFromInline
    init(send: @escaping @Sendable (Sink<Element>) -> Void) {
        self.send = send
        super.init(.elements)
    }
}

/// The streams of a `concat`, `startWith` or `merge`.
///
/// These operators are associative, so nested ones, perhaps 100,000 levels built by `reduce`, are flattened when they are
/// subscribed and released in a loop: neither needs stack.
///
/// `@unchecked Sendable`: `parts` changes only while the deinitializer of the owner holds the only reference.
@usableFromInline
final class StreamList: @unchecked Sendable {
    @exclusivity(unchecked) fileprivate var parts: [ErasedStream]
    /// The streams that follow `parts`, requested one at a time: the sequence may be lazy or infinite.
    fileprivate let rest: (@Sendable () -> AnyIterator<ErasedStream>)?
    /// Whether a part is a list itself.
    private let isNested: Bool

    @usableFromInline
    init(_ parts: [ErasedStream]) {
        self.parts = parts
        rest = nil
        isNested = parts.contains { $0.kind == .concat || $0.kind == .merge }
    }

    @usableFromInline
    init<Element: Sendable>(lazily sequence: some Sequence<Observable<Element>> & Sendable) {
        parts = []
        rest = {
            var iterator = sequence.makeIterator()
            return AnyIterator { iterator.next()?.erasedStream }
        }
        isNested = false
    }

    deinit {
        if !isNested { return }
        var waiting = parts
        parts = []
        while !waiting.isEmpty {
            guard var list = Self.popLast(&waiting) else { continue }
            if isKnownUniquelyReferenced(&list) {
                waiting += list.parts
                list.parts = []
            }
        }
    }

    /// Releases the last stream, but not the streams of which it is the list.
    private static func popLast(_ streams: inout [ErasedStream]) -> StreamList? {
        let last = streams.removeLast()
        return last.kind == .concat || last.kind == .merge ? last.streamList : nil
    }
}

/// A flattening iterator over a list of streams.
struct StreamListIterator {
    struct Level {
        /// The remaining parts: those from `index` on, in order; or, if `isStack` is set, all of them, last one first.
        var parts: [ErasedStream]
        var index = 0
        var isStack = false
        let rest: AnyIterator<ErasedStream>?

        init(_ list: StreamList) {
            parts = list.parts
            rest = list.rest?()
        }

        /// Whether no stream remains, as far as that is known without requesting one.
        var isExhausted: Bool { index == parts.count && rest == nil }

        mutating func next() -> ErasedStream? {
            if isStack { return parts.popLast() ?? rest?.next() }
            guard index < parts.count else { return rest?.next() }
            defer { index += 1 }
            return parts[index]
        }

        /// Releases the streams before `index`, except the last `used` ones.
        mutating func releaseFinished(except used: Int) {
            if index == parts.count {
                parts = []
            } else if index > used {
                parts = parts[index...].reversed()
                isStack = true
            } else {
                return
            }
            index = 0
        }
    }

    let kind: Kind
    var level: Level
    /// The enclosing levels that are not exhausted. A right-nested list needs none: each of its levels is exhausted
    /// when the next one begins.
    var outer: [Level] = []
    /// Whether finished streams are released immediately.
    var releasesFinished = false

    /// - Parameter kind: The operator of the list. A list of another operator counts as one stream.
    init(of list: StreamList, by kind: Kind) {
        self.kind = kind
        level = Level(list)
    }

    /// Whether no stream remains, as far as that is known without requesting one.
    var isExhausted: Bool { level.isExhausted && outer.isEmpty }

    /// Releases finished streams, now and after each further stream: for operators that wait between the streams.
    mutating func releaseFinishedStreams() {
        releasesFinished = true
        level.releaseFinished(except: 1)
        for index in outer.indices { outer[index].releaseFinished(except: 0) }
    }

    mutating func next() -> ErasedStream? {
        while true {
            if let stream = level.next() {
                guard stream.kind == kind else {
                    if releasesFinished { level.releaseFinished(except: 1) }
                    return stream
                }
                if !level.isExhausted {
                    if releasesFinished { level.releaseFinished(except: 0) }
                    outer.append(level)
                }
                level = Level(stream.streamList)
            } else if let above = outer.popLast() {
                level = above
            } else {
                return nil
            }
        }
    }
}

extension StreamList {
    /// Connects the sink to the streams sequentially.
    func concatenate<Element: Sendable>(into sink: Sink<Element>) {
        // Elements come first only in `startWith`, which passes the terminal event of its stream on.
        var list = self
        while let first = list.parts.first, first.kind == .elements {
            let initial: Observable<Element> = first.restored()
            unsafeDowncast(initial, to: InitialElements<Element>.self).send(sink)
            guard sink.chain.isLive else { return }
            let next = list.parts[1]
            guard next.kind == .concat else { return next.restored().connect(sink) }
            list = next.streamList
        }
        var remaining = StreamListIterator(of: list, by: .concat)
        // Streams that emit synchronously have nothing to release, so they need no chain of their own.
        while sink.chain.isLive, let next = remaining.next() {
            let stream: Observable<Element> = next.restored()
            switch stream.kind {
            case .just: sink.next(stream.content(Element.self))
            case .elements: unsafeDowncast(stream, to: InitialElements<Element>.self).send(sink)
            case .empty: break
            case .error: return sink.chain.fail(stream.content((any Error).self))
            default: return sink.connect(stream, andThen: remaining)
            }
        }
        sink.chain.complete()
    }

    /// Connects the sink to all streams concurrently.
    @inlinable
    func merge<Element: Sendable>(into sink: Sink<Element>) {
        let coordinator = MergeCoordinator(into: sink.chain)
        forEachMerged(while: sink.chain) { coordinator.add($0.restored(), sink.next) }
        coordinator.complete()
    }

    /// Calls `body` with the streams, while the subscription lives.
    @usableFromInline
    func forEachMerged(while chain: Chain, _ body: (ErasedStream) -> Void) {
        var remaining = StreamListIterator(of: self, by: .merge)
        while chain.isLive, let stream = remaining.next() { body(stream) }
    }
}

extension Sink where Element: Sendable {
    /// Connects the sink to `stream`, and then sequentially to the remaining streams. Each stream is released when it
    /// has ended.
    fileprivate func connect(_ stream: Observable<Element>, andThen remaining: __owned StreamListIterator) {
        var remaining = remaining
        remaining.releaseFinishedStreams()
        let rest = SubscriptionState(remaining)
        let first = SubscriptionState<ErasedStream?>(stream.erasedStream)
        // It does not capture the chain: that of a part that is taken over must be released.
        let begin = { [receive = next, isSerialising] (subscriptions: SequentialSubscriptions) in
            guard let erased = first.value.take() ?? rest.value.next() else { return subscriptions.finish(nil) }
            let stream: Observable<Element> = erased.restored()
            let part = subscriptions.makePart()
            if rest.value.isExhausted {
                subscriptions.subscribeToLast(part) {
                    stream.subscribe(Sink(part, isSerialising: isSerialising, next: receive))
                }
            } else {
                stream.subscribe(Sink(part, isSerialising: isSerialising, next: receive))
            }
        }
        if !SequentialSubscriptions.takeOver(chain, begin) {
            SequentialSubscriptions(into: chain, begin: begin).advance()
        }
    }
}
