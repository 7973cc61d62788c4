/// A question over the screen, answered by one of a few buttons.
struct Dialog: Hashable, Sendable {
    var title: String
    var message: String
    var buttons: [String]
    private(set) var current: Int

    /// - Parameter current: The button that enter presses at first; the harmless one, where there is one.
    init(title: String, message: String, buttons: [String], current: Int = 0) {
        self.title = title
        self.message = message
        self.buttons = buttons
        self.current = min(max(0, current), max(0, buttons.count - 1))
    }

    enum Outcome: Hashable, Sendable {
        case pending
        case chosen(Int)
        case cancelled

        /// The answer to a question whose second button says yes; `nil` while there is none.
        var isYes: Bool? { self == .pending ? nil : self == .chosen(1) }
    }

    /// Takes every key: a dialog lets none through.
    mutating func handle(_ key: Key) -> Outcome {
        switch key {
        case .left, .up, .backTab: current = max(0, current - 1)
        case .right, .down, .tab: current = min(buttons.count - 1, current + 1)
        case .enter, .space: return .chosen(current)
        case .escape: return .cancelled
        default:
            // The first letter of a button, if it is the only one.
            guard let typed = key.typed else { return .pending }
            let matches = buttons.indices.filter { buttons[$0].first?.lowercased() == typed.lowercased() }
            if matches.count == 1 { return .chosen(matches[0]) }
        }
        return .pending
    }

    /// Draws the dialog in the middle of `rect`, over its contents.
    func render(into grid: inout Grid, in rect: Rect) {
        let width = min(56, rect.columns)
        let inner = max(1, width - 4)
        let buttonColumns = buttons.reduce(-1) { $0 + $1.displayWidth + 5 }
        let isStacked = buttonColumns > inner
        let room = rect.rows - 4 - (isStacked ? buttons.count : 1)
        let lines = Array(message.wrapped(toWidth: inner).prefix(max(0, room)))
        let height = lines.count + 4 + (isStacked ? buttons.count : 1)
        let box = rect.centered(columns: width, rows: height)
        Frame(title: title).render(into: &grid, in: box)
        var area = box.inset(columns: 2, rows: 1)
        for line in lines { grid.draw(line, in: area.takeTop(1)) }
        _ = area.takeTop(1)
        if isStacked {
            for (index, title) in buttons.enumerated() {
                Button(title).render(into: &grid, in: area.takeTop(1), isFocused: index == current)
            }
            grid.cursor = nil
        } else {
            renderButtons(into: &grid, in: area.line(0), at: max(0, inner - buttonColumns))
        }
    }

    /// Draws the buttons beside each other.
    func renderButtons(into grid: inout Grid, in line: Rect, at start: Int = 0) {
        var offset = start
        for (index, title) in buttons.enumerated() {
            offset += Button(title).render(into: &grid, in: line, at: offset, isFocused: index == current) + 1
        }
        grid.cursor = nil
    }
}

/// The dialog of a screen, while something is asked.
extension Dialog? {
    /// Opens, replaces or closes the dialog; one that asks the same keeps its current button.
    mutating func ask(_ new: Dialog?) {
        if let self, let new, self.title == new.title, self.message == new.message, self.buttons == new.buttons {
            return
        }
        self = new
    }

    /// Handles a key, and closes the dialog when that answers it.
    mutating func handle(_ key: Key) -> Dialog.Outcome {
        let outcome = self?.handle(key) ?? .pending
        if outcome != .pending { self = nil }
        return outcome
    }
}

/// A border around an empty area, with a title.
struct Frame: Hashable, Sendable {
    var title = ""

    func render(into grid: inout Grid, in rect: Rect) {
        guard rect.columns >= 2, rect.rows >= 2 else { return }
        grid.fill(rect, .plain)
        let side = String(repeating: "─", count: rect.columns - 2)
        grid.draw("╭" + side + "╮", in: rect.line(0), Styles.border)
        for row in 1..<rect.rows - 1 {
            grid.draw("│", in: rect.line(row), Styles.border)
            grid.draw("│", in: rect.line(row), at: rect.columns - 1, Styles.border)
        }
        grid.draw("╰" + side + "╯", in: rect.line(rect.rows - 1), Styles.border)
        if !title.isEmpty && rect.columns > 6 {
            grid.draw(" \(title.truncated(toWidth: rect.columns - 6)) ", in: rect.line(0), at: 2, Styles.heading)
        }
    }
}
