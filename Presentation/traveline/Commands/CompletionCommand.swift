import Foundation
import TravelDataSQLite
import TravelDataShared
import TravelDomain
import TravelTexts

#if PostgreSQL
import TravelDataPostgreSQL
#endif

/// `traveline completion`: prints a script that completes command lines in a shell.
struct CompletionCommand: CommandLineCommand {
    /// A shell, or the IDs that its script asks for.
    enum Subject: String, CaseIterable, Sendable {
        case bash, zsh, fish, ids
    }

    static let help = CommandHelp(
        name: "completion", summary: Text("prints a script that completes commands in a shell", "셸 자동 완성 스크립트 출력하기"),
        usage: ["completion bash|zsh|fish", "completion ids [BEGINNING]"],
        notes: [
            Text(
                "The script completes commands, options and their values, and the IDs of trips. 'completion ids', which "
                    + "the scripts call, lists the IDs that begin with a text, with their titles.",
                "명령, 옵션과 그 값, 여행 ID를 완성합니다. 'completion ids'는 그렇게 시작하는 ID를 제목과 함께 출력하며, 스크립트가 씁니다.")
        ],
        words: .cases(of: Subject.self), usesStore: false,
        examples: [
            (
                "completion bash > ~/.traveline.bash",
                Text(
                    "for bash, with 'source ~/.traveline.bash' in ~/.bashrc",
                    "bash용, ~/.bashrc에 'source ~/.traveline.bash' 추가")
            ),
            (
                "completion zsh > ~/.zfunc/_traveline",
                Text("for zsh, with ~/.zfunc in its fpath", "zsh용, fpath에 ~/.zfunc 추가")
            ),
            ("completion fish > ~/.config/fish/completions/traveline.fish", Text("for fish", "fish용")),
        ])

    let subject: Subject
    let beginning: String

    init(_ arguments: Arguments) throws {
        let words = arguments.words
        guard let first = words.first else { throw Self.missing("a shell: bash, zsh or fish", "셸: bash, zsh, fish") }
        guard let subject = Subject(rawValue: first) else {
            throw UsageError.unknown("shell", "셸", first, choices: ["bash", "zsh", "fish"])
        }
        if words.count > (subject == .ids ? 2 : 1) { throw Self.surplus(words[words.count - 1]) }
        self.subject = subject
        beginning = words.count > 1 ? words[1] : ""
    }

    func run() async throws {
        switch subject {
        case .bash: try Standard.write(CompletionScript.bash)
        case .zsh: try Standard.write(CompletionScript.zsh)
        case .fish: try Standard.write(CompletionScript.fish)
        case .ids: try Standard.write(try await identifiers())
        }
    }

    /// At most 50 IDs with titles, separated by tabs; none where there is no database, or no ID begins like this.
    ///
    /// - Throws: The errors of the database. The scripts discard their messages, so that none appears while someone
    ///   types.
    private func identifiers() async throws -> String {
        // What is no beginning of an ID has no completion.
        guard let identification = beginning.isEmpty ? .all : try? Identification(beginning) else { return "" }
        let location = try StoreOptions().location().location
        return try await FileError.naming(location.description) {
            guard let store = try await Self.existingStore(at: location) else { return "" }
            return try await closing(store.close) {
                try await Self.lines(of: store, in: identification.range())
            }
        }
    }

    private static func lines(of store: OpenStore, in range: ClosedRange<Trip.ID>) async throws -> String {
        var lines = ""
        for id in try await store.identifiers.tripIDs(in: range, limit: 50) {
            do {
                lines += "\(id)\t\(try await store.trips.trip(id, viewer: nil).title)\n"
            } catch TravelError.notFound {
                // Hidden, or removed meanwhile.
                continue
            }
        }
        return lines
    }

