extension AppRun.OpenModel {
    /// Makes the page of the screen, and binds its outputs once.
    @MainActor
    func makePage(_ account: TravelPresentation.Account, in app: AppContext, context: @escaping () -> PageContext)
        -> any OpenPage
    {
        func page<Page: ScreenPage, Model: PageModel>(_ page: Page.Type, _ model: Model) -> any OpenPage
        where Page.State == Model.State, Page.Action == Model.Action {
            ModelPage(page, model, of: screen, in: context)
        }
        func password(_ kind: PasswordPage.Kind, _ viewModel: PasswordViewModel, of user: Driver<User?>) -> any OpenPage
        {
            page(PasswordPage.self, PasswordModel(kind, viewModel, of: user, in: app, emit: emit))
        }
        switch model {
        case .list(let store):
            store.send(.appeared)
            return page(HomePage.self, store)
        case .trip(let store):
            store.send(.appeared)
            return page(TripPage.self, store)
        case .map(let store):
            store.send(.appeared)
            return page(MapPage.self, store)
        case .entry(let entry, let id): return page(EntryPage.self, EntryModel(entry, of: id, in: app, emit: emit))
        case .myPage(let myPage, let summary):
            return page(MyPage.self, MyPageModel(myPage, summary, in: app))
        case .blocked(let blocked): return page(BlockedPage.self, BlockedModel(blocked, in: app, emit: emit))
        case .changes(let changes): return page(ChangesPage.self, ChangesModel(changes, in: app, emit: emit))
        case .settings: return page(SettingsPage.self, SettingsModel(account))
        case .profile(let profile):
            return page(NicknamePage.self, NicknameModel(.profile, profile, of: account.knownUser, in: app, emit: emit))
        case .signIn(let signIn): return page(NicknamePage.self, NicknameModel(.signIn, signIn, in: app, emit: emit))
        case .signInWithPassword(let signIn): return password(.signIn, signIn, of: .just(nil))
        case .signInAgain(let signIn): return password(.signInAgain, signIn, of: account.knownUser)
        case .accountDeletion(let deletion): return password(.accountDeletion, deletion, of: .just(nil))
        case .tripEditor(let store):
            store.send(.appeared)
            return page(TripEditorPage.self, store)
        case .entryEditor(let store):
            store.send(.form(.appeared))
            return page(EntryEditorPage.self, store)
        }
    }
}
