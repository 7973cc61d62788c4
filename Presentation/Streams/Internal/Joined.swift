/// Streams that `concat`, `startWith` or `merge` joined.
///
/// Joining is associative, so streams that were joined in turn, perhaps 100,000 times over by `reduce`, are listed
/// flat by whoever subscribes, and taken apart in a loop by whoever lets go of them: neither needs stack.
///
/// `@unchecked Sendable`: `parts` changes only when nobody but the deinitializer of its owner knows it.
@usableFromInline
final class Joined<Element: Sendable>: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline private(set) var parts: [Observable<Element>]

    @usableFromInline
    init(_ parts: [Observable<Element>]) {
        self.parts = parts
    }

    deinit {
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

extension Joined {
    /// Connects the sink to one stream after the other.
    @inlinable
    func concatenate(into sink: Sink<Element>) {
        var waiting = [Observable<Element>](parts.reversed())
        // What can be sent at once needs no chain of its own, nor does the last stream.
        while let part = waiting.popLast() {
            switch part.source {
            case .just(let element): sink.send(element)
            case .elements(let elements): for element in elements { sink.send(element) }
            case .empty: break
            case .error(let error): return sink.chain.fail(error)
            case .concat(let joined): waiting.append(contentsOf: joined.parts.reversed())
            case .machinery, .subject, .merge:
                if waiting.isEmpty { return part.run(sink) }
                waiting.append(part)
                return sink.connect(inTurn: waiting)
            }
        }
        sink.chain.complete()
    }

    /// Connects the sink to all streams at once.
    @inlinable
    func merge(into sink: Sink<Element>) {
        let merging = Merging(into: sink)
        var waiting = [Observable<Element>](parts.reversed())
        while let part = waiting.popLast() {
            if case .merge(let joined) = part.source {
                waiting.append(contentsOf: joined.parts.reversed())
            } else {
                merging.add(part, sink.next)
            }
        }
        merging.complete()
    }
}

extension Sink where Element: Sendable {
    /// Connects one stream after the other, the last of the list first.
    @usableFromInline
    func connect(inTurn streams: [Observable<Element>]) {
        let waiting = Box(streams)
        Succession(into: chain) { [chain, next] succession in
            while let stream = waiting.value.popLast() {
                if case .concat(let joined) = stream.source {
                    waiting.value.append(contentsOf: joined.parts.reversed())
                    continue
                }
                let part = succession.makeChain { error in
                    if let error { chain.fail(error) } else { succession.advance() }
                }
                return stream.subscribe(Sink(part, next: next))
            }
            chain.complete()
        }.advance()
    }
}
