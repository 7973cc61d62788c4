internal import TravelPages

/// The settings: the language, the theme, and what concerns the account.
struct SettingsPage: ScreenPage {
    struct State: Equatable {
        var language = Language.english
        var user: User?
        /// What waits between this device and its server; `nil` without one.
        var sync: SyncStatus?
        /// Whether the account has a password, which its deletion asks for.
        var hasPassword = false
        var isWorking = false
        var asksToDeleteAccount = false
    }

    enum Action: Hashable { case language(Language), signOut, deleteAccount, answered(Bool) }

    private let context: PageContext
    private let controls: Controls

    init(_ context: PageContext) {
        self.context = context
        controls = Controls(context)
    }

    func title(of state: State) -> String { context[.settings] }
    func isLoading(_ state: State) -> Bool { state.isWorking }
    /// It is what screens become that this app does not have.
    func screen(of state: State) -> Screen? { .settings }

    func actions(for input: PageInput, in state: State) -> [Action]? {
        guard case .control(let control) = input else { return nil }
        return switch control.name {
        case "language": Language(rawValue: control.argument).map { [.language($0)] } ?? []
        case "sign-out": [.signOut]
        case "delete-account": [.deleteAccount]
        case "answer":
            (control.answer.asking == .init("delete-account") ? [.deleteAccount] : [])
                + [.answered(control.answer.isYes)]
        default: nil
        }
    }

    // MARK: View

    @HTML.Builder
    func view(of state: State) -> HTML {
        HTML("h1") { context[.settings] }
        HTML("section", ["id": "language", "aria-labelledby": "language-title"]) {
            HTML("h2", ["id": "language-title"]) { context[.language] }
            HTML("p", ["class": "buttons"]) { for language in Language.allCases { choice(of: language, state) } }
        }
        theme
        if let sync = state.sync {
            HTML("section", ["id": "changes", "aria-labelledby": "changes-title"]) {
                HTML("h2", ["id": "changes-title"]) { context[.changes] }
                HTML("p") { controls.link(.changes, sync.text(at: context.now) ?? .everythingSent) }
            }
        }
        account(state)
        if context.canQuit {
            HTML("section", ["aria-labelledby": "quit-title"]) {
                HTML("h2", ["id": "quit-title"]) { "Traveline" }
                HTML("p", ["class": "buttons"]) { controls.button(.init("quit"), .quit, style: "plain") }
            }
        }
        if state.asksToDeleteAccount {
            controls.question(
                context[.deleteAccountQuestion], yes: .deleteAccount, asking: .init("delete-account"))
        }
    }

    private func choice(of language: Language, _ state: State) -> HTML {
        let isChosen = language == state.language
        return HTML(
            "button",
            [
                "type": "submit", "form": "controls", "name": "do",
                "value": PageInput.Control("language", language.rawValue).text, "lang": language.tag,
                "class": isChosen ? nil : "plain", "aria-pressed": "\(isChosen)",
            ]
        ) { language.ownName }
    }

    /// The theme is kept by the browser: the script marks the chosen one, and no form sends it.
    private var theme: HTML {
        HTML("section", ["id": "theme", "aria-labelledby": "theme-title"]) {
            HTML("h2", ["id": "theme-title"]) { context[.theme] }
            HTML("fieldset", ["class": "themes", "aria-labelledby": "theme-title"]) {
                for (value, name) in [("auto", Text.themeOfSystem), ("light", .lightTheme), ("dark", .darkTheme)] {
                    HTML("label") {
                        HTML("input", ["type": "radio", "name": "theme", "value": value])
                        context[name]
                    }
                }
            }
            HTML("noscript") { HTML("p", ["class": "note"]) { context[.themeWithoutScript] } }
        }
    }

    private func account(_ state: State) -> HTML {
        HTML("section", ["id": "account", "aria-labelledby": "account-title"]) {
            HTML("h2", ["id": "account-title"]) { context[.account] }
            if let user = state.user {
                HTML("p") { HTML("bdi") { user.nickname.text } }
                HTML("p", ["class": "buttons"]) {
                    controls.link(.profile, .profile)
                    controls.link(.blocked, .blockedUsers)
                    if context.hasAccount {
                        // Its answer changes the cookie of the session.
                        HTML("a", ["href": "\(ScreenAddress.base)/password", "data-native": ""]) {
                            context[.changePassword]
                        }
                    }
                }
                HTML("p", ["class": "buttons"]) {
                    controls.button(.init("sign-out"), .signOut, isEnabled: !state.isWorking, style: "plain")
                    if state.hasPassword {
                        controls.link(.accountDeletion, .deleteAccount)
                    } else {
                        controls.button(
                            .init("delete-account"), .deleteAccount, isEnabled: !state.isWorking, style: "plain")
                    }
                }
            } else {
                HTML("p") { context[.signInHint] }
                HTML("p", ["class": "buttons"]) { controls.link(.signIn, .signIn, style: "button") }
            }
        }
    }
}

/// The account of the run, whose outputs are bound for all screens.
@MainActor
final class SettingsModel: PageModel {
    private let account: TravelPresentation.Account

    init(_ account: TravelPresentation.Account) {
        self.account = account
    }

    var state: SettingsPage.State {
        .init(
            language: account.language.value, user: account.user, sync: account.hasServer ? account.sync.value : nil,
            hasPassword: account.hasPassword, isWorking: account.isWorking.value,
            asksToDeleteAccount: account.asksToDeleteAccount.value)
    }

    func send(_ action: SettingsPage.Action) {
        switch action {
        case .language(let language): account.languagePicked.accept(language)
        case .signOut: account.signOutTapped.accept(())
        case .deleteAccount: account.deleteAccountTapped.accept(())
        case .answered(let isYes): account.answered.accept(isYes)
        }
    }
}

extension Text {
    fileprivate static let account = Text("Account", "계정")
    fileprivate static let theme = Text("Appearance", "화면 테마")
    fileprivate static let themeOfSystem = Text("Like the system", "시스템 설정과 같게")
    fileprivate static let lightTheme = Text("Light", "밝게")
    fileprivate static let darkTheme = Text("Dark", "어둡게")
    fileprivate static let themeWithoutScript = Text(
        "Without JavaScript the app follows the appearance of your system.", "자바스크립트를 끄면 시스템의 화면 테마를 따릅니다.")
}
