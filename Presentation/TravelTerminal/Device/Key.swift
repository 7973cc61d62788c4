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

extension InputEvent {
    /// The key with the Latin letter that it has in the layout of Korean keyboards (두벌식), if it typed a letter of Hangul; a
    /// key whose capital has no letter of its own is the small one.
    var withLatinLetter: InputEvent {
        guard case .key(var key) = self, case .character(let character) = key.code, let latin = Self.latin[character]
        else { return self }
        key.code = .character(latin)
        return .key(key)
    }

    private static let latin: [Character: Character] = Dictionary(
        uniqueKeysWithValues: zip("ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡㅃㅉㄸㄲㅆㅒㅖ", "qwertyuiopasdfghjklzxcvbnmQWERTOP"))
}

/// The parameters of a control sequence: numbers between semicolons.
struct Parameters {
    private let values: [Int?]

    /// Reads parameter bytes; nil if they belong to a private or unknown sequence.
    init?(_ bytes: some Collection<UInt8>) {
        var values: [Int?] = [nil]
        var isSub = false
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if isSub { continue }
                let digit = Int(byte - UInt8(ascii: "0"))
                values[values.count - 1] = min(0x10FFFF, (values[values.count - 1] ?? 0) * 10 + digit)
            case UInt8(ascii: ";"):
                values.append(nil)
                isSub = false
            // What follows a colon is a detail of the parameter.
            case UInt8(ascii: ":"): isSub = true
            default: return nil
            }
        }
        self.values = values
    }

    var first: Int? { values[0] }
    var second: Int? { values.count > 1 ? values[1] : nil }
    var third: Int? { values.count > 2 ? values[2] : nil }
}

extension Key {
    init(control byte: UInt8, _ modifiers: Modifiers) {
        switch byte {
        case 0x08, 0x7F: self.init(.backspace, modifiers)
        case 0x09: self.init(.tab, modifiers)
        case 0x0A, 0x0D: self.init(.enter, modifiers)
        case 0x00: self.init(.character(" "), modifiers.union(.control))
        case 0x01...0x1A:
            self.init(.character(Character(Unicode.Scalar(byte + 0x60))), modifiers.union(.control))
        default: self.init(.character(Character(Unicode.Scalar(byte | 0x40))), modifiers.union(.control))
        }
    }

    /// The key of a control sequence, `ESC [ parameters final`; nil if it is none.
    init?(final: UInt8, _ parameters: Parameters) {
        let modifiers = Modifiers(parameter: parameters.second)
        switch final {
        case UInt8(ascii: "~"):
            // xterm with modifyOtherKeys: ESC [ 27 ; modifiers ; code point ~.
            if parameters.first == 27, let value = parameters.third {
                self.init(codePoint: value, modifiers)
                return
            }
            guard let code = Code(number: parameters.first ?? 0) else { return nil }
            self.init(code, modifiers)
        case UInt8(ascii: "u"):
            self.init(codePoint: parameters.first ?? 0, modifiers)
        case UInt8(ascii: "Z"): self.init(.tab, modifiers.union(.shift))
        // A report of where the cursor is ends in R, too.
        case UInt8(ascii: "R") where parameters.first != 1: return nil
        default:
            guard let code = Code(singleShift: final), code != .enter, parameters.first ?? 1 == 1 else { return nil }
            self.init(code, modifiers)
        }
    }

    /// The key of a code point, as terminals with an extended keyboard protocol send it.
    private init?(codePoint: Int, _ modifiers: Modifiers) {
        guard codePoint > 0, let value = UInt32(exactly: codePoint), let scalar = Unicode.Scalar(value) else {
            return nil
        }
        switch value {
        case 27: self.init(.escape, modifiers)
        case 0..<0x20, 0x7F:
            let key = Key(control: UInt8(value), modifiers)
            self.init(key.code, modifiers)
        // Keys of their own, which the protocol puts into the private use area.
        case 0xE000...0xF8FF, 0x80..<0xA0: return nil
        default: self.init(.character(Character(scalar)), modifiers)
        }
    }
}

extension Key.Modifiers {
    /// The modifiers of a parameter: one more than the sum of 1 for shift, 2 for alt, and 4 for control.
    init(parameter: Int?) {
        let bits = max(0, (parameter ?? 1) - 1)
        self.init(rawValue: UInt8(bits & 7))
    }
}

extension Key.Code {
    /// The key whose sequence ends in this letter.
    init?(singleShift byte: UInt8) {
        switch byte {
        case UInt8(ascii: "A"): self = .up
        case UInt8(ascii: "B"): self = .down
        case UInt8(ascii: "C"): self = .right
        case UInt8(ascii: "D"): self = .left
        case UInt8(ascii: "H"): self = .home
        case UInt8(ascii: "F"): self = .end
        case UInt8(ascii: "M"): self = .enter
        case UInt8(ascii: "P")...UInt8(ascii: "S"): self = .function(Int(byte - UInt8(ascii: "P")) + 1)
        default: return nil
        }
    }

    /// The key of the number in `ESC [ number ~`.
    init?(number: Int) {
        switch number {
        case 1, 7: self = .home
        case 2: self = .insert
        case 3: self = .delete
        case 4, 8: self = .end
        case 5: self = .pageUp
        case 6: self = .pageDown
        case 11...15: self = .function(number - 10)
        case 17...21: self = .function(number - 11)
        case 23...26: self = .function(number - 12)
        case 28, 29: self = .function(number - 13)
        case 31...34: self = .function(number - 14)
        default: return nil
        }
    }
}
