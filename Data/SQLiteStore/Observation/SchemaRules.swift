internal import CSQLite
internal import DatabaseAccess

/// What the schema adds to the authorizer's report of a statement.
///
/// The authorizer names the columns that an `UPDATE` sets, but not the generated columns that are computed from them,
/// nor the rows that `REPLACE` deletes. It names the virtual table that is read or written, but not the tables in which
/// that stores its content. It does not name the columns that a `NATURAL` join or `USING` compares, and reports no write
/// to `sqlite_sequence`. For such statements the region is extended to whole tables, rather too far than not far enough.
///
/// The rules are read when a statement that needs them records its first change or is first observed, and kept until the
/// schema changes.
final class SchemaRules {
    /// A table, or several of the same name in different files.
    fileprivate struct Table {
        /// Whether an `UPDATE` can change more columns or rows than those that it names.
        var isUpdatedWholly = false
        var isAutoincrement = false
        /// The definition of a virtual table, as `normalized` returns it.
        var virtualDefinition: ExactText?
        /// Whether it is a virtual table of a module that may read and write any table.
        var isOpaque = false
    }

    fileprivate private(set) var tables: [ExactText: Table] = [:]
    /// The views, with the names of the files that have them.
    fileprivate private(set) var views: [ExactText: [String]] = [:]
    /// The triggers whose statements may replace rows.
    fileprivate private(set) var replacingTriggers: Set<ExactText> = []
    /// The definitions of the views that may join by the names of columns.
    fileprivate private(set) var joiningViews: [ExactText: ExactText] = [:]
    /// Read the version of the schema of each file.
    private var versionStatements: [OpaquePointer] = []
    private var versions: [Int64] = []

    /// Reads the rules; nil if the schema cannot be read now.
    init?(_ connection: Connection) {
        guard let names = connection.schemaRows(of: "PRAGMA database_list", { Self.text($0, 1) }) else { return nil }
        for name in names {
            var statement: OpaquePointer?
            let sql = "PRAGMA \(name.quotedIdentifier).schema_version"
            guard sqlite3_prepare_v3(connection.handle, sql, -1, 0, &statement, nil) == SQLITE_OK, let statement else {
                return nil
            }
            versionStatements.append(statement)
        }
        // Before the schemas: if one changes in between, the next check notices it.
        versions = readVersions()
        guard !versions.contains(-1) else { return nil }
        for name in names {
            guard connection.schemaRows(of: Self.query(name), { self.add($0, of: name) }) != nil else { return nil }
        }
    }

    deinit {
        for statement in versionStatements { sqlite3_finalize(statement) }
    }

    var isCurrent: Bool { readVersions() == versions }

    private func readVersions() -> [Int64] {
        versionStatements.map { statement in
            defer { sqlite3_reset(statement) }
            return sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1
        }
    }

    private static func query(_ schema: String) -> String {
        // `AS` is a word of every generated column, but also of a cast and of many a comment.
        """
        /* rules of the schema */ SELECT type, name, instr(lower(sql), 'replace'), instr(lower(sql), 'autoincrement'),
            CASE WHEN type = 'table' AND lower(sql) GLOB '*[^a-z0-9_]as[^a-z0-9_]*' THEN EXISTS (
                SELECT 1 FROM pragma_table_xinfo(entry.name, \(schema.quotedLiteral)) WHERE hidden IN (2, 3)
            ) END,
            CASE WHEN type = 'view' OR type = 'table' AND lower(sql) GLOB 'create virtual*' THEN sql END
        FROM \(schema.quotedIdentifier).sqlite_schema AS entry WHERE type IN ('table', 'view', 'trigger')
        """
    }

    private func add(_ row: OpaquePointer, of schema: String) {
        let name = ExactText(name: Self.text(row, 1))
        let replaces = sqlite3_column_int64(row, 2) > 0
        switch Self.text(row, 0) {
        case "trigger": if replaces { replacingTriggers.insert(name) }
        case "view":
            views[name, default: []].append(schema)
            let definition = Self.text(row, 5)
            if Self.joinsByName(definition) {
                joiningViews[name] = Self.normalized(definition, after: joiningViews[name])
            }
        default:
            var table = tables[name] ?? Table()
            if sqlite3_column_type(row, 5) != SQLITE_NULL {
                let definition = Self.text(row, 5)
                table.virtualDefinition = Self.normalized(definition, after: table.virtualDefinition)
                if !Self.usesHarmlessModule(definition) { table.isOpaque = true }
                table.isUpdatedWholly = true
            }
            if replaces || sqlite3_column_int64(row, 4) > 0 { table.isUpdatedWholly = true }
            if sqlite3_column_int64(row, 3) > 0 { table.isAutoincrement = true }
            tables[name] = table
        }
    }

