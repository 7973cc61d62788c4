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

/// Whether the terminal is in the modes of the full screen.
let isInFullScreen = Atomic<Bool>(false)

/// The number of signals that requested the end of the program.
let endRequests = Atomic<Int>(0)

// The functions below are called by signal handlers: they use atomic variables, and of the system only what POSIX lists
// as async-signal-safe (`write`, `tcsetattr`, `sigaction`, `pthread_sigmask`, `raise`).

/// Restores the terminal; does nothing if it has been restored.
func leaveFullScreen(discardingInput: Bool = false) {
    guard let state = signalState.load(ordering: .acquiring) else { return }
    guard isInFullScreen.exchange(false, ordering: .acquiringAndReleasing) else { return }
    writeAll(state.pointee.output, state.pointee.leave)
    _ = tcsetattr(state.pointee.input, discardingInput ? TCSAFLUSH : TCSANOW, state.pointee.originalModes)
}

/// Puts the terminal into the modes of the full screen.
func enterFullScreen() {
    guard let state = signalState.load(ordering: .acquiring) else { return }
    _ = tcsetattr(state.pointee.input, TCSADRAIN, state.pointee.rawModes)
    writeAll(state.pointee.output, state.pointee.enter)
    isInFullScreen.store(true, ordering: .releasing)
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
func notify(_ signal: Int32) -> Bool {
    guard let state = signalState.load(ordering: .acquiring) else { return false }
    var byte = UInt8(truncatingIfNeeded: signal)
    return write(state.pointee.pipe, &byte, 1) == 1
}

/// Restores the terminal, and runs the former action of the signal.
func reraise(_ signal: Int32) {
    leaveFullScreen()
    guard let state = signalState.load(ordering: .acquiring) else { return }
    _ = sigaction(signal, state.pointee.previousActions + Int(signal), nil)
    // A handler blocks its signal, and a thread of Dispatch blocks all of them.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, signal)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    raise(signal)
}
