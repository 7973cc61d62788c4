#if Server
internal import TravelPages
internal import TravelServer

/// The forms for signing in, for signing up and for changing the password. Each is a page of its own, with and without the
/// script, because its response sets the cookie of the session.
struct AccountForms: Sendable {
    enum Form: String {
        case signIn = "sign-in", signUp = "sign-up", password
    }

    let accounts: BrowserAccounts
    /// What a signed-in browser provides to its runs.
    let access: @Sendable (_ device: BrowserDevice, _ language: Language, _ client: String) -> BrowserSessions.Access

    /// The result of a form: a browser that is signed in, or the page that says what is wrong.
    enum Outcome {
        case signedIn(BrowserSessions.Access)
        case refused(status: Int, AccountFormPage)
    }

    /// The page of a form; `nil` for one that this server does not have.
    func page(
        _ form: Form, in language: Language, next: ScreenAddress?, token: String? = nil, user: User.ID? = nil
    ) async throws -> AccountFormPage? {
        if form == .signUp, accounts.signUpPolicy == .closed { return nil }
        var page = AccountFormPage(form, language: language, policy: accounts.signUpPolicy, next: next, token: token)
        if let user { page.nickname = try await accounts.store().user(user).nickname.text }
        return page
    }

    /// Signs the browser in as the fields say.
    ///
    /// - Parameters:
    ///   - page: The page that was sent, without its fields.
    ///   - device: The device that is signed in; `nil` if there is none.
    func submit(
        _ fields: [(name: String, value: String)], of page: AccountFormPage, device: BrowserDevice?, client: String
    ) async throws -> Outcome {
        var page = page
        func value(_ name: String) -> String { fields.last { $0.name == name }?.value ?? "" }
        page.nickname = page.form == .password ? page.nickname : value("nickname")
        page.invitation = value("invitation")
        do {
            let device =
                switch page.form {
                case .signIn:
                    try await accounts.signIn(
                        Nickname(page.nickname), Password(value("password")), from: client)
                case .signUp:
                    try await accounts.signUp(
                        Nickname(page.nickname), Password(value("password")),
                        invitation: page.invitation.isEmpty ? nil : Token(page.invitation), from: client)
                case .password:
                    try await changePassword(from: value("old"), to: value("password"), of: device, client)
                }
            return .signedIn(access(device, page.language, client))
        } catch let error as TooManyAttempts {
            page.problem = .tooManyAttempts(seconds: error.seconds)
            return .refused(status: 429, page)
        } catch let error as TravelError {
            page.show(error)
            if case .unavailable = error { return .refused(status: 503, page) }
            return .refused(status: 422, page)
        }
    }

    private func changePassword(
        from old: String, to new: String, of device: BrowserDevice?, _ client: String
    ) async throws -> BrowserDevice {
        guard let device else { throw TravelError.signedOut }
        let former: Password
        do {
            former = try Password(old)
        } catch {
            // No account has such a password.
            throw TravelError.wrongCredentials
        }
        return try await accounts.changePassword(of: device, from: former, to: Password(new), client: client)
    }
}

/// The page of a form for an account.
struct AccountFormPage: Sendable {
    let form: AccountForms.Form
    let language: Language
    let policy: SignUp.Policy
    /// The screen that opens next; `nil` for the list of trips.
    let next: ScreenAddress?
    /// The secret of the session; `nil` before there is one.
    let token: String?
    var nickname = ""
    var invitation = ""
    /// What is wrong with the form as a whole.
    var problem: Text?
    /// What is wrong with a field, by its name.
    var problems: [String: Text] = [:]

    init(
        _ form: AccountForms.Form, language: Language, policy: SignUp.Policy, next: ScreenAddress?, token: String?
    ) {
        (self.form, self.language, self.policy, self.next, self.token) = (form, language, policy, next, token)
    }

    /// The path of a form, with the screen that opens next.
    static func path(of form: AccountForms.Form, next: ScreenAddress? = nil) -> String {
        "\(ScreenAddress.base)/\(form.rawValue)" + (next.map { "?next=\($0.text.percentEncoded)" } ?? "")
    }

    mutating func show(_ error: TravelError) {
        switch error {
        case .invalid(let violation) where violation.field == .nickname: problems["nickname"] = violation.text
        case .invalid(let violation) where violation.field == .password: problems["password"] = violation.text
        case .invalid(let violation) where violation.field == .invitation:
            problems["invitation"] = violation.text
        case .wrongCredentials where form == .password: problems["old"] = ScreenFailure.wrongPassword.text
        case .conflict where form == .signUp: problems["nickname"] = .nicknameTaken
        default: problem = error.text
        }
    }

    // MARK: View

