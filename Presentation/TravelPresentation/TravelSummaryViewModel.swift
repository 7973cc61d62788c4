/// What the user has recorded in all: sums, and a map of their trips.
///
/// - The summary follows changes. If it cannot be read, its failure shows; a retry reads it again.
/// - When a user signs in or out, the summary of the previous user disappears immediately.
public struct TravelSummaryViewModel: ViewModel {
    public struct Input: Sendable {
        public let retryTapped: Observable<Void>

        public init(retryTapped: Observable<Void> = .never()) {
            self.retryTapped = retryTapped
        }
    }

    public struct Output: Sendable {
        public let content: Driver<Content>
    }

    public enum Content: Hashable, Sendable {
        /// Nobody is signed in, or that is not known yet.
        case nobody
        case loading
        case loaded(TravelSummary)
        case failed(ScreenFailure)
    }

    private let user: Observable<User?>
    private let summarize: @Sendable () -> Observable<TravelSummary>

    /// - Parameters:
    ///   - user: The signed-in user, now and after each change; it does not fail.
    ///   - summarize: The summary of the signed-in user: now, and again after each change.
    public init(user: Observable<User?>, summarize: @escaping @Sendable () -> Observable<TravelSummary>) {
        self.user = user
        self.summarize = summarize
    }

    public func transform(_ input: Input) -> Output {
        let content = Observable.combineLatest(
            user.map { $0?.id }.distinctUntilChanged(), input.retryTapped.startWith(())
        )
        .flatMapLatest { [summarize] id, _ -> Observable<Content> in
            guard id != nil else { return .just(.nobody) }
            return summarize().map(Content.loaded).startWith(.loading).catch { .just(.failed(ScreenFailure($0))) }
        }
        return Output(content: content.distinctUntilChanged().asDriver(onErrorDriveWith: .empty()))
    }
}

extension TravelSummary {
    /// The sums in one line: `12 trips · 34 days · 567 km · 5 regions`, without a length that is 0.
    public var text: Text {
        let parts: [Text] =
            [.trips(trips.count), .days(days)] + (length > 0 ? [.length(length)] : []) + [.regions(regions.count)]
        return Text(parts.map(\.english).joined(separator: " · "), parts.map(\.korean).joined(separator: " · "))
    }
}

extension Text {
    /// `1 day`, `34 days`, `34일`.
    public static func days(_ count: Int) -> Text { Text(count == 1 ? "1 day" : "\(count) days", "\(count)일") }
    /// `1 region`, `5 regions`, `지역 5곳`.
    public static func regions(_ count: Int) -> Text {
        Text(count == 1 ? "1 region" : "\(count) regions", "지역 \(count)곳")
    }
}
