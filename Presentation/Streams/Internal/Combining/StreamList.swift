/// The streams of a `concat`, `startWith` or `merge`.
///
/// These operators are associative, so nested ones, perhaps 100,000 levels built by `reduce`, are flattened when they are
/// subscribed and released in a loop: neither needs stack.
///
/// `@unchecked Sendable`: `parts` changes only while the deinitializer of the owner holds the only reference.
@usableFromInline
final class StreamList<Element: Sendable>: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var parts: [Observable<Element>]
    /// The streams that follow `parts`, requested one at a time: the sequence may be lazy or infinite.
    @usableFromInline let rest: (@Sendable () -> AnyIterator<Observable<Element>>)?
    /// Whether a part is a list itself.
    @usableFromInline let isNested: Bool
    /// Connects a sink to the streams of this list. Set where the list is created, so that only modules that create lists of
    /// `Element` compile the code for it, and not each one that subscribes to a stream of `Element`.
    @usableFromInline let connect: @Sendable (StreamList, Sink<Element>) -> Void

    /// - Parameter kind: The operator of the list.
    @inlinable
    init(_ parts: [Observable<Element>], by kind: Kind) {
        self.parts = parts
        rest = nil
        isNested = parts.contains { $0.kind == .concat || $0.kind == .merge }
        if kind == .merge {
            connect = { list, sink in list.merge(into: sink) }
        } else {
            connect = { list, sink in list.concatenate(into: sink) }
        }
    }

    @inlinable
    init(lazily rest: @escaping @Sendable () -> AnyIterator<Observable<Element>>) {
        parts = []
        self.rest = rest
        isNested = false
        connect = { list, sink in list.concatenate(into: sink) }
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
    private static func popLast(_ streams: inout [Observable<Element>]) -> StreamList? {
        let last = streams.removeLast()
        return last.kind == .concat || last.kind == .merge ? last.content(StreamList.self) : nil
    }
}

/// A flattening iterator over a list of streams.
@usableFromInline
struct StreamListIterator<Element: Sendable> {
    @usableFromInline
    struct Level {
        /// The remaining parts: those from `index` on, in order; or, if `isStack` is set, all of them, last one first.
        @usableFromInline var parts: [Observable<Element>]
        @usableFromInline var index = 0
        @usableFromInline var isStack = false
        @usableFromInline let rest: AnyIterator<Observable<Element>>?

        @inlinable
        init(_ list: StreamList<Element>) {
            parts = list.parts
            rest = list.rest?()
        }

        /// Whether no stream remains, as far as that is known without requesting one.
        @inlinable
        var isExhausted: Bool { index == parts.count && rest == nil }

        @inlinable
        mutating func next() -> Observable<Element>? {
            if isStack { return parts.popLast() ?? rest?.next() }
            guard index < parts.count else { return rest?.next() }
            defer { index += 1 }
            return parts[index]
        }

        /// Releases the streams before `index`, except the last `used` ones.
        @inlinable
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

    @usableFromInline let kind: Kind
    @usableFromInline var level: Level
    /// The enclosing levels that are not exhausted. A right-nested list needs none: each of its levels is exhausted
    /// when the next one begins.
    @usableFromInline var outer: [Level] = []
    /// Whether finished streams are released immediately.
    @usableFromInline var releasesFinished = false

    /// - Parameter kind: The operator of the list. A list of another operator counts as one stream.
    @inlinable
    init(of list: StreamList<Element>, by kind: Kind) {
        self.kind = kind
        level = Level(list)
    }

    /// Whether no stream remains, as far as that is known without requesting one.
    @inlinable
    var isExhausted: Bool { level.isExhausted && outer.isEmpty }

    /// Releases finished streams, now and after each further stream: for operators that wait between the streams.
    @inlinable
    mutating func releaseFinishedStreams() {
        releasesFinished = true
        level.releaseFinished(except: 1)
        for index in outer.indices { outer[index].releaseFinished(except: 0) }
    }

    @inlinable
    mutating func next() -> Observable<Element>? {
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
                level = Level(stream.content(StreamList.self))
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
    @inlinable
    func concatenate(into sink: Sink<Element>) {
        // Elements come first only in `startWith`, which passes the terminal event of its stream on.
        var list = self
        while let first = list.parts.first, first.kind == .elements {
            for element in first.content([Element].self) { sink.send(element) }
            guard sink.chain.isLive else { return }
            let next = list.parts[1]
            guard next.kind == .concat else { return next.connect(sink) }
            list = next.content(StreamList.self)
        }
        var remaining = StreamListIterator(of: list, by: .concat)
        // Streams that emit synchronously have nothing to release, so they need no chain of their own.
        while sink.chain.isLive, let stream = remaining.next() {
            switch stream.kind {
            case .just: sink.next(stream.content(Element.self))
            case .elements: for element in stream.content([Element].self) { sink.send(element) }
            case .empty: break
            case .error: return sink.chain.fail(stream.content((any Error).self))
            default: return sink.connect(stream, andThen: remaining)
            }
        }
        sink.chain.complete()
    }

    /// Connects the sink to all streams concurrently.
    @inlinable
    func merge(into sink: Sink<Element>) {
        let coordinator = MergeCoordinator(into: sink.chain)
        var remaining = StreamListIterator(of: self, by: .merge)
        while sink.chain.isLive, let stream = remaining.next() { coordinator.add(stream, sink.next) }
        coordinator.complete()
    }
}

extension Sink where Element: Sendable {
    /// Connects the sink to `stream`, and then sequentially to the remaining streams. Each stream is released when it
    /// has ended.
    @inlinable
    func connect(_ stream: Observable<Element>, andThen remaining: __owned StreamListIterator<Element>) {
        var remaining = remaining
        remaining.releaseFinishedStreams()
        let rest = SubscriptionState(remaining)
        let first = SubscriptionState<Observable<Element>?>(stream)
        // It does not capture the chain: that of a part that is taken over must be released.
        let begin = { [next, isSerialising] (subscriptions: SequentialSubscriptions) in
            guard let stream = first.value.take() ?? rest.value.next() else { return subscriptions.finish(nil) }
            let part = subscriptions.makePart()
            if rest.value.isExhausted {
                subscriptions.subscribeToLast(part) {
                    stream.subscribe(Sink(part, isSerialising: isSerialising, next: next))
                }
            } else {
                stream.subscribe(Sink(part, isSerialising: isSerialising, next: next))
            }
        }
        if !SequentialSubscriptions.takeOver(chain, begin) {
            SequentialSubscriptions(into: chain, begin: begin).advance()
        }
    }
}
