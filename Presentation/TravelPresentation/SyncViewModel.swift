/// What waits between this device and its server: changes to send, conflicts to decide, and trips that have vanished.
///
/// - Everything is watched. A conflict leaves the list when it is resolved, here or in another window.
/// - A decision that cannot be stored leaves the conflict where it is, and raises a notice.
/// - "Edit" keeps the version of the user and opens it in the editor.
public struct SyncViewModel: ViewModel {
    public struct Input: Sendable {
        /// A conflict was decided.
        public let decided: Observable<Decision>
        public let restoreTapped: Observable<Trip.ID>
        public let forgetTapped: Observable<Trip.ID>
        /// Asks the server now, without waiting for the next attempt.
        public let retryTapped: Observable<Void>
        /// Asks for the password, when the session on the server has ended.
        public let signInTapped: Observable<Void>
        public let backTapped: Observable<Void>

        /// Creates an input from these streams; the defaults emit nothing.
        public init(
            decided: Observable<Decision> = .never(), restoreTapped: Observable<Trip.ID> = .never(),
            forgetTapped: Observable<Trip.ID> = .never(), retryTapped: Observable<Void> = .never(),
            signInTapped: Observable<Void> = .never(), backTapped: Observable<Void> = .never()
        ) {
            self.decided = decided
            self.restoreTapped = restoreTapped
            self.forgetTapped = forgetTapped
            self.retryTapped = retryTapped
            self.signInTapped = signInTapped
            self.backTapped = backTapped
        }
    }

    public struct Decision: Hashable, Sendable {
        public enum Choice: Hashable, Sendable { case keepMine, takeTheirs, edit, keepCopy }

        public let conflict: TripConflict
        public let choice: Choice

        public init(_ conflict: TripConflict, _ choice: Choice) {
            self.conflict = conflict
            self.choice = choice
        }
    }

    public struct Output: Sendable {
        public let content: Driver<Content>
        public let events: Signal<ScreenEvent>
    }

    public struct Content: Hashable, Sendable {
        public var status = SyncStatus()
        public var conflicts: [TripConflict] = []
        public var vanished: [VanishedTrip] = []

        public init() {}
    }

    private let synchronization: any TripSynchronization

    public init(_ synchronization: any TripSynchronization) {
        self.synchronization = synchronization
    }

    public func transform(_ input: Input) -> Output {
        let status = synchronization.watchedStatus.share(replay: 1)
        let conflicts = Observable.task { [synchronization] in await synchronization.observeConflicts() }
            .flatMap { $0.asObservable() }
        // Other trips may be as many: a slow observer receives only the last status.
        let vanished = status.flatMapLatest { [synchronization] _ in
            Observable.task { await synchronization.vanishedTrips() }
        }
        let content = Observable.combineLatest(status, conflicts, vanished) { status, conflicts, vanished in
            var content = Content()
            (content.status, content.conflicts, content.vanished) = (status, conflicts, vanished)
            return content
        }

        let decisions = input.decided.map(Work.decide)
        let works = Observable.merge(
            decisions, input.restoreTapped.map(Work.restore), input.forgetTapped.map(Work.forget),
            input.retryTapped.map { Work.reconnect })
        let events = works.concatMap { [synchronization] work in
            Observable.task { () -> ScreenEvent? in
                let outcome = await Outcome { try await work.carryOut(on: synchronization) }
                return outcome.failure.map { .notice(.failed($0)) } ?? work.continuation
            }
        }
        return Output(
            content: content.distinctUntilChanged().asDriver(onErrorDriveWith: .empty()),
            events: Observable.merge(
                events.compactMap { $0 }, input.signInTapped.map { .open(.signInAgain) },
                input.backTapped.map { .close(nil) }
            )
            .asSignal(onErrorSignalWith: .empty()))
    }

    private enum Work {
        case decide(Decision), restore(Trip.ID), forget(Trip.ID), reconnect

        func carryOut(on synchronization: any TripSynchronization) async throws {
            switch self {
            case .decide(let decision):
                let resolution: TripConflict.Resolution =
                    switch decision.choice {
                    case .keepMine, .edit: .keepMine
                    case .takeTheirs: .takeTheirs
                    case .keepCopy: .keepCopy
                    }
                try await synchronization.resolve(decision.conflict.id, with: resolution)
            case .restore(let id): try await synchronization.restore(id)
            case .forget(let id): try await synchronization.forget(id)
            case .reconnect: await synchronization.reconnect()
            }
        }

        /// The event that follows, if any.
        var continuation: ScreenEvent? {
            guard case .decide(let decision) = self, decision.choice == .edit,
                let trip = decision.conflict.wanted.editedTrip
            else { return nil }
            return .open(.tripEditor(trip))
        }
    }
}

