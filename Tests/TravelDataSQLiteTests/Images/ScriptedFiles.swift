import Foundation
import Synchronization
import TravelDataSQLite
import TravelDataShared
import TravelDomain

/// The system's files with a fault at the call of a given number. Reads and locks do not count.
final class ScriptedFiles: FileAccess {
    /// The kinds of faults.
    enum Accident: CaseIterable {
        /// The process is killed before the call.
        case killed
        /// The process is killed during the call; a write stores half of its bytes.
        case killedHalfway
        /// The call and all later ones fail.
        case fails
        /// Only this call fails.
        case failsOnce
        /// A write stores half of its bytes and fails, as do all later calls.
        case failsHalfway
    }

    private struct State {
        var calls = 0
        var isBroken = false
    }

    private let system = SystemFiles()
    private let planned: (call: Int, accident: Accident)?
    private let state = Mutex(State())

    /// Creates files with a fault at that call, counted from 1.
    init(_ accident: Accident? = nil, at call: Int = 0) {
        planned = accident.map { (call, $0) }
    }

    /// The number of calls so far.
    var calls: Int { state.withLock(\.calls) }

    func makeFolder(_ path: String) throws {
        try step { _ in try system.makeFolder(path) }
    }

    func makeFile(_ path: String) throws {
        try step { _ in try system.makeFile(path) }
    }

    func write(_ bytes: Data, to path: String) throws {
        try step { isHalf in try system.write(isHalf ? bytes.prefix(bytes.count / 2) : bytes, to: path) }
    }

    func sync(_ path: String) throws {
        try step { _ in try system.sync(path) }
    }

    func remove(_ path: String) throws {
        try step { _ in try system.remove(path) }
    }

    func move(_ path: String, to newPath: String) throws {
        try step { _ in try system.move(path, to: newPath) }
    }

    func read(_ path: String) throws -> Data? { try system.read(path) }
    func names(in folder: String) throws -> [String]? { try system.names(in: folder) }
    func lock(_ folder: String, isShared: Bool) throws -> FolderLock? { try system.lock(folder, isShared: isShared) }

    private func step(_ body: (_ isHalf: Bool) throws -> Void) throws {
        let accident = state.withLock { state -> Accident? in
            state.calls += 1
            if state.isBroken { return .fails }
            guard let planned, planned.call == state.calls else { return nil }
            state.isBroken = planned.accident == .fails || planned.accident == .failsHalfway
            return planned.accident
        }
        switch accident {
        case nil: try body(false)
        case .killed: kill(getpid(), SIGKILL)
        case .killedHalfway:
            try body(true)
            kill(getpid(), SIGKILL)
        case .failsHalfway:
            try body(true)
            throw Self.fault
        case .fails, .failsOnce: throw Self.fault
        }
    }

    static let fault = TravelError.unavailable(.init("The disk is on fire.", canRetry: false))
}
