import TravelDomain

/// A line of a text file with its number.
struct TextLine {
    /// The line number, 1-based.
    let number: Int
    /// The line without surrounding white space.
    let text: String

    /// The non-blank lines of `text`.
    static func lines(of text: String) -> [TextLine] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { TextLine(number: $0 + 1, text: trimmed($1)) }
            .filter { !$0.text.isEmpty }
    }

    /// The fields between `|` separators, without surrounding white space.
    ///
    /// - Throws: ``MalformedLine`` when there are fewer than `count` or more than `count + optional` fields, or when
    ///   a field is empty.
    func fields(_ count: Int, optional: Int = 0) throws(MalformedLine) -> [String] {
        let fields = parts(of: text, between: "|")
        guard (count...count + optional).contains(fields.count) else {
            throw error("found \(fields.count) fields; expected \(count)")
        }
        guard !fields.contains("") else { throw error("an empty field") }
        return fields
    }

    /// The elements of a comma-separated field, without surrounding white space.
    ///
    /// - Throws: ``MalformedLine`` when an element is empty.
    func list(_ field: String) throws(MalformedLine) -> [String] {
        let parts = parts(of: field, between: ",")
        guard !parts.contains("") else { throw error("an empty element in '\(field)'") }
        return parts
    }

    /// Calls `parse` and rethrows its error as a ``MalformedLine`` that names the line and the expected value, `what`.
    func parse<Value>(_ what: String, _ parse: () throws(TravelError) -> Value) throws(MalformedLine) -> Value {
        do {
            return try parse()
        } catch {
            throw self.error("\(what): \(error)")
        }
    }

    /// Creates an error about this line.
    func error(_ reason: String) -> MalformedLine {
        MalformedLine(number: number, text: text, reason: reason)
    }

    private func parts(of text: String, between separator: Character) -> [String] {
        text.split(separator: separator, omittingEmptySubsequences: false).map(Self.trimmed)
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }
}

/// An error about a line that does not have the expected format.
struct MalformedLine: Error, Hashable, CustomStringConvertible {
    /// The line number, 1-based.
    let number: Int
    /// The line.
    let text: String
    /// The problem with the line.
    let reason: String

    var description: String { "line \(number) (\(text)): \(reason)" }
}
