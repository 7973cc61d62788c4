#if Server
internal import CSodium
import Dispatch
public import TravelDomain

/// Passwords and tokens by libsodium.
///
/// Passwords are hashed by Argon2id (RFC 9106) with the parameters for interactive use, `OPSLIMIT_INTERACTIVE` and
/// `MEMLIMIT_INTERACTIVE`: two passes over 64 MiB. A fixed number of hashes is computed at a time, each on a thread of its
/// own outside of the cooperative pool, so that passwords take at most 64 MiB for each of them; others wait for
/// their turn, up to a number of them. Tokens are bytes of the random number generator of the system, and their digests
/// BLAKE2b-256.
public struct Sodium: PasswordHashing, TokenSource {
    private let queue: HashingQueue
    public let decoy: PasswordHash

    /// Prepares the library, and computes the decoy.
    ///
    /// - Parameters:
    ///   - hashesAtOnce: The number of passwords that are hashed at a time.
    ///   - waiting: The number of those that wait for their turn at most.
    /// - Throws: `TravelError.unavailable` when the library cannot be used, or there is not enough memory.
    public init(hashesAtOnce: Int = 2, waiting: Int = 64) throws(TravelError) {
        guard sodium_init() >= 0 else {
            throw .unavailable(.init("The library for password hashing cannot be initialized.", canRetry: false))
        }
        queue = HashingQueue(limit: hashesAtOnce, waiting: waiting)
        // A password that nobody knows.
        decoy = try Self.hash(Self.randomToken().text)
    }

    public func hash(_ password: Password) async throws -> PasswordHash {
        try await queue.run { () throws(TravelError) in try Self.hash(password.text) }
    }

    public func verify(_ password: Password, _ hash: PasswordHash) async throws -> Bool {
        try await queue.run { () throws(TravelError) in
            // The library compares in constant time.
            crypto_pwhash_str_verify(hash.text, password.text, UInt64(password.text.utf8.count)) == 0
        }
    }

    public func isOutdated(_ hash: PasswordHash) -> Bool {
        crypto_pwhash_str_needs_rehash(
            hash.text, UInt64(crypto_pwhash_opslimit_interactive()), crypto_pwhash_memlimit_interactive()) != 0
    }

    private static func hash(_ password: String) throws(TravelError) -> PasswordHash {
        var text = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
        let code = crypto_pwhash_str_alg(
            &text, password, UInt64(password.utf8.count), UInt64(crypto_pwhash_opslimit_interactive()),
            crypto_pwhash_memlimit_interactive(), crypto_pwhash_alg_argon2id13())
        let characters = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        guard code == 0, let hash = PasswordHash(String(decoding: characters, as: UTF8.self)) else {
            throw .unavailable(
                .init("There is not enough memory to check a password.", cause: .serverBusy, canRetry: true))
        }
        return hash
    }

    public func token() -> Token { Self.randomToken() }

    private static func randomToken() -> Token {
        var bytes = [UInt8](repeating: 0, count: Token.size)
        randombytes_buf(&bytes, bytes.count)
        // There are as many bytes as a token has.
        return Token(bytes: bytes)!
    }

    public func digest(of token: Token) -> TokenDigest {
        let text = Array(token.text.utf8)
        var bytes = [UInt8](repeating: 0, count: TokenDigest.size)
        crypto_generichash(&bytes, bytes.count, text, UInt64(text.count), nil, 0)
        // There are as many bytes as a digest has.
        return TokenDigest(bytes: bytes)!
    }
}

/// Runs slow work on a few threads, in the order of the calls.
struct HashingQueue: Sendable {
    private let turns: Turns
    private let queue = DispatchQueue(label: "passwords", attributes: .concurrent)

    init(limit: Int, waiting: Int) {
        turns = Turns(limit: limit, waiting: waiting)
    }

    /// Runs `work` when its turn has come.
    ///
    /// - Throws: `TravelError.unavailable` when too many wait; the errors of `work`; `CancellationError` when the task
    ///   is cancelled before its turn.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws(TravelError) -> Value) async throws -> Value {
        do {
            return try await turns.inTurn(for: "") {
                try Task.checkCancellation()
                return try await withCheckedThrowingContinuation { continuation in
                    queue.async { continuation.resume(with: Result { try work() }) }
                }
            }
        } catch is Turns.TooManyWait {
            throw TravelError.unavailable(
                .init("Too many people are signing in at the moment.", cause: .serverBusy, canRetry: true))
        }
    }
}

/// The digests of what the server sends.
package enum EntityTag {
    /// The text of a digest of 128 bits: equal bytes have equal digests, and others have others.
    package static func digest(of bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: 16)
        crypto_generichash(&digest, digest.count, bytes, UInt64(bytes.count), nil, 0)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 2 * digest.count + 1) { text in
            // The library writes the digits with a 0 behind them, and returns where they begin.
            String(cString: sodium_bin2hex(text.baseAddress!, text.count, digest, digest.count))
        }
    }
}
#endif
