import Foundation
import TravelDataCached
import TravelDataRemote
import TravelDataSQLite
import TravelDataShared
import TravelDomain
import TravelPresentation

/// `traveline connect`: signs in to a server, or creates an account there, and works with its trips from then on.
struct ConnectCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "connect", summary: Text("signs in to a server, or creates an account there", "이 기기를 서버에 가입하거나 로그인하기"),
        usage: ["connect URL [NICKNAME] [--sign-up [--invitation CODE]] [--take-trips]"],
        notes: [
            Text(
                "From then on, the app and the commands work with the server's trips, without waiting for the network "
                    + "and also offline; 'traveline sync' lists pending changes. Your own database is kept, and is used "
                    + "again after 'traveline disconnect'.",
                "이후 앱과 명령은 서버의 여행으로 일합니다. 이 기기에서 바로, 오프라인에서도 됩니다. 기다리는 것은 'traveline sync'가 보여 줍니다. 내 "
                    + "데이터베이스는 그대로이며 'traveline disconnect' 뒤에 돌아옵니다."),
            Text(
                "If the server has moved, connect to its new address with the same account: pending changes are sent "
                    + "there.", "서버 주소가 바뀌었으면 같은 계정으로 새 주소에 연결하세요. 기다리는 변경은 그곳으로 보냅니다."),
            Text(
                "The password is read from the terminal without being shown, or from TRAVELINE_PASSWORD.",
                "비밀번호는 보이지 않게 물어보거나 TRAVELINE_PASSWORD에서 가져옵니다."),
        ],
        options: [
            OptionHelp("--sign-up", Text("create a new account", "새 계정 만들기")),
            OptionHelp(
                "--invitation", "CODE",
                Text("the code from the owner of the server, where it asks for one", "초대 코드가 필요한 서버의 주인에게서 받은 코드")),
            OptionHelp(
                "--take-trips", Text("copy your own trips from this device to the server", "이 기기의 내 여행을 서버로 복사")),
            .language,
        ],
        usesStore: false,
        examples: [
            (
                "connect https://trips.example.org mina --sign-up",
                Text("create the account mina there", "그곳에 mina 계정 만들기")
            ),
            ("connect https://trips.example.org mina", Text("sign in on another device", "다른 기기에서 로그인")),
        ])

    let address: ServerAddress
    let nickname: String?
    let isNew: Bool
    let invitation: Token?
    let takesTrips: Bool
    let language: Language

    init(_ arguments: Arguments) throws {
        let words = arguments.words
        guard let text = words.first else { throw Self.missing("the URL of a server", "서버의 URL") }
        if words.count > 2 { throw Self.surplus(words[2]) }
        do {
            address = try ServerAddress(text)
        } catch {
            throw UsageError(error.description, error.text.korean)
        }
        nickname = words.dropFirst().first
        isNew = arguments.has("--sign-up")
        invitation = try arguments.value("--invitation") { text in
            guard let code = Token(text) else {
                throw UsageError(
                    "--invitation needs the whole code of 43 characters", "--invitation에는 43자 코드 전체가 필요합니다")
            }
            return code
        }
        takesTrips = arguments.has("--take-trips")
        language = try arguments.language() ?? Standard.language
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let files = try DeviceConnection.Files(in: environment)
        let former = try await DeviceConnection.user(in: environment)
        let name = try self.nickname ?? ask(language.say("Nickname: ", "닉네임: "))
        let nickname = try Nickname(name, as: "a nickname", "닉네임")
        let password = try PasswordPrompt.password(
            language.say("Password for \(nickname): ", "\(nickname)의 비밀번호: "), isNew: isNew, in: language)
        // What a connection that was never completed has left.
        if former == nil { try DeviceConnection.remove(files) }
        try DataDirectory.makeFolder(of: files.connection.path)
        let text = try await FileError.naming(address.url.absoluteString, files: files) {
            let store = try await ConnectedStore.open(address.url.absoluteString, files, of: former?.rawValue)
            return try await closing(store.close) {
                let user = try await signIn(store, nickname, password, former)
                do { try await store.trips.refresh(.user(user.id)) } catch is TravelError {
                    // The device asks again when it is used; until it knows its user, it cannot write.
                }
                let connection = DeviceConnection(address: address.url.absoluteString, user: user.id.rawValue)
                let device = try await DeviceState.open(in: connection.address)
                try await closing(device.close) { try await device.session.setSession(Session(user: user.id)) }
                let taken =
                    takesTrips
                    ? try await take(to: store, as: user, environment)
                    : former == nil ? try await remaining(as: user, at: connection, environment) : ""
                // Last: until here, the device works with its own database.
                try connection.save(in: files)
                return language.say(
                    "connected to \(connection.address) as \(user.nickname)\n",
                    "\(connection.address)에 \(user.nickname)(으)로 연결했습니다\n") + taken
            }
        }
        try Standard.write(text)
    }

    /// Signs the device up or in. A device that is connected already signs the same user in again, at another address if
    /// the server has moved.
    private func signIn(
        _ store: ConnectedStore, _ nickname: Nickname, _ password: Password, _ former: User.ID?
    ) async throws -> User {
        if isNew, former == nil { return try await store.remote.signUp(nickname, password, invitation: invitation) }
        do {
            return try await store.signIn(nickname, password, owner: former)
        } catch TravelError.wrongCredentials where isNew {
            throw CommandError(
                "this device is already connected; for a new account, run traveline disconnect first",
                "이미 연결되어 있습니다. 새 계정을 만들려면 먼저 traveline disconnect를 실행하세요", .usage)
        } catch TravelError.forbidden(.user(let user)) where former == nil || former == user {
            throw CommandError(
                "the owner of the server has blocked this account", "서버 주인이 이 계정을 차단했습니다", .noPermission)
        } catch TravelError.forbidden {
            throw CommandError(
                "this device has the trips of another account; run traveline disconnect first",
                "이 기기에는 다른 계정의 여행이 있습니다. 먼저 traveline disconnect를 실행하세요", .usage)
        }
    }

    private func ask(_ question: String) throws -> String {
        guard isatty(STDIN_FILENO) != 0, isatty(STDERR_FILENO) != 0 else {
            throw Self.missing("a nickname: traveline connect URL NICKNAME", "닉네임: traveline connect URL NICKNAME")
        }
        Standard.error.write(question)
        return try Standard.line() ?? ""
    }

    /// Copies the trips of this device to the server, and says how many.
    private func take(
        to store: ConnectedStore, as user: User, _ environment: [String: String]
    ) async throws -> String {
        let count = try await withOwnDatabase(environment) { own, local in
            try await store.running { try await copyTrips(of: local, in: own, to: store.trips, as: user) }
        }
        guard let count else { return "" }
        let waiting = await store.trips.status().pendingWrites
        let trips = language[.trips(count)]
        return waiting == 0
            ? language.say("\(trips) copied to the server\n", "\(trips)를 서버로 복사했습니다\n")
            : language.say(
                "\(trips) copied; \(waiting) pending \(waiting == 1 ? "change" : "changes") for the server\n",
                "\(trips)를 복사했습니다. 변경 \(waiting)개가 서버를 기다립니다\n")
    }

    /// Says how many trips stay in the database of this device, which is not used while it is connected; empty for none.
    private func remaining(
        as user: User, at connection: DeviceConnection, _ environment: [String: String]
    ) async throws -> String {
        let count = try await withOwnDatabase(environment) { own, local in
            var (count, cursor) = (0, TripCursor?.none)
            repeat {
                let page = try await own.trips.search(
                    TripQuery(
                        TripCriteria(author: local), viewer: local, after: cursor, limit: TripQuery.limits.upperBound))
                (count, cursor) = (count + page.trips.count, page.next)
            } while cursor != nil
            return count
        }
        guard let count, count > 0 else { return "" }
        let command = "traveline connect \(connection.address) \(user.nickname) --take-trips"
        return language.say(
            "\(language[.trips(count)]) of your own \(count == 1 ? "stays" : "stay") on this device, out of sight; to copy \(count == 1 ? "it" : "them") to the server, run: \(command)\n",
            "이 기기에 있던 내 여행 \(count)개는 연결되어 있는 동안 보이지 않습니다. 서버로 복사하려면: \(command)\n")
    }

    /// Calls `body` with the database that this device uses without a server, and its user there; returns `nil` if there is
    /// none.
    private func withOwnDatabase<Value>(
        _ environment: [String: String], _ body: (TravelDatabase, User.ID) async throws -> Value
    ) async throws -> Value? {
        let path = try DataDirectory.databasePath(in: environment)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let own = try await TravelDatabase.open(path: path)
        return try await closing(own.close) { try await body(own, localUser(of: own, at: path, environment)) }
    }

    /// Copies the trips of `local`, with their pictures, as those of `user`, and returns how many.
    private func copyTrips(
        of local: User.ID, in own: TravelDatabase, to trips: CachedTripRepository, as user: User
    ) async throws -> Int {
        var (count, cursor) = (0, TripCursor?.none)
        repeat {
            let page = try await own.trips.search(
                TripQuery(
                    TripCriteria(author: local), viewer: local, after: cursor, limit: TripQuery.limits.upperBound))
            for trip in page.trips {
                let copy = try await own.trips.details(of: trip.id, viewer: local).recorded.with(author: user)
                var images: [TripImage] = []
                for image in copy.images { images.append(try await own.trips.image(image, viewer: local)) }
                try await trips.add([copy], images: images)
                count += 1
            }
            cursor = page.next
        } while cursor != nil
        return count
    }
}

