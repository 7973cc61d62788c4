import Streams
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

private struct Card: Equatable, Identifiable, Sendable {
    let id: Int
}

/// The cards of a person: the first three of them, "see all" if there are more, and a bell with the unread messages.
private struct CardsViewModel: ViewModel {
    enum Route: Equatable {
        case card(Card.ID)
        case allCards
        case messages
    }

    struct Input {
        let cardTapped: Observable<Card.ID>
        let seeAllTapped: Observable<Void>
        let bellTapped: Observable<Void>
    }

    struct Output {
        let cards: Driver<[Card]>
        let showsSeeAll: Driver<Bool>
        /// The badge of the bell, if it has one.
        let badge: Driver<String?>
        let open: Signal<Route>
    }

    let cards: Observable<[Card]>
    let unreadCount: Observable<Int>

    func transform(_ input: Input) -> Output {
        let cards = cards.asDriver(onErrorJustReturn: [])
        let routes = Observable.merge(
            input.cardTapped.map { .card($0) },
            input.seeAllTapped.map { .allCards },
            input.bellTapped.map { Route.messages })
        return Output(
            cards: cards.map { Array($0.prefix(3)) },
            showsSeeAll: cards.map { $0.count > 3 }.distinctUntilChanged(),
            badge: unreadCount.map(Self.badge).asDriver(onErrorJustReturn: nil).distinctUntilChanged(),
            open: routes.asSignal(onErrorSignalWith: .empty()))
    }

    private static func badge(_ count: Int) -> String? {
        switch count {
        case ...0: nil
        case 1...9: "\(count)"
        default: "9+"
        }
    }
}

/// The screen: its inputs are subjects; each output is bound once.
@MainActor
private final class CardsScreen {
    let cardTapped = PublishSubject<Card.ID>()
    let seeAllTapped = PublishSubject<Void>()
    let bellTapped = PublishSubject<Void>()

    private(set) var cards: [Card] = []
    private(set) var showsSeeAll = false
    private(set) var badges: [String?] = []
    private(set) var opened: [CardsViewModel.Route] = []
    private let bag = DisposeBag()

    init(_ viewModel: CardsViewModel) {
        let output = viewModel.transform(
            .init(cardTapped: cardTapped, seeAllTapped: seeAllTapped, bellTapped: bellTapped))
        output.cards.drive(with: self, onNext: { $0.cards = $1 }).disposed(by: bag)
        output.showsSeeAll.drive(with: self, onNext: { $0.showsSeeAll = $1 }).disposed(by: bag)
        output.badge.drive(with: self, onNext: { $0.badges.append($1) }).disposed(by: bag)
        output.open.emit(with: self, onNext: { $0.opened.append($1) }).disposed(by: bag)
    }
}

@Suite("Pattern: cards with a bell", .takesTurns, .nothingSurvives)
@MainActor
struct CardsTests {
    private let cards = BehaviorRelay(value: [Card]())
    private let unreadCount = BehaviorRelay(value: 0)

    private var viewModel: CardsViewModel {
        CardsViewModel(cards: cards.asObservable(), unreadCount: unreadCount.asObservable())
    }

    @Test("the cards screen shows the first three cards, and \"see all\" if there are more", arguments: [0, 3, 4, 50])
    func cards(count: Int) {
        let screen = CardsScreen(viewModel)
        cards.accept((0..<count).map(Card.init))
        #expect(screen.cards.map(\.id) == Array(0..<min(count, 3)))
        #expect(screen.showsSeeAll == (count > 3))
    }

    @Test("the badge of the cards screen counts to nine, and is hidden when nothing is unread")
    func badge() {
        let screen = CardsScreen(viewModel)
        for count in [0, 1, 9, 10, 11, 0] { unreadCount.accept(count) }
        #expect(screen.badges == [nil, "1", "9", "9+", nil])
    }

    @Test("each tap on the cards screen opens its screen once")
    func routes() {
        let screen = CardsScreen(viewModel)
        screen.bellTapped.onNext(())
        screen.cardTapped.onNext(7)
        screen.seeAllTapped.onNext(())
        screen.bellTapped.onNext(())
        #expect(screen.opened == [.messages, .card(7), .allCards, .messages])
    }

    @Test("transform of the cards screen only composes, and requests the cards once")
    func composes() {
        let taps = PublishSubject<Void>()
        let cards = CountedStream(cards.asObservable())
        let viewModel = CardsViewModel(cards: cards.stream, unreadCount: unreadCount.asObservable())
        expectOnlyComposes(viewModel) { inputs in
            .init(
                cardTapped: inputs.count(taps.map { 1 }), seeAllTapped: inputs.count(taps),
                bellTapped: inputs.count(taps))
        } whileBound: {
            taps.onNext(())
        }
        #expect(cards.subscriptions == 1)
        #expect(cards.active == 0)
    }
}
