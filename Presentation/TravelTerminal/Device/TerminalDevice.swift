import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The terminal of this process: a full screen while it is open, and as it was before when it is closed, when the
/// process ends or crashes, and while it is stopped.
///
/// One device can be open at a time. Its events arrive in order; while nothing happens it uses no processor.
final class TerminalDevice: Sendable {
    /// The reason why a terminal cannot be opened.
    struct OpenError: Error, CustomStringConvertible {
        let code: Int32
        var description: String { "the terminal cannot be used: \(String(cString: strerror(code)))" }
    }

    /// The events of the terminal, for one consumer.
    let events: AsyncStream<TerminalEvent>
    private let send: AsyncStream<TerminalEvent>.Continuation
    private let input: Int32
    private let output: Int32
    private let pump: InputPump
    private let signals: SignalPump
    private let hasRequest = Mutex(false)

    /// Opens the terminal of standard input and output. `atStep` is called after each step.
    ///
    /// - Throws: ``OpenError`` if one of them is not a terminal.
    init(
        input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, atStep: (TerminalStep) -> Void = { _ in }
    ) throws {
        self.input = input
        self.output = output
        guard isatty(input) != 0, isatty(output) != 0 else { throw OpenError(code: ENOTTY) }
        var original = termios()
        guard tcgetattr(input, &original) == 0 else { throw OpenError(code: errno) }
        let (events, send) = AsyncStream.makeStream(of: TerminalEvent.self)
        self.events = events
        self.send = send
        pump = InputPump(descriptor: input) { send.yield($0) }
        signals = try SignalPump { send.yield($0) }
        SignalHandlers.remove()
        SignalState.prepare(input: input, output: output, original: original, pipe: signals.writeDescriptor)
        SignalHandlers.install()
        atStep(.handlersInstalled)
        Self.restoresAtExit
        enterFullScreen(atStep: atStep)
        signals.start()
        pump.start()
        atStep(.opened)
    }

    /// Restores the terminal. Unread input is discarded, so that no shell interprets it as commands. `atStep` is called
    /// after each step.
    ///
    /// The signal handlers stay, and a signal that requests the end of the process waits for ``end(by:)``.
    func close(atStep: (TerminalStep) -> Void = { _ in }) {
        pump.stop()
        atStep(.inputStopped)
        leaveFullScreen(discardingInput: true, forGood: true, atStep: atStep)
        send.finish()
        atStep(.closed)
    }

    /// Ends the process by the signal, or by one that requested it after the device was closed, so that a shell sees
    /// that status; returns if there is neither.
    func end(by signal: Int32?) {
        let request = endRequest.exchange(-1, ordering: .acquiringAndReleasing)
        signals.stop()
        guard let signal = signal ?? (request > 0 ? request : nil) else { return }
        reraise(signal)
        exit(128 + signal)
    }

    /// The size in cells: 80×24 if the terminal does not report it.
    var size: Size {
        var window = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    /// Writes all bytes before it returns. After an error the rest is dropped, because the terminal is gone.
    func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let buffer = UnsafeRawBufferPointer(rebasing: rest)
                let count = systemWrite(output, buffer.baseAddress, buffer.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if count < 0 && errno == EAGAIN {
                    // Another process made the terminal non-blocking: waits until it accepts more.
                    var poller = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&poller, 1, -1)
                } else if count >= 0 || errno != EINTR {
                    return
                }
            }
        }
    }

    /// Sends ``TerminalEvent/changed``, once until ``takeRequest()``. Callable from any thread.
    func requestFrame() {
        let isNew = hasRequest.withLock { request in
            defer { request = true }
            return !request
        }
        if isNew { send.yield(.changed) }
    }

    /// Call before each event is handled: a crash restores the terminal, even when the stack is exhausted.
    func prepareThread() {
        SignalHandlers.useAlternateStack()
    }

    /// Call before a frame is drawn, so that later changes request another; returns whether there was a request.
    @discardableResult
    func takeRequest() -> Bool {
        hasRequest.withLock { request in
            defer { request = false }
            return request
        }
    }

    /// Restores the terminal and stops the process, as Ctrl-Z in a shell does; returns when the process continues.
    func suspend() {
        kill(0, SIGTSTP)
    }

    /// Registers the function that restores the terminal when something calls `exit`, once.
    private static let restoresAtExit: Void = { atexit { leaveFullScreen() } }()
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

extension SignalState {
    /// Sets the state that the handlers use. Its memory is never released, because a handler may be using it.
    fileprivate static func prepare(input: Int32, output: Int32, original: termios, pipe: Int32) {
        let originalModes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        originalModes.initialize(to: original)
        var raw = original
        cfmakeraw(&raw)
        let rawModes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        rawModes.initialize(to: raw)
        let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: signalCount)
        actions.initialize(repeating: sigaction(), count: signalCount)
        let state = UnsafeMutablePointer<SignalState>.allocate(capacity: 1)
        state.initialize(
            to: SignalState(
                input: input, output: output, originalModes: originalModes, rawModes: rawModes,
                enter: copy(TerminalModes.enter), leave: copy(TerminalModes.leave), pipe: pipe,
                previousActions: actions))
        endRequest.store(0, ordering: .relaxed)
        isInFullScreen.store(false, ordering: .relaxed)
        hasLeftFullScreen.store(false, ordering: .relaxed)
        signalState.store(state, ordering: .releasing)
    }

    private static func copy(_ text: String) -> UnsafeMutableBufferPointer<UInt8> {
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = bytes.initialize(from: text.utf8)
        return bytes
    }
}

/// The byte sequences that prepare a terminal for a full screen, and that restore it.
///
/// A terminal ignores the private modes that it does not know.
enum TerminalModes {
    /// Alternate screen (1049), no automatic wrapping (7), bracketed paste (2004), hidden cursor (25), cleared screen.
    static let enter = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?25l\u{1B}[2J\u{1B}[H"

    /// Reverts ``enter``, and ends a frame that was not written completely.
    static let leave = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
}
