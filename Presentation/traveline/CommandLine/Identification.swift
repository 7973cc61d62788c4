import TravelDomain

/// An ID on a command line, in full or by its first characters.
struct Identification: Hashable, Sendable {
    /// The text of the argument.
    let text: String
    /// The hexadecimal digits of it, in lower case.
    private let digits: String

    /// Reads `text`.
    ///
    /// - Throws: `UsageError` for text that is not the beginning of an ID.
    init(_ text: String) throws {
        let digits = text.lowercased().filter { $0 != "-" }
        let isHexadecimal = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard (1...32).contains(digits.count), isHexadecimal else {
            throw UsageError(
                "'\(text)' is not an ID; search lists them, and their first characters are enough",
                "'\(text)'은(는) ID가 아닙니다. ID는 search에 나오며, 앞 글자만 써도 됩니다")
        }
        self.text = text
        self.digits = digits
    }

    /// The IDs that begin like this.
    func range<Entity>() -> ClosedRange<Identifier<Entity>> {
        guard
            let lower: Identifier<Entity> = Self.identifier(digits, "0"),
            let upper: Identifier<Entity> = Self.identifier(digits, "f")
        else { preconditionFailure("32 hexadecimal digits are an ID") }
        return lower...upper
    }

    private static func identifier<Entity>(_ digits: String, _ filler: String) -> Identifier<Entity>? {
        var text = digits + String(repeating: filler, count: 32 - digits.count)
        for offset in [20, 16, 12, 8] { text.insert("-", at: text.index(text.startIndex, offsetBy: offset)) }
        return Identifier(text)
    }
}

extension Identifier {
    /// As many first characters as tell it from each of `others`: eight at least.
    func short(among others: some Sequence<Identifier>) -> String {
        let text = description
        var length = 8
        for other in others where other != self {
            let common = zip(text, other.description).prefix { $0 == $1 }.count
            length = max(length, common + 1)
        }
        return String(text.prefix(length))
    }
}
