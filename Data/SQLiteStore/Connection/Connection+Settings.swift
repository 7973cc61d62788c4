internal import CSQLite

/// A setting of a connection on which other accesses rely: what statements mean, what is enforced, and when commits
/// reach the disk. Settings of memory, such as `cache_size`, are not among them.
struct ConnectionSetting: Hashable, Sendable {
    /// The pragma, with its database if it names one.
    private let name: String

    /// nil if the pragma changes no such setting.
    init?(pragma: String, value: String?, schema: String?) {
        guard let value else { return nil }
        // These journal modes are not stored in the file, and give up what the others keep.
        let isUnsafeJournal = pragma == "journal_mode" && ["memory", "off"].contains(value)
        guard Self.pragmas.contains(pragma) || isUnsafeJournal else { return nil }
        name = (schema.map { $0.quotedIdentifier + "." } ?? "") + pragma
    }

    private static let pragmas: Set<String> = [
        "automatic_index", "busy_timeout", "case_sensitive_like", "cell_size_check", "checkpoint_fullfsync",
        "count_changes", "defer_foreign_keys", "empty_result_callbacks", "foreign_keys", "full_column_names",
        "fullfsync", "ignore_check_constraints", "journal_size_limit", "legacy_alter_table", "query_only",
        "read_uncommitted", "recursive_triggers", "reverse_unordered_selects", "short_column_names", "synchronous",
        "trusted_schema", "wal_autocheckpoint", "writable_schema",
    ]

    /// Whether it is the setting that makes `REPLACE` run triggers.
    var isAboutTriggers: Bool { name.hasSuffix("recursive_triggers") }

    /// Whether it is the timeout for which SQLite replaces the busy handler of the connection.
    fileprivate var isBusyTimeout: Bool { name.hasSuffix("busy_timeout") }

    /// Whether it is the setting with which SQLite replaces the hook of `CheckpointSchedule`.
    fileprivate var isCheckpoint: Bool { name.hasSuffix("wal_autocheckpoint") }

    fileprivate var query: String {
        // This pragma returns nothing.
        name.hasSuffix("case_sensitive_like") ? "SELECT 'a' NOT LIKE 'A'" : "PRAGMA \(name)"
    }

    fileprivate func restoration(_ value: String) -> String { "PRAGMA \(name) = \(value)" }

    fileprivate var description: String { "PRAGMA \(name)" }
}

extension Connection {
    /// Calls `compile`. Saves each setting before a pragma changes it, which may happen while it is compiled.
    func savingSettings(_ compile: () -> Int32) -> Int32 {
        guard restoresSettings else { return compile() }
        while true {
            let (code, refused) = recorder.compiling(changing: savedSettings.keys, compile)
            guard let refused else { return code }
            let failure = save(refused)
            guard failure == SQLITE_OK else { return failure }
        }
    }

    /// Saves the settings that a compiled statement is about to change.
    func saveSettings(of statement: Statement) throws {
        guard restoresSettings else { return }
        for setting in statement.readWriteSet.settings where savedSettings[setting] == nil {
            let code = save(setting)
            guard code == SQLITE_OK else { throw failure(code, sql: statement.sql) }
        }
    }

    @inline(__always)
    func restoringSettings<Result>(_ body: () throws -> Result) throws -> Result {
        let result: Result
        do {
            result = try body()
        } catch {
            // The error of `body` explains more. What could not be restored is restored after the next access.
            if !savedSettings.isEmpty { try? restoreSettings() }
            throw error
        }
        if !savedSettings.isEmpty { try restoreSettings() }
        return result
    }

    private func save(_ setting: ConnectionSetting) -> Int32 {
        if setting.isAboutTriggers { rowLog?.isUnknown = true }
        return recorder.withoutRecording {
            var statement: OpaquePointer?
            let code = sqlite3_prepare_v3(handle, setting.query, -1, 0, &statement, nil)
            guard code == SQLITE_OK else { return code }
            defer { sqlite3_finalize(statement) }
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                savedSettings[setting] = sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? ""
            // A setting that this version of SQLite does not have.
            case SQLITE_DONE: savedSettings[setting] = ""
            case let code: return code
            }
            return SQLITE_OK
        }
    }

    @inline(never)
    private func restoreSettings() throws {
        // A late cancellation must not interrupt it.
        interruption.end()
        let saved = savedSettings
        savedSettings = [:]
        var failure: SQLiteError?
        for (setting, value) in saved where !value.isEmpty {
            if setting.isBusyTimeout {
                waitWhenBusy(for: busyTimeout)
                continue
            }
            if setting.isCheckpoint, value == "0", checkpoints.register(on: self) { continue }
            let code = recorder.withoutRecording {
                sqlite3_exec(handle, setting.restoration(value), nil, nil, nil)
            }
            guard code != SQLITE_OK else { continue }
            savedSettings[setting] = value
            failure = SQLiteError(
                SQLiteError.Code(rawValue: code), "the setting cannot be restored after the access",
                sql: setting.description)
        }
        if let failure { throw failure }
    }
}
