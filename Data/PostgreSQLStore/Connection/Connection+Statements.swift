#if PostgreSQL
internal import CPostgreSQL
internal import DatabaseAccess

// Preparing and running statements.
extension Connection {
    private static let maximumParameterCount = 65_535
    /// The maximum number of parameters that libpq can describe: it takes a longer description, of more than 30,000
    /// bytes, for a broken connection.
    private static let describableParameterCount = 7_498

    @usableFromInline
    func withResult<Result>(
        of sql: borrowing SQL, _ body: (OpaquePointer, Statement) throws -> Result
    ) throws -> Result {
        let statement = try bound(sql)
        let result = try runBound(statement, sql)
        defer { PQclear(result) }
        return try withExtendedLifetime(statement) { try body(result, statement) }
    }

    /// Runs a bound statement. If the server has invalidated it, prepares it again; within a transaction, which the
    /// failure has aborted, the whole transaction runs again instead.
    private func runBound(_ statement: Statement, _ sql: borrowing SQL) throws -> OpaquePointer {
        var (statement, attempt) = (statement, 0)
        while true {
            do {
                return try run(statement, sql.plan)
            } catch {
                attempt += 1
                guard hasStaleStatement, !isLost, transactionDepth == 0, attempt < 3 else { throw error }
                statement = try bound(sql)
            }
        }
    }

    private func run(_ statement: Statement, _ plan: SQL.Plan) throws -> OpaquePointer {
        let change = planModeChange(for: plan)
        let first = (pendingBegin.map { [$0] } ?? []) + (change.map { [$0.command] } ?? [])
        do {
            let result = try first.isEmpty ? runAlone(statement) : run(statement, after: first)
            if let change, hasBegun { planMode = change.mode }
            do {
                try check(result, sql: statement.sql)
                try checkTransaction(after: statement.sql)
                if transactionDepth > 0 { recordSchemaChange([tag(of: result)]) }
                statement.hasSucceeded = true
                return result
            } catch {
                PQclear(result)
                throw error
            }
        } catch {
            recordChangedTypes(of: statement, after: error)
            throw error
        }
    }

    /// Suspects a statement that succeeded before, and that the server now rejects, of having types that the server has
    /// changed or dropped since. It is prepared again, and the transaction runs again, once.
    func recordChangedTypes(of statement: Statement, after error: any Error) {
        guard statement.hasSucceeded, !isLost, let code = (error as? PostgreSQLError)?.code else { return }
        // A type that was dropped is an internal error, and all else an error of the syntax or of names.
        guard code.rawValue == "XX000" || code.rawValue.hasPrefix("42"), code != .insufficientPrivilege else { return }
        (statement.hasSucceeded, hasStaleStatement) = (false, true)
    }

    /// Sets how the server plans the statements that follow, if another way applies in the transaction.
    func setPlanMode(for plan: SQL.Plan) throws {
        guard let change = planModeChange(for: plan) else { return }
        try runSimple(change.command)
        planMode = change.mode
    }

    /// The command that sets how the server plans a statement; nil if that applies already.
    private func planModeChange(for plan: SQL.Plan) -> (command: String, mode: SQL.Plan)? {
        let mode: SQL.Plan = plan == .generic ? .generic : .automatic
        guard mode != planMode, transactionDepth > 0, preparesStatements else { return nil }
        guard PQserverVersion(raw) >= 120_000 else { return nil }
        let value = mode == .generic ? "force_generic_plan" : "DEFAULT"
        return ("SET LOCAL plan_cache_mode TO \(value)", mode)
    }

    private func runAlone(_ statement: Statement) throws -> OpaquePointer {
        try exchange(sql: statement.sql) {
            send(statement)
        } receive: {
            try lastResult(sql: statement.sql)
        }
    }

    /// Runs a statement together with commands before it, in one round trip: those that begin the transaction, if
    /// it is the first, and set how statements are planned.
    private func run(_ statement: Statement, after commands: [String]) throws -> OpaquePointer {
        var remaining = commands.count
        // If the server refused to begin the transaction, the next statement tries again.
        defer { if hasBegun || isLost { pendingBegin = nil } }
        return try exchange(sql: statement.sql, needsTransaction: false) {
            guard PQenterPipelineMode(raw) != 0 else { return 0 }
            for command in commands {
                guard PQsendQueryParams(raw, command, 0, nil, nil, nil, nil, 0) != 0 else { return 0 }
            }
            return send(statement) & PQpipelineSync(raw)
        } receive: {
            var last: OpaquePointer?
            do {
                try receivePipeline(sql: statement.sql, keepsResults: true) { result in
                    if remaining == 0 { return last = result }
                    (remaining, hasBegun) = (remaining - 1, true)
                    PQclear(result)
                }
            } catch {
                PQclear(last)
                throw error
            }
            guard let last else { throw lostError(sql: statement.sql) }
            return last
        }
    }

