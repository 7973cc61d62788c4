/// A part of a list that is loaded piece by piece.
public struct Page<Item: Sendable, Cursor: Sendable>: Sendable {
    /// What is on it, in order.
    public var items: [Item]
    /// Where the page after it begins; `nil` if it is the last.
    public var next: Cursor?

    /// A page of `items`, the last one unless there is a cursor to the next.
    public init(_ items: [Item], next: Cursor? = nil) {
        self.items = items
        self.next = next
    }
}

extension Page: Equatable where Item: Equatable, Cursor: Equatable {}
