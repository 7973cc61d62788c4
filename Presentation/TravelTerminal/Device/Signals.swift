import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The signal handlers that restore the terminal when the program ends, crashes or is stopped.
///
/// They stay when the terminal is closed: until the process ends, a signal may undo the restoring.
enum SignalHandlers {
    /// The signals of crashes: the handler restores the terminal, then the former action runs.
    static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGQUIT]
    /// The signals that request termination: the first one becomes an event, the second one ends the process.
    static let ends = [SIGINT, SIGTERM, SIGHUP]

    /// Installs the handlers; ``signalState`` must be set, and the handlers not be installed.
    static func install() {
        guard let state = signalState.load(ordering: .acquiring) else { return }
        for signal in crashes { set(signal, onCrash, keeping: state) }
        for signal in ends { set(signal, onEnd, keeping: state) }
        set(SIGTSTP, onStop, keeping: state)
        set(SIGCONT, onContinue, keeping: state)
        set(SIGWINCH, onResize, keeping: state)
    }

    /// Restores the former actions, if the handlers are installed.
    static func remove() {
        guard let state = signalState.load(ordering: .acquiring) else { return }
        for signal in crashes + ends + [SIGTSTP, SIGCONT, SIGWINCH] {
            _ = sigaction(signal, state.pointee.previousActions + Int(signal), nil)
        }
    }

    private static func set(
        _ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void,
        keeping state: UnsafeMutablePointer<SignalState>
    ) {
        var action = sigaction(handler: handler)
        _ = sigaction(signal, &action, state.pointee.previousActions + Int(signal))
    }

    /// Gives the calling thread an alternate stack for the handlers, unless it has one, so that they run when its own
    /// is exhausted.
    ///
    /// The memory is never released. The main queue of Dispatch may move to another thread: call this before each piece
    /// of work.
    static func useAlternateStack() {
        var current = stack_t()
        guard sigaltstack(nil, &current) == 0, Int(current.ss_flags) & Int(SS_DISABLE) != 0 else { return }
        let size = 1 << 16
        var stack = stack_t()
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        stack.ss_size = size
        _ = sigaltstack(&stack, nil)
    }
}

extension sigaction {
    /// An action that calls `handler`, restarts system calls, and uses the alternate stack.
    fileprivate init(handler: @escaping @convention(c) (Int32) -> Void) {
        self.init()
        #if canImport(Darwin)
        __sigaction_u.__sa_handler = handler
        #else
        __sigaction_handler.sa_handler = handler
        #endif
        sa_flags = Int32(SA_RESTART) | Int32(SA_ONSTACK)
        // One handler at a time on a thread.
        sigfillset(&sa_mask)
    }
}

private func onCrash(_ signal: Int32) {
    let code = errno
    leaveFullScreen(again: true)
    reraise(signal)
    errno = code
}

private func onEnd(_ signal: Int32) {
    let code = errno
    let (isFirst, _) = endRequest.compareExchange(expected: 0, desired: signal, ordering: .acquiringAndReleasing)
    if hasLeftFullScreen.load(ordering: .acquiring) { leaveFullScreen(again: true) }
    if !isFirst || !notify(signal) { reraise(signal) }
    errno = code
}

private func onStop(_ signal: Int32) {
    let code = errno
    let wasInFullScreen = leaveFullScreen(again: true)
    // The action of a stop is the system's: it is set, and the signal let through, until the process continues.
    var standard = sigaction()
    var own = sigaction()
    _ = sigaction(SIGTSTP, &standard, &own)
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGTSTP)
    raise(SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    pthread_sigmask(SIG_BLOCK, &mask, nil)
    _ = sigaction(SIGTSTP, &own, nil)
    if wasInFullScreen {
        enterFullScreen()
        notify(SIGCONT)
    }
    errno = code
}

private func onContinue(_ signal: Int32) {
    let code = errno
    // After a stop that no handler could see.
    if isInFullScreen.load(ordering: .acquiring) {
        enterFullScreen()
        notify(SIGCONT)
    }
    errno = code
}

private func onResize(_ signal: Int32) {
    let code = errno
    notify(signal)
    errno = code
}

/// The state with which a signal handler restores the terminal: memory of fixed size, prepared before the handlers are
/// installed and never released, so that a handler neither allocates nor locks.
struct SignalState {
    let input: Int32
    let output: Int32
    /// The modes that the terminal had, and those of the full screen.
    let originalModes: UnsafeMutablePointer<termios>
    let rawModes: UnsafeMutablePointer<termios>
    let enter: UnsafeMutableBufferPointer<UInt8>
    let leave: UnsafeMutableBufferPointer<UInt8>
    /// The writing end of a pipe that reports signals to the program, one byte each.
    let pipe: Int32
    /// The former action of each signal, by its number.
    let previousActions: UnsafeMutablePointer<sigaction>

    static let signalCount = 32
}

