/// The texts of the screens that have parameters.
///
/// ```swift
/// Language.english[.likes(1)]    // "1 like"
/// Language.korean[.day(2)]       // "2일차"
/// ```
public enum Phrase: Hashable, Sendable {
    /// The number of trips in a list.
    case trips(Int)
    /// The shown part of a longer list: `20 of 79`.
    case shown(Int, of: Int)
    /// The number of likes, which agrees with its noun.
    case likes(Int)
    /// The number of entries, which agrees with its noun.
    case entries(Int)
    /// A day of a trip by its number, 1-based.
    case day(Int)
    /// The number of characters in a field, and how many it may have.
    case characters(Int, maximum: Int)
    /// Several chosen values: the first, and the number of the others.
    case andMore(String, Int)
    /// A nickname, or another text, that is shorter than it may be.
    case tooShort(minimum: Int)
    /// A nickname, or another text, that is longer than it may be.
    case tooLong(maximum: Int)
    /// Entries after the last day of a trip whose dates shrink.
    case entriesInTheWay(Int)
    /// A greeting of the signed-in person.
    case hello(String)
    /// The days that an entry may have: 1 through the parameter.
    case dayOutOfRange(last: Int)
}
