/// One page of a list, with the cursor of the next page.
///
/// ```swift
/// CursorPage(["Seoul", "Busan"], next: "2")         // a page that others follow
/// CursorPage<String, String>(["Jeju"]).next         // nil: the last page
/// ```
public struct CursorPage<Item: Sendable, Cursor: Sendable>: Sendable {
    /// The items of the page, in order.
    public var items: [Item]
    /// The cursor of the next page; `nil` on the last page.
    public var next: Cursor?

    /// Creates a page; without a cursor, it is the last one.
    public init(_ items: [Item], next: Cursor? = nil) {
        self.items = items
        self.next = next
    }
}

extension CursorPage: Equatable where Item: Equatable, Cursor: Equatable {}
