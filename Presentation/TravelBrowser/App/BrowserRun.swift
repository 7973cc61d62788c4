internal import Foundation
internal import TravelPages

/// A run of the app in one tab of a browser: the open screens, the page that shows the one on top, and what the browser
/// has of that page.
///
/// ```swift
/// let run = BrowserRun(useCases, language: .english, at: ScreenAddress(.home))
/// let page = await run.page(within: .milliseconds(200))    // the whole document
/// run.receive([.control(.init("like", "6f1c…"))], number: 1)
/// let patch = await run.patch(after: page.version)         // what has changed since
/// ```
///
/// A patch is made when the browser is ready for it: a slow one gets fewer, larger ones, and nothing piles up.
@MainActor
final class BrowserRun {
    /// A message at the edge of the page.
    struct Notice: Hashable, Identifiable {
        let id: Int
        let notice: TravelPresentation.Notice

        var isFailure: Bool { if case .failed = notice { true } else { false } }
    }

    private enum Moment { case before, during, after }

    /// The time for which a message of success is visible. One of a failure stays until it is closed, or the next input.
    static let noticeTime = RxTimeInterval.seconds(5)
    /// The same for one that offers to undo a deletion.
    static let undoTime = RxTimeInterval.seconds(30)

    let id: String
    /// The secret that every action of the session has to name.
    private let token: String
    private let quit: (@Sendable () -> Void)?
    private let hasAccount: Bool
    private let run: AppRun
    private let site: PageSite
    private let maps: MapCache
    private let tiles: TileServer?
    private let pace: LivePace
    private let viewer: LiveViewer
    private let sharedPage: SharedPage?
    private let links: FollowedLinks
    /// The files that were sent for imports that have not begun, by the numbers of their batches.
    private var sentFiles: [Int: [PickedFile]] = [:]
    nonisolated static let maximumFileCount = 500
    private static let maximumBatchCount = 4
    private var pages: [(id: AppRun.OpenModel.ID, page: any OpenPage)] = []
    private var notices: [Notice] = []
    private var lastNotice = 0
    /// Whether the user has left the app.
    private(set) var hasEnded = false
    private let bag = DisposeBag()
    @Dependency(\.date) private var date

    /// The page that the browser has, with the last input that it shows, and whether it says that something loads.
    private var sent: (page: AppPage, input: Int, isLoading: Bool)?
    /// The parts of that page, by the hash of their source.
    private var known: [String: Int] = [:]
    /// The number of what the browser has, from 1; it grows with each patch.
    private(set) var version = 0
    /// The number of the last input.
    private(set) var lastInput = 0
    private var isChanged = false
    /// How long the page has waited to say that it loads.
    private var moment = Moment.before
    /// Whoever waits for a change.
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastWait = 0
    /// The stream of patches that is open; an older one ends.
    private var stream = 0
    /// Whether a stream of patches is open, and whether there ever was one: without, the browser runs no script.
    private(set) var isStreaming = false {
        didSet { if isStreaming != oldValue { pace.add(pages: isStreaming ? 1 : -1) } }
    }
    private(set) var hadStream = false

    /// - Parameters:
    ///   - useCases: What the app provides to its screens.
    ///   - language: The language to begin with.
    ///   - address: The screen to open, above the list of trips.
    ///   - id: The identity of the run, which nobody can guess.
    ///   - token: The secret of its session.
    ///   - maps: Draws the maps.
    ///   - tiles: The server of street maps; `nil` for none.
    ///   - links: The links that have led the user to trips.
    ///   - pace: How it shows what changes.
    ///   - viewer: The user of its session.
    ///   - quit: Ends the app for all; `nil` where that is not up to the user.
    ///   - hasAccount: Whether its session is that of an account on this server.
    init(
        _ useCases: ScreenUseCases, language: Language, at address: ScreenAddress, id: String, token: String,
        maps: MapCache = MapCache(), tiles: TileServer? = nil, links: FollowedLinks = FollowedLinks(),
        pace: LivePace = LivePace(), viewer: LiveViewer = LiveViewer(), quit: (@Sendable () -> Void)? = nil,
        hasAccount: Bool = false
    ) {
        (self.id, self.token, self.maps, self.tiles) = (id, token, maps, tiles)
        (self.links, self.pace, self.viewer) = (links, pace, viewer)
        (self.quit, self.hasAccount) = (quit, hasAccount)
        site = PageSite(base: ScreenAddress.base)
        sharedPage = useCases.sharedPage.map { SharedPage($0) }
        let screens: [Screen] = (address.screen == .home ? [] : [.home]) + address.screen.below + [address.screen]
        run = AppRun(
            useCases, in: AppContext(language: language), restoring: screens.map(\.link).joined(separator: "\n"))
        run.context.changed = { [weak self] in self?.change() }
        run.start { [weak self] in self?.follow($0) }
    }

