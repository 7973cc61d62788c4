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

/// A file of a `FaultyFileSystem` in SQLite's layout, followed in memory by the file of the system's VFS.
struct FaultyFile {
    private var base: sqlite3_file
    private var owner: Unmanaged<FaultyFileSystem>

    private typealias File = UnsafeMutablePointer<sqlite3_file>

    private static func own(_ file: File?) -> UnsafeMutablePointer<FaultyFile> {
        UnsafeMutableRawPointer(file!).assumingMemoryBound(to: FaultyFile.self)
    }

    private static func real(_ file: File?) -> File {
        (UnsafeMutableRawPointer(file!) + MemoryLayout<FaultyFile>.stride).assumingMemoryBound(to: sqlite3_file.self)
    }

    private static func methods(_ file: File?) -> sqlite3_io_methods {
        real(file).pointee.pMethods.pointee
    }

    private static func fault(_ file: File?, _ call: FaultyFileSystem.Call) -> FaultyFileSystem.Fault? {
        own(file).pointee.owner._withUnsafeGuaranteedRef { $0.fault(at: call) }
    }

    /// The methods of all files. Immutable, and never freed because SQLite keeps the address.
    nonisolated(unsafe) private static let ioMethods: UnsafeMutablePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(
            to: sqlite3_io_methods(
                iVersion: 2,
                xClose: { file in FaultyFile.methods(file).xClose(FaultyFile.real(file)) },
                xRead: { file, buffer, count, offset in
                    if let fault = FaultyFile.fault(file, .read) { return fault.code(for: .read) }
                    return FaultyFile.methods(file).xRead(FaultyFile.real(file), buffer, count, offset)
                },
                xWrite: { file, bytes, count, offset in
                    let fault = FaultyFile.fault(file, .write)
                    if let fault, fault != .shortWrite { return fault.code(for: .write) }
                    let written = fault == nil ? count : count / 2
                    let code = FaultyFile.methods(file).xWrite(FaultyFile.real(file), bytes, written, offset)
                    return fault?.code(for: .write) ?? code
                },
                xTruncate: { file, size in
                    if let fault = FaultyFile.fault(file, .truncate) { return fault.code(for: .truncate) }
                    return FaultyFile.methods(file).xTruncate(FaultyFile.real(file), size)
                },
                xSync: { file, flags in
                    if let fault = FaultyFile.fault(file, .sync) { return fault.code(for: .sync) }
                    return FaultyFile.methods(file).xSync(FaultyFile.real(file), flags)
                },
                xFileSize: { file, size in FaultyFile.methods(file).xFileSize(FaultyFile.real(file), size) },
                xLock: { file, lock in FaultyFile.methods(file).xLock(FaultyFile.real(file), lock) },
                xUnlock: { file, lock in FaultyFile.methods(file).xUnlock(FaultyFile.real(file), lock) },
                xCheckReservedLock: { file, result in
                    FaultyFile.methods(file).xCheckReservedLock(FaultyFile.real(file), result)
                },
                xFileControl: { file, operation, argument in
                    FaultyFile.methods(file).xFileControl(FaultyFile.real(file), operation, argument)
                },
                xSectorSize: { file in FaultyFile.methods(file).xSectorSize(FaultyFile.real(file)) },
                xDeviceCharacteristics: { file in
                    FaultyFile.methods(file).xDeviceCharacteristics(FaultyFile.real(file))
                },
                xShmMap: { file, page, size, extend, memory in
                    FaultyFile.methods(file).xShmMap(FaultyFile.real(file), page, size, extend, memory)
                },
                xShmLock: { file, offset, count, flags in
                    FaultyFile.methods(file).xShmLock(FaultyFile.real(file), offset, count, flags)
                },
                xShmBarrier: { file in FaultyFile.methods(file).xShmBarrier(FaultyFile.real(file)) },
                xShmUnmap: { file, delete in FaultyFile.methods(file).xShmUnmap(FaultyFile.real(file), delete) },
                xFetch: nil, xUnfetch: nil))
        return methods
    }()

    /// The system's VFS with `xOpen` and `xDelete` replaced.
    static func makeFileSystem(name: String) -> UnsafeMutablePointer<sqlite3_vfs> {
        let system = sqlite3_vfs_find(nil)!
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: system.pointee)
        vfs.pointee.zName = UnsafePointer(duplicate(name))
        vfs.pointee.pNext = nil
        vfs.pointee.szOsFile = system.pointee.szOsFile + Int32(MemoryLayout<FaultyFile>.stride)
        vfs.pointee.xOpen = { vfs, name, file, flags, outFlags in
            let owner = Unmanaged<FaultyFileSystem>.fromOpaque(vfs!.pointee.pAppData)
            file!.pointee.pMethods = nil
            if let fault = owner._withUnsafeGuaranteedRef({ $0.fault(at: .open) }) { return fault.code(for: .open) }
            let system = sqlite3_vfs_find(nil)!
            let code = system.pointee.xOpen(system, name, FaultyFile.real(file), flags, outFlags)
            guard code == SQLITE_OK else { return code }
            FaultyFile.own(file).pointee.owner = owner
            file!.pointee.pMethods = UnsafePointer(FaultyFile.ioMethods)
            return code
        }
        vfs.pointee.xDelete = { vfs, name, syncsFolder in
            let owner = Unmanaged<FaultyFileSystem>.fromOpaque(vfs!.pointee.pAppData)
            if let fault = owner._withUnsafeGuaranteedRef({ $0.fault(at: .delete) }) { return fault.code(for: .delete) }
            let system = sqlite3_vfs_find(nil)!
            return system.pointee.xDelete(system, name, syncsFolder)
        }
        return vfs
    }

    static func destroyFileSystem(_ vfs: UnsafeMutablePointer<sqlite3_vfs>) {
        vfs.pointee.zName.deallocate()
        vfs.deallocate()
    }

    private static func duplicate(_ text: String) -> UnsafeMutablePointer<CChar> {
        let bytes = text.utf8CString
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        bytes.withUnsafeBufferPointer { copy.initialize(from: $0.baseAddress!, count: $0.count) }
        return copy
    }
}
