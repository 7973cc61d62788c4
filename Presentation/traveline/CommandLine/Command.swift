import TravelDomain
import TravelPresentation

/// The parsed command line.
enum Command {
    /// Opens the app, at the screen of a link if there is one.
    case app(StoreOptions, link: String?)
    case run(any CommandLineCommand)
    /// Prints the help of a command; `nil` for that of the program.
    case help(CommandHelp?)
    case version

    /// All commands, in the order of the help.
    static let all: [any CommandLineCommand.Type] = [
        SearchCommand.self, ShowCommand.self, MapCommand.self, WriteCommand.self, EditCommand.self, LikeCommand.self,
        DeleteCommand.self, UndoCommand.self, ExportCommand.self, ImportCommand.self, MeCommand.self,
        ConnectCommand.self, SyncCommand.self, ShareCommand.self, DisconnectCommand.self, BrowseCommand.self,
        ServeCommand.self,
        ModerateCommand.self, SeedCommand.self, CopyCommand.self, DoctorCommand.self, CompletionCommand.self,
    ]

    static var names: [String] { all.map { $0.help.name } + ["help"] }

    /// Parses the arguments that follow the name of the program.
    init(_ arguments: [String]) throws {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "help": self = .help(try Self.subject(rest))
        case "--help", "-h": self = .help(nil)
        case "--version": self = .version
        case let word? where !word.hasPrefix("-") && Screen(link: word) == nil:
            if word.hasPrefix("\(Screen.scheme)://") { throw Self.unknownLink(word) }
            let type = try Self.type(named: word)
            let arguments = try Arguments(rest, options: type.help.allOptions, unknown: { type.unread($0) })
            self = arguments.has("--help") ? .help(type.help) : .run(try type.init(arguments))
        default: self = try Self.app(arguments)
        }
    }

    /// Parses the options of the app, and a link if there is one.
    private static func app(_ arguments: [String]) throws -> Command {
        func misplaced(_ option: String) -> UsageError {
            // Before the name of a command, the first option is the one to move.
            let argument = arguments.contains(where: names.contains) ? arguments[0] : option
            return UsageError("\(argument) comes after a command: \(list)", "\(argument)은(는) 명령 뒤에 씁니다: \(list)")
        }
        let parsed = try Arguments(arguments, options: StoreOptions.help + [.help], unknown: misplaced)
        if parsed.has("--help") { return .help(nil) }
        for word in parsed.words where Screen(link: word) == nil { throw misplaced(arguments[0]) }
        return .app(try StoreOptions(parsed), link: parsed.words.last)
    }

    private static func unknownLink(_ link: String) -> UsageError {
        UsageError(
            "no screen has the link '\(link)'; a trip has traveline://trip/ID, with the whole ID",
            "'\(link)' 링크의 화면은 없습니다. 여행은 ID 전체를 쓴 traveline://trip/ID 로 엽니다")
    }

    private static func subject(_ arguments: [String]) throws -> CommandHelp? {
        let words = try Arguments(arguments, options: [.language, .help]) { option in
            UsageError(
                "help has no option \(option); see traveline --help",
                "help에는 \(option) 옵션이 없습니다. 도움말: traveline --help")
        }.words
        if words.count > 1 {
            throw UsageError(
                "help shows one command at a time: traveline help \(words[0])",
                "help는 명령을 하나씩 보여 줍니다: traveline help \(words[0])")
        }
        guard let word = words.first, word != "help" else { return nil }
        return try type(named: word).help
    }

    private static func type(named name: String) throws -> any CommandLineCommand.Type {
        guard let type = all.first(where: { $0.help.name == name }) else {
            throw UsageError.unknown("command", "명령", name, choices: names)
        }
        return type
    }

    /// The names of all commands, for messages.
    static var list: String { names.joined(separator: ", ") }

    /// The help of the program.
    static func usage(in language: Language) -> String {
        let column = 19
        func lines(_ term: String, _ text: Text) -> [String] {
            CommandHelp.lines(term, language[text], column: column)
        }
        var text = ["traveline: \(language[purpose])", "", language[.usage]]
        text += lines("traveline [LINK]", link) + ["  traveline COMMAND …", "", language[.commands]]
        text += all.flatMap { lines($0.help.name, $0.help.summary) }
        text += lines("help COMMAND", Text("shows the options of a command, with examples", "명령의 옵션과 예 보기"))
        text += ["", language[.options]]
        text += lines("--help", Text("shows this text, or the help of a command", "이 도움말 또는 명령의 도움말"))
        text += lines("--version", Text("shows the version", "버전 보기")) + ["", language[.storeOptions]]
        text += StoreOptions.help.flatMap { CommandHelp.lines(of: $0, in: language, column: column) }
        text += ["", language[identities], ""] + CommandHelp.wrapped(language[places]) + [""]
        return text.joined(separator: "\n")
    }

    private static let purpose = Text(
        "trips as timelines, found by keyword and filters", "타임라인으로 남기는 여행, 검색어와 필터로 찾기")
    private static let link = Text(
        "opens the app in the terminal, at a link if given: traveline://me or traveline://trip/WHOLE-ID",
        "터미널에서 앱 열기. 링크가 있으면 그 화면부터: traveline://me, traveline://trip/ID전체")
    private static let identities = Text(
        "Trips and entries have IDs; their first characters are enough.", "여행과 기록에는 ID가 있으며, 앞 글자만 써도 됩니다.")
    private static let places = Text(
        "TRAVELINE_DATABASE specifies a database for all commands. What the URL of a server omits comes from PGHOST, "
            + "PGSERVICE and so on. Put passwords in ~/.pgpass or PGPASSWORD: others can see a command line.",
        "TRAVELINE_DATABASE는 모든 명령이 쓸 데이터베이스입니다. 서버 주소에 없는 것은 PGHOST, PGSERVICE 등에서 가져옵니다. "
            + "명령줄은 다른 사람에게 보이므로 비밀번호는 ~/.pgpass나 PGPASSWORD에 두세요.")
}