    /// Ends the work of all screens, and every wait.
    func close() {
        hasEnded = true
        pages = []
        sentFiles = [:]
        run.close()
        change()
    }

    private func follow(_ change: AppRun.Change) {
        switch change {
        case .opened(let screen):
            let page = screen.makePage(run.account, in: run.context, context: { [unowned self] in context })
            pages.append((screen.id, page))
        case .closed(let id): pages.removeAll { $0.id == id }
        case .returned(let result, let id): pages.first { $0.id == id }?.page.receive(result)
        case .notice(let notice): show(notice)
        case .ended: break
        }
        self.change()
    }

    private func show(_ notice: TravelPresentation.Notice) {
        lastNotice += 1
        let shown = Notice(id: lastNotice, notice: notice)
        // Only the last deletion can be undone.
        if notice.deletion != nil { notices.removeAll { $0.notice.deletion != nil } }
        // The same twice says nothing more.
        if !shown.isFailure { notices.removeAll { $0.notice == notice } }
        notices = notices.suffix(2) + [shown]
        if shown.isFailure { return }
        Driver.just(()).delay(Self.time(of: notice, in: run.context.language)).drive(onNext: { [weak self] in
            self?.notices.removeAll { $0.id == shown.id }
            self?.change()
        }).disposed(by: bag)
    }

    /// The time for which a message of success is visible: a long one takes longer to read.
    private static func time(of notice: TravelPresentation.Notice, in language: Language) -> RxTimeInterval {
        if notice.deletion != nil { return undoTime }
        let length = notice.text(in: language).count
        return length > 60 ? .milliseconds(length * 100) : noticeTime
    }

    /// The context of the page that is being made: each of its parts asks for it.
    private var currentContext: PageContext?

    private var context: PageContext {
        if let currentContext { return currentContext }
        return PageContext(
            language: run.account.language.value, user: run.account.user, site: site, now: date.now.atMinute,
            canQuit: quit != nil, hasAccount: hasAccount,
            canImportFiles: run.canImportFiles, token: token, run: id, sharedPage: sharedPage, links: links,
            tiles: tiles, maps: maps)
    }

    private var top: (id: AppRun.OpenModel.ID, page: any OpenPage)? { pages.last }

    // MARK: Inputs

    /// Handles what a person has done, in order. An input of a number that has been handled is ignored: the browser sends
    /// again what it has no answer for.
    ///
    /// - Returns: `false` when one of them has no meaning on the screen on top.
    @discardableResult
    func receive(_ inputs: [PageInput], number: Int? = nil) -> Bool {
        if let number {
            guard number > lastInput else { return true }
            lastInput = number
        }
        viewer.act(at: date.now)
        defer { change() }
        notices.removeAll(where: \.isFailure)
        var isKnown = true
        for input in inputs where !receive(input) { isKnown = false }
        return isKnown
    }

    private func receive(_ input: PageInput) -> Bool {
        switch input {
        case .control(let control) where control.name == "back":
            // A screen may have to finish something first, or to ask.
            if top?.page.receive(input) != true, pages.count > 1 { run.back() }
            return true
        case .control(.init("quit")):
            quit?()
            return quit != nil
        case .control(let control) where control.name == "close-notice":
            notices.removeAll { "\($0.id)" == control.argument }
            return true
        // The script names the batch of the files that it has sent; those of a form are imported by themselves.
        case .control(let control) where control.name == "import":
            if let batch = Batch(control.argument), let files = sentFiles.removeValue(forKey: batch.number) {
                run.importFiles(PickedFiles(files, into: batch.trip))
            }
            return run.canImportFiles
        // The script names the batch that it no longer sends; without one, the imports that have begun are cancelled.
        case .control(let control) where control.name == "cancel-import":
            if control.argument.isEmpty {
                run.cancelImports()
            } else if let batch = Batch(control.argument) {
                sentFiles[batch.number] = nil
            }
            return run.canImportFiles
        case .control(let control) where control.name == "undo":
            guard let deletion = UndoableDeletion(text: control.argument) else { return false }
            notices.removeAll { $0.notice.deletion == deletion }
            run.undo(deletion)
            return true
        case .history(let address): return goBack(to: address)
        case .link(let address):
            // A screen may show another address itself, such as another day of the same trip.
            if top?.page.receive(input) != true { run.open(address.screen) }
            return true
        case .control, .field: return top?.page.receive(input) ?? false
        }
    }