    /// The database in a place; `nil` where there is none, because completing must not create one.
    private static func existingStore(at location: StoreLocation) async throws -> OpenStore? {
        switch location {
        case .file(let path):
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            return OpenStore(file: try await TravelDatabase.open(path: path))
        case .server(let address):
            #if PostgreSQL
            let configuration = Database.Configuration().with {
                // Someone waits at the keyboard.
                ($0.connectTimeout, $0.statementTimeout, $0.connectionCount) = (.seconds(1), .seconds(1), 1)
            }
            return OpenStore(
                server: try await PostgreSQLTravelDatabase.openUnchanged(
                    .url(address.text), configuration: configuration))
            #else
            return nil
            #endif
        }
    }
}

/// The scripts that complete command lines, written from the help of the commands.
enum CompletionScript {
    private static var commands: [CommandHelp] { Command.all.map { $0.help } }

    /// The cases of a shell for the values of options, where `reply` has one.
    private static func values(_ reply: (OptionHelp.Completion) -> String?) -> String {
        commands.flatMap { help in
            help.allOptions.compactMap { option in
                reply(option.completion).map { "        '\(help.name) \(option.name)') \($0); return ;;\n" }
            }
        }.joined()
    }

    /// The cases of a shell for the words of commands; a choice stands in a position.
    private static func words(choiceAt position: Int, _ reply: (OptionHelp.Completion) -> String?) -> String {
        commands.compactMap { help in
            let place = if case .choices = help.words { "\(position)'" } else { "'*" }
            return reply(help.words).map { "        '\(help.name) \(place)) \($0) ;;\n" }
        }.joined()
    }

    static var bash: String {
        let options = commands.map { help in
            "            \(help.name)) COMPREPLY=($(compgen -W '\(help.allOptions.map(\.name).joined(separator: " "))' -- \"$word\")) ;;\n"
        }.joined()
        return """
            # bash completion for traveline
            _traveline_files() {
                # The shell itself completes and quotes names of files; bash 3 cannot be asked to.
                compopt -o default 2>/dev/null && return
                local IFS=$'\\n'
                COMPREPLY=($(compgen -f -- "$word"))
            }
            _traveline() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
                COMPREPLY=()
                # '--name=value' arrives as three words.
                if [ "$word" = = ]; then word=; elif [ "$before" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
                if [ "$COMP_CWORD" -eq 1 ]; then
                    COMPREPLY=($(compgen -W '\(Command.names.joined(separator: " ")) --help --version' -- "$word"))
                    return
                fi
                case "$command $before" in
            \(values(bashReply))    esac
                case "$word" in
                    -*)
                        case "$command" in
            \(options)            esac ;;
                    *)
                        case "$command $COMP_CWORD" in
            \(words(choiceAt: 2, bashReply))        'help 2') COMPREPLY=($(compgen -W '\(commands.map(\.name).joined(separator: " "))' -- "$word")) ;;
                        esac ;;
                esac
            }
            complete -F _traveline traveline

            """
    }

    private static func bashReply(_ completion: OptionHelp.Completion) -> String? {
        switch completion {
        case .nothing: nil
        case .choices(let choices): "COMPREPLY=($(compgen -W '\(choices.joined(separator: " "))' -- \"$word\"))"
        case .trips: "COMPREPLY=($(\"${COMP_WORDS[0]}\" completion ids \"$word\" 2>/dev/null | cut -f 1))"
        case .files: "_traveline_files"
        }
    }

