import Foundation
import TravelDataFiles
import TravelDomain
import TravelPresentation

#if Server
import TravelBrowser
import TravelServer
#endif

/// `traveline browse`: the app in the browser of this machine's user.
struct BrowseCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "browse",
        summary: Text("opens the app in a browser on this machine", "이 컴퓨터의 브라우저에서 앱 열기"),
        usage: ["browse [--no-open] \(TileOptions.usage)"],
        notes: [
            Text(
                "The app runs until Ctrl-C, and works on the same trips as the other commands. Nobody else can use it: "
                    + "it listens on this machine only, and the browser is signed in by a private file, once.",
                "앱은 Ctrl-C를 누를 때까지 실행되며 다른 명령과 같은 여행을 다룹니다. 이 컴퓨터에서만 열리고, 브라우저는 나만 읽을 수 있는 파일로 "
                    + "한 번만 로그인하므로 다른 사람은 쓸 수 없습니다.")
        ],
        options: [
            OptionHelp(
                "--no-open",
                Text(
                    "open no browser; print the file that signs one in", "브라우저를 열지 않고, 로그인할 파일의 경로를 출력"))
        ] + TileOptions.help,
        examples: [
            ("browse", Text("write and look at trips in the browser", "브라우저에서 여행을 쓰고 보기")),
            ("browse --no-open", Text("open the printed file in the browser of your choice", "출력된 파일을 원하는 브라우저에서 열기")),
        ])

    let opens: Bool
    let store: StoreOptions
    let tiles: TileOptions

    init(_ arguments: Arguments) throws {
        try Self.rejectWords(arguments)
        opens = !arguments.has("--no-open")
        store = try StoreOptions(arguments)
        tiles = try TileOptions(arguments)
    }

    func run() async throws {
        #if Server
        try await browse()
        #else
        throw CommandError.withoutServer
        #endif
    }
}

/// The options that name a server of street maps.
struct TileOptions {
    static let usage = "[--tiles URL --tiles-credit TEXT]"
    static let help = [
        OptionHelp(
            "--tiles", "URL",
            Text(
                "the address of street maps, with {z}, {x} and {y}; a map shows them after a click",
                "도로 지도 타일의 주소로 {z}, {x}, {y}를 포함. 지도에서 누른 뒤에 표시")),
        OptionHelp(
            "--tiles-credit", "TEXT", Text("the credit that the street maps demand", "도로 지도에 밝혀야 하는 출처")),
    ]

    #if Server
    /// The server that is named; `nil` for none.
    let server: TileServer?
    #endif

    init(_ arguments: Arguments) throws {
        let (address, credit) = (arguments.value("--tiles"), arguments.value("--tiles-credit"))
        if (address == nil) != (credit == nil) {
            throw UsageError(
                "--tiles and --tiles-credit belong together", "--tiles와 --tiles-credit는 함께 씁니다")
        }
        #if Server
        do {
            server = if let address, let credit { try TileServer(address: address, credit: credit) } else { nil }
        } catch {
            throw UsageError("--tiles: \(error.text.english)", "--tiles: \(error.text.korean)")
        }
        #endif
    }
}

#if Server
extension BrowseCommand {
    private func browse() async throws {
        let state = try StateFiles(in: ProcessInfo.processInfo.environment)
        var options = store
        options.language = options.language ?? state.language
        try await App.run(options, isInteractive: true) { [options] app in
            let language = options.language ?? app.language
            let pictures = PictureReader(
                pages: WebPages(), conversions: Turns(limit: ServerConfiguration().conversionsAtOnce))
            let server = await BrowserServer(
                InteractiveApp.useCases(in: app, state), language: language, tiles: tiles.server
            ) { id, size in
                let viewer = try await app.session.session()?.user
                return try await pictures.withPicture(id, in: size, of: app.store, viewer: viewer, for: "") { ($0, $1) }
            }
            try await serve(server, in: language)
        }
    }

    /// Serves until the user ends the app in a page, or a signal asks the process to end.
    private func serve(_ server: BrowserServer, in language: Language) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("traveline-\(UUID().uuidString.lowercased())")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try await Signal.cancelling(orAbandoning: { false }) {
                let opening = try server.start()
                let file = try Self.write(opening.page, in: folder)
                if opens, Self.open(file) {
                    try Standard.write(
                        language.say(
                            "The app is open in your browser; Ctrl-C ends it\n", "브라우저에서 앱을 열었습니다. Ctrl-C로 끝냅니다\n"))
                } else {
                    try Standard.write(
                        language.say(
                            "Open this file in your browser, once; Ctrl-C ends the app\n\(file.path)\nThen the app is at\n\(opening.address)\n",
                            "브라우저에서 이 파일을 한 번 여세요. Ctrl-C로 끝냅니다\n\(file.path)\n그다음 앱의 주소\n\(opening.address)\n"))
                }
                await server.waitUntilQuit()
                try Task.checkCancellation()
            }
        } catch is Signal.Interruption {}
        await server.stop()
    }

    /// Writes a file in a new folder, both for this user only.
    private static func write(_ page: Data, in folder: URL) throws -> URL {
        let file = folder.appendingPathComponent("open.html")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw FileError(folder.path, "the folder cannot be created", "폴더를 만들 수 없습니다", .cannotCreate)
        }
        guard
            FileManager.default.createFile(atPath: file.path, contents: page, attributes: [.posixPermissions: 0o600])
        else { throw FileError(file.path, "the file cannot be written", "파일을 쓸 수 없습니다", .cannotCreate) }
        return file
    }

    /// Opens a file in the browser of the user. Returns `false` where that is impossible.
    private static func open(_ file: URL) -> Bool {
        #if os(macOS)
        let program = "/usr/bin/open"
        #else
        guard
            let program = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
                .map({ "\($0)/xdg-open" }).first(where: FileManager.default.isExecutableFile)
        else { return false }
        #endif
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [file.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus == 0
        } catch {
            return false
        }
    }
}
#endif
