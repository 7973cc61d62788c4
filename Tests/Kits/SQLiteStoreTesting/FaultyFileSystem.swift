import CSQLite
import Synchronization

/// A SQLite file system (VFS) that works like the system's until it injects faults.
///
/// ```swift
/// let files = FaultyFileSystem()
/// let configuration = Database.Configuration().with { $0.fileSystem = files.name }
/// …
/// files.fail(.diskFull, atCall: 7)
/// ```
///
/// It is registered with SQLite for its lifetime; close all databases that use it before it is released.
public final class FaultyFileSystem: Sendable {
    /// The kinds of faults.
    ///
    /// ```swift
    /// files.fail(.diskFull, atCall: 1)
    /// await #expect(throws: SQLiteError.self) {
    ///     try await database.write { db in try db.execute("INSERT INTO cities (name) VALUES ('Jeju')") }
    /// }
    /// files.recover()    // later writes succeed
    /// ```
    public enum Fault: String, CaseIterable, Hashable, Sendable {
        /// Writing and extending a file fail, because the disk is full.
        case diskFull
        /// Every call fails.
        case ioError
        /// A write stores half of its bytes and then fails, because the disk is full.
        case shortWrite
        /// Writing, creating and deleting files fails.
        case readOnly
    }

    /// The calls that SQLite makes.
    enum Call {
        case open, delete, read, write, truncate, sync
    }

    /// The name of the VFS, for `Database.Configuration.fileSystem`.
    public let name: String
    private let plan = Mutex(Plan())
    /// SQLite's description of the VFS; written before its registration and only read afterwards.
    nonisolated(unsafe) private let vfs: UnsafeMutablePointer<sqlite3_vfs>
    private static let count = Atomic(0)

    private struct Plan {
        var fault: Fault?
        var callsUntil = 0
        var isLasting = true
        var calls = 0
        var failures = 0
    }

    /// Creates and registers a file system that does not fail yet.
    public init() {
        name = "faulty-\(Self.count.add(1, ordering: .relaxed).newValue)"
        vfs = FaultyFile.makeFileSystem(name: name)
        vfs.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_vfs_register(vfs, 0)
    }

    deinit {
        sqlite3_vfs_unregister(vfs)
        FaultyFile.destroyFileSystem(vfs)
    }

    /// Injects a fault from the call with this number on, counting from 1 after this call; only once if not `lasting`.
    ///
    /// Calls that the fault does not affect, such as reading from a full disk, count and succeed.
    ///
    /// ```swift
    /// files.fail(.ioError, atCall: 1, lasting: false)    // only the next call fails
    /// ```
    public func fail(_ fault: Fault, atCall number: Int, lasting: Bool = true) {
        plan.withLock { $0 = Plan(fault: fault, callsUntil: number, isLasting: lasting) }
    }

    /// Stops injecting faults: later calls reach the file system.
    ///
    /// ```swift
    /// files.fail(.diskFull, atCall: 1)
    /// files.recover()    // later calls succeed
    /// ```
    public func recover() {
        plan.withLock { $0.fault = nil }
    }

    /// The number of calls that failed since the last `fail(_:atCall:lasting:)`.
    public var failureCount: Int {
        plan.withLock { $0.failures }
    }

    /// The number of calls since the last `fail(_:atCall:lasting:)`, or since initialisation.
    public var callCount: Int {
        plan.withLock { $0.calls }
    }

    /// The fault of this call, if there is one.
    func fault(at call: Call) -> Fault? {
        plan.withLock { plan in
            plan.calls += 1
            guard let fault = plan.fault, plan.calls >= plan.callsUntil, fault.concerns(call) else { return nil }
            plan.failures += 1
            if !plan.isLasting { plan.fault = nil }
            return fault
        }
    }
}

extension FaultyFileSystem.Fault {
    fileprivate func concerns(_ call: FaultyFileSystem.Call) -> Bool {
        switch self {
        case .ioError: true
        case .diskFull, .shortWrite: call == .write || call == .truncate
        case .readOnly: call == .write || call == .truncate || call == .delete || call == .sync
        }
    }

    /// The SQLite result code of the fault.
    func code(for call: FaultyFileSystem.Call) -> Int32 {
        switch self {
        case .diskFull, .shortWrite: return SQLITE_FULL
        case .readOnly: return SQLITE_READONLY
        case .ioError:
            // Swift does not import the macros of extended codes: SQLITE_IOERR | (n << 8).
            switch call {
            case .read: return SQLITE_IOERR | (1 << 8)
            case .write: return SQLITE_IOERR | (3 << 8)
            case .sync: return SQLITE_IOERR | (4 << 8)
            case .truncate: return SQLITE_IOERR | (6 << 8)
            case .delete: return SQLITE_IOERR | (10 << 8)
            case .open: return SQLITE_CANTOPEN
            }
        }
    }
}
