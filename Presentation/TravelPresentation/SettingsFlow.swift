/// The settings of the app: its language. One store for the whole app, which every view follows.
///
/// A flow, because the choice shows immediately and is saved in the background, one choice after the other; a failure
/// keeps the choice for this run and says that it was not saved.
///
/// ```swift
/// let settings = FlowStore(SettingsFlow(language: .english) { try await file.save($0) })
/// settings.state.select(\.language).drive(onNext: app.draw(in:)).disposed(by: bag)
/// settings.send(.languagePicked(.korean))
/// ```
public struct SettingsFlow: Flow {
    /// The events that the screen raises: opening others, closing, and notices.
    public typealias Event = ScreenEvent

    /// The settings that the person has chosen.
    ///
    /// ```swift
    /// let settings = FlowStore(SettingsFlow(language: .english) { _ in })
    /// settings.currentState.language    // .english
    /// ```
    public struct State: Hashable, Sendable {
        /// The language of all screens: the one picked last.
        public internal(set) var language: Language
    }

    /// The person's actions on the screen, and the answers of its side effects.
    ///
    /// ```swift
    /// settings.send(.languagePicked(.korean))
    /// settings.currentState.language    // .korean
    /// ```
    public enum Action: Hashable, Sendable {
        /// A language was picked: shows it immediately, and saves it.
        case languagePicked(Language)
        /// A button was tapped: the screen that it opens.
        case opened(Screen)
        /// The back button was tapped: closes the screen.
        case backTapped
        /// The settings were saved, or saving them failed.
        case saved(Outcome)
    }

    /// The work that the settings request of the app.
    ///
    /// ```swift
    /// var state = flow.initialState
    /// flow.reduce(&state, .languagePicked(.korean))    // requests .save(.korean), unless it is the language already
    /// ```
    public enum SideEffect: Hashable, Sendable {
        /// Saves the language for the next start.
        case save(Language)
    }

    /// The state before the first action: the settings of the initializer.
    public let initialState: State
    private let save: @Sendable (Language) async throws -> Void

    /// Creates settings with the language of the last run, or of the environment.
    ///
    /// - Parameters:
    ///   - language: The first language.
    ///   - save: Saves a language for the next start.
    public init(language: Language, save: @escaping @Sendable (Language) async throws -> Void) {
        initialState = State(language: language)
        self.save = save
    }

    /// Changes the state for an action, and returns the side effects and events that follow from it.
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, ScreenEvent> {
        switch action {
        case .languagePicked(let language):
            guard language != state.language else { return .none }
            state.language = language
            return .inOrder(.save(language), id: "save")
        case .opened(let screen): return .event(.open(screen))
        case .backTapped: return .event(.close(nil))
        case .saved(let outcome): return outcome.failure.map { .event(.notice(.failed($0))) } ?? .none
        }
    }

    /// Saves the language, and emits the outcome as an action. The stream does not fail.
    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .save(let language): .task { [save] in .saved(await Outcome { try await save(language) }) }
        }
    }
}
