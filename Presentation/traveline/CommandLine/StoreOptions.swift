import Foundation
import TravelDomain
import TravelPresentation

/// The options of every command that uses a database.
struct StoreOptions: Sendable {
    /// Where the database is; `nil` for what the environment names, or else the one in the data directory.
    var database: StoreLocation?
    /// The name of the account to act as; `nil` for the signed-in user.
    var account: String?
    /// Whether the user owns the database on a server, and may act as any account in it.
    var isOwner = false
    /// The language of the output; `nil` for that of the environment.
    var language: Language?
    /// Whether the output is JSON; for commands that have this option.
    var isJSON = false

    var outputLanguage: Language { language ?? Standard.language }

    static let help: [OptionHelp] = [
        OptionHelp(
            "--as", "NAME",
            Text("act as this account on the device; a new name creates an account", "기기의 이 계정으로 실행, 새 이름이면 새 계정")),
        .language,
        OptionHelp(
            "--database", "PLACE", completes: .files,
            Text(
                "use this file or server (postgresql://user@host/name) instead of your own database",
                "내 데이터베이스 대신 쓸 파일이나 서버(postgresql://user@host/name)")),
        OptionHelp(
            "--owner",
            Text(
                "use a database on a server as its owner; its URL lets you act as any account",
                "서버의 데이터베이스를 주인으로 쓰기: 그 URL을 가진 사람은 그 안의 누구든 될 수 있음")),
    ]

    /// The variable of the environment that names a database for all commands.
    static let variable = "TRAVELINE_DATABASE"

    /// Where the database is: by the command line, by the environment, or in the data directory; and whether the user
    /// has named it.
    ///
    /// - Throws: `UsageError` when the environment names neither a file nor a server, or there is no data directory.
    func location(
        in environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> (location: StoreLocation, isNamed: Bool) {
        if let database { return (database, true) }
        if let text = environment[Self.variable], !text.isEmpty {
            guard let location = StoreLocation(text) else { throw StoreLocation.unreadable(Self.variable) }
            return (location, true)
        }
        return (.file(try DataDirectory.databasePath(in: environment)), false)
    }

}

extension StoreOptions {
    init(_ arguments: Arguments) throws {
        self.init(
            database: try arguments.location("--database"), account: arguments.value("--as"),
            isOwner: arguments.has("--owner"), language: try arguments.language(), isJSON: arguments.has("--json"))
    }
}

/// An ID on a command line, in full or by its first characters.
struct Identification: Hashable, Sendable {
    /// The text of the argument.
    let text: String
    /// The hexadecimal digits of it, in lower case.
    private let digits: String

    /// Reads `text`.
    ///
    /// - Throws: `UsageError` for text that is not the beginning of an ID.
    init(_ text: String) throws {
        let digits = text.lowercased().filter { $0 != "-" }
        let isHexadecimal = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard (1...32).contains(digits.count), isHexadecimal else {
            throw UsageError(
                "'\(text)' is not an ID; search lists them, and their first characters are enough",
                "'\(text)'은(는) ID가 아닙니다. ID는 search에 나오며, 앞 글자만 써도 됩니다")
        }
        self.init(text: text, digits: digits)
    }

    private init(text: String, digits: String) {
        self.text = text
        self.digits = digits
    }

    /// The beginning of every ID.
    static let all = Identification(text: "", digits: "")

    /// The IDs that begin like this.
    func range<Entity>() -> ClosedRange<Identifier<Entity>> {
        guard
            let lower: Identifier<Entity> = Self.identifier(digits, "0"),
            let upper: Identifier<Entity> = Self.identifier(digits, "f")
        else { preconditionFailure("32 hexadecimal digits are an ID") }
        return lower...upper
    }

    private static func identifier<Entity>(_ digits: String, _ filler: String) -> Identifier<Entity>? {
        var text = digits + String(repeating: filler, count: 32 - digits.count)
        for offset in [20, 16, 12, 8] { text.insert("-", at: text.index(text.startIndex, offsetBy: offset)) }
        return Identifier(text)
    }
}

extension Identifier {
    /// As many first characters as tell it from each of `others`: eight at least.
    func short(among others: some Sequence<Identifier>) -> String {
        let text = description
        var length = 8
        for other in others where other != self {
            let common = zip(text, other.description).prefix { $0 == $1 }.count
            length = max(length, common + 1)
        }
        return String(text.prefix(length))
    }
}
