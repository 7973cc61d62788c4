import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Reads the signals that handlers write to a pipe, and sends them as events.
final class SignalPump: Sendable {
    /// The time within which the program must end after a signal requested it.
    private static let grace = 3.0

    /// The pipe to which the handlers write the number of a signal; writing never blocks.
    let writeDescriptor: Int32
    private let readDescriptor: Int32
    private let queue = DispatchQueue(label: "traveline.terminal.signals")
    /// Unsafe only in name: a dispatch source may be used from any thread, but is not declared `Sendable` on Linux.
    private nonisolated(unsafe) let source: any DispatchSourceRead
    private let send: @Sendable (TerminalEvent) -> Void

    /// A pump that calls `send` on a queue of its own, in order.
    init(send: @escaping @Sendable (TerminalEvent) -> Void) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw TerminalDevice.OpenError(code: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (readDescriptor, writeDescriptor) = (ends[0], ends[1])
        self.send = send
        source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: queue)
    }

    /// Begins to read; call it once.
    func start() {
        source.setEventHandler { [weak self] in self?.read() }
        source.resume()
    }

    /// Stops reading. The pipe stays open, because a handler may be writing to it.
    func stop() {
        source.cancel()
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = buffer.withUnsafeMutableBytes { systemRead(readDescriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        for byte in buffer[..<count] {
            switch Int32(byte) {
            case SIGWINCH: send(.resized)
            case SIGCONT: send(.resumed)
            case let signal:
                send(.ended(signal: signal))
                // Ends a program that hangs.
                queue.asyncAfter(deadline: .now() + Self.grace) { reraise(signal) }
            }
        }
    }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
