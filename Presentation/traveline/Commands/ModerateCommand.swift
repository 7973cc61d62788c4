import Foundation
import TravelDataShared
import TravelDomain
import TravelPresentation

#if Server
import TravelServer
#endif

/// `traveline moderate`: what the owner of a server decides about reported trips and about accounts.
struct ModerateCommand: CommandLineCommand {
    enum Action: String, CaseIterable, Sendable {
        case reports, restore, hide, block, unblock, invite
    }

    static let help = CommandHelp(
        name: "moderate", summary: Text("shows what was reported on your server, and decides", "내 서버에서 신고된 것을 보고 결정하기"),
        usage: [
            "moderate [reports] [--database PLACE] [--limit N] [--json]", "moderate restore|hide ID…",
            "moderate block|unblock NICKNAME…", "moderate invite [--count N]",
        ],
        notes: [
            Text(
                "Run it with the database that 'traveline serve' uses, also while the server runs. A trip with more than "
                    + "five reports that count is hidden from everyone but its author, who is told. Reports count if the "
                    + "account is older than a day, and has made at most five within a day.",
                "'traveline serve'가 쓰는 데이터베이스에 실행하며, 서버가 도는 동안에도 됩니다. 반영된 신고가 다섯 건을 넘은 여행은 쓴 사람에게만 보이고, 쓴 "
                    + "사람은 그 사실을 압니다. 만든 지 하루가 넘은 계정이 하루에 다섯 건까지 한 신고가 반영됩니다."),
            Text(
                "'restore' shows a trip again: the reports that it had no longer count. 'hide' hides a trip until it is "
                    + "restored. 'block' signs an account out on all devices and keeps it from signing in, and its reports no "
                    + "longer count; its trips stay.",
                "'restore'는 여행을 다시 보이고, 그때까지의 신고는 더 이상 반영되지 않습니다. 'hide'는 restore할 때까지 여행을 숨깁니다. 'block'은 "
                    + "계정을 모든 기기에서 로그아웃하고 로그인을 막으며, 그 신고는 더 이상 반영되지 않습니다. 여행은 남습니다."),
            Text(
                "'invite' prints codes for 'traveline serve --sign-up invitation', each for one account. They are not stored, "
                    + "only their digests: they cannot be shown again.",
                "'invite'는 'traveline serve --sign-up invitation'의 초대 코드를 출력하며, 코드 하나로 계정 하나를 만듭니다. 다이제스트만 "
                    + "저장하므로 다시 볼 수 없습니다."),
        ],
        words: .cases(of: Action.self),
        options: [
            OptionHelp("--limit", "N", Text("list at most so many trips, 20 by default", "최대 여행 수, 기본 20")),
            OptionHelp("--count", "N", Text("make so many invitations, 1 by default", "만들 초대 코드 수, 기본 1")), .json,
        ],
        examples: [
            ("moderate --database trips.sqlite", Text("list reported trips, hidden ones first", "신고된 여행을 숨겨진 것부터 보기")),
            ("moderate restore 6f1c2c1e", Text("show a trip again that its reports have hidden", "신고로 숨겨진 여행 다시 보이기")),
            ("moderate block 민지", Text("sign an account out for good", "계정을 로그아웃하고 로그인 막기")),
        ])

    let action: Action
    let ids: [Identification]
    let nicknames: [Nickname]
    let limit: Int
    let count: Int
    let store: StoreOptions

    init(_ arguments: Arguments) throws {
        let word = arguments.words.first ?? Action.reports.rawValue
        guard let action = Action(rawValue: word) else {
            let known = Action.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(
                "moderate has no action '\(word)'; choose one of: \(known)",
                "moderate '\(word)': 없는 동작입니다. 다음 중에서 고르세요: \(known)")
        }
        let words = arguments.words.dropFirst()
        self.action = action
        switch action {
        case .reports, .invite:
            if let word = words.first { throw Self.surplus(word) }
            (ids, nicknames) = ([], [])
        case .restore, .hide:
            (ids, nicknames) = (try words.map { try Identification($0) }, [])
            if ids.isEmpty { throw Self.missing("the ID of a trip", "여행 ID") }
        case .block, .unblock:
            (ids, nicknames) = ([], try words.map { try Nickname($0, as: "a nickname", "닉네임") })
            if nicknames.isEmpty { throw Self.missing("the nickname of an account", "계정의 닉네임") }
        }
        limit = try arguments.positiveNumber("--limit") ?? 20
        count = try arguments.positiveNumber("--count") ?? 1
        store = try StoreOptions(arguments)
        if store.account != nil {
            throw UsageError("the owner of a server decides for no account: omit --as", "서버 주인으로 하는 일입니다. --as를 빼세요")
        }
    }

