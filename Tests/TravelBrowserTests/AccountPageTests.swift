import Foundation
import Testing
import TravelDomainTesting
import TravelFileSamples
import TravelPages

@testable import TravelBrowser

@Suite("Pages of view models, from their states")
struct AccountPageTests {
    private static let busy = ScreenFailure.domain(InterceptedStore.outage)

    private static func trip(
        _ seed: UInt64 = 1, title: String = "부산 밤바다", timeline: [TimelineEntry] = [], isMine: Bool = true
    ) throws -> Trip {
        let recorded = try TripBuilder(seed: seed, author: AccountWorld.me).with {
            ($0.title, $0.numberOfDays) = (title, 3)
        }
        .build()
        return try Trip(
            id: recorded.id, author: recorded.author, content: recorded.content, createdAt: recorded.createdAt,
            likeCount: 3, isLiked: false, isMine: isMine)
    }

    private static func entry(
        _ title: String = "해운대", _ text: String = "첫 줄\n둘째 줄", place: String = "해변", address: String = "",
        seed: UInt64 = 1,
        caption: String? = nil
    ) throws -> TimelineEntry {
        var pictures: [Picture] = []
        if let caption {
            var picture = Picture(TripImage.ID(seed: seed))
            picture.text = try PictureText(caption)
            picture.taken = PhotoDate(day: try CalendarDay("2024-05-02"), time: try TimeOfDay(hour: 18))
            pictures = [picture, Picture(TripImage.ID(seed: seed + 1_000))]
        }
        return try TimelineEntry(
            id: .init(seed: seed), day: 2, time: TimeOfDay(hour: 18, minute: 30), title: Title(title),
            text: EntryText(text),
            place: Place(name: place, address: address, coordinate: Coordinate(latitude: 35.16, longitude: 129.16)),
            pictures: pictures)
    }

    // MARK: An entry

    private static func entryState(_ phase: EntryViewModel.Content.Phase, isMine: Bool = true, asks: Bool = false)
        throws -> EntryPage.State
    {
        var state = EntryPage.State(id: .init(seed: 1))
        state.content.phase = phase
        if case .shown = phase { state.content.trip = try trip(isMine: isMine) }
        state.asksToDelete = asks
        return state
    }

    @Test("an entry has its day, its place, its pictures with their texts, and its lines")
    func entry() throws {
        let state = try Self.entryState(.shown(Self.entry(caption: "노을")))
        let page = EntryPage.parsed(state, .korean)
        #expect(page.all("h1").map(\.text) == ["해운대"])
        #expect(page.text.contains("2일차 · 2024년 5월 2일 (목) · 18:30"))
        #expect(page.all("img").map { $0.attributes["alt"] } == ["노을", "사진: 해운대"])
        #expect(page.all("figcaption").map(\.text) == ["노을 · 2024년 5월 2일 (목), 18:00"])
        #expect(page.all("br").count == 1)
        #expect(page.all("a").contains { $0.attributes["href"] == "/app/trips/\(Trip.ID(seed: 1))?day=2" })
        #expect(EntryPage(.sample()).title(of: state) == "해운대 · 부산 밤바다")
        #expect(EntryPage.parsed(state).text.contains("Day 2 · Thu, 2 May 2024 · 18:30"))
    }

