/// A way into one case of an enumeration and back: which actions of a parent are those of a child.
///
/// ```swift
/// let detail = Case(Action.detail) { if case .detail(let action) = $0 { action } else { nil } }
/// let row = Case(Action.row) { if case .row(let id, let action) = $0 { (id, action) } else { nil } }
/// ```
public struct Case<Root: Sendable, Value: Sendable>: Sendable {
    /// The case with that value.
    public let embed: @Sendable (Value) -> Root
    /// The value, if it is that case.
    public let extract: @Sendable (Root) -> Value?

    /// A case by what makes one, and what takes it apart.
    public init(_ embed: @escaping @Sendable (Value) -> Root, extract: @escaping @Sendable (Root) -> Value?) {
        self.embed = embed
        self.extract = extract
    }

    /// A case with two values.
    public init<First, Second>(
        _ embed: @escaping @Sendable (First, Second) -> Root,
        extract: @escaping @Sendable (Root) -> (First, Second)?
    ) where Value == (First, Second) {
        self.embed = { embed($0.0, $0.1) }
        self.extract = extract
    }
}
