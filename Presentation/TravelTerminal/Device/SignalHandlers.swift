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
