import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

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