extension TripSynchronization {
    /// The status: now, and after each change.
    public var watchedStatus: Observable<SyncStatus> {
        Observable.task { await self.observeStatus() }.flatMap { $0.asObservable() }
    }
}

// MARK: Texts

extension SyncStatus {
    /// What the user should know, in short: `offline for 5 min · 2 pending changes · 1 conflict`; `nil` while all is well.
    public func text(at now: Date) -> Text? {
        var parts: [Text] = []
        switch connection {
        case .offline where outage?.isAnswer ?? false:
            parts.append(Text("the server cannot do it now", "서버가 지금은 처리할 수 없음"))
        case .offline:
            parts.append(lastAnswer.map { .offline(since: now.timeIntervalSince($0)) } ?? Text("offline", "오프라인"))
        case .signedOut: parts.append(Text("sign in again", "다시 로그인하세요"))
        case .online, .unknown: break
        }
        if storageOutage != nil { parts.append(Text("this device cannot store", "이 기기에 저장할 수 없음")) }
        if pendingWrites > 0 { parts.append(.waitingChanges(pendingWrites)) }
        if conflicts > 0 { parts.append(.conflicts(conflicts)) }
        if vanishedTrips > 0 { parts.append(.vanishedTrips(vanishedTrips)) }
        if !damagedItems.isEmpty { parts.append(.damagedChanges(damagedItems.count)) }
        guard !parts.isEmpty else { return nil }
        return Text(
            parts.map(\.english).joined(separator: " · "), parts.map(\.korean).joined(separator: " · "))
    }
}

extension SyncStatus {
    /// Whether something waits for the user, and not for the network.
    public var needsDecision: Bool {
        connection == .signedOut || conflicts > 0 || vanishedTrips > 0 || !damagedItems.isEmpty
    }

    /// Why this device cannot store, or why the server does not answer, where waiting does not help, such as a certificate
    /// that is not trusted; `nil` otherwise.
    public var problem: ScreenFailure? {
        if let storageOutage { return .domain(.unavailable(storageOutage)) }
        return outage.flatMap { $0.canRetry ? nil : .domain(.unavailable($0)) }
    }
}

extension TripConflict {
    /// What the user wanted, and why the server refused it, in one line.
    public var text: Text {
        let (what, reason) = (wanted.text(title: theirs?.content.title), reason.text)
        return Text("\(what.english): \(reason.english)", "\(what.korean): \(reason.korean)")
    }

    /// Whether the version of the user is the only one of the trip, which is gone without it.
    public var isLastVersion: Bool { mine != nil && theirs == nil }

    /// The choices of the user, in the order of a dialog.
    public var choices: [SyncViewModel.Decision.Choice] {
        guard wanted.editedTrip != nil else { return [.keepMine, .takeTheirs] }
        guard mine != nil, reason != .outdated, reason != .notFound else { return [.keepMine, .takeTheirs, .edit] }
        // What is refused for good can be sent as another trip, and cannot replace one of someone else.
        let isForeign = theirs.map { $0.author.id != mine?.author.id } ?? false
        return isForeign ? [.keepCopy, .takeTheirs] : [.keepMine, .takeTheirs, .edit, .keepCopy]
    }

    /// The title of the other version, and the entries that the versions do not have in common, in a line for each kind;
    /// empty where there is one version only.
    public var differences: [Text] {
        guard let mine, let theirs else { return [] }
        let own = Dictionary(grouping: mine.timeline, by: \.id)
        let others = Dictionary(grouping: theirs.timeline, by: \.id)
        let kinds = [
            (Text("Only in yours", "내 변경에만 있는 기록"), mine.timeline.filter { others[$0.id] == nil }),
            (Text("Only in theirs", "저장된 내용에만 있는 기록"), theirs.timeline.filter { own[$0.id] == nil }),
            (Text("Not alike", "서로 다른 기록"), mine.timeline.filter { others[$0.id] ?? [$0] != [$0] }),
        ]
        let title = Text(
            "\(Text.theirs.english): \(theirs.content.title)", "\(Text.theirs.korean): \(theirs.content.title)")
        return [title]
            + kinds.filter { !$0.1.isEmpty }.map { kind, entries in
                let titles = entries.map(\.title.text).joined(separator: ", ")
                return Text("\(kind.english): \(titles)", "\(kind.korean): \(titles)")
            }
    }

    /// The version of the user; `nil` if the write is not about the content of one trip.
    package var mine: RecordedTrip? {
        switch wanted {
        case .update(let trip, _, _): trip
        case .add(let trips, _) where trips.count == 1: trips[0]
        default: nil
        }
    }
}

