import TravelDomainTesting
import TravelPresentation

/// The people of the tests.
enum Person {
    static let mina = person(1, "Mina")
    static let jun = person(2, "Jun")

    private static func person(_ seed: UInt64, _ nickname: String) -> User {
        do {
            return try User(seed: seed, nickname: nickname)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

extension Travel {
    /// The travel of a number; greater numbers are newer.
    static func sample(
        _ number: UInt64, title: String? = nil, by author: User = Person.jun, likes: Int = 0, isLiked: Bool = false,
        days: Int = 1, viewer: User? = nil
    ) -> Travel {
        do {
            let recorded = try TravelBuilder(seed: number, author: author).with {
                $0.title = title ?? "Trip \(number)"
                $0.numberOfDays = days
            }.build()
            return try Travel(
                id: recorded.id, author: author, content: recorded.content, createdAt: recorded.createdAt,
                likeCount: likes, isLiked: isLiked, isMine: viewer == author)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

extension TravelError {
    /// A failure that a retry may mend.
    static let busy = TravelError.unavailable(.init("The store is busy.", canRetry: true))
}

extension ScreenFailure {
    /// A failure that a retry may mend.
    static let busy = ScreenFailure.travel(.busy)
}
