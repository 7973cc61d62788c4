/// A question before work that cannot be undone: it is asked once, and a "yes" counts once.
struct Confirmation {
    /// Whether the question waits for an answer, now and after each change.
    let isAsked: Observable<Bool>
    /// Emits when the question was answered with "yes".
    let confirmed: Observable<Void>

    /// - Parameters:
    ///   - asked: The button was tapped; asks if the element is `true`.
    ///   - answered: The answers; one that nobody has asked for is ignored.
    ///   - obsolete: Withdraws the question.
    init(asked: Observable<Bool>, answered: Observable<Bool>, obsolete: Observable<Void>) {
        let steps = Observable<Step>.merge(
            asked.map { $0 ? .asked : .none }, answered.map { $0 ? .confirmed : .none }, obsolete.map { .none }
        )
        .scan(Step.none) { last, step in step == .confirmed && last != .asked ? .none : step }
        .share()
        isAsked = steps.map { $0 == .asked }.startWith(false).distinctUntilChanged()
        confirmed = steps.filter { $0 == .confirmed }.map { _ in }
    }

    private enum Step {
        case none, asked, confirmed
    }
}
