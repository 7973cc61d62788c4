#if !canImport(ImageIO)
import Foundation
import Synchronization

/// A program in a process and a process group of its own, with limits of memory, processor time and the size of files,
/// without input or output. When it ends, for any reason, all of its group is killed.
struct LimitedProcess {
    let program: String
    let arguments: [String]
    let environment: [String: String]
    /// Bytes of address space.
    let memory: Int
    /// Seconds of processor time.
    let processorTime: Int
    /// Bytes of a file that it writes.
    let fileSize: Int
    /// How long it may take.
    let time: Duration

    /// Whether the program exits with the code 0 within its limits.
    ///
    /// - Throws: `POSIXError` when it cannot be started; `CancellationError`, after all of it has ended.
    func succeeds() async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await run() }
            group.addTask {
                try await Task.sleep(for: time)
                return false
            }
            // The group waits for the process, which its cancellation kills.
            defer { group.cancelAll() }
            let succeeds = try await group.next() ?? false
            // The killed process may end before the sleep does.
            try Task.checkCancellation()
            return succeeds
        }
    }

    private func run() async throws -> Bool {
        let child = Child()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                do {
                    try child.start { try spawn() }
                } catch {
                    continuation.resume(throwing: error)
                    return
                }
                Thread.detachNewThread { continuation.resume(returning: child.waitForEnd() == 0) }
            }
        } onCancel: {
            child.cancel()
        }
    }

    /// Starts the program as the leader of a new process group.
    ///
    /// NB: `Process` of Foundation learns of the end by a descriptor that a process inherits which another thread starts at
    /// the same time, and so waits for that one as well.
    private func spawn() throws -> pid_t {
        // No function of the system sets the limits of another process that is started; those of a shell stay with the
        // program that replaces it. A block is 512 bytes.
        let script =
            "ulimit -v \(memory >> 10) && ulimit -t \(processorTime) && ulimit -f \(fileSize >> 9) && ulimit -c 0"
        let words = ["/bin/sh", "-c", script + " && exec \"$@\"", "sh", program] + arguments

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in 0...2 as ClosedRange<Int32> {
            posix_spawn_file_actions_addopen(
                &actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
        }
        // What was opened without `O_CLOEXEC`; one that is closed by now is no error. Where the folder cannot be listed,
        // the others remain: all of ours close themselves.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            if let descriptor = Int32(name), descriptor > 2 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK))

        // The texts live until the call has returned: the new process has copies.
        let argumentTexts = words.map { strdup($0) } + [nil]
        let variableTexts = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in argumentTexts + variableTexts { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, words[0], &actions, &attributes, argumentTexts, variableTexts)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EAGAIN) }
        return process
    }

    /// A process and its group, which have the same number.
    private final class Child: Sendable {
        private enum State {
            case waiting
            case running(pid_t)
            case ended
        }

        private let state = Mutex(State.waiting)

        /// Under the lock, so that a cancellation comes either before the start, or has a number to kill.
        func start(_ spawn: () throws -> pid_t) throws {
            try state.withLock { state in
                guard case .waiting = state else { throw CancellationError() }
                state = .running(try spawn())
            }
        }

        func cancel() {
            state.withLock { state in
                switch state {
                case .waiting: state = .ended
                case .running(let group): kill(-group, SIGKILL)
                case .ended: break
                }
            }
        }

        /// Blocks until the process ends, ends what it has left behind in its group, and returns how it ended: 0 for an
        /// exit with the code 0. To be called once, after the start.
        func waitForEnd() -> Int32 {
            guard case .running(let process) = state.withLock({ $0 }) else { return -1 }
            // Its number stays taken, so that nothing else is killed with it, until it is waited for below.
            var information = siginfo_t()
            while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
            state.withLock { state in
                kill(-process, SIGKILL)
                state = .ended
            }
            var status: Int32 = -1
            while waitpid(process, &status, 0) == -1 {
                if errno != EINTR { return -1 }
            }
            return status
        }
    }
}
#endif
