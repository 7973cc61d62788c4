#if Server
internal import CMicroHTTP
import Synchronization

/// One request and its answer.
///
/// The library calls for a connection on one thread at a time. A task answers meanwhile, with the connection suspended:
///
/// 1. The head has arrived: the task begins on the thread of the library. Unless it answers without waiting for anything,
///    the connection is suspended, and the task goes on elsewhere.
/// 2. If the task wants the body, it resumes the connection, which appends what arrives and is suspended at the end. A short
///    body is read before the task begins, which spares both: it arrives with the head.
/// 3. The task has the answer: it leaves it here and resumes the connection, whose next callback queues it.
/// 4. The bytes of a stream are left here as well; the callback that finds none suspends the connection.
///
/// **Why this is `@unchecked Sendable`.** `connection` is the only property that is neither immutable and `Sendable` nor
/// protected by `state`. It is passed to the library in two places only: in a callback for this connection, where it is
/// valid; and to resume it, in `resume()`, by whoever has set `isSuspended` from true to false. It is true only while
/// the connection is suspended; the library neither closes nor frees a suspended connection; so that it is valid
/// there, and is resumed once for each suspension.
///
/// No function of the library is called under the lock of `state`: it takes locks of its own, under which it may call
/// back.
final class HTTPExchange: @unchecked Sendable {
    private let connection: OpaquePointer
    private let server: HTTPServer
    /// The address of the client, which shares memory with others.
    private let client: String
    /// The body announced by the head; `nil` when its length is not.
    private let announcedLength: Int?
    private let hasBody: Bool
    /// Whether the client waits for permission to send the body.
    private let expectsContinue: Bool
    let beganAt: ContinuousClock.Instant
    private let state = Mutex(State())

    private struct State {
        var isSuspended = false
        var phase = Phase.deciding
        /// Whether the library reads the body, or has read it: the next callback without bytes is the last one.
        var isPastHead = false
        var task: Task<Void, Never>?
        var isCancelled = false
        /// Whether the client has gone, or has been closed, before the answer.
        var isAbandoned = false
        /// The body, if it has been read before the task began.
        var body: Result<[UInt8], HTTPRefusal>?
        /// The memory that is reserved for the body, and for the answer.
        var bodyMemory = 0
        var answerMemory = 0
        /// The task, while it waits for the head of its stream to be sent.
        var starting: CheckedContinuation<Bool, Never>?
    }

    private enum Phase {
        /// The task works, and needs nothing from the connection.
        case deciding
        case reading(Reading)
        case answered(HTTPResponse)
        /// The library sends the answer, and there is nothing to produce.
        case sending
        case streaming(Stream)
        case ended
    }

    private struct Reading {
        let limit: Int
        var bytes: [UInt8] = []
        /// Why the rest is dropped.
        var failure: HTTPRefusal?
        /// The bytes that have been dropped.
        var dropped = 0
        let reader: Reader

        /// Who gets the body.
        enum Reader {
            /// The task, which has begun.
            case waiting(CheckedContinuation<[UInt8], any Error>)
            /// The task, which begins then.
            case beginning(Work)

            func cancel() {
                if case .waiting(let task) = self { task.resume(throwing: CancellationError()) }
            }
        }
    }

    typealias Work = @Sendable (HTTPExchange) async -> Void

    private struct Stream {
        var bytes: ArraySlice<UInt8> = []
        /// The memory that is reserved for these bytes.
        var memory = 0
        var end: End?
        let keepAlive: [UInt8]
        var lastSent: ContinuousClock.Instant
        var writers: [CheckedContinuation<Bool, Never>] = []

        enum End { case complete, broken }
    }

    init(
        connection: OpaquePointer, server: HTTPServer, client: String, announcedLength: Int?, hasBody: Bool,
        expectsContinue: Bool
    ) {
        self.connection = connection
        self.server = server
        self.client = client
        self.announcedLength = announcedLength
        self.hasBody = hasBody
        self.expectsContinue = expectsContinue
        beganAt = .now
    }

    // MARK: Callbacks of the library

    /// The longest body that is read before its task begins, in bytes: that of a form, or of an object in JSON.
    private static let shortBody = 16_384