    private static func text(_ row: OpaquePointer, _ column: Int32) -> String {
        sqlite3_column_text(row, column).map { String(cString: $0) } ?? ""
    }

    /// Whether a statement or a view may have a `NATURAL` join or `USING`.
    fileprivate static func joinsByName(_ sql: String) -> Bool {
        let sql = ExactText(name: sql)
        return sql.contains(ExactText("natural")) || sql.contains(ExactText("using"))
    }

    /// The modules of SQLite that access only tables of the same database.
    private static let harmlessModules: Set<Substring> = [
        "fts3", "fts4", "fts4aux", "fts5", "fts5vocab", "rtree", "rtree_i32", "geopoly",
    ]

    static func usesHarmlessModule(_ definition: String) -> Bool {
        module(of: definition).map(harmlessModules.contains) ?? false
    }

    /// Returns the module of a virtual table with this definition, as stored by SQLite; nil if it cannot be determined.
    static func module(of definition: String) -> Substring? {
        let definition = definition.lowercasingASCII()
        let start = "create virtual table "
        guard definition.hasPrefix(start) else { return nil }
        var rest = definition.dropFirst(start.count)
        let closing: [Character: Character] = ["\"": "\"", "'": "'", "`": "`", "[": "]"]
        if let end = rest.first.flatMap({ closing[$0] }) {
            // A quote within a name is doubled: a quoted part follows directly after the first of the two.
            repeat { rest = rest.dropFirst().drop { $0 != end }.dropFirst() } while rest.first == end
        } else {
            rest = rest.drop { !$0.isWhitespace }
        }
        let words = rest.split(maxSplits: 2) { $0.isWhitespace || $0 == "(" }
        return words.first == "using" && words.count > 1 ? words[1] : nil
    }

    /// The text with each sequence of quotes replaced by the same character, so that a name is found however it is quoted;
    /// after `earlier`, another such text.
    fileprivate static func normalized(_ text: String, after earlier: ExactText? = nil) -> ExactText {
        var bytes = (earlier?.string ?? "").utf8.map { $0 }
        for byte in text.lowercasingASCII().utf8 {
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["), UInt8(ascii: "]"):
                if bytes.last != UInt8(ascii: "'") { bytes.append(UInt8(ascii: "'")) }
            default: bytes.append(byte)
            }
        }
        return ExactText(String(decoding: bytes, as: UTF8.self))
    }

    /// The tables whose name occurs in a definition or a statement.
    fileprivate func tables(namedIn text: ExactText) -> [ExactText] {
        tables.keys.filter { text.contains(Self.normalized($0.string), asWord: true) }
    }

    fileprivate func views(namedIn text: ExactText) -> [(name: ExactText, schemas: [String])] {
        views.lazy.filter { text.contains(Self.normalized($0.key.string), asWord: true) }.map { ($0.key, $0.value) }
    }

    /// The virtual tables that may store their content in this table.
    fileprivate func owners(ofShadow name: ExactText) -> [ExactText] {
        tables.keys.filter { name.hasPrefix(ExactText($0.string + "_")) && tables[$0]?.virtualDefinition != nil }
    }

    /// The schema tables, and the table-valued functions that read no table.
    fileprivate static func readsNothingElse(_ name: ExactText) -> Bool {
        ["sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema", "json_each", "json_tree"]
            .contains(name.string)
            // Its statement is reported as a pragma.
            || name.string.hasPrefix("pragma_") && name.string != "pragma_data_version"
    }
}

