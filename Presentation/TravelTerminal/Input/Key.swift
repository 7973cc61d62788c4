/// Keyboard input: a key press or pasted text.
enum InputEvent: Hashable, Sendable {
    case key(Key)
    /// Text that is pasted in one piece, including its line breaks (bracketed paste).
    case paste(String)
}

/// A key, with the modifiers that the terminal reports.
struct Key: Hashable, Sendable {
    enum Code: Hashable, Sendable {
        /// A grapheme cluster, as typed. Letters with ``Modifiers/control`` are lower-case.
        case character(Character)
        case enter, tab, backspace, delete, insert, escape
        case up, down, left, right, home, end, pageUp, pageDown
        /// F1 to F24.
        case function(Int)
    }

    struct Modifiers: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let shift = Modifiers(rawValue: 1)
        static let alt = Modifiers(rawValue: 2)
        static let control = Modifiers(rawValue: 4)
    }

    var code: Code
    var modifiers: Modifiers

    init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    static let enter = Key(.enter)
    static let tab = Key(.tab)
    static let backTab = Key(.tab, .shift)
    static let backspace = Key(.backspace)
    static let delete = Key(.delete)
    static let escape = Key(.escape)
    static let up = Key(.up)
    static let down = Key(.down)
    static let left = Key(.left)
    static let right = Key(.right)
    static let home = Key(.home)
    static let end = Key(.end)
    static let pageUp = Key(.pageUp)
    static let pageDown = Key(.pageDown)
    static let space = Key(.character(" "))

    static func character(_ character: Character) -> Key { Key(.character(character)) }
    static func control(_ character: Character) -> Key { Key(.character(character), .control) }

    /// The grapheme cluster that the key types into a field; `nil` for keys that do not type.
    var typed: Character? {
        if case .character(let character) = code, modifiers.isSubset(of: .shift) { character } else { nil }
    }
}
