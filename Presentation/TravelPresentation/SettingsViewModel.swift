/// The settings of the app: its language. One for the whole app, which every view follows.
///
/// A choice applies immediately. The choices are saved one after the other; one that cannot be saved stays for this run
/// and raises a notice.
public struct SettingsViewModel: ViewModel {
    public struct Input: Sendable {
        public let languagePicked: Observable<Language>

        public init(languagePicked: Observable<Language>) {
            self.languagePicked = languagePicked
        }
    }

    public struct Output: Sendable {
        /// The language of all screens: the one picked last.
        public let language: Driver<Language>
        public let events: Signal<ScreenEvent>
    }

    private let language: Language
    private let save: @Sendable (Language) async throws -> Void

    /// - Parameters:
    ///   - language: The language of the last run, or of the environment.
    ///   - save: Saves a language for the next start.
    public init(language: Language, save: @escaping @Sendable (Language) async throws -> Void) {
        self.language = language
        self.save = save
    }

    public func transform(_ input: Input) -> Output {
        let picked = input.languagePicked.startWith(language).distinctUntilChanged().skip(1).share()
        let failures = picked.concatMap { [save] language -> Observable<ScreenFailure?> in
            .task { await Outcome { try await save(language) }.failure }
        }
        return Output(
            language: picked.startWith(language).asDriver(onErrorDriveWith: .empty()),
            events: failures.compactMap { $0.map { .notice(.failed($0)) } }.asSignal(onErrorSignalWith: .empty()))
    }
}