    /// Shows the screen of an address that the browser has shown before: closes those above it, or opens it anew. A screen
    /// that has shown other addresses since, such as those of other searches, shows it again.
    private func goBack(to address: ScreenAddress) -> Bool {
        let addresses = pages.map { links.address(of: $0.page.screen) }
        guard let index = addresses.lastIndex(of: address) ?? addresses.lastIndex(where: { $0.path == address.path })
        else { return receive(.link(address)) }
        while pages.count > index + 1, let top {
            if top.page.hasUnsavedChanges {
                // The browser has left already: the patch with the question leads it back.
                return top.page.receive(.control(.init("back")))
            }
            run.back()
            guard self.top?.id != top.id else { return true }
        }
        return addresses[index] == address || top?.page.receive(.history(address)) == true
    }

    /// Passes a picture that was sent for a screen to it.
    ///
    /// - Returns: `false` where the screen has closed meanwhile.
    func pick(_ picture: StagedPicture, on screen: AppRun.OpenModel.ID) -> Bool {
        guard let open = pages.first(where: { $0.id == screen }) else { return false }
        defer { change() }
        return open.page.receive(.control(.init("picked", picture.path)))
    }

    /// Keeps a file that was sent for an import, until the browser says that it has sent all files of the batch. They are
    /// dropped when it cancels that, and when the run ends.
    func keep(_ file: PickedFile, inBatch number: Int) {
        let files = sentFiles[number, default: []]
        if files.isEmpty, sentFiles.count == Self.maximumBatchCount, let first = sentFiles.keys.min() {
            sentFiles[first] = nil
        }
        switch files.count {
        case ..<Self.maximumFileCount: sentFiles[number] = files + [file]
        // What is too many is named once.
        case Self.maximumFileCount: sentFiles[number] = files + [PickedFile(name: file.name, problem: .tooManyFiles)]
        default: break
        }
    }

    /// Imports the files of a form.
    func importFiles(_ files: PickedFiles) {
        defer { change() }
        run.importFiles(files)
    }

    /// Files that are imported together, as the script names them: its number for them, and the trip to which they are added.
    private struct Batch {
        let number: Int
        let trip: Trip.ID?

        init?(_ text: String) {
            let parts = text.split(separator: " ")
            guard let number = parts.first.flatMap({ Int($0) }), parts.count <= 2 else { return nil }
            self.number = number
            trip = parts.count == 2 ? Trip.ID(parts[1]) : nil
            if parts.count == 2, trip == nil { return nil }
        }
    }

    func hasScreen(_ id: AppRun.OpenModel.ID) -> Bool { pages.contains { $0.id == id } }
    /// The screen on top.
    var topScreen: AppRun.OpenModel.ID? { top?.id }

    /// Whether leaving the page now would lose input of the user.
    private var hasUnsavedChanges: Bool { pages.contains(where: \.page.hasUnsavedChanges) }

    // MARK: Pages and patches

    /// Returns the whole document, as soon as nothing loads, or after `limit`. The browser has this version from then on.
    func page(within limit: Duration) async -> (document: Data, version: Int) {
        await settle(within: limit)
        isChanged = false
        version += 1
        let page = appPage
        sent = (page, lastInput, isLoading)
        known = Dictionary(
            page.html.parts.map { ($0.id, $0.digest) }, uniquingKeysWith: { first, _ in first })
        return (page.document(run: id, token: token, version: version, hasAccount: hasAccount), version)
    }

    /// Waits until nothing loads on the screen on top, at most for `limit`.
    func settle(within limit: Duration) async {
        guard isLoading else { return }
        @Dependency(\.clock) var clock
        var isOver = false
        let timer = Task {
            try? await clock.sleep(for: limit)
            isOver = true
            change()
        }
        defer { timer.cancel() }
        while !hasEnded, !isOver, !Task.isCancelled, isLoading { await waitForChange() }
    }

    private var isLoading: Bool {
        !run.account.isKnown || run.isUndoing || !run.imports.isEmpty || top?.page.isLoading == true
    }

    /// Begins a stream of patches, which ends the one before.
    func beginStream() -> Int {
        stream += 1
        (isStreaming, hadStream) = (true, true)
        change()
        return stream
    }

