/// Decides which screens are open: opening, closing, returning results, deep links, and what a change of the session
/// closes.
///
/// A flow, because every action changes the one list of open screens; it has no side effects, so that each decision is
/// one equality to test. The app makes a screen for each ID in the state, and ends it when its ID leaves.
public struct CoordinatorFlow: Flow {
    /// The open screens, and the user for whom they are open.
    public struct State: Equatable, Sendable {
        /// The open screens, from the first to the one on top.
        public internal(set) var screens: OpenScreens
        public internal(set) var user: User.ID?
        /// The screen to open after signing in: it was requested while nobody was signed in.
        public internal(set) var afterSignIn: Screen?
        /// Whether the signed-in user is known; at the start, restored screens wait for that.
        var knowsUser: Bool

        public init(_ screens: OpenScreens = OpenScreens(), user: User.ID? = nil) {
            self.screens = screens
            self.user = user
            knowsUser = user != nil
        }
    }

    /// The events of the screens, and what opens or closes screens from outside.
    public enum Action: Hashable, Sendable {
        case screen(OpenScreens.OpenScreen.ID, ScreenEvent)
        case opened(Screen)
        case linkOpened(String)
        case backTapped
        /// A user signed in, or out (`nil`): closes the screens of the previous user.
        case sessionChanged(User.ID?)
    }

    /// What the app does once, in order.
    public enum Event: Hashable, Sendable {
        case returned(ScreenResult, to: OpenScreens.OpenScreen.ID)
        case notice(Notice)
        case quit
    }

    public let initialState: State

    public init(_ screens: OpenScreens = OpenScreens(), user: User.ID? = nil) {
        initialState = State(screens, user: user)
    }

    public func reduce(_ state: inout State, _ action: Action) -> Next<Never, Event> {
        switch action {
        case .screen(let id, let event): return reduce(&state, event, of: id)
        case .opened(let screen):
            state.open(screen)
            return .none
        case .linkOpened(let link):
            guard let screen = Screen(link: link) else { return .event(.notice(.done(.brokenLink))) }
            state.open(screen)
            return .none
        case .backTapped:
            state.afterSignIn = nil
            return state.screens.close(state.screens.top.id) == nil ? .event(.quit) : .none
        case .sessionChanged(let user):
            state.change(to: user)
            return .none
        }
    }

    private func reduce(
        _ state: inout State, _ event: ScreenEvent, of id: OpenScreens.OpenScreen.ID
    ) -> Next<Never, Event> {
        // A screen that has closed meanwhile opens and closes nothing.
        let isOpen = state.screens.stack.contains { $0.id == id }
        switch event {
        case .open(let screen):
            if isOpen { state.open(screen) }
            return .none
        case .close(let result):
            guard isOpen else { return .none }
            let wasSignIn = state.screens.stack.contains { $0.id == id && $0.screen == .signIn }
            if wasSignIn, result != .signedIn { state.afterSignIn = nil }
            guard let below = state.screens.close(id) else { return .event(.quit) }
            return result.map { .event(.returned($0, to: below.id)) } ?? .none
        case .notice(let notice): return .event(.notice(notice))
        }
    }
}

extension CoordinatorFlow.State {
    /// Opens a screen, or the form for signing in before a screen that needs a user. The screen that is already on
    /// top is not opened twice.
    fileprivate mutating func open(_ screen: Screen) {
        if screen.needsUser, user == nil {
            afterSignIn = screen
            open(.signIn)
        } else if screen == .home {
            screens.returnHome()
        } else if screen == .signIn, user != nil {
            // A user is signed in already.
        } else if screens.top.screen != screen {
            screens.open(screen)
        }
    }

    /// Closes the screens that only the previous user could see; continues with the screen that was requested.
    fileprivate mutating func change(to user: User.ID?) {
        guard user != self.user || !knowsUser else { return }
        // Restored screens belong to the user whose session was restored.
        let isFirst = !knowsUser
        self.user = user
        knowsUser = true
        screens.closeAll { screen in
            screen.needsUser ? user == nil || !isFirst : screen == .signIn && user != nil
        }
        guard user != nil, let screen = afterSignIn else { return }
        afterSignIn = nil
        open(screen)
    }
}

extension OpenScreens {
    /// Returns to the lowest home screen. Opens one above the others if there is none, or if a form, which may have
    /// changes that are not saved, would close.
    fileprivate mutating func returnHome() {
        guard let home = stack.firstIndex(where: { $0.screen == .home }),
            !stack[(home + 1)...].contains(where: \.screen.isEditor)
        else {
            if top.screen != .home { open(.home) }
            return
        }
        if home + 1 < stack.count { close(stack[home + 1].id) }
    }
}

/// The open screens, from the first to the one on top: never empty.
public struct OpenScreens: Equatable, Sendable {
    /// An open screen. Its ID stays the same while it is open, and is not used again.
    public struct OpenScreen: Hashable, Sendable, Identifiable {
        /// The ID of this opening, from 1; the next one is larger.
        public let id: Int
        public let screen: Screen
    }

    /// The screens, from the first to the one on top.
    public private(set) var stack: [OpenScreen]
    private var lastID: Int

    /// Opens screens, one above the other, each but the first above the previous one; without any, the home screen.
    public init(_ screens: [Screen] = [.home]) {
        stack = []
        lastID = 0
        for screen in screens.isEmpty ? [.home] : screens { open(screen) }
    }

    public var top: OpenScreen { stack[stack.count - 1] }

    /// Opens a screen above the others, and returns the ID of the opening.
    @discardableResult
    public mutating func open(_ screen: Screen) -> OpenScreen.ID {
        lastID += 1
        stack.append(OpenScreen(id: lastID, screen: screen))
        return lastID
    }

    /// Closes a screen with those above it, apart from forms, which may have changes that are not saved. The only screen
    /// stays open.
    ///
    /// - Returns: The screen below the closed one, or the lowest form without one; `nil` if nothing was closed.
    @discardableResult
    public mutating func close(_ id: OpenScreen.ID) -> OpenScreen? {
        guard let index = stack.firstIndex(where: { $0.id == id }) else { return nil }
        let forms = stack[(index + 1)...].filter(\.screen.isEditor)
        guard index > 0 || !forms.isEmpty else { return nil }
        stack.replaceSubrange(index..., with: forms)
        return stack[max(index - 1, 0)]
    }

    /// Closes the screens that satisfy a condition; those above them stay open. If none is left, opens the home screen.
    mutating func closeAll(where isClosing: (Screen) -> Bool) {
        stack.removeAll { isClosing($0.screen) }
        if stack.isEmpty { open(.home) }
    }
}

extension OpenScreens {
    /// Restores screens from text with one link a line, from the first screen to the one on top. Lines that are not links
    /// to a screen are left out, and a text without any link restores the home screen: such text comes from another
    /// version, and the app still starts.
    public init(text: some StringProtocol) {
        self.init(text.split(whereSeparator: \.isNewline).compactMap { Screen(link: $0) })
    }
}