extension TripWrite {
    /// What it does, with the trip that it is about: by its title, or by the beginning of its ID where no title is known.
    fileprivate func text(title: Title?) -> Text {
        func text(_ english: String, _ korean: String, of id: Trip.ID) -> Text {
            let beginning = id.description.prefix(8)
            return Text(
                "\(english) " + (title.map { "“\($0)”" } ?? "trip \(beginning)"),
                (title.map { "‘\($0)’" } ?? "여행 \(beginning)") + " \(korean)")
        }
        return switch self {
        case .add(let trips, _):
            trips.count == 1
                ? Text("New trip “\(trips[0].content.title)”", "새 여행 ‘\(trips[0].content.title)’")
                : Text("\(trips.count) new trips", "새 여행 \(trips.count)개")
        case .update(let trip, _, _):
            Text("Edit of “\(trip.content.title)”", "‘\(trip.content.title)’ 수정")
        case .remove(let id, _, _): text("Deletion of", "삭제", of: id)
        case .setLiked(let isLiked, let id, _):
            isLiked ? text("Like of", "좋아요", of: id) : text("Removed like of", "좋아요 취소", of: id)
        case .report(let id, _): text("Report of", "신고", of: id)
        case .block: Text("Block of an author", "작성자 차단")
        case .unblock: Text("Unblocking of an author", "작성자 차단 해제")
        case .addUser(let user): Text("Account “\(user.nickname)”", "계정 ‘\(user.nickname)’")
        case .rename(_, let nickname): Text("Nickname “\(nickname)”", "닉네임 ‘\(nickname)’")
        case .setAvatar: Text("Profile picture", "프로필 사진")
        }
    }
}

extension TripConflict.Reason {
    fileprivate var text: Text {
        switch self {
        case .outdated: Text("it was changed elsewhere in the meantime.", "그사이 다른 곳에서 바뀌었습니다.")
        case .notFound: Text("the server no longer has it.", "서버에 더 이상 없습니다.")
        case .taken: Text("someone else has it already.", "이미 다른 사람이 쓰고 있습니다.")
        case .forbidden: Text("you are not allowed to do that.", "권한이 없습니다.")
        case .invalid:
            Text(
                "the server has stricter rules, or the clock of this device is wrong.",
                "서버의 규칙에 맞지 않거나 이 기기의 시계가 맞지 않습니다.")
        case .refused: Text("the picture may not be published.", "게시할 수 없는 사진입니다.")
        case .tooLarge: Text("it is larger than the server takes.", "서버가 받는 크기보다 큽니다.")
        case .lost: Text("the server has lost it, as after a restored backup.", "서버에서 이 내용이 사라졌습니다. 백업에서 복원되었을 수 있습니다.")
        default: Text("the server refused it.", "서버가 거절했습니다.")
        }
    }
}

extension Text {
    public static let changes = Text("Server", "서버")
    public static let everythingSent = Text("Everything is on the server.", "모두 서버에 저장되었습니다.")
    public static let vanishedTitle = Text("No longer on the server", "서버에서 사라진 여행")
    public static let restore = Text("Restore", "복원")
    public static let forget = Text("Discard", "지우기")
    public static let letTripGo = Text("Discard the trip", "여행 지우기")
    public static let conflictsTitle = Text("Conflicts", "충돌")

    /// How old the answers of a server are that does not answer now.
    public static func offline(since seconds: Double) -> Text {
        let minutes = max(0, Int(min(seconds, 1e12) / 60))
        switch minutes {
        case 0: return Text("offline", "오프라인")
        case ..<60: return Text("offline for \(minutes) min", "오프라인, \(minutes)분 전")
        case ..<1_440: return Text("offline for \(minutes / 60) h", "오프라인, \(minutes / 60)시간 전")
        default:
            let days = minutes / 1_440
            return Text("offline for \(days == 1 ? "1 day" : "\(days) days")", "오프라인, \(days)일 전")
        }
    }

    public static func waitingChanges(_ count: Int) -> Text {
        Text(count == 1 ? "1 pending change" : "\(count) pending changes", "보낼 변경 \(count)개")
    }

    public static func conflicts(_ count: Int) -> Text {
        Text(count == 1 ? "1 conflict" : "\(count) conflicts", "충돌 \(count)개")
    }

    public static func vanishedTrips(_ count: Int) -> Text {
        Text(count == 1 ? "1 trip vanished" : "\(count) trips vanished", "사라진 여행 \(count)개")
    }

    /// Changes that were damaged, or stored by a later version, and are not sent.
    public static func damagedChanges(_ count: Int) -> Text {
        Text(count == 1 ? "1 change cannot be read" : "\(count) changes cannot be read", "읽을 수 없는 변경 \(count)개")
    }
}
