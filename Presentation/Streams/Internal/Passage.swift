/// The state of one subscription to a run of stages: one ``StageInstance`` for each stage, and one for the terminal
/// stage.
///
/// Only the closure that receives the elements of the source retains the pipeline. The caller of a closure keeps it
/// alive during the call; therefore everything that an element passes, all of which the pipeline holds, is accessed
/// without being retained.
@usableFromInline
final class Passage: ManagedBuffer<Passage.Ends, Place> {
    /// What a pipeline holds, besides the state of its stages.
    @usableFromInline
    struct Ends {
        let chain: Chain
        /// The last stage of the run, which retains the stages above it.
        let last: Stage
        let bottom: Stage
    }

    deinit {
        withUnsafeMutablePointers { ends, places in
            for index in 0..<ends.pointee.last.depth { places[index].state?.release() }
        }
    }

    /// Connects `terminal` to the source of a run.
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

    /// Passes an element of the source to the first stage.
    @inlinable
    @inline(__always)
    func receive<Element>(_ element: Element) {
        var element = element  // the source may be lending the same one to another thread
        withUnsafeMutablePointerToElements { Cursor($0).receive(&element) }
    }
}

/// A stage in one subscription. Neither the stage nor its chain is retained: the pipeline holds both.
@usableFromInline
struct Place {
    @usableFromInline let stage: Unmanaged<Stage>
    @usableFromInline let chain: Unmanaged<Chain>
    /// The state of the stage, which is retained.
    @usableFromInline let state: Unmanaged<AnyObject>?

    init(_ stage: Stage, _ chain: Chain) {
        self.stage = .passUnretained(stage)
        self.chain = .passUnretained(chain)
        state = if let makeState = stage.makeState { .passRetained(makeState()) } else { nil }
    }
}

/// The position of an element in a pipeline. Valid only during the call that receives it as an argument.
@usableFromInline
struct Cursor {
    @usableFromInline let place: UnsafePointer<Place>

    @inlinable
    init(_ place: UnsafePointer<Place>) {
        self.place = place
    }

    /// Passes an element to the stage at this position, without retaining it: see ``Pipeline``.
    @inlinable
    @inline(__always)
    func receive<Element>(_ element: inout Element) {
        place.pointee.stage._withUnsafeGuaranteedRef {
            unsafeDowncast($0, to: TypedStage<Element>.self).process(&element, self)
        }
    }

    /// Sends an element to the next stage. It is not modified; it is `inout` to be borrowed without a copy.
    @inlinable
    @inline(__always)
    func send<Element>(_ element: inout Element) {
        Cursor(place + 1).receive(&element)
    }

    /// Calls `body` with the state of the stage.
    @inlinable
    @inline(__always)
    func withState<Value, Result>(_ body: (Box<Value>) throws -> Result) rethrows -> Result {
        try place.pointee.state.unsafelyUnwrapped._withUnsafeGuaranteedRef {
            try body(unsafeDowncast($0, to: Box<Value>.self))
        }
    }

    // Not inlined, and consumes the error: this keeps the path of each element short.
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
