internal import Foundation

/// What the address of a list of trips asks for: criteria, and the pages that led here.
///
/// ```swift
/// let query = TripListQuery("keyword=&region=busan&region=jeju&period=&sort=newest")
/// query?.criteria                // TripCriteria(regions: [.busan, .jeju])
/// query?.following(next).text    // "region=busan,jeju&after=newest.41c6…"
/// ```
///
/// Pages follow one another by cursors, which lead forwards only. The address therefore has those of the pages before,
/// so that there is a way back.
public struct TripListQuery: Hashable, Sendable {
    public let criteria: TripCriteria
    /// Where the pages up to this one begin, without the first page, which begins at no cursor.
    private let cursors: [TripCursor]

    /// The number of pages back that an address remembers; before them comes the first page.
    private static let memory = 20

    public init(_ criteria: TripCriteria = TripCriteria()) {
        self.criteria = criteria
        cursors = []
    }

    private init(_ criteria: TripCriteria, _ cursors: some Sequence<TripCursor>) {
        self.criteria = criteria
        self.cursors = Array(cursors)
    }

    /// Reads the query of an address, as the form of ``TripListPage`` or ``text`` has it; `nil` when it has an unknown
    /// value, or a cursor of another search.
    ///
    /// It is `application/x-www-form-urlencoded` (URL Standard, section 5): a name may occur several times, and one
    /// without a value counts as missing. Unknown names are ignored: whoever shares an address may add theirs, such as
    /// `utm_source`.
    public init?(_ query: some StringProtocol) {
        var values: [(name: Substring, value: String)] = []
        var cursors: [TripCursor] = []
        for pair in String(query).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts[0]
            guard name == "after" || TripCriteria.isName(name) else { continue }
            let value = parts.count == 2 ? parts[1].replacingOccurrences(of: "+", with: "%20") : ""
            guard let plain = value.removingPercentEncoding else { return nil }
            if plain.isEmpty || name == "keyword" && Keyword(plain) == nil { continue }
            if name == "after" {
                guard let cursor = TripCursor(text: plain) else { return nil }
                cursors.append(cursor)
            } else if let index = values.firstIndex(where: { $0.name == name }) {
                values[index].value += "," + value
            } else {
                values.append((name, value))
            }
        }
        let text = values.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        guard let criteria = TripCriteria(text: text), cursors.allSatisfy({ $0.isPosition(in: criteria) }) else {
            return nil
        }
        self.init(criteria, cursors.suffix(Self.memory))
    }

    /// The cursor after which the page begins; `nil` for the first page.
    public var cursor: TripCursor? { cursors.last }

    /// The query of the page that begins after `cursor`.
    public func following(_ cursor: TripCursor) -> TripListQuery {
        TripListQuery(criteria, (cursors + [cursor]).suffix(Self.memory))
    }

    /// The query of the page before; `nil` for the first page.
    var previous: TripListQuery? {
        cursors.isEmpty ? nil : TripListQuery(criteria, cursors.dropLast())
    }

    /// The query of an address; empty for the first page of all trips.
    public var text: String {
        let criteria = criteria.text
        return ((criteria.isEmpty ? [] : [criteria]) + cursors.map { "after=\($0.text)" }).joined(separator: "&")
    }

    /// The query with its question mark, if there is one.
    var addressQuery: String { text.isEmpty ? "" : "?" + text }
}
