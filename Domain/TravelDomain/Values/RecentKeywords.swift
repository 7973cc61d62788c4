/// What someone searched for lately: the newest first, none twice, at most 15.
///
/// ```swift
/// var recent = RecentKeywords()
/// recent.remember(sea)
/// recent.remember(hills)
/// recent.remember(sea)
/// recent.keywords              // [sea, hills]
/// ```
public struct RecentKeywords: Hashable, Sendable {
    /// The keywords, newest first.
    public private(set) var keywords: [Keyword] = []

    /// How many are remembered.
    public static let maximum = 15

    /// Nothing searched for yet.
    public init() {}

    /// These keywords, the newest first; of those that mean the same the first is kept, and of all the first 15.
    public init(_ keywords: some BidirectionalCollection<Keyword>) {
        for keyword in keywords.reversed() { remember(keyword) }
    }

    /// Puts `keyword` at the front. One that means the same, in whatever case, is there no longer.
    public mutating func remember(_ keyword: Keyword) {
        forget(keyword)
        keywords.insert(keyword, at: 0)
        keywords.removeLast(max(keywords.count - Self.maximum, 0))
    }

    /// Removes the keyword that means the same as `keyword`, if there is one.
    public mutating func forget(_ keyword: Keyword) {
        keywords.removeAll { $0.folded == keyword.folded }
    }
}