/// The headings of the help of the program.
extension Text {
    fileprivate static let commands = Text("Commands:", "명령:")
    fileprivate static let storeOptions = Text(
        "Options of commands that use a database:", "데이터베이스를 쓰는 명령의 옵션:")
}

/// A command of the command line, with the values of its options.
///
/// Each is in a folder of its own in `Commands`, and in ``Command/all``.
protocol CommandLineCommand: Sendable {
    /// The help, from which the completion of a shell is generated as well.
    static var help: CommandHelp { get }

    /// - Throws: `UsageError` for an invalid command line.
    init(_ arguments: Arguments) throws

    func run() async throws
}

extension CommandLineCommand {
    /// The error for an option that the command does not have.
    static func unread(_ option: String) -> UsageError {
        let similar = UsageError.similar(to: option, among: help.allOptions.map(\.name))
        return UsageError(
            "\(help.name) has no option \(option); "
                + (similar.map { "did you mean \($0)?" } ?? "see traveline \(help.name) --help"),
            "\(help.name)에는 \(option) 옵션이 없습니다. "
                + (similar.map { "혹시 \($0)?" } ?? "도움말: traveline \(help.name) --help"))
    }

    /// The error for an argument that the command does not take.
    static func surplus(_ word: String) -> UsageError {
        UsageError(
            "unexpected argument '\(word)'; see traveline \(help.name) --help",
            "\(help.name)에는 '\(word)'을(를) 쓸 수 없습니다. 도움말: traveline \(help.name) --help")
    }

    /// Throws if a command that takes no words has any.
    static func rejectWords(_ arguments: Arguments) throws {
        if let word = arguments.words.first { throw surplus(word) }
    }

    /// The one ID on a command line.
    static func one(_ words: [String]) throws -> Identification {
        if words.count > 1 { throw surplus(words[1]) }
        guard let word = words.first else { throw missing("the ID of a trip", "여행 ID") }
        return try Identification(word)
    }

    static func missing(_ what: String, _ korean: String) -> UsageError {
        UsageError(
            "\(help.name) needs \(what); see traveline \(help.name) --help",
            "\(help.name)에 필요합니다: \(korean). 도움말: traveline \(help.name) --help")
    }
}

/// A command line that cannot be understood, with how to correct it.
struct UsageError: ReportedError {
    private let text: Text
    var code: ExitCode { .usage }

    init(_ text: Text) { self.text = text }

    init(_ english: String, _ korean: String) { self.init(Text(english, korean)) }

    /// The error for a text that is none of the choices.
    static func unknown(
        _ kind: String, _ korean: String, _ text: some StringProtocol, choices: [String]
    ) -> UsageError {
        let list = choices.joined(separator: ", ")
        let similar = similar(to: text, among: choices)
        return UsageError(
            "unknown \(kind) '\(text)'; "
                + (similar.map { "did you mean \($0)? The choices are: " } ?? "choose one of: ") + list,
            "알 수 없는 \(korean) '\(text)'. " + (similar.map { "혹시 \($0)? 고를 수 있는 것: " } ?? "다음 중에서 고르세요: ") + list)
    }

    /// The choice that differs from a text, in any case, by the fewest letters: at most a third of them, where two that are
    /// exchanged count as one; the first of several, and `nil` without one.
    static func similar(to text: some StringProtocol, among choices: [String]) -> String? {
        let text = Array(text.lowercased())
        let counted = choices.map { (choice: $0, count: differences(text, Array($0.lowercased()))) }
        let nearest = counted.min { $0.count < $1.count }
        return nearest.flatMap { $0.count <= max(1, $0.choice.count / 3) && $0.count < text.count ? $0.choice : nil }
    }

    /// The number of letters that are to be inserted, removed, replaced, or exchanged with their neighbors.
    private static func differences(_ a: [Character], _ b: [Character]) -> Int {
        // No name of a command, an option or a value is longer.
        guard a.count <= 40 else { return .max }
        var (before, last) = ([Int](), Array(0...b.count))
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, before[j - 1] + 1) }
                row.append(least)
            }
            (before, last) = (last, row)
        }
        return last[b.count]
    }

    /// The message in English.
    var description: String { text.english }
    func text(in language: Language) -> String { language[text] }
}

extension Nickname {
    /// The nickname that a word of a command line is; otherwise throws that it cannot be `what`.
    init(_ word: String, as what: String, _ korean: String) throws {
        do {
            try self.init(word)
        } catch {
            throw UsageError(
                "'\(word)' cannot be \(what): \(error)", "'\(word)'은(는) \(korean)이 될 수 없습니다: \(error.text.korean)")
        }
    }
}

/// The exit codes of this command: those of BSD's `sysexits.h`.
enum ExitCode: Int32 {
    case success = 0
    /// The command line is wrong.
    case usage = 64
    /// The content of a file, or the request, is invalid.
    case dataError = 65
    /// A file to be read does not exist or cannot be read.
    case noInput = 66
    /// The database cannot be used now.
    case unavailable = 69
    /// A mistake in this program.
    case software = 70
    /// A file cannot be created.
    case cannotCreate = 73
    /// The output cannot be written to standard output.
    case outputError = 74
    /// It may succeed if it is tried again.
    case temporaryFailure = 75
    /// The user is not allowed to do that, or nobody is signed in.
    case noPermission = 77
}
