/// Streams that `concat`, `startWith` or `merge` joined.
///
/// Joining is associative, so streams that were joined in turn, perhaps 100,000 times over by `reduce`, are listed
/// flat by whoever subscribes, and taken apart in a loop by whoever lets go of them: neither needs stack.
///
/// `@unchecked Sendable`: `parts` changes only when nobody but the deinitializer of its owner knows it.
@usableFromInline
final class Joined<Element: Sendable>: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var parts: [Observable<Element>]
    /// What comes after the parts, asked for one by one: it may be made on demand, or never end.
    @usableFromInline let rest: (@Sendable () -> AnyIterator<Observable<Element>>)?
    /// Whether a part is joined streams itself.
    @usableFromInline let isNested: Bool

    @inlinable
    init(_ parts: [Observable<Element>]) {
        self.parts = parts
        rest = nil
        isNested = parts.contains { $0.kind == .concat || $0.kind == .merge }
    }

    @inlinable
    init(lazily rest: @escaping @Sendable () -> AnyIterator<Observable<Element>>) {
        parts = []
        self.rest = rest
        isNested = false
    }

    deinit {
        if !isNested { return }
        var waiting = parts
        parts = []
        while !waiting.isEmpty {
            guard var joined = Self.popLast(&waiting) else { continue }
            if isKnownUniquelyReferenced(&joined) {
                waiting += joined.parts
                joined.parts = []
            }
        }
    }

    /// Lets go of the last stream, but not of what it joins.
    private static func popLast(_ streams: inout [Observable<Element>]) -> Joined? {
        switch streams.removeLast().source {
        case .concat(let joined), .merge(let joined): joined
        default: nil
        }
    }
}

/// What is still to come of joined streams, flattened.
@usableFromInline
struct Remaining<Element: Sendable> {
    @usableFromInline
    struct Level {
        /// Those from `index` on, in their order; or, of a stack, all, beginning with the last.
        @usableFromInline var parts: [Observable<Element>]
        @usableFromInline var index = 0
        @usableFromInline var isStack = false
        @usableFromInline let rest: AnyIterator<Observable<Element>>?

        @inlinable
        init(_ joined: Joined<Element>) {
            parts = joined.parts
            rest = joined.rest?()
        }

        /// Whether it is known that nothing comes any more.
        @inlinable
        var isOver: Bool { index == parts.count && rest == nil }

        @inlinable
        mutating func next() -> Observable<Element>? {
            if isStack { return parts.popLast() ?? rest?.next() }
            guard index < parts.count else { return rest?.next() }
            defer { index += 1 }
            return parts[index]
        }

        /// Lets go of the streams before `index`, but for so many of them as are still in use.
        @inlinable
        mutating func letGo(but used: Int) {
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
    /// The levels above that are not over. A nesting to the right needs none: each of its levels is over when the next
    /// begins.
    @usableFromInline var outer: [Level] = []
    /// Whether nothing is kept that is over.
    @usableFromInline var letsGo = false

    /// - Parameter kind: What the streams are joined by. Streams joined otherwise are one stream.
    @inlinable
    init(of joined: Joined<Element>, by kind: Kind) {
        self.kind = kind
        level = Level(joined)
    }

    /// Whether it is known that nothing comes any more.
    @inlinable
    var isOver: Bool { level.isOver && outer.isEmpty }

    /// Lets go of what has been, now and from now on: for one who waits between the streams.
    @inlinable
    mutating func letGoOfFinished() {
        letsGo = true
        level.letGo(but: 1)
        for index in outer.indices { outer[index].letGo(but: 0) }
    }

    @inlinable
    mutating func next() -> Observable<Element>? {
        while true {
            if let stream = level.next() {
                guard stream.kind == kind else {
                    if letsGo { level.letGo(but: 1) }
                    return stream
                }
                if !level.isOver {
                    if letsGo { level.letGo(but: 0) }
                    outer.append(level)
                }
                level = Level(stream.content())
            } else if let above = outer.popLast() {
                level = above
            } else {
                return nil
            }
        }
    }
}

extension Joined {
    /// Connects the sink to one stream after the other.
    @inlinable
    func concatenate(into sink: Sink<Element>) {
        var remaining = Remaining(of: self, by: .concat)
        // What can be sent at once needs no chain of its own, nor does the last stream.
        while sink.chain.isLive, let stream = remaining.next() {
            switch stream.source {
            case .just(let element): sink.next(element)
            case .elements(let elements): for element in elements { sink.send(element) }
            case .empty: break
            case .error(let error): return sink.chain.fail(error)
            case .machinery, .subject, .merge, .concat:
                return remaining.isOver ? stream.run(sink) : sink.connect(stream, andThen: remaining)
            }
        }
        sink.chain.complete()
    }

    /// Connects the sink to all streams at once.
    @inlinable
    func merge(into sink: Sink<Element>) {
        let merging = Merging(into: sink.chain)
        var remaining = Remaining(of: self, by: .merge)
        while sink.chain.isLive, let stream = remaining.next() { merging.add(stream, sink.next) }
        merging.complete()
    }
}

extension Sink where Element: Sendable {
    /// Connects one stream, and then what remains, one after the other. A stream that has ended is let go.
    @inlinable
    func connect(_ stream: Observable<Element>, andThen remaining: __owned Remaining<Element>) {
        var remaining = remaining
        remaining.letGoOfFinished()
        let rest = Box(remaining)
        let first = Box<Observable<Element>?>(stream)
        let begin = { [next] (succession: Succession) in
            guard let stream = first.value.take() ?? rest.value.next() else { return succession.finish(nil) }
            let part = succession.makePart()
            if rest.value.isOver {
                succession.subscribeToLast(part) { stream.subscribe(Sink(part, next: next)) }
            } else {
                stream.subscribe(Sink(part, next: next))
            }
        }
        if !Succession.takeOver(chain, begin) { Succession(into: chain, begin: begin).advance() }
    }
}
