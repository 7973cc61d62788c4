#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The text form of a cursor, for deep links and restored screens.
///
/// ```swift
/// cursor.text                         // "newest.41c6925e80000000.6f1c…", without reserved characters of a URL
/// TravelCursor(text: cursor.text)     // the same cursor
/// ```
///
/// It names the order, the number of likes or the first day if that matters, the bits of the time of recording, and the ID.
extension TravelCursor {
    /// The text form; equal cursors have equal texts.
    public var text: String {
        switch position {
        case .createdAt(let date): "\(sort.rawValue).\(Self.text(of: date)).\(id)"
        case .likeCount(let count, let date): "\(sort.rawValue).\(count).\(Self.text(of: date)).\(id)"
        case .firstDay(let day, let date): "\(sort.rawValue).\(day).\(Self.text(of: date)).\(id)"
        }
    }

    /// Creates a cursor from its text form; `nil` for any other text.
    public init?(text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let first = parts.first, let sort = TravelSort(rawValue: String(first)), let last = parts.last,
            let id = Travel.ID(last), let date = parts.dropLast().last.flatMap({ Self.date($0) })
        else { return nil }
        switch (sort, parts.count) {
        case (.newest, 3): self.init(position: .createdAt(date), id: id)
        case (.mostLiked, 4):
            guard let count = Int(digits: parts[1]) else { return nil }
            self.init(position: .likeCount(count, createdAt: date), id: id)
        case (.tripDate, 4):
            // Any other text is no cursor.
            guard let day = try? CalendarDay(String(parts[1])) else { return nil }
            self.init(position: .firstDay(day, createdAt: date), id: id)
        default: return nil
        }
    }

    /// The bits of a date, as 16 hexadecimal digits; zero has one form.
    private static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let digits = String((seconds == 0 ? 0 : seconds).bitPattern, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func date(_ text: some StringProtocol) -> Date? {
        guard text.utf8.count == 16, text.utf8.allSatisfy({ $0.hexadecimalDigit != nil }),
            let bits = UInt64(text, radix: 16)
        else { return nil }
        let seconds = Double(bitPattern: bits)
        return seconds.isNaN ? nil : Date(timeIntervalSinceReferenceDate: seconds)
    }
}
