/// The name a person is known by: 2–10 characters on one line.
public struct Nickname: Hashable, Sendable {
    /// The text, without blanks around it.
    public let text: String

    /// How many characters a nickname may have, as a reader counts them.
    public static let length = 2...10

    /// The nickname made of `text`, less the blanks around it: white space, and characters of which nothing is seen.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when it is too short, too long, or holds a control character.
    public init(_ text: some StringProtocol) throws(TravelError) {
        self.text = try Text.validated(text, as: .nickname, length: Self.length, lines: .one)
    }
}

extension Nickname: CustomStringConvertible {
    /// The text itself.
    public var description: String { text }
}

extension Nickname {
    /// The form in which nicknames are compared: two people cannot have names that differ by case alone, or by what a
    /// reader does not see, such as a zero-width space.
    public var folded: String {
        let seen = text.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
        return String(String.UnicodeScalarView(seen)).lowercased()
    }
}
