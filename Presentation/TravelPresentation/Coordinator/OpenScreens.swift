/// The open screens, from the first to the one on top: never empty.
///
/// ```swift
/// var screens = OpenScreens()             // home
/// let id = screens.open(.settings)
/// screens.text                            // "traveline://home\ntraveline://settings"
/// screens.close(id)
/// ```
public struct OpenScreens: Equatable, Sendable {
    /// An open screen. Its ID stays the same while it is open, and is not used again.
    ///
    /// ```swift
    /// let screens = OpenScreens([.home, .settings])
    /// screens.top.screen                // .settings
    /// screens.top.id                    // 2: the second opening
    /// ```
    public struct OpenScreen: Hashable, Sendable, Identifiable {
        /// The ID of this opening, from 1; the next one is larger.
        public let id: Int
        /// The screen that is open, with its parameters.
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

    /// The screen on top, which the person sees.
    public var top: OpenScreen { stack[stack.count - 1] }

    /// Opens a screen above the others, and returns the ID of the opening.
    @discardableResult
    public mutating func open(_ screen: Screen) -> OpenScreen.ID {
        lastID += 1
        stack.append(OpenScreen(id: lastID, screen: screen))
        return lastID
    }

    /// Closes a screen with those above it; returns the one that is on top now. The first screen stays open.
    ///
    /// - Returns: The screen on top, or `nil` if nothing was closed.
    @discardableResult
    public mutating func close(_ id: OpenScreen.ID) -> OpenScreen? {
        guard let index = stack.firstIndex(where: { $0.id == id }), index > 0 else { return nil }
        stack.removeSubrange(index...)
        return top
    }

    /// Closes the screens that satisfy a condition; those above them stay open. If none is left, opens the home screen.
    mutating func closeAll(where isClosing: (Screen) -> Bool) {
        stack.removeAll { isClosing($0.screen) }
        if stack.isEmpty { open(.home) }
    }
}

extension OpenScreens {
    /// The screens as text, one link a line: to restore them after a restart. ``init(text:)`` reads it.
    public var text: String {
        stack.map(\.screen.link).joined(separator: "\n")
    }

    /// Restores screens from text. Lines that are not links to a screen are left out, and a text without any link
    /// restores the home screen: such text comes from another version, and the app still starts.
    public init(text: some StringProtocol) {
        self.init(text.split(whereSeparator: \.isNewline).compactMap { Screen(link: $0) })
    }
}