    @Test("only the author edits and deletes an entry")
    func entryControls() throws {
        let entry = try Self.entry()
        func controls(_ state: EntryPage.State) -> [String?] {
            EntryPage.parsed(state).controls.map { $0.attributes["value"] }
        }
        #expect(controls(try Self.entryState(.shown(entry))) == ["edit", "delete"])
        #expect(controls(try Self.entryState(.shown(entry), isMine: false)) == [])
        #expect(
            controls(try Self.entryState(.shown(entry), asks: true)) == [
                "edit", "delete", "answer no", "answer yes delete",
            ])
        #expect(controls(try Self.entryState(.failed(Self.busy))) == ["retry"])
        #expect(controls(try Self.entryState(.failed(.domain(.signedOut)))) == [])
        let gone = EntryPage.parsed(try Self.entryState(.gone), .korean)
        #expect(gone.text.contains("없는 기록입니다."))
    }

    @Test("every state of an entry is sound")
    func soundEntries() throws {
        let entry = try Self.entry(caption: "노을")
        let states = try [
            Self.entryState(.loading), Self.entryState(.gone), Self.entryState(.failed(Self.busy)),
            Self.entryState(.shown(entry)), Self.entryState(.shown(entry), isMine: false),
            Self.entryState(.shown(entry), asks: true),
        ]
        for state in states { #expect(EntryPage.defects(state) == []) }
        #expect(EntryPage(.sample()).isLoading(states[0]) && !EntryPage(.sample()).isLoading(states[3]))
    }

    @Test("an entry with hostile texts is a page with these texts", arguments: GeneratedTrips.hostileTexts)
    func hostileEntry(text: String) throws {
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "x"
        let title = (try? Title(line))?.text ?? "x"
        guard let body = try? EntryText(text),
            let entry = try? Self.entry(
                title, text, place: title, address: title, caption: (try? PictureText(title))?.text ?? "x")
        else { return }
        var state = try Self.entryState(.shown(entry), asks: true)
        state.content.trip = try Self.trip(title: title)
        #expect(EntryPage.defects(state) == [])
        let page = EntryPage.parsed(state)
        #expect(page.all("h1").map(\.text) == [xmlText(title)])
        #expect(page.element("question-text")?.text.contains(xmlText(title)) == true)
        let lines = body.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        #expect(page.all("p", class: "text").map(\.text) == [xmlText(lines.joined())])
    }

    // MARK: My page

    private static func summary(_ titles: [String]) throws -> TravelSummary {
        TravelSummary(
            try titles.enumerated().map { index, title in
                let trip = try trip(UInt64(index + 1), title: title)
                let entry = try TimelineEntry(
                    id: .init(seed: UInt64(index)), day: 1, time: TimeOfDay(hour: 9), title: Title("x"),
                    text: EntryText("x"),
                    place: Place(name: "x", coordinate: Coordinate(latitude: 34 + Double(index), longitude: 127)))
                return TravelSummary.Part(TripDetails(trip: trip, timeline: [entry]))
            })
    }

    private static func myPage(
        _ trips: MyPageContent.Section, _ liked: MyPageContent.Section, _ summary: TravelSummaryViewModel.Content
    ) -> MyPage.State {
        MyPage.State(
            content: MyPageContent(user: AccountWorld.me, trips: trips, likedTrips: liked), summary: summary)
    }

    @Test("my page greets, sums up, draws a map, and lists the first trips")
    func myPage() throws {
        let cards = try (1...3).map { TripCard(try Self.trip($0)) }
        let state = Self.myPage(
            .loaded(cards, hasMore: true), .loaded([], hasMore: false), .loaded(try Self.summary(["가", "나"])))
        let page = MyPage.parsed(state, .korean)
        #expect(page.all("h1").map(\.text) == ["나그네님, 안녕하세요"])
        #expect(page.all("dt").map(\.text) == ["여행", "여행한 날", "기록한 경로", "지역"])
        #expect(page.all("dd").map(\.text) == ["2", "3", "0m", "1"])
        #expect(page.element("map-title")?.text == "여행 2개의 지도")
        #expect(page.all("h3").map(\.text) == ["부산 밤바다", "부산 밤바다", "부산 밤바다"])
        #expect(page.all("a").contains { $0.attributes["href"] == "/app/me/trips" && $0.text == "모두 보기: 내 여행" })
        #expect(page.text.contains("아직 좋아요한 여행이 없습니다."))
        #expect(!page.all("a").contains { $0.attributes["href"] == "/app/me/likes" })
        #expect(MyPage.parsed(state).text.contains("Hello, 나그네"))
    }

    @Test("without a user my page invites to sign in")
    func invitation() {
        let page = MyPage.parsed(MyPage.State())
        #expect(page.text.contains("Sign in to record and like trips."))
        #expect(page.all("a").map { $0.attributes["href"] } == ["/app/sign-in", "/app/settings"])
        #expect(!MyPage(.sample()).isLoading(MyPage.State()))
    }

    @Test("every state of my page is sound")
    func soundMyPages() throws {
        let cards = [TripCard(try Self.trip())]
        let sections: [MyPageContent.Section] = [
            .loading, .failed(Self.busy), .loaded([], hasMore: false), .loaded(cards, hasMore: false),
            .loaded(cards, hasMore: true),
        ]
        let summaries: [TravelSummaryViewModel.Content] = [
            .nobody, .loading, .failed(Self.busy), .loaded(TravelSummary([])), .loaded(try Self.summary(["a", "b"])),
        ]
        #expect(MyPage.defects(MyPage.State()) == [])
        for section in sections {
            for summary in summaries { #expect(MyPage.defects(Self.myPage(section, section, summary)) == []) }
        }
    }

    @Test("trips with hostile titles are lines and markers with these titles", arguments: GeneratedTrips.hostileTitles)
    func hostileTrips(title: String) throws {
        guard let title = (try? Title(title))?.text else { return }
        let cards = [TripCard(try Self.trip(title: title))]
        let section = MyPageContent.Section.loaded(cards, hasMore: true)
        let state = Self.myPage(section, section, .loaded(try Self.summary([title])))
        #expect(MyPage.defects(state) == [])
        let page = MyPage.parsed(state)
        #expect(page.all("h3").map(\.text) == [xmlText(title), xmlText(title)])
        #expect(page.all("title").map(\.text).contains(xmlText(title)))
    }

    // MARK: Blocked people

    @Test("each blocked person has a button with their name, which rests while it works")
    func blocked() throws {
        let users = [AccountWorld.me, AccountWorld.jun]
        let state = BlockedPage.State(content: .users(users), working: [users[1].id])
        let page = BlockedPage.parsed(state)
        #expect(page.controls.map { $0.attributes["value"] } == users.map { "unblock \($0.id)" })
        #expect(page.controls.map { $0.attributes["disabled"] } == [nil, "disabled"])
        #expect(
            page.controls.map { $0.attributes["aria-labelledby"] } == users.map { "unblock-\($0.id) name-\($0.id)" })
        #expect(BlockedPage(.sample()).actions(for: .control(.init("unblock", "nobody")), in: state) == [])
        #expect(BlockedPage.parsed(.init(content: .users([])), .korean).text.contains("차단한 사람이 없습니다."))
        let states: [BlockedPage.State] = [
            state, .init(), .init(content: .users([])), .init(content: .failed(Self.busy)),
            .init(content: .failed(.domain(.signedOut))),
        ]
        for state in states { #expect(BlockedPage.defects(state) == []) }
    }

    @Test("blocked people with hostile nicknames are lines with these", arguments: GeneratedTrips.hostileTitles)
    func hostilePeople(name: String) throws {
        guard let nickname = try? Nickname(String(name.prefix(12))) else { return }
        let state = BlockedPage.State(content: .users([User(id: .init(seed: 1), nickname: nickname)]))
        #expect(BlockedPage.defects(state) == [])
        #expect(BlockedPage.parsed(state).all("bdi").map(\.text) == [xmlText(nickname.text)])
        let settings = SettingsPage.State(user: User(id: .init(seed: 1), nickname: nickname))
        #expect(SettingsPage.defects(settings) == [])
        #expect(SettingsPage.parsed(settings).all("bdi").map(\.text) == [xmlText(nickname.text)])
    }

    // MARK: Settings

    @Test("settings have the languages by their own names, the theme, and what concerns the account")
    func settings() {
        var state = SettingsPage.State(language: .korean, user: AccountWorld.me)
        let page = SettingsPage.parsed(state, .korean)
        #expect(page.controls.map(\.text) == ["English", "한국어", "로그아웃", "회원 탈퇴"])
        #expect(page.controls.map { $0.attributes["aria-pressed"] } == ["false", "true", nil, nil])
        #expect(page.controls.map { $0.attributes["lang"] } == ["en", "ko", nil, nil])
        let themes = page.all("input").filter { $0.attributes["name"] == "theme" }
        #expect(themes.map { $0.attributes["value"] } == ["auto", "light", "dark"])
        #expect(themes.allSatisfy { $0.attributes["form"] == nil })
        #expect(page.all("noscript").map(\.text) == ["자바스크립트를 끄면 시스템의 화면 테마를 따릅니다."])
        // Without a server there are no changes to send.
        #expect(page.element("changes") == nil)

        state.hasPassword = true
        state.sync = SyncStatus()
        state.sync?.pendingWrites = 2
        let connected = SettingsPage.parsed(state)
        #expect(connected.controls.map { $0.attributes["value"] } == ["language en", "language ko", "sign-out"])
        #expect(connected.all("a").contains { $0.attributes["href"] == "/app/settings/delete-account" })
        #expect(connected.element("changes")?.text.contains("2 pending changes") == true)

        let nobody = SettingsPage.parsed(SettingsPage.State())
        #expect(nobody.controls.map { $0.attributes["value"] } == ["language en", "language ko"])
        #expect(nobody.all("a").map { $0.attributes["href"] } == ["/app/sign-in"])
    }

    @Test("every state of the settings is sound")
    func soundSettings() {
        for user in [nil, AccountWorld.me] {
            for sync in [nil, SyncStatus()] {
                for isSet in [false, true] {
                    let state = SettingsPage.State(
                        language: .english, user: user, sync: sync, hasPassword: isSet, isWorking: isSet,
                        asksToDeleteAccount: isSet)
                    #expect(SettingsPage.defects(state) == [])
                }
            }
        }
        let page = SettingsPage(.sample())
        #expect(page.actions(for: .control(.init("language", "fr")), in: .init()) == [])
    }

    // MARK: Forms

    @Test("the field of a nickname has a label, and its problem where readers look for it")
    func nickname() {
        var state = NicknamePage.State(kind: .profile, nickname: "Mina", initial: "Mina")
        let page = NicknamePage(.sample())
        #expect(!page.hasUnsavedChanges(state))
        state.nickname = "M"
        state.problem = .verdict(.tooShort)
        #expect(page.hasUnsavedChanges(state))
        let form = NicknamePage.parsed(state, .korean)
        let field = form.element("nickname")
        #expect(field?.attributes["value"] == "M")
        #expect(field?.attributes["data-live"] == "")
        #expect(field?.attributes["aria-invalid"] == "true")
        #expect(field?.attributes["aria-describedby"] == "nickname-note")
        #expect(form.element("nickname-note")?.text == "2자 이상 입력하세요.")
        #expect(form.all("label").map { $0.attributes["for"] } == ["nickname"])
        // Without the script a problem appears only when the button is pressed.
        #expect(form.controls.map { $0.attributes["disabled"] } == [nil, nil])
        state.problem = nil
        state.isAvailable = true
        #expect(NicknamePage.parsed(state).element("nickname-note")?.text == "This nickname is available.")
        #expect(NicknamePage.parsed(state).element("nickname")?.attributes["aria-invalid"] == nil)
        state.isSaving = true
        #expect(NicknamePage.parsed(state).controls.map { $0.attributes["disabled"] } == ["disabled", "disabled"])
        #expect(page.actions(for: .field("nickname", "x"), in: state) == [])
    }

    @Test("every state of the form of a nickname is sound, whatever was typed", arguments: GeneratedTrips.hostileTexts)
    func soundNicknames(text: String) {
        for kind in [NicknamePage.Kind.profile, .signIn] {
            for problem in [nil, NicknameProblem.verdict(.taken), .failed(Self.busy)] {
                for isSet in [false, true] {
                    let state = NicknamePage.State(
                        kind: kind, nickname: text, problem: problem, isChecking: isSet, isAvailable: isSet,
                        isSaving: isSet)
                    #expect(NicknamePage.defects(state) == [])
                    #expect(NicknamePage.parsed(state).element("nickname")?.attributes["value"] == xmlText(text))
                }
            }
        }
    }

    @Test("a form with a password says what a browser may fill in, and has no password in it")
    func password() {
        var state = PasswordPage.State(kind: .signIn, nickname: "Mina")
        let page = PasswordPage.parsed(state)
        #expect(page.element("nickname")?.attributes["autocomplete"] == "username")
        let field = page.element("password")
        #expect(field?.attributes["type"] == "password")
        #expect(field?.attributes["autocomplete"] == "current-password")
        #expect(field?.attributes["value"] == nil)
        // What is typed is sent with the form only.
        #expect(field?.attributes["data-live"] == nil)
        state.problem = .wrongPassword
        #expect(PasswordPage.parsed(state).element("password-note")?.text == "The password is wrong.")
        state.missing = [.nickname, .password]
        #expect(PasswordPage.parsed(state, .korean).element("nickname-note")?.text == "내용을 입력하세요.")
        let deletion = PasswordPage.parsed(.init(kind: .accountDeletion), .korean)
        #expect(deletion.element("nickname") == nil)
        #expect(deletion.text.contains("되돌릴 수 없습니다."))
    }

    @Test("every state of a form with a password is sound, whatever was typed", arguments: GeneratedTrips.hostileTexts)
    func soundPasswords(text: String) {
        for kind in [PasswordPage.Kind.signIn, .signInAgain, .accountDeletion] {
            for problem in [nil, ScreenFailure.wrongPassword, Self.busy] {
                for isSet in [false, true] {
                    let state = PasswordPage.State(
                        kind: kind, nickname: text, missing: isSet ? [.password] : [], problem: problem,
                        isWorking: isSet)
                    #expect(PasswordPage.defects(state) == [])
                }
            }
        }
    }

    // MARK: Changes

    private static func conflict(
        _ id: Int, mine: [TimelineEntry] = [], theirs: [TimelineEntry]? = nil, title: String = "내 제목",
        reason: TripConflict.Reason = .outdated
    ) throws -> TripConflict {
        let builder = try TripBuilder(seed: 1, author: AccountWorld.me).with {
            ($0.title, $0.numberOfDays) = ("저장된 제목", 3)
        }
        return TripConflict(
            id: id,
            wanted: .update(
                try builder.with { ($0.title, $0.timeline, $0.region) = (title, mine, .busan) }.build(),
                replacing: .first,
                images: []),
            reason: reason, theirs: try theirs.map { theirs in try builder.with { $0.timeline = theirs }.build() })
    }

    private static func changes(
        _ conflicts: [TripConflict], vanished: [VanishedTrip] = [], _ update: (inout SyncStatus) -> Void = { _ in }
    ) -> ChangesPage.State {
        var content = SyncViewModel.Content()
        (content.conflicts, content.vanished) = (conflicts, vanished)
        update(&content.status)
        return .init(content: content)
    }

    @Test("a conflict has both versions side by side, and marks what is not alike")
    func conflict() throws {
        let (kept, changed, other) = (
            try Self.entry("같음", seed: 1), try Self.entry("내 기록", seed: 2), try Self.entry("저쪽 기록", seed: 3)
        )
        let theirs = try [kept, Self.entry("저장된 기록", seed: 2), other]
        let state = Self.changes([try Self.conflict(7, mine: [kept, changed], theirs: theirs)])
        let page = ChangesPage.parsed(state, .korean)
        let (mine, stored) = (try #require(page.element("mine-7")), try #require(page.element("theirs-7")))
        #expect(mine.text.contains("내 제목") && mine.text.contains("기록 2개") && mine.text.contains("내 기록"))
        #expect(stored.text.contains("저장된 제목") && stored.text.contains("저쪽 기록") && stored.text.contains("여기에만 있음"))
        #expect(!mine.text.contains("같음"))
        let marked = page.all("mark").map(\.text)
        #expect(marked == ["내 제목", "부산", "내 기록", "저장된 제목", "서울", "저장된 기록", "저쪽 기록"])
        #expect(
            page.controls.map { $0.attributes["value"] } == [
                "retry", "decide 7 mine", "decide 7 theirs", "decide 7 edit",
            ])
        // What cannot be undone is asked for first.
        #expect(page.element("take-theirs-7")?.text.contains("내 변경은 사라집니다.") == true)
    }

    @Test("of an entry that both versions have, all is shown in which they differ")
    func changedEntry() throws {
        func entry(_ text: String, place: String) throws -> TimelineEntry {
            try TimelineEntry(
                id: TimelineEntry.ID(seed: 1), day: 1, time: TimeOfDay(hour: 9), title: Title("같은 제목"),
                text: EntryText(text), place: Place(name: place))
        }
        let state = Self.changes([
            try Self.conflict(
                7, mine: [try entry("같은 줄\n내 줄", place: "해운대")], theirs: [try entry("같은 줄", place: "광안리")])
        ])
        let page = ChangesPage.parsed(state, .korean)
        #expect(page.all("mark").map(\.text) == ["내 제목", "부산", "해운대 ", "내 줄", "저장된 제목", "서울", "광안리 "])
        #expect(page.all("blockquote").map(\.text) == ["같은 줄내 줄", "같은 줄"])
    }

    @Test("a long list of differences ends with the number of the others")
    func longConflict() throws {
        let mine = try (1...60).map { try Self.entry("Entry \($0)", seed: $0) }
        let page = ChangesPage.parsed(Self.changes([try Self.conflict(1, mine: mine, theirs: [])]))
        #expect(page.element("mine-1")?.text.contains("and 10 more") == true)
        #expect(page.all("li").count < 70)
    }

    @Test("the status says what waits, and asks to sign in again where the session has ended")
    func status() throws {
        let online = ChangesPage.parsed(Self.changes([]) { $0.connection = .online })
        #expect(online.text.contains("Everything is on the server.") && online.controls.isEmpty)
        let signedOut = ChangesPage.parsed(
            Self.changes([]) { ($0.connection, $0.pendingWrites) = (.signedOut, 3) }, .korean)
        #expect(signedOut.text.contains("보낼 변경 3개"))
        #expect(signedOut.controls.map { $0.attributes["value"] } == ["sign-in"])
        #expect(ChangesPage(.sample()).isLoading(.init()))
    }

    @Test("every kind of conflict is sound, with hostile texts as well", arguments: GeneratedTrips.hostileTitles)
    func soundChanges(title: String) throws {
        let title = (try? Title(title))?.text ?? "x"
        let entry = try Self.entry(title, seed: 5)
        let trip = try TripBuilder(seed: 1, author: AccountWorld.me).with {
            ($0.title, $0.timeline, $0.numberOfDays) = (title, [entry], 3)
        }.build()
        let stranger = try TripBuilder(seed: 1, author: AccountWorld.jun).build()
        let nickname = try Nickname((try? Nickname(title))?.text ?? "Nick")
        let wanted: [TripWrite] = [
            .add([trip], images: []), .add([trip, trip], images: []), .update(trip, replacing: .first, images: []),
            .remove(trip.id, replacing: .first, by: AccountWorld.me.id),
            .setLiked(true, trip.id, by: AccountWorld.me.id),
            .report(trip.id, by: AccountWorld.me.id), .block(AccountWorld.jun.id, by: AccountWorld.me.id),
            .unblock(AccountWorld.jun.id, by: AccountWorld.me.id),
            .addUser(User(id: .init(seed: 9), nickname: nickname)),
            .rename(AccountWorld.me.id, nickname), .setAvatar(AccountWorld.me.id, nil),
        ]
        var conflicts: [TripConflict] = []
        for write in wanted {
            for theirs in [nil, trip, stranger] {
                for reason in [TripConflict.Reason.outdated, .notFound, .taken, .forbidden, .init(rawValue: "later")] {
                    conflicts.append(
                        TripConflict(id: conflicts.count, wanted: write, reason: reason, theirs: theirs))
                }
            }
        }
        let state = Self.changes(conflicts, vanished: [VanishedTrip(number: 1, trip: trip)]) {
            $0.storageOutage = .init("full", canRetry: false)
        }
        #expect(ChangesPage.defects(state) == [])
        #expect(ChangesPage.parsed(state).all("h3").last?.text == xmlText(title))
        // Each choice of each conflict is a button, and means that choice.
        let page = ChangesPage(.sample())
        let decisions = ChangesPage.parsed(state).controls.compactMap { control -> SyncViewModel.Decision? in
            let actions = page.actions(for: .control(.init(text: control.attributes["value"] ?? "")), in: state)
            if case .decided(let decision)? = actions?.first { return decision } else { return nil }
        }
        let expected = conflicts.flatMap { conflict in conflict.choices.map { SyncViewModel.Decision(conflict, $0) } }
        #expect(Set(decisions) == Set(expected) && decisions.count == expected.count)
    }

    @Test("a decision about what no longer waits does nothing")
    func staleDecisions() throws {
        let state = Self.changes([try Self.conflict(7, theirs: [])])
        let page = ChangesPage(.sample())
        for text in ["decide 8 mine", "decide 7 copy", "decide 7", "decide", "restore x", "forget \(Trip.ID(seed: 9))"]
        {
            #expect(page.actions(for: .control(.init(text: text)), in: state) == [], "\(text)")
        }
    }
}
