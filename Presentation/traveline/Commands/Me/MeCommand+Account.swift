import TravelDomain
import TravelPresentation

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
        let user: User
        if let name {
            let account = try LocalIdentity.account(named: name)
            user = try await app.signIn(as: account.nickname, LocalIdentity(account.user))
        } else {
            user = try await app.signInOnDevice(app.identity)
        }
        return app.language.say("signed in as \(user.nickname)\n", "\(user.nickname)(으)로 로그인했습니다\n")
    }

    func signOut(in app: App) async throws -> String {
        try await SignOut(session: app.session)()
        return app.language.say("signed out\n", "로그아웃했습니다\n")
    }

    func rename(in app: App) async throws -> String {
        guard let name else { throw Self.missing("the new nickname", "새 별명") }
        let user = try await app.requireUser()
        switch try await CheckNickname(users: app.store, session: app.session)(name) {
        case .unchanged: return app.language.say("the nickname is the same as before\n", "별명이 전과 같습니다\n")
        case .taken:
            throw CommandError(
                app.language.say(
                    "someone else has the nickname '\(name)'; choose another one", "'\(name)'은(는) 다른 사람의 별명입니다"),
                .dataError)
        default: break
        }
        let nickname: Nickname
        do {
            nickname = try Nickname(name)
        } catch {
            throw UsageError("'\(name)' cannot be a nickname: \(error)", "'\(name)'은(는) 별명이 될 수 없습니다: \(error.korean)")
        }
        let renamed = try await ChangeNickname(users: app.store, session: app.session)(nickname)
        return app.language.say(
            "\(user.nickname) is now \(renamed.nickname)\n", "\(user.nickname)의 별명이 \(renamed.nickname)(으)로 바뀌었습니다\n")
    }

    func setAvatar(in app: App) async throws -> String {
        guard let name else { throw Self.missing("the picture", "사진") }
        _ = try await app.requireUser()
        let image = name == "none" ? nil : try ImageFile.image(at: name, in: app.language)
        try await ChangeAvatar(users: app.store, session: app.session)(image)
        return image == nil
            ? app.language.say("you have no avatar now\n", "프로필 사진을 지웠습니다\n")
            : app.language.say("others see the avatar \(name) now\n", "프로필 사진을 바꿨습니다: \(name)\n")
    }

    func withdraw(in app: App) async throws -> String {
        let user = try await app.requireUser()
        if !isConfirmed {
            try Confirmation.require(
                app.language.say(
                    "Remove the account \(user.nickname) with all its trips and likes? This cannot be undone.",
                    "\(user.nickname) 계정을 모든 여행과 좋아요와 함께 지울까요? 되돌릴 수 없습니다."), in: app.language)
        }
        try await Withdraw(users: app.store, identity: LocalIdentity(user.id), session: app.session)()
        app.forgetDeletions(of: user.id)
        return app.language.say("the account was removed\n", "계정을 지웠습니다\n")
    }
}

extension App {
    /// The signed-in person.
    ///
    /// - Throws: `TravelError.signedOut` when nobody is signed in.
    func requireUser() async throws -> User {
        guard let user = try await RestoreSession(users: store, session: session)() else { throw TravelError.signedOut }
        return user
    }
}
