public import Foundation
public import TravelDomain

/// Writes the list of trips of a site as an HTML page: a search form, the trips that match, and links to the pages before
/// and after.
///
/// ```swift
/// let query = TripListQuery("keyword=%EB%B0%94%EB%8B%A4&region=busan")    // the query of the address
/// let page = try await search(query.criteria, after: query.cursor)
/// TripListPage(language: .korean, names: names, on: PageSite()).data(for: page, query)
/// ```
///
/// It has no script: the form is sent with `GET` to the same address, which a ``TripListQuery`` reads. The style and the
/// policy are those of ``PageWriter``, and so is the treatment of texts.
public struct TripListPage: Sendable {
    private let language: PageLanguage
    private let names: TraitNames
    private let site: PageSite

    public init(language: PageLanguage = .english, names: TraitNames, on site: PageSite) {
        self.language = language
        self.names = names
        self.site = site
    }

    /// Returns the page with the trips of `page`, which are what `query` asks for, in UTF-8.
    public func data(for page: TripPage, _ query: TripListQuery) -> Data {
        let keyword = query.criteria.keyword.map { "\($0.text) – " } ?? ""
        return PageDocument.data(titled: keyword + language.trips, in: language, on: site) { xml in
            xml.element("header") { $0.element("h1", text: language.trips) }
            xml.line()
            xml.element("main") { xml in
                xml.line()
                let filters = filters(of: query.criteria)
                form(query.criteria, filters, &xml)
                chosen(filters, &xml)
                xml.line()
                if page.trips.isEmpty { xml.element("p", text: language.nothingFound) }
                if query != TripListQuery() {
                    xml.element("p") { $0.element("a", ["href": site.list], text: language.clear) }
                }
                if !page.trips.isEmpty {
                    xml.element("ul", ["class": "trips"]) { xml in
                        for trip in page.trips { item(trip, &xml) }
                        xml.line()
                    }
                }
                links(query.previous, page.next.map(query.following), &xml)
                xml.line()
            }
        }
    }

    // MARK: Form

    private func form(_ criteria: TripCriteria, _ filters: [Filter], _ xml: inout XMLWriter) {
        xml.element("form", ["action": site.list, "method": "get", "role": "search"]) { xml in
            xml.empty(
                "input",
                [
                    "type": "search", "name": "keyword", "value": criteria.keyword?.text,
                    "maxlength": "\(Keyword.maximumLength)", "placeholder": language.keyword,
                    "aria-label": language.keyword,
                ])
            xml.element("button", ["type": "submit"], text: language.search)
            // Whose trips, if the address says so.
            for (name, id) in [("author", criteria.author), ("likedBy", criteria.likedBy)] {
                if let id { xml.empty("input", ["type": "hidden", "name": name, "value": id.description]) }
            }
            let order = TripSort.allCases.map {
                Option(value: $0.rawValue, name: names.sort($0), isChosen: $0 == criteria.sort)
            }
            choice(Filter("sort", language.order, order, isMultiple: false), ["class": "order"], &xml)
            xml.line()
            xml.element("details") { xml in
                xml.element("summary", text: language.filters)
                for filter in filters where filter.isMultiple { checkboxes(filter, &xml) }
                xml.line()
                xml.element("div", ["class": "choices"]) { xml in
                    for var filter in filters where !filter.isMultiple {
                        let isAny = !filter.options.contains(where: \.isChosen)
                        filter.options.insert(Option(value: "", name: language.any, isChosen: isAny), at: 0)
                        choice(filter, [:], &xml)
                    }
                }
            }
        }
    }

    /// The chosen values, so that the filters need not be open to see them.
    private func chosen(_ filters: [Filter], _ xml: inout XMLWriter) {
        let names = filters.flatMap(\.options).filter(\.isChosen).map(\.name)
        guard !names.isEmpty else { return }
        xml.line()
        xml.element("ul", ["class": "facts"]) { xml in
            for name in names { xml.element("li", text: name) }
        }
    }

    private struct Option {
        let value: String
        let name: String
        let isChosen: Bool
    }

    private struct Filter {
        let field: String
        let label: String
        var options: [Option]
        let isMultiple: Bool

        init(_ field: String, _ label: String, _ options: [Option], isMultiple: Bool) {
            (self.field, self.label, self.options, self.isMultiple) = (field, label, options, isMultiple)
        }
    }

