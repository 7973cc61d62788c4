import TravelDataRemote
import TravelDomain
import TravelPresentation

/// `traveline me`: the signed-in user, their trips and likes, and their account.
struct MeCommand: CommandLineCommand {
    enum Action: String, CaseIterable, Sendable {
        case show, trips, likes, signIn = "sign-in", signOut = "sign-out", rename, avatar, password, deleteAccount =
            "delete-account"
    }

    static let help = CommandHelp(
        name: "me", summary: Text("your account, your trips and your likes", "내 계정, 내 여행, 좋아요한 여행"),
        usage: [
            "me [show]", "me trips|likes [filters] [--sort ORDER] [--limit N] [--after ID] [--json]",
            "me sign-in [NAME]",
            "me sign-out", "me rename NICKNAME", "me avatar FILE|none", "me password", "me delete-account [--yes]",
        ],
        notes: [
            Text(
                "An account is a name on this device, without a password: 'me sign-in NAME' switches to it permanently, "
                    + "and --as NAME for one command. Without a name, you sign in as the user of the device. 'rename' "
                    + "changes the nickname that others see, not the name of the account. An avatar is a picture of at "
                    + "most 10 MiB that others see; none removes it. 'delete-account' removes the account with its trips and "
                    + "likes.",
                "계정은 이 기기에서 쓰는 이름이며 비밀번호가 없습니다. 'me sign-in NAME'은 계속, --as NAME은 명령 한 번만 그 계정을 씁니다. 이름이 없으면 "
                    + "기기 주인으로 로그인합니다. rename은 보이는 닉네임만 바꾸고 계정 이름은 그대로입니다. avatar는 다른 사람에게 보이는 10MiB 이하의 사진이며, "
                    + "none은 사진을 지웁니다. delete-account는 계정을 여행, 좋아요와 함께 지웁니다."),
            Text(
                "An account on a server has a password. 'me password' changes it, and signs your other devices out. Both "
                    + "passwords are read from the terminal without being shown, or from TRAVELINE_PASSWORD and "
                    + "TRAVELINE_NEW_PASSWORD.",
                "서버의 계정에는 비밀번호가 있습니다. 'me password'는 비밀번호를 바꾸고 다른 기기를 로그아웃합니다. 둘 다 보이지 않게 물어보거나 "
                    + "TRAVELINE_PASSWORD와 TRAVELINE_NEW_PASSWORD에서 가져옵니다."),
        ],
        words: .cases(of: Action.self),
        options: TripFilters.help + ListOptions.help + [
            OptionHelp("--yes", Text("delete the account without asking", "묻지 않고 탈퇴"))
        ],
        examples: [
            ("me trips --sort liked", Text("your trips, most liked first", "내 여행을 좋아요순으로")),
            ("me likes --limit 5", Text("five trips that you like", "좋아요한 여행 다섯 개")),
            ("me sign-in 민지", Text("act as 민지 from now on", "이제부터 민지로")),
            ("me avatar photo.jpg", Text("show this picture to others", "이 사진을 다른 사람에게 보이기")),
            ("me trips --as 민지", Text("the trips of 민지, without signing in", "로그인하지 않고 민지의 여행")),
        ])

    let action: Action
    let name: String?
    let criteria: TripCriteria
    let list: ListOptions
    let isConfirmed: Bool
    let store: StoreOptions

    init(_ arguments: Arguments) throws {
        let word = arguments.words.first ?? Action.show.rawValue
        guard let action = Action(rawValue: word) else {
            let known = Action.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(
                "me has no action '\(word)'; choose one of: \(known)", "me '\(word)': 없는 동작입니다. 다음 중에서 고르세요: \(known)")
        }
        self.action = action
        let names = arguments.words.dropFirst()
        let takesName = [.signIn, .rename, .avatar].contains(action)
        if let word = names.dropFirst(takesName ? 1 : 0).first { throw Self.surplus(word) }
        name = names.first
        criteria = try TripFilters.criteria(arguments)
        list = try ListOptions(arguments)
        isConfirmed = arguments.has("--yes")
        store = try StoreOptions(arguments)
        if action == .rename, name == nil {
            throw Self.missing("the new nickname: traveline me rename NICKNAME", "새 닉네임: traveline me rename NICKNAME")
        }
        if action == .avatar, name == nil {
            throw Self.missing(
                "the picture: traveline me avatar FILE, or none", "사진: traveline me avatar FILE, 지우려면 none")
        }
        if action == .signIn, store.account != nil {
            throw UsageError("specify the account after sign-in, without --as", "--as 대신 sign-in 뒤에 계정 이름을 쓰세요")
        }
    }

    func run() async throws {
        let output = try await App.run(store) { app in
            switch action {
            case .show: try await Output.text(show(in: app))
            case .trips: try await page(in: app) { $0.author = $1 }
            case .likes: try await page(in: app) { $0.likedBy = $1 }
            case .signIn: try await Output.text(signIn(in: app))
            case .signOut: try await Output.text(signOut(in: app))
            case .rename: try await Output.text(rename(in: app))
            case .avatar: try await Output.text(setAvatar(in: app))
            case .password: try await Output.text(changePassword(in: app))
            case .deleteAccount: try await Output.text(deleteAccount(in: app))
            }
        }
        switch output {
        case .text(let text): try Standard.write(text)
        case .page(let page, let language): try page.write(list, in: language)
        }
    }

