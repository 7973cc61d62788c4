/// What an operator does to each element when it neither waits nor listens to anything else: `map`, `filter`, `scan`.
///
/// A stage is made when operators are put together, once for all subscriptions; stages that follow one another form a
/// run, which a subscription goes through as one ``Passage``. So the closure that an element meets captures nothing
/// but the user's function, and the compiler, which sees both where the operator is called, makes one function of
/// them. A closure made for each subscription would have to call the user's function and the stage below through
/// its captures, and be allocated for each stage.
///
/// `@unchecked Sendable`: immutable; its functions are `Sendable`, or called serially like those of a ``Sink``.
@usableFromInline
class Stage: @unchecked Sendable {
    /// The stage above, of which the first has none.
    @usableFromInline final let above: Stage?
    /// The number of stages from the source to this one. It is 0 for what is below a run.
    @usableFromInline final let depth: Int
    /// Makes what the stage remembers in one subscription.
    @usableFromInline final let makeState: (@Sendable () -> AnyObject)?
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

/// A stage that takes elements of that type.
@usableFromInline
class TypedStage<Element>: Stage, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; what it adds is immutable.

    /// What is done to an element. It is `inout` because that is how a value is lent without a copy; none is written to.
    @usableFromInline typealias Process = @Sendable (_ element: inout Element, _ cursor: Cursor) -> Void

    @usableFromInline final let process: Process

    @inlinable
    init(
        below above: Stage?, state: (@Sendable () -> AnyObject)?, name: StaticString, process: @escaping Process
    ) where Element: Sendable {
        self.process = process
        super.init(above: above, depth: (above?.depth ?? 0) + 1, state: state, name: name)
    }

    @inlinable
    init(bottom process: @escaping Process) {
        self.process = process
        super.init(above: nil, depth: 0, state: nil, name: "")
    }
}

/// What is below a run of stages in one subscription.
@usableFromInline
final class Bottom<Element>: TypedStage<Element>, @unchecked Sendable {
    // `@unchecked Sendable`: `next` is that of a sink, and called as such.

    @usableFromInline let next: (Element) -> Void

    @inlinable
    init(_ next: @escaping (Element) -> Void) {
        self.next = next
        super.init(bottom: { element, cursor in
            cursor.place.pointee.stage._withUnsafeGuaranteedRef {
                unsafeDowncast($0, to: Bottom<Element>.self).next(element)
            }
        })
    }
}

/// Stages that follow one another, and the observable above them.
///
/// The stages do not hold the source, so a subscription does not either: a subject that is let go of lets go of those
/// who listen through a run.
@usableFromInline
struct Run: Sendable {
    @usableFromInline let last: Stage
    @usableFromInline let source: any AnyObject & Sendable
    /// Connects a passage to the source.
    @usableFromInline let connect: @Sendable (_ source: AnyObject, __owned Passage, Chain) -> Void

    @inlinable
    init(
        last: Stage, source: any AnyObject & Sendable,
        connect: @escaping @Sendable (AnyObject, __owned Passage, Chain) -> Void
    ) {
        self.last = last
        self.source = source
        self.connect = connect
    }
}

extension Observable {
    /// What comes out of a stage below `source`.
    ///
    /// - Parameters:
    ///   - state: Makes what the stage remembers in one subscription: a ``Box``.
    ///   - process: Captures functions of the user's alone; see ``Stage``.
    @inlinable
    static func stage<Input: Sendable>(
        below source: Observable<Input>, state: (@Sendable () -> AnyObject)? = nil, name: StaticString = #function,
        process: @escaping TypedStage<Input>.Process
    ) -> Observable<Element> {
        if case .stages = source.kind {
            let run: Run = source.content()
            let last = TypedStage<Input>(below: run.last, state: state, name: name, process: process)
            return TrivialObservable(.stages, Run(last: last, source: run.source, connect: run.connect))
        }
        let first = TypedStage<Input>(below: nil, state: state, name: name, process: process)
        let run = Run(last: first, source: source) { source, passage, chain in
            unsafeDowncast(source, to: Observable<Input>.self).run(Sink(chain) { passage.receive($0) })
        }
        return TrivialObservable(.stages, run)
    }
}
