/// The scripts that complete command lines, written from the help of the commands.
enum CompletionScript {
    private static var commands: [CommandHelp] { Command.all.map { $0.help } }

    static var bash: String {
        let values = commands.flatMap { help in
            help.allOptions.compactMap { option -> String? in
                guard let reply = bashReply(option.completion, option.choices) else { return nil }
                return "        '\(help.name) \(option.name)') \(reply); return ;;\n"
            }
        }.joined()
        let options = commands.map { help in
            "            \(help.name)) COMPREPLY=($(compgen -W '\(help.allOptions.map(\.name).joined(separator: " "))' -- \"$word\")) ;;\n"
        }.joined()
        let words = commands.compactMap { help -> String? in
            if !help.actions.isEmpty {
                return "            '\(help.name) 2') \(bashReply(.choices, help.actions) ?? "") ;;\n"
            }
            return bashReply(help.words, []).map { "            '\(help.name) '*) \($0) ;;\n" }
        }.joined()
        return """
            # bash completion for traveline
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
            \(values)    esac
                case "$word" in
                    -*)
                        case "$command" in
            \(options)            esac ;;
                    *)
                        case "$command $COMP_CWORD" in
            \(words)            'help 2') COMPREPLY=($(compgen -W '\(commands.map(\.name).joined(separator: " "))' -- "$word")) ;;
                        esac ;;
                esac
            }
            complete -F _traveline traveline

            """
    }

    private static func bashReply(_ completion: OptionHelp.Completion, _ choices: [String]) -> String? {
        switch completion {
        case .nothing: nil
        case .choices: "COMPREPLY=($(compgen -W '\(choices.joined(separator: " "))' -- \"$word\"))"
        case .travels: "COMPREPLY=($(\"${COMP_WORDS[0]}\" completion ids \"$word\" 2>/dev/null | cut -f 1))"
        case .files: "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$word\"))"
        }
    }

    static var zsh: String {
        let values = commands.flatMap { help in
            help.allOptions.compactMap { option -> String? in
                guard let reply = zshReply(option.completion, option.choices) else { return nil }
                return "        '\(help.name) \(option.name)') \(reply); return ;;\n"
            }
        }.joined()
        let options = commands.map { help in
            let described = help.allOptions.map { "'\(zshDescribed($0.name, $0.summary))'" }.joined(separator: " ")
            return "            \(help.name)) options=(\(described)) ;;\n"
        }.joined()
        let words = commands.compactMap { help -> String? in
            if !help.actions.isEmpty {
                return "        '\(help.name) 3') compadd -- \(help.actions.joined(separator: " ")) ;;\n"
            }
            return zshReply(help.words, []).map { "        '\(help.name) '*) \($0) ;;\n" }
        }.joined()
        let names = commands.map { "'\(zshDescribed($0.name, $0.summary))'" }.joined(separator: " ")
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
            \(values)    esac
                if [[ "$PREFIX" == -* ]]; then
                    case "$command" in
            \(options)        esac
                    _describe 'option' options
                    return
                fi
                case "$command $CURRENT" in
            \(words)        'help 3') compadd -- \(commands.map(\.name).joined(separator: " ")) ;;
                esac
            }
            if [ "$funcstack[1]" = "_traveline" ]; then _traveline "$@"; else compdef _traveline traveline; fi

            """
    }

    private static func zshReply(_ completion: OptionHelp.Completion, _ choices: [String]) -> String? {
        switch completion {
        case .nothing: nil
        case .choices: "compadd -- \(choices.joined(separator: " "))"
        case .travels: "_traveline_ids"
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
                "complete -c traveline -n '__traveline_word 1' -a \(help.name) -d '\(fishQuoted(help.summary))'")
            let condition = "__traveline_command \(help.name)"
            if !help.actions.isEmpty {
                lines.append(
                    "complete -c traveline -n '\(condition); and __traveline_word 2' "
                        + "-a '\(help.actions.joined(separator: " "))'")
            } else if let reply = fishReply(help.words, []) {
                lines.append("complete -c traveline -n '\(condition)' \(reply)")
            }
            for option in help.allOptions {
                let value = fishReply(option.completion, option.choices) ?? ""
                let requires = option.placeholder == nil ? "" : option.completion.isFile ? "-r " : "-x "
                lines.append(
                    "complete -c traveline -n '\(condition)' -l \(option.name.dropFirst(2)) \(requires)"
                        + "\(value.isEmpty ? "" : value + " ")-d '\(fishQuoted(option.summary))'")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fishReply(_ completion: OptionHelp.Completion, _ choices: [String]) -> String? {
        switch completion {
        case .nothing: nil
        case .choices: "-a '\(choices.joined(separator: " "))'"
        case .travels: "-a '(__traveline_ids)'"
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
