import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Reads the bytes that a terminal sends, and decodes them into events.
///
/// Without input it runs no code: it waits in the kernel, and has a timer only while a key is incomplete.
final class InputPump: Sendable {
    private struct State {
        var decoder = InputDecoder()
        /// Counts the reads, so that a timer knows whether it is still the newest.
        var reads = 0
    }

    private let descriptor: Int32
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "traveline.terminal.input")
    /// Unsafe only in name: a dispatch source may be used from any thread, but is not declared `Sendable` on Linux.
    private nonisolated(unsafe) let source: any DispatchSourceRead
    private let send: @Sendable (TerminalEvent) -> Void

    /// A pump that calls `send` on a queue of its own, in order.
    init(descriptor: Int32, send: @escaping @Sendable (TerminalEvent) -> Void) {
        self.descriptor = descriptor
        self.send = send
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    }

    /// Begins to read; call it once.
    func start() {
        source.setEventHandler { [weak self] in self?.read() }
        source.resume()
    }

    func stop() {
        source.cancel()
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return }
        guard count > 0 else {
            source.cancel()
            return send(.closed)
        }
        let (events, timeout, number) = state.withLock { state in
            state.reads += 1
            return (state.decoder.decode(buffer[..<count]), state.decoder.timeout, state.reads)
        }
        if !events.isEmpty { send(.input(events)) }
        guard let timeout else { return }
        queue.asyncAfter(deadline: .now() + timeout / .seconds(1)) { [weak self] in self?.flush(after: number) }
    }

    private func flush(after number: Int) {
        let events = state.withLock { $0.reads == number ? $0.decoder.flush() : [] }
        if !events.isEmpty { send(.input(events)) }
    }
}

/// The system call, whose name the types that read would hide.
func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}

enum TerminalEvent: Sendable {
    /// Keys and pasted text, as many as arrived together.
    case input([InputEvent])
    case resized
    /// The program continues after it was stopped: the contents of the terminal are unknown.
    case resumed
    case changed
    /// A signal requests the end of the program.
    case ended(signal: Int32)
    /// The terminal is gone.
    case closed
}
