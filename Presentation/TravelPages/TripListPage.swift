public import Foundation

/// Writes the list of trips of a site as an HTML page: a search form, the trips that match, and links to the pages before
/// and after.
///
/// ```swift
/// let query = TripListQuery("keyword=%EB%B0%94%EB%8B%A4&region=busan")    // the query of the address
/// let page = try await search(query.criteria, after: query.cursor)
/// TripListPage(language: .korean, on: PageSite()).data(for: page, query)
/// ```
///
/// It has no script: the form is sent with `GET` to the same address, which a ``TripListQuery`` reads. The style and the
/// policy are those of ``PageWriter``, and so is the treatment of texts.
public struct TripListPage: Sendable {
    private let language: Language
    private let site: PageSite

    public init(language: Language = .english, on site: PageSite) {
        self.language = language
        self.site = site
    }

    /// Returns the page with the trips of `page`, which are what `query` asks for, in UTF-8.
    public func data(for page: TripPage, _ query: TripListQuery) -> Data {
        let title = language[.homeTitle]
        let keyword = query.criteria.keyword.map { "\($0.text) – " } ?? ""
        let preview = PagePreview(
            kind: "website", title: keyword + title, description: language[.listDescription],
            address: site.list + query.addressQuery)
        return PageFrame(titled: keyword + title, in: language, on: site, preview: preview).data {
            if let app = site.app {
                HTML("p", ["class": "home"]) { HTML("a", ["href": "\(app)/"]) { language[.openInApp] } }
                HTML.line
            }
            HTML("header") { HTML("h1") { title } }
            HTML.line
            HTML("main") {
                HTML.line
                form(query.criteria)
                chosen(query.criteria)
                HTML.line
                results(page, query)
                links(query.previous, page.next.map(query.following))
                HTML.line
            }
        }
    }

    // MARK: Form

    private func form(_ criteria: TripCriteria) -> HTML {
        HTML("form", ["action": site.list, "method": "get", "role": "search"]) {
            HTML(
                "input",
                [
                    "type": "search", "name": "keyword", "value": criteria.keyword?.text,
                    "maxlength": "\(Keyword.maximumLength)", "placeholder": language[.searchPlaceholder],
                    "aria-label": language[.searchPlaceholder],
                ])
            HTML("button", ["type": "submit"]) { language[.search] }
            // Whose trips, if the address says so.
            for (name, id) in [("author", criteria.author), ("likedBy", criteria.likedBy)] {
                if let id { HTML("input", ["type": "hidden", "name": name, "value": id.description]) }
            }
            choice("sort", language[.order], ["class": "order"]) {
                for sort in TripSort.allCases { option(sort.rawValue, sort, isChosen: sort == criteria.sort) }
            }
            HTML.line
            filters(criteria)
        }
    }

    private func filters(_ criteria: TripCriteria) -> HTML {
        HTML("details") {
            HTML("summary") { language[.filters] }
            for kind in FilterKind.allCases where kind.allowsSeveral { checkboxes(kind, criteria) }
            HTML.line
            HTML("div", ["class": "choices"]) {
                for kind in FilterKind.allCases where !kind.allowsSeveral {
                    choice(kind.rawValue, kind.name(in: language)) {
                        option("", nil, isChosen: criteria.options(of: kind).isEmpty)
                        for value in kind.options { option(value.value, value, isChosen: criteria.contains(value)) }
                    }
                }
            }
        }
    }

    /// The chosen values, so that the filters need not be open to see them.
    @HTML.Builder
    private func chosen(_ criteria: TripCriteria) -> HTML {
        let options = FilterKind.allCases.flatMap(criteria.options)
        if !options.isEmpty {
            HTML.line
            HTML("ul", ["class": "facts"]) {
                for option in options { HTML("li") { option.name(in: language) } }
            }
        }
    }

    @HTML.Builder
    private func checkboxes(_ kind: FilterKind, _ criteria: TripCriteria) -> HTML {
        HTML.line
        HTML("fieldset") {
            HTML("legend") { kind.name(in: language) }
            for option in kind.options {
                HTML.line
                HTML("label") {
                    HTML(
                        "input",
                        [
                            "type": "checkbox", "name": kind.rawValue, "value": option.value,
                            "checked": criteria.contains(option) ? "checked" : nil,
                        ])
                    option.name(in: language)
                }
            }
        }
    }

    @HTML.Builder
    private func choice(
        _ field: String, _ label: String, _ attributes: HTML.Attributes = [:], @HTML.Builder _ options: () -> HTML
    ) -> HTML {
        HTML.line
        HTML("label", attributes) {
            "\(label) "
            HTML("select", ["name": field], options)
        }
    }

    /// A value to choose; without one, that any will do.
    private func option(_ value: String, _ named: (any LocalizedNameProviding)?, isChosen: Bool) -> HTML {
        HTML("option", ["value": value, "selected": isChosen ? "selected" : nil]) {
            language[named?.names ?? .any]
        }
    }

    // MARK: Results

    @HTML.Builder
    private func results(_ page: TripPage, _ query: TripListQuery) -> HTML {
        if page.trips.isEmpty { HTML("p") { language[.nothingFound] } }
        if query != TripListQuery() {
            HTML("p") { HTML("a", ["href": site.list]) { language[.clearSearch] } }
        }
        if !page.trips.isEmpty {
            HTML("ul", ["class": "trips"]) {
                for trip in page.trips { item(trip, foundBy: page.matchedEntries[trip.id]) }
                HTML.line
            }
        }
    }

    @HTML.Builder
    private func item(_ trip: Trip, foundBy entry: MatchedEntry?) -> HTML {
        let region = trip.region.name(in: language)
        HTML.line
        HTML("li") {
            HTML("a", ["href": site.trip(trip.id)]) {
                if let cover = trip.thumbnail {
                    // The title beside it says what it shows.
                    HTML("img", ["class": "cover", "src": site.picture(cover, .small), "alt": "", "loading": "lazy"])
                } else {
                    HTML("span", ["class": "cover", "aria-hidden": "true"]) { region }
                }
                HTML("div") {
                    HTML("h2", ["dir": "auto"]) { trip.title.text }
                    if let entry { HTML("p", ["dir": "auto"]) { language[.matchedEntry(entry)] } }
                    HTML.facts([HTML(text: region), HTML(text: language[.dates(trip.days)])])
                    HTML.facts([
                        HTML("bdi") { trip.author.nickname.text }, HTML(text: language[.likes(trip.likeCount)]),
                    ])
                }
            }
        }
    }

    @HTML.Builder
    private func links(_ previous: TripListQuery?, _ next: TripListQuery?) -> HTML {
        if previous != nil || next != nil {
            HTML.line
            HTML("nav", ["class": "pages", "aria-label": language[.pages]]) {
                link("prev", previous, .previousPage)
                link("next", next, .nextPage)
            }
        }
    }

    @HTML.Builder
    private func link(_ relation: String, _ query: TripListQuery?, _ name: Text) -> HTML {
        if let query {
            HTML("a", ["href": site.list + query.addressQuery, "rel": relation]) { language[name] }
        } else {
            // Keeps the other link on its side.
            HTML("span")
        }
    }
}
