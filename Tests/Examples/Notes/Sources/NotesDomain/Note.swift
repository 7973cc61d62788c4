import Foundation

/// A note that a user writes, finds and changes.
package nonisolated struct Note: Identifiable, Equatable, Sendable {
    package let id: UUID
    package var title: Title
    package var text: String
    /// When the user last changed the title or the text, in whole microseconds.
    package var changed: Date { didSet { changed = changed.inMicroseconds } }

    package init(id: UUID, title: Title, text: String, changed: Date) {
        (self.id, self.title, self.text, self.changed) = (id, title, text, changed.inMicroseconds)
    }

    /// A title of 1 to 60 characters, without spaces at its ends.
    package struct Title: Equatable, Sendable {
        package static let limit = 60
        package let text: String

        package init(_ text: String) throws(NoteProblem) {
            self.text = text.trimmingCharacters(in: .whitespacesAndNewlines)
            if self.text.isEmpty { throw .emptyTitle }
            if self.text.count > Title.limit { throw .longTitle }
        }
    }

    /// Title and text in the form in which they are searched; a note matches words whose form is a part of it.
    package var searchText: String { Note.searchText("\(title.text)\n\(text)") }

    /// `text` with small letters, composed.
    package static func searchText(_ text: String) -> String {
        text.lowercased().precomposedStringWithCanonicalMapping
    }
}

nonisolated extension Date {
    /// The date in whole microseconds, which every store keeps: so a note that was saved equals the one that is read.
    fileprivate var inMicroseconds: Date {
        let seconds = timeIntervalSinceReferenceDate
        // Farther than 2³² seconds (136 years) from 2001, a `Date` is no finer than that.
        guard abs(seconds) < 0x1p32 else { return self }
        return Date(timeIntervalSinceReferenceDate: (seconds * 1e6).rounded() / 1e6)
    }
}

/// Why a note cannot be saved.
package nonisolated enum NoteProblem: Error, Equatable {
    case emptyTitle, longTitle
    /// Another note has the title.
    case usedTitle
    case storage(String)
}
