import TravelDomain

/// One line of a text of records, with its number.
struct TextLine {
    /// The number of the line in its text, 1-based.
    let number: Int
    /// The line without white space around it.
    let text: String

    /// The lines of `text` that are not blank.
    static func lines(of text: String) -> [TextLine] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { TextLine(number: $0 + 1, text: trimmed($1)) }
            .filter { !$0.text.isEmpty }
    }

    /// The fields between the `|`s, without white space around them.
    ///
    /// - Throws: ``MalformedLine`` when there are not `count` of them, or up to `optional` more, or when one is empty.
    func fields(_ count: Int, optional: Int = 0) throws(MalformedLine) -> [String] {
        let fields = parts(of: text, between: "|")
        guard (count...count + optional).contains(fields.count) else {
            throw error("\(fields.count) fields where there should be \(count)")
        }
        guard !fields.contains("") else { throw error("an empty field") }
        return fields
    }

    /// The parts of a field between the commas, without white space around them.
    ///
    /// - Throws: ``MalformedLine`` when one is empty.
    func list(_ field: String) throws(MalformedLine) -> [String] {
        let parts = parts(of: field, between: ",")
        guard !parts.contains("") else { throw error("an empty part of \(field)") }
        return parts
    }

    /// What `parse` returns; what it throws is told together with the line and with `what` it was to be.
    func parse<Value>(_ what: String, _ parse: () throws(TravelError) -> Value) throws(MalformedLine) -> Value {
        do {
            return try parse()
        } catch {
            throw self.error("\(what): \(error)")
        }
    }

    /// An error about this line.
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

/// A line of a text of records that is not of the form it should have.
struct MalformedLine: Error, Hashable, CustomStringConvertible {
    /// The number of the line in its text, 1-based.
    let number: Int
    /// The line.
    let text: String
    /// What is wrong with it.
    let reason: String

    var description: String { "line \(number) (\(text)): \(reason)" }
}
