import Foundation
import TravelDataSQLite
import TravelDomain

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
        name: "completion", summary: "prints a script that completes commands in a shell",
        usage: ["completion bash|zsh|fish", "completion ids [BEGINNING]"],
        notes: [
            "The script completes commands, options and their values, and the IDs of trips. 'completion ids' lists IDs with "
                + "titles, those that begin like this; the scripts use it."
        ],
        actions: Subject.allCases.map(\.rawValue), usesStore: false,
        examples: [
            ("completion bash > ~/.traveline.bash", "for bash, with 'source ~/.traveline.bash' in ~/.bashrc"),
            ("completion zsh > ~/.zfunc/_traveline", "for zsh, with ~/.zfunc in its fpath"),
            ("completion fish > ~/.config/fish/completions/traveline.fish", "for fish"),
        ])

    private(set) var subject: Subject
    private(set) var beginning = ""

    init(_ reader: inout ArgumentReader) throws {
        var words: [String] = []
        while let argument = try reader.next() {
            switch argument {
            case .option("--help"), .option("-h"): throw HelpRequest()
            case .option(let option): throw Self.unknown(option)
            case .word(let word): words.append(word)
            }
        }
        guard let first = words.first else { throw Self.missing("a shell: bash, zsh or fish", "셸: bash, zsh, fish") }
        guard let subject = Subject(rawValue: first) else {
            throw UsageError(
                "unknown shell '\(first)'; choose one of: bash, zsh, fish",
                "알 수 없는 셸 '\(first)'. 다음 중에서 고르세요: bash, zsh, fish")
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
        guard let range: ClosedRange<Travel.ID> = try? Identification(beginning.isEmpty ? "0" : beginning).range()
        else { return "" }
        let location = try StoreOptions().location().location
        return try await FileError.naming(location.description, in: Standard.language) {
            guard let store = try await Self.existingStore(at: location) else { return "" }
            do {
                let lines = try await Self.lines(of: store, in: beginning.isEmpty ? Self.everything : range)
                await store.close()
                return lines
            } catch {
                await store.close()
                throw error
            }
        }
    }

    private static func lines(of store: OpenStore, in range: ClosedRange<Travel.ID>) async throws -> String {
        var lines = ""
        for id in try await store.identifiers.travelIDs(in: range, limit: 50) {
            do {
                lines += "\(id)\t\(try await store.travels.travel(id, viewer: nil).title)\n"
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

    private static var everything: ClosedRange<Travel.ID> {
        get throws {
            let (low, high): (ClosedRange<Travel.ID>, ClosedRange<Travel.ID>) = (
                try Identification("0").range(), try Identification("f").range()
            )
            return low.lowerBound...high.upperBound
        }
    }
}
