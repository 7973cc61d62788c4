/// The latest search keywords of a device: newest first, without duplicates, at most 15.
///
/// ```swift
/// var recent = RecentKeywords()
/// recent.remember(sea)
/// recent.remember(hills)
/// recent.remember(sea)
/// recent.keywords              // [sea, hills]
/// ```
public struct RecentKeywords: Hashable, Sendable {
    /// The keywords, the newest first, each of them once.
    public private(set) var keywords: [Keyword] = []

    /// The maximum number of keywords that are kept.
    public static let maximum = 15

    /// Creates an empty list, to which keywords are added by ``remember(_:)``.
    public init() {}

    /// Creates a list from `keywords`, newest first. Of equal keywords it keeps the first, and of the rest the first
    /// 15.
    public init(_ keywords: some BidirectionalCollection<Keyword>) {
        for keyword in keywords.reversed() { remember(keyword) }
    }

    /// Moves `keyword` to the front. Keywords are compared in their folded form.
    public mutating func remember(_ keyword: Keyword) {
        forget(keyword)
        keywords.insert(keyword, at: 0)
        keywords.removeLast(max(keywords.count - Self.maximum, 0))
    }

    /// Removes the keyword whose folded form equals that of `keyword`, if there is one.
    public mutating func forget(_ keyword: Keyword) {
        keywords.removeAll { $0.folded == keyword.folded }
    }
}
