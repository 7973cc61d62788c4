internal import TravelPages

/// The address of a screen, by which a browser opens, bookmarks and restores it: a path below ``base``, and a query.
///
/// ```swift
/// ScreenAddress(.trip(id, day: 2)).text                // "/app/trips/6f1c…?day=2"
/// ScreenAddress(path: "/app/me", query: "")?.screen    // .myPage
/// ```
///
/// That of a trip that is shared by link has the key of the link, so that it leads there again after the session.
struct ScreenAddress: Hashable, Sendable {
    /// The path before those of all screens, without a slash at its end.
    static let base = "/app"

    let screen: Screen
    /// The key of the link to the trip of the screen.
    let key: LinkKey?
    /// The path and the query.
    let text: String
    /// The path alone.
    var path: Substring { text.prefix { $0 != "?" } }

    /// - Parameter key: The key of the link to the trip of the screen; one of another screen is left out.
    init(_ screen: Screen, key: LinkKey? = nil) {
        self.screen = screen
        self.key = screen.tripID == nil ? nil : key
        var (path, query) = Self.parts(of: screen)
        if let key = self.key { query += "\(query.isEmpty ? "" : "&")key=\(key.text)" }
        text = Self.base + path + (query.isEmpty ? "" : "?\(query)")
    }

    /// Reads an address; `nil` for one of no screen.
    init?(path: [String], query: String) {
        guard "/\(path.first ?? "")" == Self.base,
            let screen = Self.screen(at: path.dropFirst().filter { !$0.isEmpty }, query)
        else { return nil }
        self.init(screen, key: Self.values(of: "key", in: query).lazy.compactMap { LinkKey($0) }.first)
    }

    /// Reads the text of an address of this site: `/app/trips/6f1c…?day=2`.
    init?(_ text: String) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/", omittingEmptySubsequences: true).map { String(percentEncoded: $0) }
        guard parts[0].hasPrefix("/"), !path.contains(nil) else { return nil }
        self.init(path: path.compactMap(\.self), query: parts.count == 2 ? String(parts[1]) : "")
    }

    // MARK: Writing

    private static func parts(of screen: Screen) -> (path: String, query: String) {
        func day(_ day: Int) -> String { day == 1 ? "" : "day=\(day)" }
        return switch screen {
        case .home: ("/", "")
        case .search(let criteria): ("/", criteria.text.isEmpty ? "sort=\(criteria.sort.rawValue)" : criteria.text)
        case .trip(let id, let number): ("/trips/\(id)", day(number))
        case .map(let id, let number): ("/trips/\(id)/map", day(number))
        case .entry(let entry, let id): ("/trips/\(id)/entries/\(entry)", "")
        case .newTrip: ("/trips/new", "")
        case .tripEditor(let id): ("/trips/\(id)/edit", "")
        case .newEntry(let id, let number): ("/trips/\(id)/entries/new", day(number))
        case .entryEditor(let entry, let id): ("/trips/\(id)/entries/\(entry)/edit", "")
        case .myPage: ("/me", "")
        case .myTrips: ("/me/trips", "")
        case .likedTrips: ("/me/likes", "")
        case .profile: ("/me/profile", "")
        case .blocked: ("/me/blocked", "")
        case .settings: ("/settings", "")
        case .changes: ("/changes", "")
        case .signIn: ("/sign-in", "")
        case .signInAgain: ("/changes/sign-in", "")
        case .accountDeletion: ("/settings/delete-account", "")
        }
    }

    // MARK: Reading

    /// The screens without parameters, by their paths.
    private static let plain: [String: Screen] = {
        let screens: [Screen] = [
            .newTrip, .myPage, .myTrips, .likedTrips, .profile, .blocked, .settings, .changes, .signIn, .signInAgain,
            .accountDeletion,
        ]
        return Dictionary(uniqueKeysWithValues: screens.map { (parts(of: $0).path, $0) })
    }()

    private static func screen(at path: [String], _ query: String) -> Screen? {
        if path.isEmpty {
            guard !query.isEmpty else { return .home }
            return TripListQuery(query).map { $0.criteria == TripCriteria() ? .home : .search($0.criteria) }
        }
        if let screen = plain["/" + path.joined(separator: "/")] { return screen }
        guard path[0] == "trips", path.count > 1, let id = Trip.ID(path[1]) else { return nil }
        let day = day(in: query)
        switch path.dropFirst(2) {
        case []: return .trip(id, day: day)
        case ["map"]: return .map(id, day: day)
        case ["edit"]: return .tripEditor(id)
        case ["entries", "new"]: return .newEntry(in: id, day: day)
        case let rest where rest.first == "entries" && (2...3).contains(rest.count):
            guard let entry = TimelineEntry.ID(path[3]) else { return nil }
            if rest.count == 2 { return .entry(entry, in: id) }
            return path[4] == "edit" ? .entryEditor(entry, in: id) : nil
        default: return nil
        }
    }

    /// The day of a query, 1-based; the first one unless it names another.
    private static func day(in query: String) -> Int {
        values(of: "day", in: query).lazy.compactMap { Int($0) }.first { $0 >= 1 } ?? 1
    }

    private static func values(of name: String, in query: String) -> [Substring] {
        query.split(separator: "&").filter { $0.hasPrefix("\(name)=") }.map { $0.dropFirst(name.utf8.count + 1) }
    }
}
