import Foundation
import TravelDataCached
import TravelDataRemote
import TravelDomain
import TravelPresentation

/// `traveline share`: decides who may see a trip on the server, and prints the URL of its page.
struct ShareCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "share", summary: Text("shares a trip, and prints the URL of its page", "여행을 공유하고 페이지의 주소 보기"),
        usage: ["share ID [--public|--stop] [--show-positions|--hide-positions] [--json]"],
        notes: [
            Text(
                "Anyone with the URL can read the page and its pictures, without an account; lists and searches do not have "
                    + "the trip. --public shows it to everyone. --stop makes it yours alone: the URL opens nothing any more, "
                    + "and sharing again makes another one. The trip is sent first; the command fails if it is not on the "
                    + "server yet.",
                "주소가 있으면 계정 없이도 누구나 페이지와 사진을 볼 수 있고, 목록과 검색에는 나오지 않습니다. --public이면 모두에게 보입니다. --stop이면 "
                    + "나만 볼 수 있고 주소는 더 열리지 않으며, 다시 공유하면 새 주소가 됩니다. 여행을 먼저 보내며, 아직 서버에 없으면 실패합니다."
            )
        ],
        words: .trips,
        options: [
            OptionHelp("--public", Text("show the trip to everyone, also in lists and searches", "목록과 검색에서도 모두에게 보이기")),
            OptionHelp("--stop", Text("withdraw the link: only you see the trip", "공유를 멈추고 나만 보기")),
            OptionHelp(
                "--show-positions", Text("show where its pictures were taken, without asking", "사진을 찍은 위치를 묻지 않고 보이기")),
            OptionHelp("--hide-positions", Text("do not, without asking", "사진을 찍은 위치를 묻지 않고 보이지 않기")),
            .json, .language,
        ],
        usesStore: false,
        examples: [
            ("share 6f1c2c1e", Text("the URL of the trip whose ID begins like this", "ID가 이렇게 시작하는 여행의 주소")),
            ("share 6f1c2c1e --stop", Text("nobody else sees it any more", "더는 아무도 못 보게 하기")),
        ])

    let id: Identification
    /// `nil` for a link, unless the trip is public.
    let level: Audience.Level?
    /// Whether to show the positions of pictures that only the author sees; `nil` to ask.
    let showsPositions: Bool?
    let store: StoreOptions

    init(_ arguments: Arguments) throws {
        id = try Self.one(arguments.words)
        level = arguments.has("--public") ? .everyone : arguments.has("--stop") ? .onlyMe : nil
        if arguments.has("--public"), arguments.has("--stop") {
            throw UsageError(
                "--public and --stop are alternatives; use one of them", "--public과 --stop 중 하나만 쓰세요")
        }
        let (shows, hides) = (arguments.has("--show-positions"), arguments.has("--hide-positions"))
        if shows, hides {
            throw UsageError(
                "--show-positions and --hide-positions are alternatives; use one of them",
                "--show-positions와 --hide-positions 중 하나만 쓰세요")
        }
        showsPositions = shows ? true : hides ? false : nil
        store = try StoreOptions(arguments)
    }

    private var language: Language { store.outputLanguage }

    /// What the command prints with `--json`.
    private struct Report: Encodable {
        let id: String
        /// `nil` for a trip that its author alone sees.
        let url: String?
        let audience: String
        /// Whether changes of the trip are not on the server yet.
        let waits: Bool
    }

    func run() async throws {
        guard try DeviceConnection.current(in: ProcessInfo.processInfo.environment) != nil else {
            throw CommandError.notConnected
        }
        let report = try await App.run(store) { app in
            guard let (_, server) = app.server else { throw CommandError.notConnected }
            let id = try await app.trip(id)
            let viewer = try await app.session.session()?.user
            let before = try await server.trips.trip(id, viewer: viewer)
            if level != .onlyMe { try await decideOnPositions(of: id, in: app) }
            // A trip that is shared already has its link.
            let level = level ?? (before.content.audience == .onlyMe ? .byLink : nil)
            if let level, level != before.content.audience.level { try await app.useCases.shareTrip(id, level) }
            await server.trips.settle(within: ConnectedStore.patience)
            // The answer of the server may be that it has removed the trip.
            let trip = try await server.trips.trip(id, viewer: viewer)
            let unsent = await server.trips.unsentWrite(of: id)
            if let unsent { try refuse(unsent, await server.trips.status()) }
            let audience = trip.content.audience
            let url = server.remote.server.page(of: id, key: audience.key).absoluteString
            return Report(
                id: id.description, url: audience == .onlyMe ? nil : url, audience: audience.level.rawValue,
                waits: unsent != nil)
        }
        if store.isJSON {
            try Standard.write(try JSONLine.text(report) + "\n")
        } else if let url = report.url {
            try Standard.write(url + "\n")
        }
        guard report.waits else { return }
        Standard.note(
            report.url == nil
                ? language.say(
                    "the server does not know yet, and still shows the trip as before; send it with: traveline sync",
                    "아직 서버에 보내지 못해 전처럼 보입니다. 보내기: traveline sync")
                : language.say(
                    "the page has an earlier version, or none yet; 'traveline sync' lists pending changes",
                    "페이지에는 이전 내용이 있거나 아직 없습니다. 기다리는 것은 'traveline sync'가 보여 줍니다"))
    }

    /// Shows the positions of pictures that only the author sees, if they want that: it is asked once, with their number.
    private func decideOnPositions(of id: Trip.ID, in app: App) async throws {
        let count = try await app.details(of: id).timeline.positionsOfAuthor
        guard count > 0, showsPositions != false else { return }
        let (english, korean) = (count == 1 ? "1 picture says" : "\(count) pictures say", "사진 \(count)장")
        let question = language.say(
            "\(english) where it was taken, which only you see. Show it to everyone who sees the trip?",
            "\(korean)에 나만 보는 촬영 위치가 있습니다. 여행을 보는 모두에게 보일까요?")
        switch try showsPositions ?? Confirmation.answer(to: question) {
        case true?: try await app.showPicturePositions(in: id)
        case false?: break
        case nil:
            Standard.note(
                language.say(
                    "\(english) where it was taken, which only you see; show it with --show-positions",
                    "\(korean)에 나만 보는 촬영 위치가 있습니다. --show-positions로 보일 수 있습니다"))
        }
    }

    /// Throws if the server does not have the trip yet.
    private func refuse(_ unsent: TripWrite, _ status: SyncStatus) throws {
        guard case .add = unsent else { return }
        func state(in language: Language) -> String { status.text(at: Date()).map { " (\(language[$0]))" } ?? "" }
        throw CommandError(
            "the trip is not on the server yet\(state(in: .english)); send it with: traveline sync",
            "여행이 아직 서버에 없습니다\(state(in: .korean)). 보내기: traveline sync", .temporaryFailure)
    }
}