    func endStream(_ number: Int) {
        if stream == number { isStreaming = false }
    }

    /// Waits until the page has changed, and returns what has; `nil` when the run or the stream has ended, or the task is
    /// cancelled.
    ///
    /// - Parameter version: What the browser has. When it is not the version that was sent last, because a patch was lost,
    ///   the patch has the whole page.
    func patch(after version: Int, on stream: Int) async -> PagePatch? {
        while isOpen(stream) {
            if let patch = nextPatch(after: version) { return patch }
            await waitForChange()
        }
        return nil
    }

    /// As ``patch(after:on:)``; `nil` when a change has to come first.
    func nextPatch(after version: Int) -> PagePatch? {
        if version != self.version { return patch(isWhole: true) }
        return isChanged && !isAboutToLoad() ? patch(isWhole: false) : nil
    }

    /// Whether the page has begun to load a moment ago: most loads end within it, and one patch shows the input with its result.
    private func isAboutToLoad() -> Bool {
        guard isLoading, sent?.isLoading == false, !hasEnded else {
            moment = .before
            return false
        }
        if moment == .before {
            moment = .during
            pace.afterMoment { [weak self] in
                guard let self, moment == .during else { return }
                moment = .after
                wake()
            }
        }
        return moment == .during
    }

    /// What has changed on the page; `nil` for nothing, and never for the whole page.
    private func patch(isWhole: Bool) -> PagePatch? {
        isChanged = false
        let (page, earlier) = (appPage, sent)
        // Most changes of a screen below another, and many of one that is shown, are none of what it shows.
        if !isWhole, let earlier, earlier.input == lastInput, earlier.page == page { return nil }
        sent = (page, lastInput, isLoading)
        let parts = page.html.parts
        var hashes: [String: Int] = [:]
        hashes.reserveCapacity(parts.count)
        var changed: [HTML.Part] = []
        for part in parts {
            let hash = part.digest
            guard hashes.updateValue(hash, forKey: part.id) == nil else { continue }
            if isWhole || known[part.id] != hash { changed.append(part) }
        }
        known = hashes
        if !isWhole, changed.isEmpty, let earlier, earlier.input == lastInput,
            (earlier.page.title, earlier.page.address) == (page.title, page.address)
        {
            return nil
        }
        version += 1
        return PagePatch(
            version: version, lastInput: lastInput, title: page.title, address: page.address, parts: changed)
    }

    private func isOpen(_ stream: Int) -> Bool { !hasEnded && self.stream == stream && !Task.isCancelled }

    /// The page as it is now.
    var appPage: AppPage {
        let context = context
        currentContext = context
        defer { currentContext = nil }
        return AppPage(
            context: context, screenTitle: top?.page.title ?? "", screen: top?.id ?? 0,
            screenAddress: links.address(of: top?.page.screen ?? .home), body: top?.page.body ?? PageBody(),
            notices: notices, imports: run.imports, hasUnsavedChanges: hasUnsavedChanges,
            sync: run.account.sync.value)
    }

    // MARK: Waiting

    private func change() {
        isChanged = true
        wake()
    }

    private func wake() {
        let waiting = waiting.values
        self.waiting = [:]
        for continuation in waiting { continuation.resume() }
    }

    /// Returns after the next change, or when the task is cancelled.
    private func waitForChange() async {
        lastWait += 1
        let number = lastWait
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { continuation.resume() } else { waiting[number] = continuation }
            }
        } onCancel: {
            Task { @MainActor in self.waiting.removeValue(forKey: number)?.resume() }
        }
    }
}

extension Text {
    fileprivate static let tooManyFiles = Text(
        "left out with those after it: at most \(BrowserRun.maximumFileCount) files at once",
        "한 번에 \(BrowserRun.maximumFileCount)개까지 가져올 수 있어 이 파일부터 뺐습니다")
}

extension Date {
    /// The beginning of its minute.
    fileprivate var atMinute: Date {
        Date(timeIntervalSinceReferenceDate: (timeIntervalSinceReferenceDate / 60).rounded(.down) * 60)
    }
}

extension Screen {
    /// What is open below a screen with an address of its own: an entry or a form stands above its trip, to which it leads
    /// back.
    fileprivate var below: [Screen] {
        switch self {
        case .tripEditor(let trip), .entry(_, in: let trip), .entryEditor(_, in: let trip): [.trip(trip)]
        case .newEntry(in: let trip, let day), .map(let trip, let day): [.trip(trip, day: day)]
        default: []
        }
    }
}
