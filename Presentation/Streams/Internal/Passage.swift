/// One subscription's way through a run of stages: a place for each of them, and one for what is below.
///
/// The closure that takes the elements of the source holds the passage, and no one else does. Whoever calls a closure
/// keeps it alive for as long as the call takes; therefore whatever an element meets on its way, all of which the
/// passage holds, is reached without being retained.
@usableFromInline
final class Passage: ManagedBuffer<Passage.Ends, Place> {
    /// What a passage holds, besides what its stages remember.
    @usableFromInline
    struct Ends {
        let chain: Chain
        /// The last stage of the run, which holds those above it.
        let last: Stage
        let bottom: Stage
    }

    deinit {
        withUnsafeMutablePointers { ends, places in
            for index in 0..<ends.pointee.last.depth { places[index].state?.release() }
        }
    }

    /// Connects `bottom` to the source of a run.
    @usableFromInline
    static func begin(through run: Run, to bottom: __owned Stage, _ chain: Chain) {
        #if DEBUG
            let outer = SubscriptionRegistry.begin(chain, run.last.name)
            defer { SubscriptionRegistry.end(outer) }
        #endif
        let last = run.last
        let passage = create(minimumCapacity: last.depth + 1) { _ in Ends(chain: chain, last: last, bottom: bottom) }
        passage.withUnsafeMutablePointerToElements { places in
            (places + last.depth).initialize(to: Place(bottom, chain))
            var stage = Unmanaged.passUnretained(last)
            for index in (0..<last.depth).reversed() {
                stage._withUnsafeGuaranteedRef { (places + index).initialize(to: Place($0, chain)) }
                guard let above = stage._withUnsafeGuaranteedRef({ $0.above }) else { break }
                stage = .passUnretained(above)
                #if DEBUG
                    _ = SubscriptionRegistry.begin(chain, above.name)
                #endif
            }
        }
        run.connect(run.source, unsafeDowncast(passage, to: Passage.self), chain)
    }

    /// Hands an element of the source to the first stage.
    @inlinable
    @inline(__always)
    func receive<Element>(_ element: Element) {
        var element = element  // the source may be lending the same one to another thread
        withUnsafeMutablePointerToElements { Cursor($0).receive(&element) }
    }
}

/// A stage of one subscription. Neither it nor its chain is retained: both are the passage's.
@usableFromInline
struct Place {
    @usableFromInline let stage: Unmanaged<Stage>
    @usableFromInline let chain: Unmanaged<Chain>
    /// What the stage remembers, which is retained.
    @usableFromInline let state: Unmanaged<AnyObject>?

    init(_ stage: Stage, _ chain: Chain) {
        self.stage = .passUnretained(stage)
        self.chain = .passUnretained(chain)
        state = if let makeState = stage.makeState { .passRetained(makeState()) } else { nil }
    }
}

/// Where an element is on its way. Valid during the call that it is an argument of.
@usableFromInline
struct Cursor {
    @usableFromInline let place: UnsafePointer<Place>

    @inlinable
    init(_ place: UnsafePointer<Place>) {
        self.place = place
    }

    /// Hands an element to the stage of this place, which is retained by no one: see ``Passage``.
    @inlinable
    @inline(__always)
    func receive<Element>(_ element: inout Element) {
        place.pointee.stage._withUnsafeGuaranteedRef {
            unsafeDowncast($0, to: TypedStage<Element>.self).process(&element, self)
        }
    }

    /// Sends an element to the stage below. Nothing happens to it here: it is `inout` to be lent without a copy.
    @inlinable
    @inline(__always)
    func send<Element>(_ element: inout Element) {
        Cursor(place + 1).receive(&element)
    }

    /// Calls `body` with what the stage remembers.
    @inlinable
    @inline(__always)
    func withState<Value, Result>(_ body: (Box<Value>) throws -> Result) rethrows -> Result {
        try place.pointee.state.unsafelyUnwrapped._withUnsafeGuaranteedRef {
            try body(unsafeDowncast($0, to: Box<Value>.self))
        }
    }

    // Not inlined and given the error: the path that each element takes is to be short.
    @usableFromInline
    @inline(never)
    func fail(_ error: __owned any Error) {
        place.pointee.chain.takeUnretainedValue().fail(error)
    }

    @usableFromInline
    func complete() {
        place.pointee.chain.takeUnretainedValue().complete()
    }
}
