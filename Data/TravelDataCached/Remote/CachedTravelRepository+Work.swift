internal import TravelDomain

extension CachedTravelRepository {
    /// Sends the outbox in order until the task is cancelled.
    func sendWrites() async {
        var failures = 0
        while let write = await state.nextWrite() {
            do {
                try await send(write)
                failures = 0
            } catch {
                failures += 1
                await pause(after: failures)
            }
        }
    }

    /// Sends the background requests, for which no caller waits, until the task is cancelled.
    func sendRequests() async {
        var failures = 0
        while let request = await state.nextRequest() {
            do {
                try await fetch(request)
                failures = 0
            } catch {
                // Another error is the answer: asking again would not change it.
                guard isOutage(error) else { continue }
                await state.enqueue(request)
                failures += 1
                await pause(after: failures)
            }
        }
    }

    /// Waits for a pause of the backoff, or until the remote store answers another request.
    private func pause(after failures: Int) async {
        if Task.isCancelled { return }
        await withTaskGroup { group in
            group.addTask { [clock, backoff] in
                // Throws only if the task is cancelled, because the other one has ended.
                try? await clock.sleep(for: backoff.pause(after: failures))
            }
            group.addTask { [state] in await state.waitForConnection() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Calls the remote store, and records whether it answers.
    ///
    /// - Throws: The errors of the remote store; one that is not of the domain as `TravelError.unavailable`.
    func callRemote<Value>(_ call: (any TravelStore) async throws -> Value) async throws -> Value {
        do {
            let value = try await call(remote)
            await state.setConnection(.online)
            return value
        } catch is CancellationError where Task.isCancelled {
            throw CancellationError()
        } catch let error as TravelError where error == .signedOut || TravelConflict.Reason(error) != nil {
            await state.setConnection(.online)
            throw error
        } catch {
            await state.setConnection(.offline)
            if case TravelError.unavailable = error { throw error }
            throw TravelError.unavailable(.init("The server does not answer.", canRetry: true))
        }
    }

    /// Calls the remote store; `nil` when there is no such travel or person, or when the viewer does not see it.
    func callRemoteIfFound<Value>(_ call: (any TravelStore) async throws -> Value) async throws -> Value? {
        do { return try await callRemote(call) } catch TravelError.notFound { return nil }
    }
}

/// Whether the error means that a store does not answer now, or not before the person has signed in again.
func isOutage(_ error: any Error) -> Bool {
    switch error {
    case TravelError.unavailable, TravelError.signedOut: true
    default: false
    }
}
