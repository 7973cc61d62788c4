/// A part of a state, to be changed in place.
///
/// A function and not the key path that it is made of: made where the key path is written, it is compiled to the access
/// itself, which is a tenth of the cost.
@usableFromInline
struct Part<Whole, Value>: Sendable {
    @usableFromInline let access: @Sendable (_ whole: inout Whole, _ body: (inout Value) -> Void) -> Void

    @inlinable
    init(_ access: @escaping @Sendable (_ whole: inout Whole, _ body: (inout Value) -> Void) -> Void) {
        self.access = access
    }
}