extension Connection {
    /// Returns the region that a statement changes, and whether it can change it without counting a row.
    func writtenRegion(of set: ReadWriteSet, sql: String?) -> (region: Region, isUncounted: Bool) {
        var region = set.writes
        if region.isEverything || region.isEmpty { return (region, region.isEverything) }
        guard let rules = currentRules() else { return (.everything, true) }
        // A conflict clause of the statement or of a trigger also applies to the triggers that these fire.
        let replaces =
            sql.map { ExactText(name: $0).contains(ExactText("replace")) } ?? true
            || !set.sources.isDisjoint(with: rules.replacingTriggers)
        let partial = region.partialTableNames
        var isUncounted = false
        for name in region.tableNames {
            guard let table = rules.tables[name] else {
                if rules.views[name] != nil || SchemaRules.readsNothingElse(name) { continue }
                return (.everything, true)
            }
            if table.isOpaque { return (.everything, true) }
            if partial.contains(name), replaces || table.isUpdatedWholly { region.insert(table: name) }
            // Also an insertion that is ignored uses up a number.
            if table.isAutoincrement, set.insertedTables.contains(name) {
                region.insert(table: "sqlite_sequence")
                isUncounted = true
            }
        }
        return (region, isUncounted)
    }

    /// Returns the region that an observed statement reads.
    func readRegion(of set: ReadWriteSet, sql: String?) -> Region {
        var views: Set<ExactText> = []
        return readRegion(of: set, sql: sql, followed: &views)
    }

    /// `views` are those that a virtual table names and whose tables the caller adds, too.
    private func readRegion(of set: ReadWriteSet, sql: String?, followed views: inout Set<ExactText>) -> Region {
        var region = set.reads
        if region.isEverything { return region }
        let joins = sql.map(SchemaRules.joinsByName) ?? true
        if region.isEmpty {
            if set.readsDataVersion { return .everything }
            // Nothing is read, unless each column is compared by a join.
            if !joins { return region }
        }
        guard let sql, let rules = currentRules() else { return .everything }
        let joiningViews = set.sources.compactMap { rules.joiningViews[$0] }
        for text in joiningViews + (joins ? [SchemaRules.normalized(sql)] : []) {
            for name in rules.tables(namedIn: text) { region.insert(table: name) }
        }
        var names = Array(region.tableNames)
        var known = Set(names)
        while let name = names.popLast() {
            guard let table = rules.tables[name] else {
                if rules.views[name] != nil || SchemaRules.readsNothingElse(name) { continue }
                return .everything
            }
            if table.isOpaque { return .everything }
            let sources = table.virtualDefinition.map(rules.tables(namedIn:)) ?? rules.owners(ofShadow: name)
            for source in sources {
                region.insert(table: source)
                if known.insert(source).inserted { names.append(source) }
            }
            // The content of a full-text table can be a view. The table compiles the statement that reads it only once.
            guard let definition = table.virtualDefinition else { continue }
            for view in rules.views(namedIn: definition) where views.insert(view.name).inserted {
                for schema in view.schemas {
                    let sql = "SELECT * FROM \(schema.quotedIdentifier).\(view.name.string.quotedIdentifier)"
                    guard let set = readWriteSet(of: sql) else { return .everything }
                    region.formUnion(readRegion(of: set, sql: sql, followed: &views))
                    if region.isEverything { return region }
                }
            }
        }
        return region
    }

    /// Returns what a statement of the library would access; nil if it cannot be compiled.
    private func readWriteSet(of sql: String) -> ReadWriteSet? {
        recorder.recording {
            var statement: OpaquePointer?
            defer { sqlite3_finalize(statement) }
            return sqlite3_prepare_v3(handle, sql, -1, 0, &statement, nil) == SQLITE_OK
        }
    }

    /// Returns the converted rows of an internal query; nil if the query fails.
    fileprivate func schemaRows<Value>(of sql: String, _ convert: (OpaquePointer) -> Value) -> [Value]? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v3(handle, sql, -1, 0, &statement, nil) == SQLITE_OK, let statement else { return nil }
        defer { sqlite3_finalize(statement) }
        var (values, code): ([Value], Int32) = ([], sqlite3_step(statement))
        while code == SQLITE_ROW {
            values.append(convert(statement))
            code = sqlite3_step(statement)
        }
        return code == SQLITE_DONE ? values : nil
    }

    private func currentRules() -> SchemaRules? {
        recorder.withoutRecording {
            if schemaRules?.isCurrent != true { schemaRules = SchemaRules(self) }
            return schemaRules
        }
    }
}
