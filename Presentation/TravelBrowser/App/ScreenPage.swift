internal import TravelPages

/// How a screen looks in a browser, and what its controls mean: pure functions of its state.
///
/// ```swift
/// let page = HomePage(context)
/// page.view(of: state).text                              // <div class="list">…
/// page.actions(for: .control(.init("refresh")), in: state)   // [.refreshed]
/// ```
protocol ScreenPage {
    associatedtype State: Equatable
    associatedtype Action

    init(_ context: PageContext)

    /// The title of the document, without the name of the app.
    func title(of state: State) -> String
    @HTML.Builder func view(of state: State) -> HTML
    /// The actions that an input causes; `nil` for an input that this screen does not know. Controls are pressed by people,
    /// and their texts come from anywhere: an action for what is no longer there has to be harmless.
    func actions(for input: PageInput, in state: State) -> [Action]?
    /// Whether the state is about to change by itself, because something loads: a page without the script waits for it.
    func isLoading(_ state: State) -> Bool
    /// The screen as it is now, for its address; `nil` for the one with which it was opened.
    func screen(of state: State) -> Screen?
    /// Whether leaving now would lose input of the user.
    func hasUnsavedChanges(_ state: State) -> Bool
    /// The action for the result of the screen that was above; `nil` for none.
    func action(for result: ScreenResult) -> Action?
}

extension ScreenPage {
    func screen(of state: State) -> Screen? { nil }
    func hasUnsavedChanges(_ state: State) -> Bool { false }
    func action(for result: ScreenResult) -> Action? { nil }
}

/// What all pages of a run share.
struct PageContext: Equatable, Sendable {
    let language: Language
    let user: User?
    let site: PageSite
    /// The time, to the minute: no page shows it more precisely, and two pages of the same minute are the same.
    let now: Date
    /// Whether the user may end the app for all of its tabs.
    var canQuit = false
    /// Whether the session is that of an account on this server, which has a form for another password.
    var hasAccount = false
    /// Whether the app imports photos and tracks.
    var canImportFiles = false
    /// The secret that every form of the session has to contain.
    var token = ""
    /// The run, which a form names: sent twice from one page, as by a double click, it is handled once.
    var run = ""
    /// The address of the screen, to which its forms are posted.
    var address = ScreenAddress(.home).text
    /// The address of the page that others see of a trip, with the key of its link; `nil` for an app without a server.
    var sharedPage: SharedPage?
    /// The links that have led the user to trips.
    var links = FollowedLinks()
    /// The server of street maps; `nil` for none.
    var tiles: TileServer?
    /// The maps that the run has drawn.
    var maps = MapCache()
    /// The pieces of the screen that were made last; `nil` to make each anew.
    var pieces: PieceCache?

    subscript(_ text: Text) -> String { language[text] }

    /// The address of a screen.
    func address(of screen: Screen) -> String { links.address(of: screen).text }

    /// The address of a picture of a trip. One of somebody else's trip that is shared by link has the key of the link.
    func picture(_ id: TripImage.ID, _ size: PictureSize? = nil, of trip: Trip?) -> String {
        site.picture(id, size, key: trip.flatMap { $0.isMine ? nil : $0.content.audience.key })
    }

    /// The piece of a screen with this ID, which `make` makes of `value` and of this context alone.
    func piece<Value: Equatable & Sendable>(_ id: String, of value: Value, _ make: (Value) -> HTML) -> HTML {
        pieces?.piece(id, of: value, make) ?? make(value)
    }
}

/// The address of the page of a trip for everyone who may see it, which is the same during a run.
final class SharedPage: Equatable, Sendable {
    let address: @Sendable (Trip.ID, LinkKey?) -> String

    init(_ address: @escaping @Sendable (Trip.ID, LinkKey?) -> String) { self.address = address }

    static func == (left: SharedPage, right: SharedPage) -> Bool { left === right }
}

/// An open screen in a run: the state of its model, shown by its page.
@MainActor
protocol OpenPage: AnyObject {
    var title: String { get }
    var body: PageBody { get }
    var isLoading: Bool { get }
    var screen: Screen { get }
    var hasUnsavedChanges: Bool { get }

    /// Returns `false` for an input that has no meaning here.
    func receive(_ input: PageInput) -> Bool
    func receive(_ result: ScreenResult)
}

/// What a screen shows, made once for each of its states.
final class PageBody: Equatable {
    let html: HTML

    init(_ html: HTML = HTML()) { self.html = html }

    static func == (left: PageBody, right: PageBody) -> Bool { left === right }
}

/// What an open screen shows and asks: the store of a flow, or the bound outputs and inputs of a view model.
@MainActor
protocol PageModel<State, Action>: AnyObject {
    associatedtype State
    associatedtype Action

    /// The latest values of the outputs.
    var state: State { get }
    /// Passes an action to the input that it belongs to.
    func send(_ action: Action)
}

extension BoundStore: PageModel {}

/// The page of an open screen, with its model.
@MainActor
final class ModelPage<Page: ScreenPage, Model: PageModel>: OpenPage
where Page.State == Model.State, Page.Action == Model.Action {
    private let model: Model
    private let opened: Screen
    private let context: () -> PageContext
    /// What was shown last: a screen that was below others is shown again as it was.
    private var shown: (state: Page.State, context: PageContext, body: PageBody)?
    private let pieces = PieceCache()

    init(_ page: Page.Type, _ model: Model, of screen: Screen, in context: @escaping () -> PageContext) {
        (self.model, opened, self.context) = (model, screen, context)
    }

    private var page: Page { Page(ownContext) }

    private var ownContext: PageContext {
        var context = context()
        context.address = context.address(of: opened)
        context.pieces = pieces
        return context
    }

    var title: String { page.title(of: model.state) }

    var body: PageBody {
        let (state, context) = (model.state, ownContext)
        if let shown, shown.state == state, shown.context == context { return shown.body }
        pieces.beginView(isOfOtherContext: shown?.context != context)
        let body = PageBody(Page(context).view(of: state))
        shown = (state, context, body)
        return body
    }

    var isLoading: Bool { page.isLoading(model.state) }
    var screen: Screen { page.screen(of: model.state) ?? opened }
    var hasUnsavedChanges: Bool { page.hasUnsavedChanges(model.state) }

    func receive(_ input: PageInput) -> Bool {
        guard let actions = page.actions(for: input, in: model.state) else { return false }
        for action in actions { model.send(action) }
        return true
    }

    func receive(_ result: ScreenResult) {
        if let action = page.action(for: result) { model.send(action) }
    }
}
