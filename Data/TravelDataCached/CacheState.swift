internal import TravelDomain

/// The state of a cached repository: the outbox in memory, the background requests, and the waiting tasks.
actor CacheState {
    private var queue = WriteQueue()
    /// The trips of the user that have vanished, in the order of their numbers.
    private(set) var vanished: [VanishedTrip]
    /// The numbers of the items that an earlier process has not removed, although a conflict includes them, or a write
    /// resolves them.
    let finishedItems: [Int]
    private var lastNumber: Int
    private(set) var status = SyncStatus()
    /// The owner of the device, and the people on whose behalf something was requested or written.
    private(set) var users: Set<User.ID> = []
    private var isRunning = false

    /// The subjects of the writes that the remote store accepted during a fetch that is still running.
    private var sent: [WriteSubjects] = []
    /// The number of accepted writes before those in `sent`.
    private var forgotten = 0
    private var fetches: [Int: Int] = [:]
    private var lastFetch = 0
    /// The last fetch that had begun when the local store received a trip, while a fetch is running.
    private var stored: [Trip.ID: Int] = [:]

    /// The requests to send in the background, in order.
    private var requests: [TripRequest] = []
    /// The requests to send when no write is pending any more.
    private var deferredRequests: [TripRequest] = []

    private var lastWaiter = 0
    private var workers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var pauses: [Int: AsyncStream<Void>.Continuation] = [:]
    /// The tasks that wait until nothing is to be sent or asked.
    private var settlers: [Int: AsyncStream<Void>.Continuation] = [:]
    /// How often a write could not be sent.
    private var failedSends = 0
    /// Whether the remote store has answered the last read of each trip, and each search.
    private var answeredTrips: [Trip.ID: Bool] = [:]
    private var hasUnansweredSearch = false
    /// Whether a background request is on its way.
    private var isAsking = false
    /// Whether a read has waited for the remote store until its timeout, and there was no answer since.
    private var hasTimedOut = false
    private var statusObservers: [Int: AsyncStream<SyncStatus>.Continuation] = [:]
    private var lastConflicts: [TripConflict] = []
    private var conflictObservers: [Int: AsyncStream<[TripConflict]>.Continuation] = [:]

    /// The capacity of `requests` and `deferredRequests`; the oldest requests are dropped, because no caller waits for
    /// them.
    private static let maximumRequests = 100

    init(_ items: [OutboxItem], owner: User.ID?) {
        users = owner.map { [$0] } ?? []
        (vanished, lastNumber) = ([], items.last?.number ?? 0)
        var writes: [QueuedWrite] = []
        for item in items {
            switch OutboxRecord(item) {
            case .write(let write): writes.append(write)
            case .vanished(let trip, _): vanished.append(trip)
            case nil: status.damagedItems.append(item.number)
            }
        }
        var finished: Set<Int> = []
        for write in writes {
            finished.formUnion(write.included)
            if let conflict = write.resolves { finished.insert(conflict) }
            // Not given to another item while this one would take that for a finished one.
            lastNumber = max(lastNumber, write.included.max() ?? 0)
        }
        for write in writes where !finished.contains(write.number) { queue.append(write) }
        finishedItems = writes.map(\.number).filter(finished.contains)
        lastConflicts = queue.conflicts
        status.pendingWrites = queue.pendingCount
        status.conflicts = queue.conflicts.count
        status.vanishedTrips = vanished.count
    }

    // MARK: Writes

    /// The pending writes in order, all of them: for one, ``firstPending`` is faster.
    var pending: [QueuedWrite] { queue.pending }
    var firstPending: QueuedWrite? { queue.firstPending }
    var conflicts: [TripConflict] { queue.conflicts }

    /// The first write of the trip, pending or refused; `nil` if there is none.
    func firstWrite(of id: Trip.ID) -> TripWrite? {
        let pending = queue.firstPending { $0.write.trips.contains(id) }
        guard let conflict = queue.conflicts.first(where: { $0.wanted.trips.contains(id) }) else {
            return pending?.write
        }
        return pending.map { $0.number < conflict.id ? $0.write : conflict.wanted } ?? conflict.wanted
    }

    /// The number of the next item.
    ///
    /// - Throws: `TravelError.unavailable` when an item has the largest one.
    func nextNumber() throws -> Int {
        guard lastNumber < .max else {
            throw TravelError.unavailable(
                .init("Item \(lastNumber) of the outbox has the largest possible number: remove it.", canRetry: false))
        }
        lastNumber += 1
        return lastNumber
    }

    func append(_ write: QueuedWrite) {
        queue.append(write)
        if let author = write.write.author { users.insert(author) }
        publish()
    }

    func append(_ trips: [VanishedTrip]) {
        guard !trips.isEmpty else { return }
        vanished += trips
        publish()
    }

    func remove(_ trip: VanishedTrip) {
        vanished.removeAll { $0.number == trip.number }
        publish()
    }

    /// Removes a write that the remote store has accepted.
    func accept(_ number: Int) {
        if let write = queue.pendingWrite(number), !fetches.isEmpty { sent.append(WriteSubjects(of: [write.write])) }
        remove([number])
    }

    /// Removes writes that are no longer to be sent, and resolved conflicts.
    func remove(_ numbers: Set<Int>) {
        queue.remove(numbers)
        publish()
    }

    /// The numbers of everything of a user in the outbox.
    func numbers(of user: User.ID) -> [Int] {
        queue.numbers(of: user) + vanished.filter { $0.trip.author.id == user }.map(\.number)
    }

    /// Removes everything of a user who is removed. Answers to fetches that are still running may have them.
    func removeAll(of user: User.ID) {
        if !fetches.isEmpty { sent.append(WriteSubjects(accountDeletionOf: user)) }
        vanished.removeAll { $0.trip.author.id == user }
        queue.remove(Set(queue.numbers(of: user)))
        publish()
    }

    /// Turns a write into a conflict, which includes the writes with those other numbers. Observers receive it with
    /// ``publish()``, when the local store has the remote version.
    func refuse(_ conflict: TripConflict, including others: Set<Int>) {
        queue.remove(others)
        queue.refuse(conflict)
    }

    /// Removes writes that a later one has made needless. Observers receive it with ``publish()``.
    func discard(_ numbers: Set<Int>) { queue.remove(numbers) }

    /// Adds a conflict about a trip that the remote store has lost. Observers receive it with ``publish()``.
    func insert(_ conflict: TripConflict) { queue.insert(conflict) }

    /// Replaces the conflict with that ID.
    func replace(_ conflict: TripConflict) {
        queue.replace(conflict)
        publish()
    }

    // MARK: Fetches

    /// Begins a fetch; ``subjects(since:)`` then returns the subjects whose writes its answer may lack.
    func beginFetch(by user: User.ID?) -> Int {
        if let user { users.insert(user) }
        lastFetch += 1
        fetches[lastFetch] = forgotten + sent.count
        return lastFetch
    }

    func endFetch(_ fetch: Int) {
        fetches[fetch] = nil
        guard let oldest = fetches.values.min() else {
            forgotten += sent.count
            (sent, stored) = ([], [:])
            return
        }
        sent.removeFirst(oldest - forgotten)
        forgotten = oldest
    }

    /// Notes that the local store has received trips from the remote one.
    func noteStored(_ trips: some Sequence<Trip.ID>) {
        for trip in trips { stored[trip] = lastFetch }
    }

    /// Whether the local store may have received the trip since the fetch began.
    func isStored(_ trip: Trip.ID, since fetch: Int) -> Bool { stored[trip].map { $0 >= fetch } ?? false }

    /// The subjects of the pending writes, and of those that were accepted since the fetch began.
    func subjects(since fetch: Int) -> WriteSubjects {
        var subjects = pendingSubjects
        if let begin = fetches[fetch] {
            for accepted in sent.dropFirst(begin - forgotten) { subjects.formUnion(accepted) }
        }
        return subjects
    }

    /// The subjects of the pending writes.
    var pendingSubjects: WriteSubjects {
        var subjects = WriteSubjects()
        for queued in queue.pending { subjects.insert(queued.write) }
        return subjects
    }

    // MARK: Questions

    func enqueue(_ request: TripRequest) {
        guard !requests.contains(request) else { return }
        requests.append(request)
        if requests.count > Self.maximumRequests { requests.removeFirst() }
        wakeWorkers()
    }

    /// Sends the request again when the answer can no longer lack a write.
    func enqueueAfterWrites(_ request: TripRequest) {
        guard status.pendingWrites > 0 else { return enqueue(request) }
        guard !deferredRequests.contains(request) else { return }
        deferredRequests.append(request)
        if deferredRequests.count > Self.maximumRequests { deferredRequests.removeFirst() }
    }

    // MARK: Work

    /// Marks the background work as running; returns `false` if it already runs.
    func beginWork() -> Bool {
        defer { isRunning = true }
        return !isRunning
    }

    func endWork() { isRunning = false }

    /// Waits until there is a write to send; returns `false` when the task is cancelled.
    func waitForWrite() async -> Bool {
        while !Task.isCancelled {
            if queue.firstPending != nil { return true }
            await waitForWork()
        }
        return false
    }

    /// Waits for the next request to send; `nil` when the task is cancelled.
    func nextRequest() async -> TripRequest? {
        while !Task.isCancelled {
            isAsking = !requests.isEmpty
            if isAsking { return requests.removeFirst() }
            wakeSettlers()
            await waitForWork()
        }
        return nil
    }

    /// Waits until nothing is to be sent or asked, or a write could not be sent, or the remote store does not answer, or its
    /// answers cannot be stored, or the task is cancelled.
    func waitUntilSettled() async {
        let before = failedSends
        while !isSettled, failedSends == before, !Task.isCancelled { await wait { settlers[$0] = $1 } }
    }

    /// Notes that a write is still to be sent after an attempt, whatever has failed.
    func noteFailedSend() {
        failedSends += 1
        for settler in settlers.inOrder { settler.value.finish() }
    }

    private var isSettled: Bool {
        if status.storageOutage != nil { return true }
        return switch status.connection {
        case .offline, .signedOut: true
        case .online, .unknown: status.pendingWrites == 0 && (hasTimedOut || requests.isEmpty && !isAsking)
        }
    }

    private func wakeSettlers() {
        guard isSettled else { return }
        for settler in settlers.inOrder { settler.value.finish() }
    }

    private func waitForWork() async { await wait { workers[$0] = $1 } }

    private func wakeWorkers() {
        for worker in workers.inOrder { worker.value.finish() }
    }

    /// Waits until the continuation that `set` stores is finished, or the task is cancelled.
    private func wait(_ set: (_ waiter: Int, AsyncStream<Void>.Continuation?) -> Void) async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let waiter = nextWaiter()
        set(waiter, continuation)
        for await _ in stream {}
        set(waiter, nil)
    }

    private func nextWaiter() -> Int {
        lastWaiter += 1
        return lastWaiter
    }

    /// Waits until the remote store answers another request, or until ``endPauses()``.
    func waitForConnection() async { await wait { pauses[$0] = $1 } }

    func endPauses() {
        for pause in pauses.inOrder { pause.value.finish() }
    }

    /// Ends the pauses, and forgets that the user was signed out: the next answer tells. Without a write that asks for one,
    /// a request does.
    func reconnect() {
        setStorageOutage(nil)
        if status.connection == .signedOut { setConnection(.unknown) }
        for user in users.sorted() where status.pendingWrites == 0 { enqueue(.blocked(by: user)) }
        endPauses()
    }

    // MARK: Status

    /// Notes the time of an answer. Observers receive it with the next change: while the remote store answers, nobody
    /// asks how old its answers are.
    func setLastAnswer(_ time: Date?) { (status.lastAnswer, hasTimedOut) = (time, false) }

    func noteTimeout() {
        hasTimedOut = true
        wakeSettlers()
    }

    /// Notes whether the remote store has answered a read in time.
    func note(_ request: TripRequest, isAnswered: Bool) {
        switch request {
        case .search: if !isAnswered { hasUnansweredSearch = true }
        case .trip(let id, _), .timeline(let id, _): answeredTrips[id] = isAnswered
        case .user, .blocked: break
        }
    }

    var unanswered: UnansweredReads {
        UnansweredReads(
            includesSearch: hasUnansweredSearch, trips: answeredTrips.values.count { !$0 },
            allTrips: answeredTrips.count)
    }

    /// Whether a read may wait for the remote store.
    var isAnswerLikely: Bool {
        switch status.connection {
        case .online, .unknown: !hasTimedOut
        case .offline, .signedOut: false
        }
    }

    /// Notes that the remote store has answered `viewer`.
    func noteAnswer(for viewer: User.ID?) {
        guard viewer != nil || status.connection != .signedOut else { return }
        setConnection(.online)
    }

    /// Notes whether the remote store answers, and for `.offline` why it does not.
    func setConnection(_ connection: SyncStatus.Connection, _ outage: TravelError.Outage? = nil) {
        if connection != .offline && status.connection == .offline { endPauses() }
        guard status.connection != connection || status.outage != outage else { return }
        (status.connection, status.outage) = (connection, outage)
        wakeSettlers()
        sendStatus()
    }

    /// Notes whether the answers of the remote store can be stored, and why not.
    func setStorageOutage(_ outage: TravelError.Outage?) {
        guard status.storageOutage != outage else { return }
        status.storageOutage = outage
        wakeSettlers()
        sendStatus()
    }

    /// Updates the status, and sends it and the conflicts to their observers if they have changed.
    func publish() {
        let before = status
        let conflicts = queue.conflicts
        status.pendingWrites = queue.pendingCount
        status.conflicts = conflicts.count
        status.vanishedTrips = vanished.count
        if status.pendingWrites == 0 {
            for request in deferredRequests { enqueue(request) }
            deferredRequests = []
        } else {
            wakeWorkers()
        }
        wakeSettlers()
        if status != before { sendStatus() }
        guard conflicts != lastConflicts else { return }
        lastConflicts = conflicts
        // An observer that has ended is noticed here.
        for observer in conflictObservers.inOrder where !observer.value.yield(conflicts).isReceived {
            conflictObservers[observer.key] = nil
        }
    }

    private func sendStatus() {
        for observer in statusObservers.inOrder where !observer.value.yield(status).isReceived {
            statusObservers[observer.key] = nil
        }
    }

    func observeStatus() -> AsyncStream<SyncStatus> {
        let (stream, continuation) = AsyncStream<SyncStatus>.makeStream(bufferingPolicy: .bufferingNewest(1))
        continuation.yield(status)
        statusObservers[nextWaiter()] = continuation
        return stream
    }

    func observeConflicts() -> AsyncStream<[TripConflict]> {
        let (stream, continuation) = AsyncStream<[TripConflict]>.makeStream(bufferingPolicy: .bufferingNewest(1))
        continuation.yield(conflicts)
        conflictObservers[nextWaiter()] = continuation
        return stream
    }
}

extension Dictionary where Key == Int {
    /// Waiting tasks and observers by their numbers: a generated history is the same each time it is played.
    fileprivate var inOrder: [Element] { sorted { $0.key < $1.key } }
}

extension AsyncStream.Continuation.YieldResult {
    /// Whether the stream has not ended.
    fileprivate var isReceived: Bool {
        if case .terminated = self { false } else { true }
    }
}