    /// The text to print after the database is closed.
    private enum Output {
        case text(String)
        case page(ListedTrips, Language)
    }

    private func page(in app: App, _ restrict: (inout TripCriteria, User.ID) -> Void) async throws -> Output {
        var criteria = criteria
        restrict(&criteria, try await app.requireUser().id)
        return .page(try await ListedTrips(criteria, list, in: app), app.language)
    }
}

extension MeCommand {
    func show(in app: App) async throws -> String {
        let user = try await app.requireUser()
        let page = Page.standard
        if list.isJSON {
            var json = ["id": user.id.description, "nickname": user.nickname.text]
            json["avatar"] = user.avatar?.description
            return try JSONLine.text(json) + "\n"
        }
        return page.lines("\(user.nickname)").joined() + "\n\(user.id)\n"
    }

    func signIn(in app: App) async throws -> String {
        if app.synchronization != nil {
            throw CommandError(
                "the accounts of a server have passwords; sign in with: traveline connect \(app.place) NICKNAME",
                "서버의 계정에는 비밀번호가 있습니다. 로그인: traveline connect \(app.place) 닉네임", .usage)
        }
        let user: User
        if let name {
            let account = try LocalIdentity.account(named: name)
            user = try await app.signIn(as: account.nickname, LocalIdentity(account.user))
        } else {
            user = try await app.signInOnDevice()
        }
        return app.language.say("signed in as \(user.nickname)\n", "\(user.nickname)(으)로 로그인했습니다\n")
    }

    func signOut(in app: App) async throws -> String {
        try await app.signOut()
        if let waiting = await app.synchronization?.status().pendingWrites, waiting > 0 {
            Standard.note(
                app.language.say(
                    "\(app.language[.waitingChanges(waiting)]) on this device, sent by: traveline sync",
                    "이 기기에 \(app.language[.waitingChanges(waiting)])가 남아 있습니다. 보내기: traveline sync"))
        }
        return app.language.say("signed out\n", "로그아웃했습니다\n")
    }

    func rename(in app: App) async throws -> String {
        guard let name else { throw Self.missing("the new nickname", "새 닉네임") }
        let user = try await app.requireUser()
        let nickname = try Nickname(name, as: "a nickname", "닉네임")
        if nickname == user.nickname {
            return app.language.say("the nickname is the same as before\n", "닉네임이 전과 같습니다\n")
        }
        let renamed = try await app.refusingNickname(nickname) {
            try await app.changeNickname(nickname)
        }
        return app.language.say(
            "\(user.nickname) is now \(renamed.nickname)\n", "\(user.nickname)의 닉네임이 \(renamed.nickname)(으)로 바뀌었습니다\n")
    }

    func setAvatar(in app: App) async throws -> String {
        guard let name else { throw Self.missing("the picture", "사진") }
        _ = try await app.requireUser()
        let image = try await ImageFile.picked(at: name)?.image
        try await app.changeAvatar(image)
        return image == nil
            ? app.language.say("your avatar was removed\n", "프로필 사진을 지웠습니다\n")
            : app.language.say("others now see the avatar \(name)\n", "프로필 사진을 바꿨습니다: \(name)\n")
    }

    func changePassword(in app: App) async throws -> String {
        guard let (_, store) = app.server else {
            throw CommandError("the accounts of this device have no password", "이 기기의 계정에는 비밀번호가 없습니다", .usage)
        }
        _ = try await app.requireUser()
        let old = try PasswordPrompt.password(app.language[.passwordPrompt], in: app.language)
        let new = try PasswordPrompt.password(
            app.language.say("New password: ", "새 비밀번호: "), isNew: true, or: PasswordPrompt.newVariable,
            in: app.language)
        try await checkingPassword { try await store.remote.changePassword(from: old, to: new) }
        return app.language.say(
            "the password was changed; your other devices have to sign in again\n",
            "비밀번호를 바꿨습니다. 다른 기기는 다시 로그인해야 합니다\n")
    }

    func deleteAccount(in app: App) async throws -> String {
        let user = try await app.requireUser()
        if !isConfirmed {
            try Confirmation.require(
                app.language.say(
                    "Remove the account \(user.nickname) with all its trips and likes? This cannot be undone.",
                    "\(user.nickname) 계정을 모든 여행과 좋아요와 함께 지울까요? 되돌릴 수 없습니다."))
        }
        // On this device, whoever is at it is trusted; a server asks for the password.
        let identity: any IdentityProvider = app.synchronization == nil ? LocalIdentity(user.id) : app.identity
        try await checkingPassword {
            try await app.useCases.deleteAccount(confirmedBy: identity)()
        }
        app.forgetDeletions(of: user.id)
        return app.language.say("the account was removed\n", "계정을 지웠습니다\n")
    }

    /// Runs `work`, and says in words when the password of the user is wrong.
    private func checkingPassword(_ work: () async throws -> Void) async throws {
        do {
            try await ScreenFailure.checkingPassword(work)
        } catch let failure as ScreenFailure {
            throw CommandError(failure, TravelError.wrongCredentials.exitCode)
        }
    }
}

extension App {
    /// The signed-in user.
    ///
    /// - Throws: `TravelError.signedOut` when nobody is signed in.
    func requireUser() async throws -> User {
        guard let user = try await useCases.restoreSession() else { throw TravelError.signedOut }
        return user
    }
}
