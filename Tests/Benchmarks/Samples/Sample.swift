/// An element that the shapes are measured with, and what their closures do with it.
///
/// Nothing that it does allocates, so that what a column allocates is its own.
package protocol Sample: Equatable, Sendable {
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
    package static var name: String { "Int" }

    @inlinable
    package static func sample(_ number: Int) -> Int { number }

    @inlinable
    package var next: Int { self &+ 1 }

    @inlinable
    package var isRare: Bool { self == -5 }

    @inlinable
    package func adding(_ other: Int) -> Int { self &+ other }

    @inlinable
    package var weight: Int { self }
}

extension String: Sample {
    package static var name: String { "String" }

    @usableFromInline package static let samples = (0..<64).map {
        "An element too long to be stored in place, number \($0)" + String(repeating: ".", count: $0)
    }

    @inlinable
    package static func sample(_ number: Int) -> String { samples[number & 63] }

    @inlinable
    package var next: String { self }

    @inlinable
    package var isRare: Bool { isEmpty }

    @inlinable
    package func adding(_ other: String) -> String { other }

    @inlinable
    package var weight: Int { utf8.count }
}

/// A struct of five words, one of them a reference.
package struct Article: Sample {
    package var id: Int
    package var likes: Int
    package var views: Int
    package var time: Int
    package var author: Author

    /// The object that articles refer to.
    package final class Author: Sendable {
        /// Who it is.
        package let number: Int

        init(number: Int) {
            self.number = number
        }
    }

    @inlinable
    package init(id: Int, likes: Int, views: Int, time: Int, author: Author) {
        self.id = id
        self.likes = likes
        self.views = views
        self.time = time
        self.author = author
    }

    package static var name: String { "struct" }

    @usableFromInline package static let authors = (0..<64).map(Author.init)

    @inlinable
    package static func sample(_ number: Int) -> Article {
        Article(id: number, likes: 1, views: 2, time: 3, author: authors[number & 63])
    }

    @inlinable
    package var next: Article { Article(id: id &+ 1, likes: likes, views: views, time: time, author: author) }

    @inlinable
    package var isRare: Bool { id == -5 }

    @inlinable
    package func adding(_ other: Article) -> Article {
        Article(id: id &+ other.id, likes: likes, views: views, time: time, author: other.author)
    }

    @inlinable
    package var weight: Int { id &+ likes }

    @inlinable
    package static func == (lhs: Article, rhs: Article) -> Bool {
        lhs.id == rhs.id && lhs.likes == rhs.likes && lhs.views == rhs.views && lhs.time == rhs.time
            && lhs.author === rhs.author
    }
}