/// The state of the open terminal; `nil` before the first one is opened.
///
/// `nonisolated(unsafe)` because a pointer is not `Sendable`: its memory is written before the pointer is stored, and
/// never afterwards.
nonisolated(unsafe) let signalState = Atomic<UnsafeMutablePointer<SignalState>?>(nil)

/// Whether the terminal is in the modes of the full screen, or on its way to them.
let isInFullScreen = Atomic<Bool>(false)

/// Whether the program has left the full screen for good.
let hasLeftFullScreen = Atomic<Bool>(false)

/// The first signal that requested the end of the program; 0 without one, and -1 when the program does not use the
/// terminal, so that the next one ends it.
let endRequest = Atomic<Int32>(-1)

/// Whether a signal is about to end the process.
private let isEnding = Atomic<Bool>(false)

/// Whether a thread is changing the modes of the terminal.
private let isChanging = Atomic<Bool>(false)

/// A step of opening or closing a terminal, after it was taken.
enum TerminalStep: CaseIterable {
    case handlersInstalled, markedFullScreen, rawModesSet, screenEntered, opened
    case inputStopped, screenLeft, modesRestored, closed
}

// The functions below are called by signal handlers: they use atomic variables, and of the system only what POSIX lists
// as async-signal-safe (`write`, `poll`, `tcsetattr`, `sigaction`, `sigfillset`, `pthread_sigmask`, `raise`).

/// Restores the terminal: first the screen, then the modes. Returns false if they were restored before.
///
/// A key that is a signal makes a terminal discard what it has not shown yet (termios(3), `NOFLSH`), and that may be the
/// sequence that leaves the full screen. Therefore a handler leaves `again` when the program has left for good already.
@discardableResult
func leaveFullScreen(
    discardingInput: Bool = false, forGood: Bool = false, again: Bool = false,
    atStep: (TerminalStep) -> Void = { _ in }
) -> Bool {
    guard let state = signalState.load(ordering: .acquiring) else { return false }
    return exclusively {
        let isFull = isInFullScreen.load(ordering: .acquiring)
        if isFull || again && hasLeftFullScreen.load(ordering: .acquiring) {
            writeAll(state.pointee.output, state.pointee.leave)
        }
        if forGood { hasLeftFullScreen.store(true, ordering: .releasing) }
        atStep(.screenLeft)
        if isFull {
            let moment = discardingInput ? TCSAFLUSH : TCSANOW
            _ = tcsetattr(state.pointee.input, moment, state.pointee.originalModes)
        }
        isInFullScreen.store(false, ordering: .releasing)
        atStep(.modesRestored)
        return isFull
    }
}

/// Puts the terminal into the modes of the full screen.
func enterFullScreen(atStep: (TerminalStep) -> Void = { _ in }) {
    guard let state = signalState.load(ordering: .acquiring) else { return }
    _ = exclusively {
        if isEnding.load(ordering: .acquiring) { return false }
        // Before the first change, so that a signal undoes any part of it.
        isInFullScreen.store(true, ordering: .releasing)
        atStep(.markedFullScreen)
        _ = tcsetattr(state.pointee.input, TCSADRAIN, state.pointee.rawModes)
        atStep(.rawModesSet)
        writeAll(state.pointee.output, state.pointee.enter)
        atStep(.screenEntered)
        return true
    }
}

/// Changes the terminal while neither another thread nor a handler on this one does.
///
/// Waits at most a second for another thread: it may itself be waiting for a terminal that takes no more output.
private func exclusively(_ change: () -> Bool) -> Bool {
    var all = sigset_t()
    var former = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &former)
    var isMine = false
    for _ in 0..<1_000 {
        isMine = !isChanging.exchange(true, ordering: .acquiringAndReleasing)
        if isMine { break }
        _ = poll(nil, 0, 1)
    }
    defer {
        if isMine { isChanging.store(false, ordering: .releasing) }
        pthread_sigmask(SIG_SETMASK, &former, nil)
    }
    return change()
}

private func writeAll(_ descriptor: Int32, _ bytes: UnsafeMutableBufferPointer<UInt8>) {
    var written = 0
    while written < bytes.count {
        let count = write(descriptor, bytes.baseAddress! + written, bytes.count - written)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return }
        written += count
    }
}

/// Reports a signal to the program; returns false if that is impossible.
@discardableResult
func notify(_ signal: Int32) -> Bool {
    guard let state = signalState.load(ordering: .acquiring) else { return false }
    var byte = UInt8(truncatingIfNeeded: signal)
    return write(state.pointee.pipe, &byte, 1) == 1
}

/// Restores the terminal, and runs the former action of the signal.
func reraise(_ signal: Int32) {
    isEnding.store(true, ordering: .releasing)
    leaveFullScreen()
    guard let state = signalState.load(ordering: .acquiring) else { return }
    _ = sigaction(signal, state.pointee.previousActions + Int(signal), nil)
    // A handler blocks its signal, and a thread of Dispatch blocks all of them.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, signal)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    raise(signal)
    // The former action did not end the process.
    isEnding.store(false, ordering: .releasing)
}

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