    private var title: Text {
        switch form {
        case .signIn: .signIn
        case .signUp: .signUp
        case .password: .changePassword
        }
    }

    var document: Data {
        AppPage.document(
            title: "\(language[title]) – Traveline", in: language, body: [:]
        ) {
            HTML("header", ["id": "bar"]) {
                HTML("a", ["class": "brand", "href": form == .password ? "\(ScreenAddress.base)/" : "/"]) {
                    "Traveline"
                }
            }
            HTML("main", ["id": "screen", "tabindex": "-1"]) {
                HTML("h1") { language[title] }
                if form == .password { HTML("p", ["class": "note"]) { language[.passwordHint] } }
                // It is announced when the page opens.
                if let problem { HTML("p", ["class": "problem", "role": "alert"]) { language[problem] } }
                fields
                others
            }
        }
    }

    private var fields: HTML {
        let controls = Controls(
            PageContext(
                language: language, user: nil, site: PageSite(base: ScreenAddress.base), now: .distantPast))
        func password(_ name: String, _ label: Text, autocomplete: String, note: Text? = nil) -> HTML {
            controls.field(
                name, label, value: nil, type: .password, autocomplete: autocomplete,
                problem: problems[name].map { language[$0] }, note: note, isRequired: true)
        }
        return HTML(
            "form",
            [
                "method": "post", "action": Self.path(of: form, next: next), "class": "fields",
                "novalidate": "novalidate",
            ]
        ) {
            if let token { HTML("input", ["type": "hidden", "name": "token", "value": token]) }
            switch form {
            case .signIn:
                nickname(controls)
                password("password", .password, autocomplete: "current-password")
            case .signUp:
                nickname(controls)
                password("password", .password, autocomplete: "new-password", note: .newPasswordNote)
                if policy == .invitation {
                    controls.field(
                        "invitation", .invitation, value: invitation, autocomplete: "off",
                        problem: problems["invitation"].map { language[$0] }, isRequired: true)
                }
            case .password:
                // Password managers keep the new password for this name.
                HTML(
                    "input",
                    [
                        "type": "hidden", "name": "nickname", "value": nickname, "autocomplete": "username",
                    ])
                password("old", .formerPassword, autocomplete: "current-password")
                password("password", .newPassword, autocomplete: "new-password", note: .newPasswordNote)
            }
            HTML("p", ["class": "buttons"]) {
                HTML("button", ["type": "submit"]) { language[title] }
                if form == .password {
                    HTML("a", ["href": ScreenAddress(.settings).text]) { language[.cancel] }
                }
            }
        }
    }

    private func nickname(_ controls: Controls) -> HTML {
        controls.field(
            "nickname", .nickname, value: nickname, autocomplete: "username",
            problem: problems["nickname"].map { language[$0] }, isRequired: true)
    }

    @HTML.Builder
    private var others: HTML {
        switch form {
        case .signIn where policy != .closed:
            HTML("p") {
                language[.noAccountYet] + " "
                HTML("a", ["href": Self.path(of: .signUp, next: next)]) { language[.signUp] }
            }
        case .signUp:
            HTML("p") {
                language[.hasAccount] + " "
                HTML("a", ["href": Self.path(of: .signIn, next: next)]) { language[.signIn] }
            }
        case .signIn, .password: HTML()
        }
    }
}

extension Text {
    fileprivate static let signUp = Text("Sign up", "가입")
    fileprivate static let invitation = Text("Invitation", "초대 코드")
    fileprivate static let formerPassword = Text("Current password", "지금 비밀번호")
    fileprivate static let newPassword = Text("New password", "새 비밀번호")
    fileprivate static let newPasswordNote = Text(
        "At least \(Password.length.lowerBound) characters.", "\(Password.length.lowerBound)자 이상.")
    fileprivate static let passwordHint = Text(
        "All your devices and browsers will be signed out, except this one.", "이 브라우저를 뺀 모든 기기와 브라우저에서 로그아웃됩니다.")
    fileprivate static let noAccountYet = Text("No account yet?", "아직 계정이 없나요?")
    fileprivate static let hasAccount = Text("Already have an account?", "이미 계정이 있나요?")
    fileprivate static let nicknameTaken = Text(
        "Someone has this nickname, or one that looks like it. Choose another one.",
        "이미 있거나 비슷해 보이는 닉네임입니다. 다른 닉네임을 고르세요.")

    fileprivate static func tooManyAttempts(seconds: Int) -> Text {
        Text(
            "Too many attempts. Try again in \(seconds == 1 ? "1 second" : "\(seconds) seconds").",
            "시도가 너무 많습니다. \(seconds)초 뒤에 다시 해 주세요.")
    }
}
#endif