    func run() async throws {
        let location = try store.location().location
        let text = try await FileError.naming(location.description) {
            if case .file(let path) = location, !FileManager.default.fileExists(atPath: path) {
                throw FileError(path, "there is no such file", "파일이 없습니다", .noInput)
            }
            let open = try await OpenStore.open(location, isNamed: true, in: store.outputLanguage)
            return try await closing(open.close) { try await decide(in: open) }
        }
        try Standard.write(text)
    }

    private func decide(in open: OpenStore) async throws -> String {
        let language = store.outputLanguage
        switch action {
        case .reports:
            return try list(await open.trips.reportedTrips(limit: limit), in: language)
        case .invite:
            return try await invite(in: open)
        case .restore, .hide:
            // All of them have to exist before the first one changes.
            var trips: [Trip.ID] = []
            for id in ids { trips.append(try await open.identifiers.trip(id)) }
            for trip in trips { try await open.trips.setHidden(action == .hide, trip: trip) }
            return action == .hide
                ? language.say(
                    "hidden from everyone but the author: \(language[.trips(trips.count)])\n",
                    "\(language[.trips(trips.count)])를 쓴 사람 외에는 볼 수 없습니다\n")
                : language.say(
                    "shown to everyone again: \(language[.trips(trips.count)])\n",
                    "\(language[.trips(trips.count)])를 다시 모두가 볼 수 있습니다\n")
        case .block, .unblock:
            var users: [User] = []
            for nickname in nicknames {
                guard let account = try await open.accounts.account(named: nickname) else {
                    throw CommandError(
                        "no account has the nickname '\(nickname)'", "'\(nickname)' 닉네임의 계정이 없습니다", .dataError)
                }
                users.append(account.user)
            }
            for user in users {
                try await open.trips.setBlocked(action == .block, account: user.id, at: Date())
            }
            let names = users.map(\.nickname.text).joined(separator: ", ")
            return action == .block
                ? language.say("blocked: \(names)\n", "차단했습니다: \(names)\n")
                : language.say("no longer blocked: \(names)\n", "차단을 풀었습니다: \(names)\n")
        }
    }

    private func invite(in open: OpenStore) async throws -> String {
        #if Server
        let sodium = try Sodium()
        let access = AccountAccess(accounts: open.accounts, hashing: sodium, tokens: sodium, now: { Date() })
        let codes = try await Invite(access)(count).map(\.text)
        return store.isJSON ? try JSONLine.text(codes) + "\n" : codes.map { $0 + "\n" }.joined()
        #else
        throw CommandError.withoutServer
        #endif
    }

    private func list(_ trips: [ReportedTrip], in language: Language) throws -> String {
        if store.isJSON {
            let lines = try trips.map { try JSONLine.text(ReportedTripJSON($0)) }
            return lines.isEmpty ? "[]\n" : "[\n" + lines.joined(separator: ",\n") + "\n]\n"
        }
        if trips.isEmpty { return language.say("nothing was reported\n", "신고된 여행이 없습니다\n") }
        let page = Page.standard
        let lines = trips.flatMap { trip in
            let state =
                trip.isHiddenByOwner
                ? language.say("hidden by you", "직접 숨김")
                : trip.isHidden ? language.say("hidden by reports", "신고로 숨김") : language.say("shown", "보임")
            let reports = language.say(
                "\(trip.counting) reports that count, \(trip.others) others",
                "반영된 신고 \(trip.counting)건, 그 밖의 신고 \(trip.others)건")
            let facts = [state, reports, trip.author.nickname.text].joined(separator: page.dot)
            return page.lines(trip.title.text) + page.lines(facts, indentation: 2) + ["  \(trip.id)"]
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

/// A reported trip as JSON.
private struct ReportedTripJSON: Encodable {
    let id: String
    let title: String
    let author: [String: String]
    /// The number of reports that count, and of those that do not.
    let counting: Int
    let others: Int
    let isHidden: Bool
    let isHiddenByOwner: Bool

    init(_ trip: ReportedTrip) {
        id = trip.id.description
        title = trip.title.text
        author = ["id": trip.author.id.description, "nickname": trip.author.nickname.text]
        (counting, others, isHidden, isHiddenByOwner) = (
            trip.counting, trip.others, trip.isHidden, trip.isHiddenByOwner
        )
    }
}