    static var zsh: String {
        let options = commands.map { help in
            let described = help.allOptions.map { "'\(zshDescribed($0.name, $0.summary.english))'" }.joined(
                separator: " ")
            return "            \(help.name)) options=(\(described)) ;;\n"
        }.joined()
        let names = commands.map { "'\(zshDescribed($0.name, $0.summary.english))'" }.joined(separator: " ")
        return """
            #compdef traveline
            # zsh completion for traveline
            _traveline_ids() {
                local -a ids
                ids=(${(f)"$($words[1] completion ids "$PREFIX" 2>/dev/null | sed 's/:/\\\\:/g' | tr '\\t' ':')"})
                _describe 'trip' ids
            }
            _traveline() {
                local command=$words[2] before=$words[CURRENT-1]
                local -a commands options
                if (( CURRENT == 2 )); then
                    commands=(\(names) 'help:shows the options of a command')
                    options=('--help:shows how to use it' '--version:shows the version')
                    if [[ "$PREFIX" == -* ]]; then _describe 'option' options; else _describe 'command' commands; fi
                    return
                fi
                if compset -P 1 '--*='; then before=${IPREFIX%=}; fi
                case "$command $before" in
            \(values(zshReply))    esac
                if [[ "$PREFIX" == -* ]]; then
                    case "$command" in
            \(options)        esac
                    _describe 'option' options
                    return
                fi
                case "$command $CURRENT" in
            \(words(choiceAt: 3, zshReply))        'help 3') compadd -- \(commands.map(\.name).joined(separator: " ")) ;;
                esac
            }
            if [ "$funcstack[1]" = "_traveline" ]; then _traveline "$@"; else compdef _traveline traveline; fi

            """
    }

    private static func zshReply(_ completion: OptionHelp.Completion) -> String? {
        switch completion {
        case .nothing: nil
        case .choices(let choices): "compadd -- \(choices.joined(separator: " "))"
        case .trips: "_traveline_ids"
        case .files: "_files"
        }
    }

    /// A name with its description, in single quotes, for `_describe`, which divides them at a colon.
    private static func zshDescribed(_ name: String, _ text: String) -> String {
        "\(name):\(text.replacing(":", with: "\\:").replacing("'", with: "'\\''"))"
    }

    static var fish: String {
        let names = commands.map(\.name).joined(separator: " ")
        var lines = [
            """
            # fish completion for traveline
            function __traveline_command
                set -l words (commandline -opc)
                test "$words[2]" = $argv[1]
            end
            function __traveline_word
                test (count (commandline -opc)) -eq $argv[1]
            end
            function __traveline_ids
                set -l words (commandline -opc)
                $words[1] completion ids (commandline -ct | string replace -r -- '^--\\w+=' '') 2>/dev/null
            end
            complete -c traveline -f
            complete -c traveline -n '__traveline_word 1' -l help -d 'shows how to use it'
            complete -c traveline -n '__traveline_word 1' -l version -d 'shows the version'
            complete -c traveline -n '__traveline_word 1' -a help -d 'shows the options of a command'
            complete -c traveline -n '__traveline_command help; and __traveline_word 2' -a '\(names)'
            """
        ]
        for help in commands {
            lines.append(
                "complete -c traveline -n '__traveline_word 1' -a \(help.name) -d '\(fishQuoted(help.summary.english))'"
            )
            let condition = "__traveline_command \(help.name)"
            if let reply = fishReply(help.words) {
                let position = if case .choices = help.words { "; and __traveline_word 2" } else { "" }
                lines.append("complete -c traveline -n '\(condition)\(position)' \(reply)")
            }
            for option in help.allOptions {
                let value = fishReply(option.completion) ?? ""
                let requires = option.placeholder == nil ? "" : option.completion.isFile ? "-r " : "-x "
                lines.append(
                    "complete -c traveline -n '\(condition)' -l \(option.name.dropFirst(2)) \(requires)"
                        + "\(value.isEmpty ? "" : value + " ")-d '\(fishQuoted(option.summary.english))'")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fishReply(_ completion: OptionHelp.Completion) -> String? {
        switch completion {
        case .nothing: nil
        case .choices(let choices): "-a '\(choices.joined(separator: " "))'"
        case .trips: "-a '(__traveline_ids)'"
        case .files: "-F"
        }
    }

    private static func fishQuoted(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }
}

extension OptionHelp.Completion {
    fileprivate var isFile: Bool { if case .files = self { true } else { false } }
}