    /// Sends a statement with the bound values; returns 0 on failure.
    func send(_ statement: Statement) -> Int32 {
        let count = Int32(truncatingIfNeeded: parameters.count)
        return parameters.withParameters { values, lengths, formats in
            if let name = statement.name {
                return PQsendQueryPrepared(raw, name, count, values, lengths, formats, 1)
            }
            let types = statement.parameterTypes.map(\.rawValue)
            return PQsendQueryParams(raw, statement.sql, count, types, values, lengths, formats, 1)
        }
    }

    /// Returns the statement of `sql`, with its values in `parameters`.
    func bound(_ sql: borrowing SQL) throws -> Statement {
        let text = sql.text
        let statement = try statement(for: text, plan: sql.plan)
        try checkNoControl(statement)
        do {
            try bind(sql, text, to: statement)
            return statement
        } catch {
            guard try hasOtherTypes(statement) else { throw error }
            let current = try self.statement(for: text, plan: sql.plan)
            try bind(sql, text, to: current)
            return current
        }
    }

    /// Returns whether the server has changed the types of the parameters since the statement succeeded, as a value
    /// suggests that they do not admit; then forgets the statement.
    func hasOtherTypes(_ statement: Statement) throws -> Bool {
        let types = statement.parameterTypes
        guard statement.hasSucceeded, types.count <= Self.describableParameterCount else { return false }
        statement.hasSucceeded = false
        guard try prepare(statement.sql, name: nil, []).parameterTypes != types else { return false }
        (statement.name == nil ? described : prepared).remove(statement)
        try deallocate(statement)
        return true
    }

    private func bind(_ sql: borrowing SQL, _ text: String, to statement: Statement) throws {
        parameters.removeAll()
        var values = ParameterBinder(buffer: parameters, types: statement.parameterTypes, sql: text)
        for part in sql.parts {
            switch part {
            case .literal, .text: continue
            case .value(let value), .argument(let value): try values.append(value)
            case .failure(let error): throw error
            }
        }
        try values.rewind()
    }

    /// Throws if the statement begins or ends a transaction.
    func checkNoControl(_ statement: Statement) throws {
        guard statement.isControl else { return }
        throw PostgreSQLError(
            .misuse,
            transactionDepth > 0
                ? "the access is already a transaction: nest another with transaction(_:)" : "use transaction(_:)",
            sql: statement.sql)
    }

