import Foundation
import TravelDomain

/// Identifies people on their own device, without a sign-in service: by the device, or by the name of an account.
struct LocalIdentity: IdentityProvider {
    /// The person.
    let user: User.ID

    init(_ user: User.ID) {
        self.user = user
    }

    /// The person whose device it is.
    static let device = LocalIdentity(identifier("00000000-0000-4000-8000-000000000001"))

    /// The nickname that they have at first: "traveller".
    static var deviceNickname: Nickname {
        get throws { try Nickname("나그네") }
    }

    /// The account with that name, and the nickname that it has at first. The same name is always the same account, also
    /// when the nickname changes.
    ///
    /// - Throws: `UsageError` for a name that is not a nickname.
    static func account(named name: String) throws -> (user: User.ID, nickname: Nickname) {
        let nickname: Nickname
        do {
            nickname = try Nickname(name)
        } catch {
            throw UsageError(
                "'\(name)' cannot be the name of an account: \(error)", "'\(name)'은(는) 계정 이름이 될 수 없습니다: \(error.korean)"
            )
        }
        // FNV-1a (Fowler, Noll, Vo) with two offsets, in a UUID of version 8 (RFC 9562). Names come from the person
        // themselves: nobody profits from a collision.
        let text = nickname.text.precomposedStringWithCanonicalMapping.lowercased()
        func hash(_ offset: UInt64) -> UInt64 { text.utf8.reduce(offset) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
        let high = hash(0xCBF2_9CE4_8422_2325) & ~0xF000 | 0x8000
        let low = hash(0x8422_2325_CBF2_9CE4) & (.max >> 2) | 1 << 63
        let digits = [high, low].map { number in
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
        let identification = try Identification(digits)
        let range: ClosedRange<User.ID> = identification.range()
        return (range.lowerBound, nickname)
    }

    func identify() -> Session { Session(user: user) }

    func refresh(_ session: Session) throws -> Session { Session(user: session.user) }

    /// The person is at the device: whoever can open the file is asked no further.
    func reauthenticate() -> User.ID { user }

    private static func identifier(_ text: String) -> User.ID {
        guard let id = User.ID(text) else { preconditionFailure("a UUID") }
        return id
    }
}
