/// What someone wrote about one entry of a timeline: 1–250 characters, line breaks included.
public struct EntryText: Hashable, Sendable {
    /// The text, without blanks around it.
    public let text: String

    /// How many characters it may have, as a reader counts them.
    public static let length = 1...250

    /// The text less the blanks around it: white space, and characters of which nothing is seen.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when nothing is left, when it is too long, or when it holds a
    ///   control character other than a line break or a tab.
    public init(_ text: some StringProtocol) throws(TravelError) {
        self.text = try Text.validated(text, as: .text, length: Self.length, lines: .many)
    }

    /// As much of `text` as fits, ending in `…` where it was cut; `nil` when nothing is left.
    public init?(shortening text: some StringProtocol) {
        guard let text = Text.shortened(text, to: Self.length.upperBound, lines: .many) else { return nil }
        self.text = text
    }
}

extension EntryText: CustomStringConvertible {
    /// The text itself.
    public var description: String { text }
}
