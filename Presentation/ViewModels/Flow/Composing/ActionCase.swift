/// Embeds a value in one case of an enumeration and extracts it (a prism): maps the actions of a child to actions of
/// its parent and back.
///
/// ```swift
/// let detail = ActionCase(Action.detail) { if case .detail(let action) = $0 { action } else { nil } }
/// let row = ActionCase(Action.row) { if case .row(let id, let action) = $0 { (id, action) } else { nil } }
/// ```
public struct ActionCase<Root: Sendable, Value: Sendable>: Sendable {
    /// Embeds a value in the case.
    public let embed: @Sendable (Value) -> Root
    /// Extracts the value; `nil` for another case.
    public let extract: @Sendable (Root) -> Value?

    /// Creates a case from its constructor and its pattern match.
    public init(_ embed: @escaping @Sendable (Value) -> Root, extract: @escaping @Sendable (Root) -> Value?) {
        self.embed = embed
        self.extract = extract
    }

    /// Creates a case with two associated values, which become a tuple.
    public init<First, Second>(
        _ embed: @escaping @Sendable (First, Second) -> Root,
        extract: @escaping @Sendable (Root) -> (First, Second)?
    ) where Value == (First, Second) {
        self.embed = { embed($0.0, $0.1) }
        self.extract = extract
    }
}