    /// Begins the request on the first callback. Returns whether the connection stays open.
    func begin(_ work: @escaping Work) -> Bool {
        guard let announcedLength, hasBody, !expectsContinue, announcedLength <= Self.shortBody else {
            return start(work)
        }
        state.withLock { state in
            state.isPastHead = true
            state.phase = .reading(Reading(limit: announcedLength, reader: .beginning(work)))
        }
        return true
    }

    /// Starts `work` on this thread, and suspends the connection if it is not answered when `work` first waits for something.
    private func start(_ work: @escaping Work) -> Bool {
        let task = Self.start { await work(self) }
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
        return proceed()
    }

    private static func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        // A change of thread costs more than a short request.
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return Task { await work() } }
        return Task.immediate { await work() }
    }

    /// Answers on the first callback, without a task.
    func refuse(_ refusal: HTTPRefusal) -> Bool {
        queue(server.refuse(refusal), closes: hasBody || refusal != .stopping)
    }

    /// Continues on a later callback; `bytes` are a part of the body, and are not valid later. Returns whether the
    /// connection stays open.
    func proceed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.isEmpty ? proceed() : receive(bytes)
    }

    private enum Step {
        case suspend
        case goOn
        case close
        case queue(HTTPResponse, closes: Bool)
        case deliver(CheckedContinuation<[UInt8], any Error>, Result<[UInt8], HTTPRefusal>)
        case start(Work)
    }

    private func proceed() -> Bool {
        let step: Step = state.withLock { state in
            switch state.phase {
            case .answered(let response):
                if state.isPastHead { return .queue(response, closes: false) }
                // An answer before the end of a request ends the connection. Short bodies are read and dropped, because
                // a client that is still sending may not see the answer otherwise.
                let isShort = announcedLength.map { $0 <= server.configuration.maximumBody } == true
                if hasBody, !isShort || expectsContinue { return .queue(response, closes: true) }
                state.isPastHead = true
                return .goOn
            case .reading(let reading):
                guard state.isPastHead else {
                    state.isPastHead = true
                    return .goOn
                }
                state.phase = .deciding
                let body: Result<[UInt8], HTTPRefusal> = reading.failure.map { .failure($0) } ?? .success(reading.bytes)
                switch reading.reader {
                case .waiting(let task): return .deliver(task, body)
                case .beginning(let work):
                    state.body = body
                    return .start(work)
                }
            case .deciding:
                return .suspend
            case .sending, .streaming, .ended:
                return .close
            }
        }
        switch step {
        case .suspend:
            suspend()
            return true
        case .goOn:
            return true
        case .close:
            return false
        case .queue(let response, let closes):
            return queue(response, closes: closes)
        case .deliver(let continuation, let result):
            suspend()
            continuation.resume(with: result.mapError { $0 as any Error })
            return true
        case .start(let work):
            return start(work)
        }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            guard case .reading(var reading) = state.phase else { return true }
            state.phase = .deciding  // The bytes have one owner while they grow.
            if reading.failure == nil {
                if reading.bytes.count + bytes.count > reading.limit {
                    reading.failure = .bodyTooLarge(limit: reading.limit)
                } else if !server.bodies.reserve(bytes.count, for: client) {
                    reading.failure = .tooManyBodies
                } else {
                    state.bodyMemory += bytes.count
                    reading.bytes.append(contentsOf: bytes)
                }
            }
            if reading.failure != nil {
                reading.bytes = []
                server.bodies.release(state.bodyMemory, for: client)
                state.bodyMemory = 0
                reading.dropped += bytes.count
            }
            // A body of unknown length is dropped to a point, so that the client sees why.
            let goesOn = reading.dropped <= server.configuration.maximumBody
            state.phase = .reading(reading)
            return goesOn
        }
    }

    /// Copies bytes of the stream to where the library wants them. Returns their number, or one of the ends; 0 when the
    /// connection is suspended until there are more.
    private func send(to target: UnsafeMutableRawBufferPointer) -> Int {
        let (count, writers, memory, mustWait) = take(target)
        server.answers.release(memory, for: client)
        if mustWait { suspend() }
        for writer in writers { writer.resume(returning: true) }
        return count
    }

    private func take(
        _ target: UnsafeMutableRawBufferPointer
    ) -> (count: Int, writers: [CheckedContinuation<Bool, Never>], memory: Int, mustWait: Bool) {
        state.withLock { state in
            guard case .streaming(var stream) = state.phase else { return (CMicroHTTP_endWithError, [], 0, false) }
            guard !stream.bytes.isEmpty else {
                switch stream.end {
                case nil: return server.isStopping ? (CMicroHTTP_endOfStream, [], 0, false) : (0, [], 0, true)
                case .complete: return (CMicroHTTP_endOfStream, [], 0, false)
                case .broken: return (CMicroHTTP_endWithError, [], 0, false)
                }
            }
            state.phase = .sending
            let chunk = stream.bytes.prefix(target.count)
            target.copyBytes(from: chunk)
            stream.bytes = stream.bytes.dropFirst(chunk.count)
            stream.lastSent = .now
            let (writers, memory) = stream.bytes.isEmpty ? (stream.writers, stream.memory) : ([], 0)
            if stream.bytes.isEmpty {
                stream.bytes = []
                stream.writers = []
                stream.memory = 0
            }
            state.answerMemory -= memory
            state.phase = .streaming(stream)
            return (chunk.count, writers, memory, false)
        }
    }

    /// Ends the exchange: the answer is sent, or the connection is closed. Returns whether the client was there to the end.
    func end() -> Bool {
        let (last, starting) = state.withLock { state in
            defer {
                state.phase = .ended
                state.task = nil
                state.isCancelled = true
                (state.bodyMemory, state.answerMemory) = (0, 0)
            }
            return (state, state.starting.take())
        }
        server.bodies.release(last.bodyMemory, for: client)
        server.answers.release(last.answerMemory, for: client)
        last.task?.cancel()
        starting?.resume(returning: false)
        switch last.phase {
        case .reading(let reading): reading.reader.cancel()
        case .streaming(let stream): for writer in stream.writers { writer.resume(returning: false) }
        case .deciding, .answered, .sending, .ended: break
        }
        return !last.isAbandoned
    }

    // MARK: The task

    /// Reads the body, at most `limit` bytes.
    func readBody(limit: Int) async throws -> [UInt8] {
        try Task.checkCancellation()
        if let announcedLength, announcedLength > limit { throw HTTPRefusal.bodyTooLarge(limit: limit) }
        if let body = state.withLock({ $0.body.take() }) { return try body.get() }
        return try await withCheckedThrowingContinuation { continuation in
            let (isTaken, refused) = state.withLock { state in
                guard case .deciding = state.phase, !state.isPastHead else { return (false, true) }
                state.phase = .reading(Reading(limit: limit, reader: .waiting(continuation)))
                return (takeSuspension(&state), false)
            }
            // The request has ended, or its body has been read.
            if refused { continuation.resume(throwing: CancellationError()) }
            resume(if: isTaken)
        }
    }

    /// Reserves memory for an answer of that many bytes at most, before it is produced; a small one does not count. Returns
    /// how much is reserved.
    @discardableResult
    func reserveAnswer(_ count: Int) throws -> Int {
        guard count > server.configuration.smallAnswer else { return 0 }
        guard server.answers.reserve(count, for: client) else { throw HTTPRefusal.tooManyAnswers }
        let hasEnded = state.withLock { state in
            if case .ended = state.phase { return true }
            state.answerMemory += count
            return false
        }
        if hasEnded {
            server.answers.release(count, for: client)
            throw CancellationError()
        }
        return count
    }

    /// Answers the request. Only the first answer counts, and none after the end.
    func answer(_ response: HTTPResponse) {
        let isTaken = state.withLock { state in
            guard case .deciding = state.phase else { return false }
            state.phase = .answered(response)
            return takeSuspension(&state)
        }
        resume(if: isTaken)
    }

    /// Answers with a stream. Returns whether it has begun: `write(_:)` appends to it, and `finish(isComplete:)` ends it.
    func answer(streaming response: HTTPResponse) async -> Bool {
        await withCheckedContinuation { continuation in
            let (isTaken, isRefused) = state.withLock { state in
                guard case .deciding = state.phase else { return (false, true) }
                state.phase = .answered(response)
                state.starting = continuation
                return (takeSuspension(&state), false)
            }
            if isRefused { continuation.resume(returning: false) }
            resume(if: isTaken)
        }
    }

    /// Appends bytes to the stream, after those before have been sent. Returns false when the stream has ended.
    ///
    /// - Throws: `HTTPRefusal.tooManyAnswers` when there is no memory for them; nothing is appended then.
    func write(_ bytes: [UInt8]) async throws -> Bool {
        guard !bytes.isEmpty else { return true }
        let memory = try reserveAnswer(bytes.count)
        while true {
            let (isTaken, mayWrite) = state.withLock { state -> (Bool, Bool?) in
                guard case .streaming(var stream) = state.phase, stream.end == nil else { return (false, false) }
                guard stream.bytes.isEmpty else { return (false, nil) }
                (stream.bytes, stream.memory) = (bytes[...], memory)
                state.phase = .streaming(stream)
                return (takeSuspension(&state), true)
            }
            resume(if: isTaken)
            if let mayWrite { return mayWrite }
            guard await waitUntilSent() else { return false }
        }
    }

    private func waitUntilSent() async -> Bool {
        await withCheckedContinuation { continuation in
            let now: Bool? = state.withLock { state in
                guard case .streaming(var stream) = state.phase, stream.end == nil else { return false }
                guard !stream.bytes.isEmpty else { return true }
                stream.writers.append(continuation)
                state.phase = .streaming(stream)
                return nil
            }
            if let now { continuation.resume(returning: now) }
        }
    }

    /// Ends the stream, after the bytes before have been sent; breaks it off at once if it is not complete.
    func finish(isComplete: Bool) {
        let (isTaken, writers) = state.withLock { state in
            guard case .streaming(var stream) = state.phase, stream.end == nil else {
                return (false, [CheckedContinuation<Bool, Never>]())
            }
            stream.end = isComplete ? .complete : .broken
            if !isComplete { stream.bytes = [] }
            let writers = stream.writers
            stream.writers = []
            state.phase = .streaming(stream)
            return (takeSuspension(&state), writers)
        }
        for writer in writers { writer.resume(returning: false) }
        resume(if: isTaken)
    }

    // MARK: The monitor

    /// What the monitor does with the connection of this exchange.
    enum Care: Hashable {
        case none
        /// The client may have gone: the library does not look while the connection is suspended.
        case lookForClient
        /// The rest of the body is to come, unless the client has gone.
        case lookForRest
        /// The request takes too long.
        case cutOff
    }

    func care(at now: ContinuousClock.Instant) -> Care {
        let (care, isTaken): (Care, Bool) = state.withLock { state in
            let (configuration, body) = (server.configuration, Double(state.bodyMemory))
            let limit = configuration.request + .seconds(body / Double(configuration.slowestBody))
            switch state.phase {
            case .deciding where now - beganAt > limit: return (.cutOff, false)
            case .deciding: return (state.isSuspended ? .lookForClient : .none, false)
            case .reading: return (now - beganAt > limit ? .cutOff : .lookForRest, false)
            case .answered, .sending: return (now - beganAt > limit ? .cutOff : .none, false)
            case .streaming(var stream):
                guard state.isSuspended else { return (.none, false) }
                guard stream.bytes.isEmpty, now - stream.lastSent >= configuration.keepAlive else {
                    return (.lookForClient, false)
                }
                stream.bytes = stream.keepAlive[...]
                stream.lastSent = now
                state.phase = .streaming(stream)
                return (.lookForClient, takeSuspension(&state))
            case .ended: return (.none, false)
            }
        }
        resume(if: isTaken)
        return care
    }

    /// Cancels the task: its answer cannot arrive.
    func abandon() {
        let task = state.withLock { state in
            state.isCancelled = true
            state.isAbandoned = true
            return state.task
        }
        task?.cancel()
    }

    /// Ends a stream, so that its client connects elsewhere.
    func drain() {
        finish(isComplete: true)
    }

    /// Cancels the task, and answers in its place if it has not answered: the server stops.
    func stop() {
        let response = state.withLock { Self.isUnanswered($0) } ? server.refuse(.stopping) : nil
        let (isTaken, reading, task) = state.withLock { state in
            state.isCancelled = true
            var reading: Reading?
            if let response, Self.isUnanswered(state) {
                if case .reading(let interrupted) = state.phase { reading = interrupted }
                state.phase = .answered(response)
            }
            return (takeSuspension(&state), reading, state.task)
        }
        task?.cancel()
        reading?.reader.cancel()
        resume(if: isTaken)
        finish(isComplete: false)
    }

    /// Whether there is no answer yet, nor the head of a stream.
    private static func isUnanswered(_ state: borrowing State) -> Bool {
        switch state.phase {
        case .deciding, .reading: true
        case .answered(let response): response.byteCount == nil
        case .sending, .streaming, .ended: false
        }
    }

    // MARK: Suspending

    /// Suspends the connection, in a callback for it; resumes it at once if there is something to do by now.
    private func suspend() {
        MHD_suspend_connection(connection)
        let mustResume = state.withLock { state in
            if hasWork(state) { return true }
            state.isSuspended = true
            return false
        }
        if mustResume { MHD_resume_connection(connection) }
    }

    /// Whether a callback of the connection finds something to do.
    private func hasWork(_ state: borrowing State) -> Bool {
        switch state.phase {
        case .deciding, .sending: false
        case .reading, .answered, .ended: true
        case .streaming(let stream): !stream.bytes.isEmpty || stream.end != nil
        }
    }

    /// Takes the right to resume the connection, if it is suspended and has something to do.
    private func takeSuspension(_ state: inout State) -> Bool {
        guard state.isSuspended, hasWork(state) else { return false }
        state.isSuspended = false
        server.beginResuming()
        return true
    }

    private func resume(if isTaken: Bool) {
        guard isTaken else { return }
        MHD_resume_connection(connection)
        server.endResuming()
    }

    // MARK: The answer

    /// The memory of a stream for what is sent at a time, in bytes: events are short, and observers many.
    private static let streamBlock = 2_048

    /// Hands the answer to the library, in a callback for the connection. Returns whether it took it.
    private func queue(_ answer: HTTPResponse, closes: Bool) -> Bool {
        let answer = reserve(answer) ? answer : server.refuse(.tooManyAnswers)
        guard let response = response(for: answer.body) else { return false }
        defer { MHD_destroy_response(response) }
        for (name, value) in answer.headers where MHD_add_response_header(response, name, value) != CMicroHTTP_yes {
            assertionFailure("the header \(name) has a value that a header cannot contain")
        }
        if closes || server.isStopping { MHD_add_response_header(response, "Connection", "close") }
        let isQueued = MHD_queue_response(connection, UInt32(answer.status), response) == CMicroHTTP_yes
        state.withLock { $0.starting.take() }?.resume(returning: isQueued)
        return isQueued
    }

    /// Reserves the memory for an answer, in place of what has been reserved for it; returns whether there is enough.
    private func reserve(_ answer: HTTPResponse) -> Bool {
        let count = answer.byteCount.flatMap { $0 > server.configuration.smallAnswer ? $0 : nil } ?? 0
        let reserved = state.withLock { $0.answerMemory }
        guard count <= reserved || server.answers.reserve(count - reserved, for: client) else { return false }
        server.answers.release(reserved - count, for: client)
        state.withLock { $0.answerMemory = count }
        return true
    }

    private func response(for body: HTTPResponse.Body) -> OpaquePointer? {
        switch body {
        case .bytes(let bytes):
            state.withLock { $0.phase = .sending }
            return bytes.withUnsafeBytes { bytes in
                // The library copies the bytes before the call returns, and does not write to them.
                MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), CMicroHTTP_mustCopy)
            }
        case .stream(let keepAlive, _):
            state.withLock { $0.phase = .streaming(Stream(keepAlive: keepAlive, lastSent: .now)) }
            // The library releases what it is given here once, when it destroys the response.
            return MHD_create_response_from_callback(
                CMicroHTTP_unknownSize, Self.streamBlock,
                { context, _, target, count in
                    guard let context, let target else { return CMicroHTTP_endWithError }
                    return Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
                        .send(to: UnsafeMutableRawBufferPointer(start: target, count: count))
                },
                Unmanaged.passRetained(self).toOpaque(),
                { context in
                    if let context { Unmanaged<HTTPExchange>.fromOpaque(context).release() }
                })
        }
    }
}

/// The body of an answer while it is being produced.
package struct HTTPStream: Sendable {
    let exchange: HTTPExchange

    /// Sends bytes, after those before have been sent to a client that reads.
    ///
    /// - Throws: `CancellationError` when the client has gone, or the server stops; `HTTPRefusal.tooManyAnswers` when there
    ///   is no memory for them.
    package func write(_ bytes: [UInt8]) async throws {
        guard try await exchange.write(bytes) else { throw CancellationError() }
    }
}
#endif