    /// The eight filters, with the names and values of the text form of criteria.
    private func filters(of criteria: TripCriteria) -> [Filter] {
        func several<Value: CaseIterable & Hashable & RawRepresentable<String>>(
            _ field: String, _ label: String, _ chosen: Set<Value>, _ name: (Value) -> String
        ) -> Filter {
            let options = Value.allCases.map {
                Option(value: $0.rawValue, name: name($0), isChosen: chosen.contains($0))
            }
            return Filter(field, label, options, isMultiple: true)
        }
        func one<Value: CaseIterable & Hashable & RawRepresentable>(
            _ field: String, _ label: String, _ chosen: Value?, _ name: (Value) -> String
        ) -> Filter where Value.RawValue: LosslessStringConvertible {
            let options = Value.allCases.map {
                Option(value: String($0.rawValue), name: name($0), isChosen: chosen == $0)
            }
            return Filter(field, label, options, isMultiple: false)
        }
        return [
            several("region", language.region, criteria.regions, names.region),
            several("theme", language.theme, criteria.themes, names.theme),
            several("companion", language.companion, criteria.companions, names.companion),
            several("season", language.season, criteria.seasons, names.season),
            one("period", language.period, criteria.period, names.period),
            one("headcount", language.headcount, criteria.headcount, names.headcount),
            one("budget", language.budget, criteria.budget, names.budget),
            one("transportation", language.transportation, criteria.transportation, names.transportation),
        ]
    }

    private func checkboxes(_ filter: Filter, _ xml: inout XMLWriter) {
        xml.line()
        xml.element("fieldset") { xml in
            xml.element("legend", text: filter.label)
            for option in filter.options {
                xml.line()
                xml.element("label") { xml in
                    xml.empty(
                        "input",
                        [
                            "type": "checkbox", "name": filter.field, "value": option.value,
                            "checked": option.isChosen ? "checked" : nil,
                        ])
                    xml.text(option.name)
                }
            }
        }
    }

    private func choice(_ filter: Filter, _ attributes: XMLWriter.Attributes, _ xml: inout XMLWriter) {
        xml.line()
        xml.element("label", attributes) { xml in
            xml.text("\(filter.label) ")
            xml.element("select", ["name": filter.field]) { xml in
                for option in filter.options {
                    xml.element(
                        "option", ["value": option.value, "selected": option.isChosen ? "selected" : nil],
                        text: option.name)
                }
            }
        }
    }

    // MARK: Results

    private func item(_ trip: Trip, _ xml: inout XMLWriter) {
        xml.line()
        xml.element("li") { xml in
            xml.element("a", ["href": site.trip(trip.id)]) { xml in
                if let cover = trip.thumbnail {
                    // The title beside it says what it shows.
                    xml.empty("img", ["class": "cover", "src": site.picture(cover), "alt": "", "loading": "lazy"])
                } else {
                    xml.element("span", ["class": "cover", "aria-hidden": "true"], text: names.region(trip.region))
                }
                xml.element("div") { xml in
                    xml.element("h2", ["dir": "auto"], text: trip.title.text)
                    xml.element("p", text: "\(names.region(trip.region)) · \(language.dates(trip.days))")
                    xml.element("p") { xml in
                        xml.element("bdi", text: trip.author.nickname.text)
                        xml.text(" · \(language.likes(trip.likeCount))")
                    }
                }
            }
        }
    }

    private func links(_ previous: TripListQuery?, _ next: TripListQuery?, _ xml: inout XMLWriter) {
        guard previous != nil || next != nil else { return }
        xml.line()
        xml.element("nav", ["class": "pages", "aria-label": language.pages]) { xml in
            for (query, relation, name) in [
                (previous, "prev", "← \(language.previous)"), (next, "next", "\(language.next) →"),
            ] {
                if let query {
                    xml.element("a", ["href": site.list + query.addressQuery, "rel": relation], text: name)
                } else {
                    // Keeps the other link on its side.
                    xml.element("span", text: "")
                }
            }
        }
    }
}

/// The names of what trips have in common, in the language of the reader: this module knows none, `TravelPresentation`
/// does.
///
/// ```swift
/// TraitNames(region: { $0.name(in: .korean) }, …)
/// ```
public struct TraitNames: Sendable {
    let region: @Sendable (Region) -> String
    let theme: @Sendable (Theme) -> String
    let companion: @Sendable (Companion) -> String
    let season: @Sendable (Season) -> String
    let period: @Sendable (Period) -> String
    let headcount: @Sendable (Headcount) -> String
    let budget: @Sendable (Budget) -> String
    let transportation: @Sendable (Transportation) -> String
    let sort: @Sendable (TripSort) -> String

    public init(
        region: @escaping @Sendable (Region) -> String, theme: @escaping @Sendable (Theme) -> String,
        companion: @escaping @Sendable (Companion) -> String, season: @escaping @Sendable (Season) -> String,
        period: @escaping @Sendable (Period) -> String, headcount: @escaping @Sendable (Headcount) -> String,
        budget: @escaping @Sendable (Budget) -> String,
        transportation: @escaping @Sendable (Transportation) -> String,
        sort: @escaping @Sendable (TripSort) -> String
    ) {
        self.region = region
        self.theme = theme
        self.companion = companion
        self.season = season
        self.period = period
        self.headcount = headcount
        self.budget = budget
        self.transportation = transportation
        self.sort = sort
    }
}

/// What the address of a list of trips asks for: criteria, and the way by pages to here.
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
    /// value, or a cursor of another order.
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
        guard let criteria = TripCriteria(text: text), cursors.allSatisfy({ $0.sort == criteria.sort }) else {
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
