import CSQLite
import Synchronization

/// A file system for SQLite that works as the system's own, until it is told to fail.
///
/// ```swift
/// let files = FaultyFileSystem()
/// let configuration = Database.Configuration().with { $0.fileSystem = files.name }
/// …
/// files.fail(.diskFull, atCall: 7)
/// ```
///
/// It is registered with SQLite for as long as it lives; databases on it have to be closed before.
public final class FaultyFileSystem: Sendable {
    /// What goes wrong.
    public enum Fault: String, CaseIterable, Hashable, Sendable {
        /// Writing finds no space; so does making a file longer.
        case diskFull
        /// Any call fails.
        case ioError
        /// Half of what is to be written is written, and then the disk is full.
        case shortWrite
        /// Nothing may be written or created.
        case readOnly
    }

    /// A call that SQLite makes.
    enum Call {
        case open, delete, read, write, truncate, sync
    }

    /// What SQLite knows it by: `Database.Configuration.fileSystem`.
    public let name: String
    private let plan = Mutex(Plan())
    /// SQLite's description of it; written before it is registered and after that read only.
    nonisolated(unsafe) private let vfs: UnsafeMutablePointer<sqlite3_vfs>
    private static let count = Atomic(0)

    private struct Plan {
        var fault: Fault?
        var callsUntil = 0
        var isLasting = true
        var calls = 0
        var failures = 0
    }

    /// A file system that does not fail yet.
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

    /// Fails from the call with this number on, counted from 1 and from now; once only if not `lasting`.
    ///
    /// Calls that the fault does not concern, such as reading from a full disk, are counted and succeed.
    public func fail(_ fault: Fault, atCall number: Int, lasting: Bool = true) {
        plan.withLock { $0 = Plan(fault: fault, callsUntil: number, isLasting: lasting) }
    }

    /// Works again.
    public func recover() {
        plan.withLock { $0.fault = nil }
    }

    /// How many calls have failed since `fail`.
    public var failureCount: Int {
        plan.withLock { $0.failures }
    }

    /// How many calls there were since `fail`, or since it was made.
    public var callCount: Int {
        plan.withLock { $0.calls }
    }

    /// The fault that this call meets.
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

    /// What SQLite is told.
    func code(for call: FaultyFileSystem.Call) -> Int32 {
        switch self {
        case .diskFull, .shortWrite: return SQLITE_FULL
        case .readOnly: return SQLITE_READONLY
        case .ioError:
            // Those with a detail are macros that Swift does not import: SQLITE_IOERR | (n << 8).
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
