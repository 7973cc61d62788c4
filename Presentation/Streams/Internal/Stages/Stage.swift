/// The processing step of an operator that is synchronous and has one source: `map`, `filter`, `scan`.
///
/// A stage is created when operators are composed, once for all subscriptions. Consecutive stages are fused, and each
/// subscription to them creates one ``Pipeline``. So the closure that processes an element captures only the user's
/// function, and the compiler, which sees both where the operator is called, merges them into one function. A closure
/// created for each subscription would call the user's function and the next stage through its captures, and would be
/// allocated for each stage.
///
/// `@unchecked Sendable`: immutable; its functions are `Sendable`, or are called serially like those of a ``Sink``.
@usableFromInline
class Stage: @unchecked Sendable {
    @usableFromInline final let above: Stage?
    /// The number of stages from the source to this one; 0 for a terminal stage.
    @usableFromInline final let depth: Int
    /// Creates the state of the stage for one subscription.
    final let makeState: (@Sendable () -> AnyObject)?
    #if DEBUG
    final let name: StaticString
    #endif

    @usableFromInline
    init(above: Stage?, depth: Int, state: (@Sendable () -> AnyObject)?, name: StaticString) {
        self.above = above
        self.depth = depth
        makeState = state
        #if DEBUG
        self.name = name
        #endif
    }
}

/// A stage with a known input type.
@usableFromInline
class TypedStage<Element>: Stage, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; the properties it adds are immutable.

    /// Processes an element. The element is `inout` to be borrowed without a copy; it is never modified.
    @usableFromInline typealias Process = @Sendable (_ element: inout Element, _ context: StageContext) -> Void

    @usableFromInline final let process: Process

    @inlinable
    init(
        below above: Stage?, state: (@Sendable () -> AnyObject)?, name: StaticString, process: @escaping Process
    ) where Element: Sendable {
        self.process = process
        super.init(above: above, depth: (above?.depth ?? 0) + 1, state: state, name: name)
    }

    @inlinable
    init(terminal process: @escaping Process) {
        self.process = process
        super.init(above: nil, depth: 0, state: nil, name: "")
    }
}

/// The end of a pipeline in one subscription: passes each element to the downstream sink.
@usableFromInline
final class TerminalStage<Element>: TypedStage<Element>, @unchecked Sendable {
    // `@unchecked Sendable`: `next` belongs to a sink and is called under its rules.

    @usableFromInline let next: (Element) -> Void

    @inlinable
    init(_ next: @escaping (Element) -> Void) {
        self.next = next
        super.init(terminal: { element, context in
            // Only the stage at `context` runs this closure, and it is the one that is being created here.
            context.position.pointee.stage._withUnsafeGuaranteedRef {
                unsafeDowncast($0, to: TerminalStage<Element>.self).next(element)
            }
        })
    }
}

/// Consecutive stages, and their source.
///
/// The stages do not retain the source, so neither does a subscription: a subject that is released releases the
/// observers that subscribed through them.
@usableFromInline
struct FusedStages: Sendable {
    @usableFromInline let last: Stage
    @usableFromInline let source: any AnyObject & Sendable
    /// Connects a pipeline to the source.
    @usableFromInline let connect: @Sendable (_ source: AnyObject, __owned Pipeline, Chain) -> Void

    @inlinable
    init(
        last: Stage, source: any AnyObject & Sendable,
        connect: @escaping @Sendable (AnyObject, __owned Pipeline, Chain) -> Void
    ) {
        self.last = last
        self.source = source
        self.connect = connect
    }
}

extension Observable {
    /// Creates an observable that adds a stage to `source`.
    ///
    /// - Parameters:
    ///   - state: Creates the state of the stage for one subscription: a ``SubscriptionState``.
    ///   - process: Processes an element. It should capture only functions of the user; see ``Stage``.
    @inlinable
    static func stage<Input: Sendable>(
        below source: Observable<Input>, state: (@Sendable () -> AnyObject)? = nil, name: StaticString = #function,
        process: @escaping TypedStage<Input>.Process
    ) -> Observable<Element> {
        if case .stages = source.kind {
            let fused = source.content(FusedStages.self)
            let last = TypedStage<Input>(below: fused.last, state: state, name: name, process: process)
            return TrivialObservable(.stages, FusedStages(last: last, source: fused.source, connect: fused.connect))
        }
        let first = TypedStage<Input>(below: nil, state: state, name: name, process: process)
        let fused = FusedStages(last: first, source: source) { source, pipeline, chain in
            // `source` is the argument above: more stages copy the source and this closure together.
            unsafeDowncast(source, to: Observable<Input>.self).connect(Sink(chain) { pipeline.receive($0) })
        }
        return TrivialObservable(.stages, fused)
    }
}

/// Mutable state of one stage in one subscription, such as the previous element of `distinctUntilChanged`.
///
/// Only the stage accesses it, and a stage is called serially (see ``Sink``). Therefore it needs neither a lock nor the
/// run-time exclusivity check, which would cost 9 ns for each element.
@usableFromInline
final class SubscriptionState<Value> {
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable
    init(_ value: Value) { self.value = value }
}