extension ConnectCommand {
    /// Who is signed in to the database of this device, or else the user of the device.
    private func localUser(
        of own: TravelDatabase, at path: String, _ environment: [String: String]
    ) async throws -> User.ID {
        let device = try await DeviceState.open(for: .file(path), own)
        return try await closing(device.close) {
            if let user = try await device.session.session()?.user { return user }
            return try LocalIdentity.device(in: environment).user
        }
    }
}

/// `traveline disconnect`: the device works with its own database again.
struct DisconnectCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "disconnect", summary: Text("signs this device out of its server", "이 기기를 서버에서 로그아웃하기"),
        usage: ["disconnect [--yes]"],
        notes: [
            Text(
                "Your own database is used again. The device's copy of the server's trips is removed, with pending "
                    + "changes and vanished trips; the server keeps its data.",
                "내 데이터베이스로 돌아옵니다. 기기에 있는 서버의 것은 기다리는 변경과 사라진 여행까지 지워지고, 서버에 있는 것은 남습니다.")
        ],
        options: [
            OptionHelp(
                "--yes", Text("discard what exists only on this device, without asking", "이 기기에만 있는 것을 묻지 않고 버리기")),
            .language,
        ],
        usesStore: false,
        examples: [("disconnect", Text("sign out, after pending changes have been sent", "기다리는 변경을 보낸 뒤 로그아웃"))])

    let isConfirmed: Bool
    let language: Language

    init(_ arguments: Arguments) throws {
        try Self.rejectWords(arguments)
        isConfirmed = arguments.has("--yes")
        language = try arguments.language() ?? Standard.language
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let files = try DeviceConnection.Files(in: environment)
        let connection: DeviceConnection
        do {
            guard let current = try DeviceConnection.current(in: environment) else { throw CommandError.notConnected }
            connection = current
        } catch let error as FileError where isConfirmed {
            Standard.note(error.text(in: language))
            try DeviceConnection.remove(files)
            return try Standard.write(language.say("disconnected\n", "연결을 끊었습니다\n"))
        }
        if let store = try await open(connection, files) {
            try await closing(store.close) { try await signOut(of: store) }
        }
        try DeviceConnection.remove(files)
        try Standard.write(
            language.say("disconnected from \(connection.address)\n", "\(connection.address) 연결을 끊었습니다\n"))
    }

    /// The store of the connection; `nil` for one that cannot be opened, which may be lost only if that is confirmed.
    private func open(
        _ connection: DeviceConnection, _ files: DeviceConnection.Files
    ) async throws -> ConnectedStore? {
        do {
            return try await FileError.naming(connection.address, files: files) {
                try await ConnectedStore.open(connection.address, files, of: connection.user)
            }
        } catch let error as FileError where isConfirmed && error.code != .temporaryFailure {
            Standard.note(error.text(in: language))
            return nil
        }
    }

    /// Sends pending changes, asks about what cannot be sent, and ends the tokens on the server.
    private func signOut(of store: ConnectedStore) async throws {
        try await store.running {}
        let left = await store.trips.status()
        if left.isOnThisDeviceOnly, !isConfirmed, let text = left.text(at: Date()) {
            try Confirmation.require(
                language.say("\(language[text]): lose them?", "\(language[text]). 잃어도 됩니까?"))
        }
        do {
            try await store.remote.signOut()
        } catch TravelError.unavailable {
            Standard.note(
                language.say(
                    "the server does not answer; it signs this device out when its tokens expire",
                    "서버가 응답하지 않습니다. 이 기기의 로그인은 서버에서 나중에 만료됩니다"))
        } catch TravelError.signedOut {}
    }
}

extension SyncStatus {
    /// Whether the device has something of the user that the server lacks.
    fileprivate var isOnThisDeviceOnly: Bool {
        pendingWrites + conflicts + vanishedTrips + damagedItems.count > 0
    }
}

extension CommandError {
    static let notConnected = CommandError(
        "this device is not connected to a server; connect it with: traveline connect URL",
        "연결된 서버가 없습니다. 연결: traveline connect URL", .usage)
}
