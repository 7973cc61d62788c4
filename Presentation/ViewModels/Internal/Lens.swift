/// A lens: in-place access to a part of a state.
///
/// It is a closure, not a key path: written where the key path is a literal, it compiles to direct access, which takes
/// a tenth of the time.
@usableFromInline
struct Lens<Whole, Value>: Sendable {
    @usableFromInline let access: @Sendable (_ whole: inout Whole, _ body: (inout Value) -> Void) -> Void

    @inlinable
    init(_ access: @escaping @Sendable (_ whole: inout Whole, _ body: (inout Value) -> Void) -> Void) {
        self.access = access
    }
}
