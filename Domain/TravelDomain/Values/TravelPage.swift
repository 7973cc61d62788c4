/// One page of search results, with the cursor of the next page.
///
/// ```swift
/// var cursor: TravelCursor?
/// repeat {
///     let page = try await search(criteria, after: cursor)
///     show(page.travels)
///     cursor = page.next
/// } while cursor != nil
/// ```
public struct TravelPage: Hashable, Sendable {
    /// The travels, in the order of the query.
    public let travels: [Travel]
    /// The cursor after which the next page begins; `nil` when this is the last page.
    public let next: TravelCursor?

    /// Creates a page from travels in the order of the search, and the cursor of the page after it.
    public init(travels: [Travel], next: TravelCursor?) {
        self.travels = travels
        self.next = next
    }
}
