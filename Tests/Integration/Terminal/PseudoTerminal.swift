import Foundation
import Testing
import TestConcurrency
import TravelTerminal

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

/// The text that a terminal shows: knows the sequences that move the cursor and erase, and ignores styles.
struct ScreenText {
    private let columns: Int
    private let rows: Int
    private var cells: [[Character?]]
    private var column = 0
    private var row = 0
    /// What is incomplete at the end of the bytes so far.
    private var pending: [UInt8] = []
    /// Whether the other screen is shown, the one of full-screen programs.
    private(set) var isFullScreen = false
    /// Whether the cursor is shown.
    private(set) var showsCursor = true

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    private init(columns: Int, rows: Int, pending: [UInt8]) {
        self.init(columns: columns, rows: rows)
        self.pending = pending
    }

    /// The lines, without spaces at the end.
    var lines: [String] {
        cells.map { row in
            var line = String(row.compactMap { $0 })
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    var text: String { lines.joined(separator: "\n") }

    mutating func receive(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        // A character or a sequence may be cut in two: it is kept for the next time.
        var end = pending.count
        if let lead = pending.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) {
            let length = max(1, (~pending[lead]).leadingZeroBitCount)
            if lead + length > pending.count { end = lead }
        }
        let text = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeFirst(end)
        var rest = text.unicodeScalars[...]
        var printed = String.UnicodeScalarView()
        while let scalar = rest.first {
            if scalar == "\u{1B}" {
                guard let sequence = Self.sequence(rest) else {
                    pending.insert(contentsOf: Array(String(rest).utf8), at: 0)
                    break
                }
                print(String(printed))
                printed = .init()
                rest = rest.dropFirst(sequence.count)
                control(String(String.UnicodeScalarView(sequence.dropFirst(2))))
                continue
            }
            rest.removeFirst()
            if scalar.value >= 0x20 {
                printed.append(scalar)
                continue
            }
            print(String(printed))
            printed = .init()
            if scalar == "\r" { column = 0 }
            if scalar == "\n" { row = min(row + 1, rows - 1) }
        }
        print(String(printed))
    }

    /// The complete sequence at the beginning; nil if its end is missing.
    private static func sequence(_ scalars: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView? {
        guard scalars.dropFirst().first == "[" else { return scalars.count > 1 ? scalars.prefix(2) : nil }
        guard let end = scalars.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0.value) }) else { return nil }
        return scalars[...end]
    }

    private mutating func print(_ text: String) {
        for cluster in text {
            let width = cluster.displayWidth
            guard width > 0, column + width <= columns, row < rows else { continue }
            cells[row][column] = cluster
            if width == 2 { cells[row][column + 1] = nil }
            column += width
        }
    }

    private mutating func control(_ sequence: String) {
        guard let final = sequence.last else { return }
        let numbers = sequence.dropLast().split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        switch final {
        case "H":
            row = min(rows, max(1, numbers.first ?? 1)) - 1
            column = min(columns, max(1, numbers.count > 1 ? numbers[1] : 1)) - 1
        case "C": column = min(columns - 1, column + max(1, numbers.first ?? 1))
        case "A": row = max(0, row - max(1, numbers.first ?? 1))
        case "J":
            let isWhole = numbers.first == 2
            if !isWhole { for index in column..<columns { cells[row][index] = " " } }
            for index in (isWhole ? 0 : row + 1)..<rows { cells[index] = Array(repeating: " ", count: columns) }
        case "K": for index in column..<columns { cells[row][index] = " " }
        default:
            switch sequence {
            case "?1049h": isFullScreen = true
            case "?1049l":
                isFullScreen = false
                // What was there before is not kept: an empty screen stands for it.
                self = ScreenText(columns: columns, rows: rows, pending: pending)
            case "?25h": showsCursor = true
            case "?25l": showsCursor = false
            default: break
            }
        }
    }
}

/// What the tests of the app rely on.
@Suite("A program on a pseudo-terminal", .limitedConcurrency)
struct PseudoTerminalTests {
    @Test("what a program writes just before it ends is on the screen")
    func lastOutput() throws {
        for _ in 0..<50 {
            // More than one read of a pseudo-terminal returns (4,095 bytes), so that the end arrives in a read of its
            // own.
            let terminal = try PseudoTerminal(
                "/bin/bash", ["--norc", "-c", "printf '%06000d' 0; printf '\\033[2J\\033[Hlast'"],
                environment: ["PATH": "/usr/bin:/bin"])
            let status = try terminal.end()
            #expect(status == 0)
            #expect(terminal.screen.text.contains("last"))
        }
    }
}