    /// Returns the statement with this text, prepared or described on first use.
    func statement(for text: String, plan: SQL.Plan) throws -> Statement {
        if transactionDepth == 0 || hasChangedSchema { try forgetStaleStatements() }
        var isPrepared = plan != .custom && preparesStatements
        if let statement = (isPrepared ? prepared : described).statement(for: text) { return statement }
        guard !text.utf8.contains(0) else {
            throw PostgreSQLError(.misuse, "the SQL text contains a NUL: bind the value", sql: nil)
        }
        let count = text.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "$") ? 1 : 0) }
        guard count <= Self.maximumParameterCount else {
            throw PostgreSQLError(.range, "more than \(Self.maximumParameterCount) values: bind them as an array")
        }
        if count > Self.describableParameterCount {
            isPrepared = false
            if let statement = described.statement(for: text) { return statement }
        }
        let earlierError = abortError
        let statement: Statement
        do {
            statement = try prepare(
                text, isNamed: isPrepared, isDescribable: count <= Self.describableParameterCount)
        } catch {
            // Nothing has happened yet that a new attempt would repeat.
            guard hasStaleStatement, !isLost, pendingBegin != nil || transactionDepth == 0 else { throw error }
            abortError = earlierError
            try forgetStaleStatements()
            return try self.statement(for: text, plan: plan)
        }
        for evicted in (isPrepared ? prepared : described).insert(statement) { try deallocate(evicted) }
        return statement
    }

    /// Requests the server to parse a statement and to infer the types of its parameters.
    ///
    /// The name of a prepared statement is made from its text, and behind a pooler from the types of its parameters
    /// as well. So a session of the server that has a statement of this name, which another client may have
    /// prepared, runs the same text, with values of the same types.
    private func prepare(_ text: String, isNamed: Bool, isDescribable: Bool) throws -> Statement {
        guard !SQLScanner.firstWord(of: text).isEmpty else {
            throw PostgreSQLError(.misuse, "the SQL text contains no statement", sql: text)
        }
        guard isDescribable else {
            return Statement(name: nil, sql: text, parameterTypes: try typesOfManyParameters(of: text))
        }
        guard isNamed else { return try prepare(text, name: nil, []) }
        guard isPooled else { return try prepare(text, name: name(of: text, []), []) }
        let types = try prepare(text, name: nil, []).parameterTypes
        return try prepare(text, name: name(of: text, types), types)
    }

    private func name(of text: String, _ types: [TypeID]) -> String {
        // The options of the connection can choose the schema.
        let options = PQoptions(raw).map { String(cString: $0) } ?? ""
        let content = ([options] + types.map { String($0.rawValue) } + [text]).joined(separator: "\0")
        return Self.statementPrefix + Digest.name(of: content)
    }

    /// Prepares a statement, and returns it with the types of its parameters, in one round trip.
    private func prepare(_ text: String, name: String?, _ types: [TypeID]) throws -> Statement {
        let (parameters, columns) = try exchange(sql: text, needsTransaction: false) {
            guard PQenterPipelineMode(raw) != 0 else { return 0 }
            return PQsendPrepare(
                raw, name ?? "", text, Int32(truncatingIfNeeded: types.count), types.map(\.rawValue))
                & PQsendDescribePrepared(raw, name ?? "") & PQpipelineSync(raw)
        } receive: {
            var (parameters, columns): ([TypeID], Set<TypeID>) = ([], [])
            var isPrepared = false
            do {
                try receivePipeline(sql: text, hasValues: false) { result in
                    isPrepared = true
                    parameters = (0..<PQnparams(result)).map { TypeID(rawValue: PQparamtype(result, $0)) }
                    columns = Set((0..<PQnfields(result)).map { TypeID(rawValue: PQftype(result, $0)) })
                }
            } catch {
                if name != nil, isPrepared { hasUnknownStatement = true }
                throw error
            }
            return (parameters, columns.filter(\.isOwn))
        }
        do {
            return Statement(
                name: name, sql: text, parameterTypes: parameters, domainElements: try domainElements(of: columns))
        } catch {
            if name != nil { hasUnknownStatement = true }
            throw error
        }
    }

    /// Returns the arrays of domains among types that the database defines, with the types that their elements are
    /// based on. The server tells the type that a domain is based on, but not for elements.
    private func domainElements(of types: Set<TypeID>) throws -> [TypeID: TypeID] {
        let unknown = types.filter { domainElements[$0] == nil }
        if !unknown.isEmpty {
            let text = """
                WITH RECURSIVE element (container, type, is_domain) AS (
                    SELECT oid, typelem, false FROM pg_catalog.pg_type
                    WHERE typelem <> 0 AND oid IN (\(unknown.map { "\($0.rawValue)" }.joined(separator: ", ")))
                    UNION ALL SELECT container, typbasetype, true FROM element JOIN pg_catalog.pg_type ON oid = type
                    WHERE typtype = 'd'
                )
                SELECT container, type FROM element JOIN pg_catalog.pg_type ON oid = type
                WHERE is_domain AND typtype <> 'd'
                """
            let result = try result(ofSimple: text, needsTransaction: false)
            defer { PQclear(result) }
            try check(result, sql: text)
            for type in unknown { domainElements.updateValue(nil, forKey: type) }
            for row in 0..<PQntuples(result) {
                let pair = (0..<2).compactMap { column in
                    PQgetvalue(result, row, column).flatMap { UInt32(String(cString: $0)) }.map(TypeID.init)
                }
                if pair.count == 2 { domainElements[pair[0]] = pair[1] }
            }
        }
        return types.reduce(into: [:]) { elements, type in elements[type] = domainElements[type] ?? nil }
    }

    /// Returns the types of the parameters of a statement that has more of them than libpq can describe: the server
    /// shows them for a prepared statement, which exists only within this round trip.
    private func typesOfManyParameters(of text: String) throws -> [TypeID] {
        let name = "postgresql_store_\(UInt64.random(in: 0 ... .max))"
        let commands = [
            "SELECT array_to_string(parameter_types::oid[], ' ') FROM pg_catalog.pg_prepared_statements "
                + "WHERE name = '\(name)'", "DEALLOCATE \(name)",
        ]
        return try exchange(sql: text, needsTransaction: false) {
            guard PQenterPipelineMode(raw) != 0, PQsendPrepare(raw, name, text, 0, nil) != 0 else { return 0 }
            for command in commands {
                guard PQsendQueryParams(raw, command, 0, nil, nil, nil, nil, 0) != 0 else { return 0 }
            }
            return PQpipelineSync(raw)
        } receive: {
            var types: [TypeID] = []
            try receivePipeline(sql: text, hasValues: false) { result in
                guard PQntuples(result) > 0, let numbers = PQgetvalue(result, 0, 0) else { return }
                types = String(cString: numbers).split(separator: " ").compactMap { UInt32($0) }
                    .map { TypeID(rawValue: $0) }
            }
            return types
        }
    }

    /// Forgets all statements, if the server has not the same ones.
    ///
    /// On a session of its own the connection deallocates them. Behind a pooler they are those of all clients, and
    /// the pooler does not keep them apart: from now on the connection sends each statement as text.
    func forgetStaleStatements() throws {
        guard hasStaleStatement || hasUnknownStatement || hasChangedSchema else { return }
        if hasStaleStatement { try recognizePooler() }
        if isPooled { preparesStatements = false } else { try runSimple("DEALLOCATE ALL") }
        prepared.removeAll()
        described.removeAll()
        (hasStaleStatement, hasUnknownStatement, hasChangedSchema) = (false, false, false)
    }

    /// The name of the command with this result, and for some commands a count: `ALTER TABLE`, `INSERT 0 1`.
    func tag(of result: OpaquePointer) -> String {
        PQcmdStatus(result).map { String(cString: $0) } ?? ""
    }

    /// Records that statements of these tags have changed the schema: what was prepared before would fail if it
    /// yields other columns now, as `SELECT *` does. Behind a pooler only the next transaction is prepared for that.
    private func recordSchemaChange(_ tags: Set<String>) {
        guard !isPooled else { return }
        let isChange = tags.contains { tag in ["ALTER ", "CREATE ", "DROP "].contains(where: tag.hasPrefix) }
        if isChange { hasChangedSchema = true }
    }

    /// Checks the tags of the statements of a script within a transaction.
    func checkScript(_ script: String, _ tags: Set<String>) throws {
        recordSchemaChange(tags)
        // `ROLLBACK TO` a savepoint has the same tag as `ROLLBACK`, which would need a `BEGIN` or `AND CHAIN`.
        let words = tags.contains("ROLLBACK") ? SQLScanner.words(of: script) : []
        let isChain = zip(words, words.dropFirst()).contains { $0 == "AND" && $1 == "CHAIN" }
        guard isChain || !tags.isDisjoint(with: ["BEGIN", "START TRANSACTION", "COMMIT", "PREPARE TRANSACTION"])
        else { return }
        let error = PostgreSQLError(.misuse, "the script begins or ends a transaction", sql: script)
        // If the error is caught, the rest of the transaction must not be committed.
        abortError = abortError ?? error
        throw error
    }

    private func deallocate(_ statement: Statement) throws {
        // A pooler with prepared statements deallocates them itself, and knows no names in SQL text.
        guard let name = statement.name, !isPooled else { return }
        do {
            try runSimple("DEALLOCATE \(name)")
        } catch {
            hasUnknownStatement = true
            throw error
        }
    }

    /// Recognizes a pooler by the number of the server's process: a pooler tells its clients numbers of its own.
    /// Returns the schema of unqualified names and the search path; nil from an engine without these functions.
    @discardableResult
    func recognizePooler(until end: Deadline? = nil) throws -> (schema: String, searchPath: String)? {
        let text = "SELECT pg_backend_pid(), current_schema(), current_setting('search_path')"
        let result = try result(ofSimple: text, needsTransaction: false, until: end)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK else {
            if PQstatus(raw) == CONNECTION_OK, RuntimeErrorMessage.field(.severity, of: result) == "ERROR" {
                return nil
            }
            try check(result, sql: text, hasValues: false)
            return nil
        }
        let values = (0..<Int32(3)).map { PQgetvalue(result, 0, $0).map { String(cString: $0) } ?? "" }
        if values[0] != String(PQbackendPID(raw)) { isPooled = true }
        return (values[1], values[2])
    }

    /// Runs a command of this library without values, and returns its tag, such as `COMMIT`.
    @discardableResult
    func runSimple(
        _ text: String, ignoresCancellation: Bool = false, until end: Deadline? = nil
    ) throws -> String {
        let result = try result(ofSimple: text, ignoresCancellation: ignoresCancellation, until: end)
        defer { PQclear(result) }
        try check(result, sql: text, hasValues: false)
        return tag(of: result)
    }

    /// Returns the result of a command without values. The caller must clear it.
    private func result(
        ofSimple text: String, ignoresCancellation: Bool = false, needsTransaction: Bool = true,
        until end: Deadline? = nil
    ) throws -> OpaquePointer {
        try exchange(
            sql: text, ignoresCancellation: ignoresCancellation, needsTransaction: needsTransaction, until: end
        ) {
            PQsendQuery(raw, text)
        } receive: {
            try lastResult(sql: text)
        }
    }

    /// Throws if a statement has begun or ended a transaction, as a procedure can.
    func checkTransaction(after sql: String) throws {
        let isOpen = PQtransactionStatus(raw) != PQTRANS_IDLE
        guard isOpen != (transactionDepth > 0) else { return }
        guard transactionDepth == 0 else {
            throw PostgreSQLError(.misuse, "the statement has ended the transaction", sql: sql)
        }
        try runSimple("ROLLBACK", ignoresCancellation: true)
        throw PostgreSQLError(.misuse, "the statement left a transaction open; it was rolled back", sql: sql)
    }
}
#endif
