internal import TravelPages

/// The page of the user: what they have recorded in all, with a map, and their own and their liked trips.
struct MyPage: ScreenPage {
    struct State: Equatable {
        var content = MyPageContent(user: nil)
        var summary = TravelSummaryViewModel.Content.nobody
    }

    enum Action: Hashable { case retry }

    private let context: PageContext
    private let controls: Controls

    init(_ context: PageContext) {
        self.context = context
        controls = Controls(context)
    }

    func title(of state: State) -> String { context[.myPage] }

    func isLoading(_ state: State) -> Bool {
        guard state.content.user != nil else { return false }
        return state.summary == .loading || state.summary == .nobody || state.content.trips == .loading
            || state.content.likedTrips == .loading
    }

    func actions(for input: PageInput, in state: State) -> [Action]? {
        input == .control(.init("retry")) ? [.retry] : nil
    }

    // MARK: View

    @HTML.Builder
    func view(of state: State) -> HTML {
        if let user = state.content.user {
            HTML("h1", ["dir": "auto"]) { context.language[.hello(user.nickname.text)] }
            HTML("p", ["class": "buttons"]) {
                controls.link(.profile, .profile)
                controls.link(.settings, .settings)
            }
            HTML("div", ["class": "chips"]) { controls.fileImport() }
            summary(state)
            section("my-trips", .myTrips, state.content.trips, .myTrips, empty: .noTrips)
            section("liked-trips", .likedTrips, state.content.likedTrips, .likedTrips, empty: .noLikedTrips)
        } else {
            HTML("h1") { context[.myPage] }
            HTML("p", ["class": "empty"]) { context[.signInHint] }
            HTML("p", ["class": "buttons"]) {
                controls.link(.signIn, .signIn, style: "button")
                controls.link(.settings, .settings)
            }
        }
    }

    // MARK: The summary

    private func summary(_ state: State) -> HTML {
        HTML("section", ["id": "summary", "aria-labelledby": "summary-title"]) {
            HTML("h2", ["id": "summary-title"]) { context[.allInAll] }
            switch state.summary {
            case .nobody, .loading: controls.loading()
            case .failed(let failure): controls.failure(failure, retry: .init("retry"))
            case .loaded(let summary):
                sums(summary)
                controls.map(of: .trips(summary))
            }
        }
    }

    private func sums(_ summary: TravelSummary) -> HTML {
        func sum(_ name: Text, _ value: String) -> HTML {
            HTML("div") {
                HTML("dt") { context[name] }
                HTML("dd") { value }
            }
        }
        let names = summary.regions.map { $0.name(in: context.language) }.joined(separator: ", ")
        return HTML("div") {
            HTML("dl", ["class": "sums"]) {
                sum(.tripsSum, "\(summary.trips.count)")
                sum(.daysSum, "\(summary.days)")
                sum(.lengthSum, context.language[.length(summary.length)])
                sum(.regionsSum, "\(summary.regions.count)")
            }
            if !names.isEmpty { HTML("p", ["class": "note"]) { names } }
        }
    }

    // MARK: The lists

    private func section(
        _ id: String, _ title: Text, _ section: MyPageContent.Section, _ screen: Screen, empty: Text
    ) -> HTML {
        HTML("section", ["id": id, "aria-labelledby": "\(id)-title"]) {
            HTML("h2", ["id": "\(id)-title"]) { context[title] }
            switch section {
            case .loading: controls.loading()
            case .failed(let failure): controls.failure(failure, retry: .init("retry"))
            case .loaded(let cards, let hasMore):
                if cards.isEmpty, !hasMore {
                    HTML("p", ["class": "note"]) { context[empty] }
                    if screen == .myTrips {
                        HTML("p", ["class": "buttons"]) { controls.link(.newTrip, .writeTrip, style: "button") }
                    }
                } else {
                    HTML("ul", ["class": "trips"]) { for card in cards { row(card, in: id) } }
                }
                if hasMore || !cards.isEmpty {
                    HTML("p") {
                        HTML("a", ["href": ScreenAddress(screen).text]) {
                            "\(context[.seeAll])"
                            HTML("span", ["class": "hidden"]) { ": \(context[title])" }
                        }
                    }
                }
            }
        }
    }

    private func row(_ card: TripCard, in list: String) -> HTML {
        let row = TripRow(card, in: context.language)
        return HTML("li", ["id": "\(list)-\(card.id)"]) {
            HTML("a", ["href": ScreenAddress(.trip(card.id)).text]) {
                controls.cover(of: card)
                HTML("div") {
                    HTML("h3", ["dir": "auto"]) { row.title }
                    controls.facts(of: row)
                    HTML("p") { context.language[.likes(row.likeCount)] }
                }
            }
        }
    }
}

/// The view models of the page, bound once.
@MainActor
final class MyPageModel: PageModel {
    private let content: Bound<MyPageContent>
    private let summary: Bound<TravelSummaryViewModel.Content>
    private let retryTapped = PublishRelay<Void>()
    private let bag = DisposeBag()

    init(_ viewModel: MyPageViewModel, _ summary: TravelSummaryViewModel, in context: AppContext) {
        content = Bound(
            viewModel.transform(.init(retryTapped: retryTapped.asObservable())).content,
            initially: MyPageContent(user: nil), in: context, bag)
        self.summary = Bound(
            summary.transform(.init(retryTapped: retryTapped.asObservable())).content, initially: .nobody, in: context,
            bag)
    }

    var state: MyPage.State { .init(content: content.value, summary: summary.value) }

    func send(_ action: MyPage.Action) { retryTapped.accept(()) }
}

extension Text {
    fileprivate static let allInAll = Text("In total", "지금까지")
    fileprivate static let tripsSum = Text("Trips", "여행")
    fileprivate static let daysSum = Text("Days on the road", "여행한 날")
    fileprivate static let lengthSum = Text("Recorded tracks", "기록한 경로")
    fileprivate static let regionsSum = Text("Regions", "지역")
}
