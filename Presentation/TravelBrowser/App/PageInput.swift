/// What a person has done on a page: the value of a field, or a control that was pressed.
///
/// With and without the script a browser sends the same: pairs of a form, in order. A control is the pair `do` with its
/// name and what it acts on, as in `do=like 6f1c…`; an address to go to is the pair `go`; every other pair is a field.
enum PageInput: Hashable, Sendable {
    case field(String, String)
    case control(Control)
    /// A link to another address of the app was followed.
    case link(ScreenAddress)
    /// The browser went back or forward to an address.
    case history(ScreenAddress)

    /// A control by its name, such as `like`, with what it acts on.
    struct Control: Hashable, Sendable {
        let name: String
        let argument: String

        init(_ name: String, _ argument: String = "") {
            (self.name, self.argument) = (name, argument)
        }

        /// Reads the value of the pair `do`.
        init(text: String) {
            let parts = text.split(separator: " ", maxSplits: 1)
            self.init(parts.first.map(String.init) ?? "", parts.count == 2 ? String(parts[1]) : "")
        }

        /// The value of the pair `do`.
        var text: String { argument.isEmpty ? name : "\(name) \(argument)" }

        /// What an answer to a question says: whether it is "yes", and the control that asks. A page without the script asks
        /// in one run of the app and is answered in another, which asks again first.
        var answer: (isYes: Bool, asking: Control?) {
            let parts = argument.split(separator: " ", maxSplits: 1)
            return (parts.first == "yes", parts.count == 2 ? Control(text: String(parts[1])) : nil)
        }

        /// What the control acts on, as an ID.
        func id<Entity>() -> Identifier<Entity>? { Identifier<Entity>(argument) }
    }

    /// Reads a pair; `nil` for one that says nothing, such as an address of no screen.
    init?(name: String, value: String) {
        switch name {
        case "do": self = .control(Control(text: value))
        case "go", "history":
            guard let address = ScreenAddress(value) else { return nil }
            self = name == "go" ? .link(address) : .history(address)
        default: self = .field(name, value)
        }
    }

    /// Whether it says what only a page without the script knows: see the pages of the editors.
    var isRestored: Bool { if case .field("restore", _) = self { true } else { false } }
    var isControl: Bool { if case .control = self { true } else { false } }
    /// Whether a control acts on what a search has found.
    var needsAnswer: Bool {
        if case .control(let control) = self { control.name == "pick-place" } else { false }
    }
}

extension UndoableDeletion {
    /// What the control that undoes the deletion acts on: a page without the script has no other memory of it.
    var text: String {
        switch removed {
        case .trip(let trip): "\(id) \(trip)"
        case .entry(let entry, let trip): "\(id) \(trip) \(entry)"
        }
    }

    init?(text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard 2...3 ~= parts.count, let id = Identifier<UndoableDeletion>(parts[0]), let trip = Trip.ID(parts[1])
        else { return nil }
        if parts.count == 2 {
            self.init(id: id, of: .trip(trip))
        } else if let entry = TimelineEntry.ID(parts[2]) {
            self.init(id: id, of: .entry(entry, in: trip))
        } else {
            return nil
        }
    }
}
