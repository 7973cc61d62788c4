import CSQLite

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
