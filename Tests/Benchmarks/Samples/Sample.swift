/// An element that the shapes are measured with, and what their closures do with it.
///
/// Nothing that it does allocates, so that what a column allocates is its own.
public protocol Sample: Equatable, Sendable {
    /// The name in the report.
    static var name: String { get }
    /// One of the elements that a source sends; neighbours differ.
    static func sample(_ number: Int) -> Self
    /// What `map` makes of it.
    var next: Self { get }
    /// What `filter` leaves out: no sample.
    var isRare: Bool { get }
    /// What `scan` and combinations make of two.
    func adding(_ other: Self) -> Self
    /// Its part of the checksum.
    var weight: Int { get }
}

extension Int: Sample {
    public static var name: String { "Int" }

    @inlinable
    public static func sample(_ number: Int) -> Int { number }

    @inlinable
    public var next: Int { self &+ 1 }

    @inlinable
    public var isRare: Bool { self == -5 }

    @inlinable
    public func adding(_ other: Int) -> Int { self &+ other }

    @inlinable
    public var weight: Int { self }
}

extension String: Sample {
    public static var name: String { "String" }

    @usableFromInline static let samples = (0..<64).map {
        "An element too long to be stored in place, number \($0)" + String(repeating: ".", count: $0)
    }

    @inlinable
    public static func sample(_ number: Int) -> String { samples[number & 63] }

    @inlinable
    public var next: String { self }

    @inlinable
    public var isRare: Bool { isEmpty }

    @inlinable
    public func adding(_ other: String) -> String { other }

    @inlinable
    public var weight: Int { utf8.count }
}

/// A struct of five words, one of them a reference.
@frozen
public struct Article: Sample {
    public var id: Int
    public var likes: Int
    public var views: Int
    public var time: Int
    public var author: Author

    /// The object that articles refer to.
    public final class Author: Sendable {
        /// Who it is.
        public let number: Int

        init(number: Int) {
            self.number = number
        }
    }

    @inlinable
    public init(id: Int, likes: Int, views: Int, time: Int, author: Author) {
        self.id = id
        self.likes = likes
        self.views = views
        self.time = time
        self.author = author
    }

    public static var name: String { "struct" }

    @usableFromInline static let authors = (0..<64).map(Author.init)

    @inlinable
    public static func sample(_ number: Int) -> Article {
        Article(id: number, likes: 1, views: 2, time: 3, author: authors[number & 63])
    }

    @inlinable
    public var next: Article { Article(id: id &+ 1, likes: likes, views: views, time: time, author: author) }

    @inlinable
    public var isRare: Bool { id == -5 }

    @inlinable
    public func adding(_ other: Article) -> Article {
        Article(id: id &+ other.id, likes: likes, views: views, time: time, author: other.author)
    }

    @inlinable
    public var weight: Int { id &+ likes }

    @inlinable
    public static func == (lhs: Article, rhs: Article) -> Bool {
        lhs.id == rhs.id && lhs.likes == rhs.likes && lhs.views == rhs.views && lhs.time == rhs.time
            && lhs.author === rhs.author
    }
}
