import Foundation
import TravelTerminal

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A program on a pseudo-terminal: what it writes is shown on a screen, and keys are sent to it.
final class PseudoTerminal {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private(set) var screen: ScreenText
    /// All that the program has written.
    private(set) var output: [UInt8] = []
    /// The path of the terminal for programs.
    let path: String
    private let primary: Int32
    /// The program; 0 without one.
    private var process: pid_t = 0
    private var status: Int32?

    /// A terminal without a program.
    ///
    /// - Parameter keepsOutput: Whether a key that is a signal leaves unread output in place (`NOFLSH`). By default, it
    ///   discards the output, as on most terminals.
    init(columns: Int = 80, rows: Int = 24, keepsOutput: Bool = false) throws {
        screen = ScreenText(columns: columns, rows: rows)
        guard let (primary, path) = Self.open() else {
            throw Failure(description: "no pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        self.primary = primary
        self.path = path
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(primary, UInt(TIOCSWINSZ), &size)
        guard keepsOutput else { return }
        var modes = termios()
        tcgetattr(primary, &modes)
        modes.c_lflag |= tcflag_t(NOFLSH)
        guard tcsetattr(primary, TCSANOW, &modes) == 0 else {
            throw Failure(description: "no modes: \(String(cString: strerror(errno)))")
        }
    }

    /// Starts a program as the leader of a session whose terminal this is.
    convenience init(
        _ program: String, _ words: [String] = [], environment: [String: String], columns: Int = 80, rows: Int = 24,
        keepsOutput: Bool = false
    ) throws {
        try self.init(columns: columns, rows: rows, keepsOutput: keepsOutput)
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // The leader of a new session gets the first terminal that it opens as its own.
        posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        posix_spawn_file_actions_addclose(&actions, primary)
        #if canImport(Darwin)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSID))
        #else
        // POSIX_SPAWN_SETSID, which Swift does not import.
        posix_spawnattr_setflags(&attributes, 0x80)
        #endif
        var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var process = pid_t()
        let code = posix_spawn(&process, program, &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw Failure(description: "\(program): \(String(cString: strerror(code)))") }
        self.process = process
    }

    /// Opens a pseudo-terminal: its own end, and the path of the other.
    private static func open() -> (primary: Int32, path: String)? {
        #if canImport(Darwin)
        let primary = posix_openpt(O_RDWR | O_NOCTTY)
        guard primary >= 0, grantpt(primary) == 0, unlockpt(primary) == 0, let name = ptsname(primary) else {
            return nil
        }
        return (primary, String(cString: name))
        #else
        // As `posix_openpt`, `unlockpt` and `ptsname` do, which Swift does not import (ioctl_tty(2)).
        let primary = systemOpen("/dev/ptmx", O_RDWR | O_NOCTTY)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard primary >= 0, ioctl(primary, 0x4004_5431, &isLocked) == 0, ioctl(primary, 0x8004_5430, &number) == 0
        else { return nil }
        return (primary, "/dev/pts/\(number)")
        #endif
    }

    deinit {
        if status == nil, process > 0 {
            kill(process, SIGKILL)
            var status: Int32 = 0
            waitpid(process, &status, 0)
        }
        close(primary)
    }

    /// Sends bytes, as a keyboard does.
    func send(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(primary, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Sends bytes, and reads what the program writes meanwhile; false if it has closed the terminal.
    func exchange(_ bytes: [UInt8]) throws -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // A program that writes does not read: what it writes is read first.
            guard try read(within: 0) else { return false }
            var poller = pollfd(fd: primary, events: Int16(POLLOUT), revents: 0)
            guard poll(&poller, 1, 10) > 0, poller.revents & Int16(POLLOUT) != 0 else { continue }
            let count = rest.withUnsafeBytes { write(primary, $0.baseAddress, $0.count) }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return try read(within: 5)
    }

    /// Changes the size of the terminal and notifies its programs.
    func resize(columns: Int, rows: Int) {
        screen = ScreenText(columns: columns, rows: rows)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(primary, UInt(TIOCSWINSZ), &size)
    }

    func signal(_ number: Int32) {
        kill(process, number)
    }

    /// Waits until the screen satisfies a condition.
    ///
    /// - Throws: `Failure` with the screen when it does not within a minute, or when the program has ended.
    func wait(for what: String, until condition: (ScreenText) -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while !condition(screen) {
            guard ContinuousClock.now < deadline, try read(within: 200) else {
                throw Failure(description: "waited for \(what); the screen is:\n\(screen.text)")
            }
        }
    }

    /// Waits until a text is on the screen.
    func wait(for text: String) throws {
        try wait(for: text) { $0.text.contains(text) }
    }

    /// Reads what the program writes within so many milliseconds; false if it has closed the terminal.
    private func read(within milliseconds: Int32) throws -> Bool {
        var poller = pollfd(fd: primary, events: Int16(POLLIN), revents: 0)
        guard poll(&poller, 1, milliseconds) > 0 else { return !Task.isCancelled }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = buffer.withUnsafeMutableBytes { systemRead(primary, $0.baseAddress, $0.count) }
        guard count > 0 else { return false }
        output += buffer[..<count]
        screen.receive(buffer[..<count])
        return true
    }

    /// Waits until the program has ended, and reads all that it wrote; returns its status as `waitpid` does.
    func end() throws -> Int32 {
        var status: Int32 = 0
        while self.status == nil, try read(within: 200) {
            if waitpid(process, &status, WNOHANG) == process { self.status = status }
        }
        if self.status == nil {
            waitpid(process, &status, 0)
            self.status = status
        }
        // What the program wrote between the last read and its end.
        try drain()
        return status
    }

    /// Reads what is written already.
    func drain() throws {
        var poller = pollfd(fd: primary, events: Int16(POLLIN), revents: 0)
        while poll(&poller, 1, 0) > 0, poller.revents & Int16(POLLIN) != 0, try read(within: 0) {}
    }

    /// Whether the terminal reads whole lines, as it does for a shell.
    var readsLines: Bool {
        var modes = termios()
        return tcgetattr(primary, &modes) == 0 && modes.c_lflag & tcflag_t(ICANON) != 0
            && modes.c_lflag & tcflag_t(ECHO) != 0
    }
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
