/// The text form of criteria, for deep links and restored screens.
///
/// ```swift
/// let criteria = TravelCriteria(regions: [.busan, .jeju], sort: .mostLiked)
/// criteria.text                                 // "region=busan,jeju&sort=mostLiked"
/// TravelCriteria(text: criteria.text)           // the same criteria
/// TravelCriteria(text: "region=atlantis")       // nil
/// ```
///
/// It is a query of a URL (RFC 3986, section 3.4): names and values are joined by `=`, pairs by `&`, and several values
/// by `,`. Every other character is unreserved or percent-encoded, so that the text needs no further encoding. Criteria
/// that are not set are left out; the text of default criteria is empty.
extension TravelCriteria {
    /// The text form: equal criteria have equal texts, unless their keywords differ in Unicode encoding.
    public var text: String {
        var pairs: [String] = []
        func add(_ name: Name, _ values: [String]) {
            guard !values.isEmpty else { return }
            pairs.append("\(name.rawValue)=" + values.map(\.percentEncoded).joined(separator: ","))
        }
        func raw<Value: RawRepresentable<String> & CaseIterable & Hashable>(_ values: Set<Value>) -> [String] {
            Value.allCases.filter(values.contains).map(\.rawValue)
        }
        add(.keyword, keyword.map { [$0.text] } ?? [])
        add(.region, raw(regions))
        add(.theme, raw(themes))
        add(.companion, raw(companions))
        add(.season, raw(seasons))
        add(.period, period.map { [$0.rawValue] } ?? [])
        add(.headcount, headcount.map { [String($0.rawValue)] } ?? [])
        add(.budget, budget.map { [$0.rawValue] } ?? [])
        add(.transportation, transportation.map { [$0.rawValue] } ?? [])
        add(.author, author.map { [$0.description] } ?? [])
        add(.likedBy, likedBy.map { [$0.description] } ?? [])
        add(.sort, sort == .newest ? [] : [sort.rawValue])
        return pairs.joined(separator: "&")
    }

    /// Creates criteria from their text form, with the pairs in any order; `nil` when a name or a value is unknown, or
    /// when a name occurs twice.
    public init?(text: some StringProtocol) {
        self.init()
        var names: Set<Name> = []
        for pair in text.split(separator: "&", omittingEmptySubsequences: false) where !text.isEmpty {
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, let name = Name(rawValue: String(parts[0])), names.insert(name).inserted,
                let value = String(percentEncoded: parts[1]), set(name, to: value)
            else { return nil }
        }
    }

    private enum Name: String {
        case keyword, region, theme, companion, season, period, headcount, budget, transportation, author, likedBy, sort
    }

    /// Sets one criterion; returns false for an unknown value.
    private mutating func set(_ name: Name, to text: String) -> Bool {
        switch name {
        case .keyword: Self.set(&keyword, Keyword(text))
        case .region: Self.set(&regions, text)
        case .theme: Self.set(&themes, text)
        case .companion: Self.set(&companions, text)
        case .season: Self.set(&seasons, text)
        case .period: Self.set(&period, Period(rawValue: text))
        case .headcount: Self.set(&headcount, Int(digits: text).flatMap { Headcount(rawValue: $0) })
        case .budget: Self.set(&budget, Budget(rawValue: text))
        case .transportation: Self.set(&transportation, Transportation(rawValue: text))
        case .author: Self.set(&author, User.ID(text))
        case .likedBy: Self.set(&likedBy, User.ID(text))
        case .sort: Self.set(&sort, TravelSort(rawValue: text))
        }
    }

    private static func set<Value>(_ criterion: inout Value?, _ value: Value?) -> Bool {
        criterion = value
        return value != nil
    }

    private static func set(_ criterion: inout TravelSort, _ value: TravelSort?) -> Bool {
        criterion = value ?? criterion
        return value != nil
    }

    private static func set<Value: RawRepresentable<String>>(_ criterion: inout Set<Value>, _ list: String) -> Bool {
        for text in list.split(separator: ",", omittingEmptySubsequences: false) {
            guard let value = Value(rawValue: String(text)) else { return false }
            criterion.insert(value)
        }
        return true
    }
}
