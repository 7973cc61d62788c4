/// The title of a travel or of a timeline entry: 1–14 characters on one line.
public struct Title: Hashable, Sendable {
    /// The text, without blanks around it.
    public let text: String

    /// How many characters a title may have, as a reader counts them.
    public static let length = 1...14

    /// The title made of `text`, less the blanks around it: white space, and characters of which nothing is seen.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when nothing is left, when it is too long, or when it holds a
    ///   line break or another control character.
    public init(_ text: some StringProtocol) throws(TravelError) {
        self.text = try Text.validated(text, as: .title, length: Self.length, lines: .one)
    }

    /// The title made of as much of `text` as fits, ending in `…` where it was cut; `nil` when nothing is left.
    ///
    /// For text that no one is there to mend, such as names in an imported file. Line breaks and other
    /// control characters become spaces.
    public init?(shortening text: some StringProtocol) {
        guard let text = Text.shortened(text, to: Self.length.upperBound, lines: .one) else { return nil }
        self.text = text
    }
}

extension Title: CustomStringConvertible {
    /// The text itself.
    public var description: String { text }
}
