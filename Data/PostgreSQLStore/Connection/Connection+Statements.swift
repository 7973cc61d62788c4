#if PostgreSQL
    internal import CPostgreSQL

    // Preparing and running statements.
    extension Connection {
        /// The maximum number of parameters of the protocol.
        private static let maximumParameterCount = 65_535
        /// The maximum number of parameters that libpq can describe: it takes a longer description, of more than 30,000
        /// bytes, for a broken connection.
        private static let describableParameterCount = 7_498

        /// Runs a statement, and calls `body` with its result, which is valid during the call.
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
            do {
                return try run(statement, sql.plan)
            } catch {
                guard hasStaleStatement, !isLost, transactionDepth == 0 else { throw error }
                return try run(try bound(sql), sql.plan)
            }
        }

        private func run(_ statement: Statement, _ plan: SQL.Plan) throws -> OpaquePointer {
            let change = planModeChange(for: plan)
            let first = (pendingBegin.map { [$0] } ?? []) + (change.map { [$0.command] } ?? [])
            let result = try first.isEmpty ? runAlone(statement) : run(statement, after: first)
            if let change, hasBegun { planMode = change.mode }
            do {
                try check(result, sql: statement.sql)
                try checkTransaction(after: statement.sql)
                return result
            } catch {
                PQclear(result)
                throw error
            }
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
            guard mode != planMode, transactionDepth > 0, configuration.preparesStatements else { return nil }
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
                    while true {
                        // A nil separates the results of the commands.
                        guard let result = try nextPipelineResult(sql: statement.sql) else { continue }
                        switch PQresultStatus(result) {
                        case PGRES_PIPELINE_SYNC:
                            PQclear(result)
                            PQexitPipelineMode(raw)
                            guard let last else { throw lostError(sql: statement.sql) }
                            return last
                        case PGRES_PIPELINE_ABORTED: PQclear(result)
                        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                            PQclear(result)
                            throw copyError(sql: statement.sql)
                        default:
                            if remaining > 0, PQresultStatus(result) == PGRES_COMMAND_OK {
                                (remaining, hasBegun) = (remaining - 1, true)
                                PQclear(result)
                            } else if PQstatus(raw) == CONNECTION_BAD {
                                // libpq reports the loss of the connection as a result; no further ones follow.
                                PQclear(last)
                                return result
                            } else if last == nil {
                                last = result
                            } else {
                                PQclear(result)
                            }
                        }
                    }
                } catch {
                    // The error that the server sent before it ended the connection.
                    if isLost, let last { return last }
                    PQclear(last)
                    throw error
                }
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
            guard !statement.isControl else {
                throw PostgreSQLError(
                    .misuse,
                    transactionDepth > 0
                        ? "the access is already a transaction: nest another with transaction(_:)"
                        : "use transaction(_:)", sql: text)
            }
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
            return statement
        }

        /// Returns the statement with this text, prepared or described on first use.
        func statement(for text: String, plan: SQL.Plan) throws -> Statement {
            if transactionDepth == 0 { try forgetStaleStatements() }
            var isPrepared = plan != .custom && configuration.preparesStatements
            if let statement = (isPrepared ? prepared : described).statement(for: text) { return statement }
            guard !text.utf8.contains(0) else {
                throw PostgreSQLError(.misuse, "the SQL text contains a NUL: bind the value", sql: nil)
            }
            let count = text.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "$") ? 1 : 0) }
            guard count <= Self.maximumParameterCount else {
                throw PostgreSQLError(.range, "more than \(Self.maximumParameterCount) values: bind them as an array")
            }
            let isDescribable = count <= Self.describableParameterCount
            if !isDescribable {
                isPrepared = false
                if let statement = described.statement(for: text) { return statement }
            }
            lastStatementNumber += isPrepared ? 1 : 0
            let statement =
                isDescribable
                ? try prepare(text, name: isPrepared ? "s\(lastStatementNumber)" : nil)
                : Statement(name: nil, sql: text, parameterTypes: try typesOfManyParameters(of: text))
            for evicted in (isPrepared ? prepared : described).insert(statement) { try deallocate(evicted) }
            return statement
        }

        /// Requests the server to parse a statement and to infer the types of its parameters, in one round trip.
        private func prepare(_ text: String, name: String?) throws -> Statement {
            try checkCanPrepare(text)
            return try exchange(sql: text, needsTransaction: false) {
                guard PQenterPipelineMode(raw) != 0 else { return 0 }
                return PQsendPrepare(raw, name ?? "", text, 0, nil) & PQsendDescribePrepared(raw, name ?? "")
                    & PQpipelineSync(raw)
            } receive: {
                var types: [TypeID] = []
                var failure: (any Error)?
                while true {
                    // A nil separates the results of the commands.
                    guard let result = try nextPipelineResult(sql: text) else { continue }
                    defer { PQclear(result) }
                    switch PQresultStatus(result) {
                    case PGRES_PIPELINE_SYNC:
                        PQexitPipelineMode(raw)
                        if let failure { throw failure }
                        return Statement(name: name, sql: text, parameterTypes: types)
                    case PGRES_PIPELINE_ABORTED: continue
                    default: break
                    }
                    do { try check(result, sql: text, hasValues: false) } catch { failure = failure ?? error }
                    if isLost { throw failure ?? lostError(sql: text) }
                    types = (0..<PQnparams(result)).map { TypeID(rawValue: PQparamtype(result, $0)) }
                }
            }
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
                var failure: (any Error)?
                while true {
                    guard let result = try nextPipelineResult(sql: text) else { continue }
                    defer { PQclear(result) }
                    switch PQresultStatus(result) {
                    case PGRES_PIPELINE_SYNC:
                        PQexitPipelineMode(raw)
                        if let failure { throw failure }
                        return types
                    case PGRES_PIPELINE_ABORTED: continue
                    default: break
                    }
                    do { try check(result, sql: text, hasValues: false) } catch { failure = failure ?? error }
                    if isLost { throw failure ?? lostError(sql: text) }
                    if PQntuples(result) > 0, let numbers = PQgetvalue(result, 0, 0) {
                        types = String(cString: numbers).split(separator: " ").compactMap { UInt32($0) }
                            .map { TypeID(rawValue: $0) }
                    }
                }
            }
        }

        /// Throws for SQL text without a statement, which cannot be prepared.
        private func checkCanPrepare(_ text: String) throws {
            guard !SQLScanner.firstWord(of: text).isEmpty else {
                throw PostgreSQLError(.misuse, "the SQL text contains no statement", sql: text)
            }
        }

        /// Deallocates all statements, if one of them is no longer valid on the server.
        func forgetStaleStatements() throws {
            guard hasStaleStatement else { return }
            try runSimple("DEALLOCATE ALL")
            prepared.removeAll()
            described.removeAll()
            hasStaleStatement = false
        }

        private func deallocate(_ statement: Statement) throws {
            guard let name = statement.name else { return }
            try runSimple("DEALLOCATE \(name)")
        }

        /// Runs a command of this library without values, and returns its tag, such as `COMMIT`.
        @discardableResult
        func runSimple(_ text: String, ignoresCancellation: Bool = false) throws -> String {
            let result = try exchange(sql: text, ignoresCancellation: ignoresCancellation) {
                PQsendQuery(raw, text)
            } receive: {
                try lastResult(sql: text)
            }
            defer { PQclear(result) }
            try check(result, sql: text, hasValues: false)
            return PQcmdStatus(result).map { String(cString: $0) } ?? ""
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
