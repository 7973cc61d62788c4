#if PostgreSQL
    internal import CPostgreSQL

    /// Binds the values of one run of a statement, in the order of its parameters.
    ///
    /// ```swift
    /// try db.execute("INSERT INTO cities (name, population) VALUES ($1, $2)", forEach: cities) { city, values in
    ///     try values.bind(city.name)
    ///     try values.bind(city.population)
    /// }
    /// ```
    public struct ParameterBinder: ~Copyable {
        private let buffer: ParameterBuffer
        private let types: [TypeID]
        private let sql: String
        /// Whether the values are fields of a `COPY`.
        private let isCopy: Bool
        private var index = 0

        init(buffer: ParameterBuffer, types: [TypeID], sql: String, isCopy: Bool = false) {
            (self.buffer, self.types, self.sql, self.isCopy) = (buffer, types, sql, isCopy)
        }

        /// Binds the next value.
        ///
        /// - Throws: ``PostgreSQLError`` if the value cannot be converted, or with `.range` if there are no more
        ///   parameters.
        public mutating func bind<Value: SQLBindable>(_ value: Value) throws {
            try append(try value.sqlValue)
        }

        mutating func append(_ value: SQLValue) throws {
            guard index < types.count else { throw countError("more") }
            index += 1
            do {
                if isCopy {
                    try buffer.appendField(value, as: types[index - 1])
                } else {
                    try buffer.append(value, as: types[index - 1])
                }
            } catch let error as PostgreSQLError {
                let place = isCopy ? "column \(index - 1)" : "parameter $\(index)"
                throw PostgreSQLError(error.code, "\(place): \(error.message)", sql: sql)
            }
        }

        /// Prepares for the next run.
        mutating func rewind() throws {
            guard index == types.count else { throw countError("\(index)") }
            index = 0
        }

        private func countError(_ found: String) -> PostgreSQLError {
            PostgreSQLError(
                .range, "expected \(types.count) values, found \(found): is a value within quotes?", sql: sql)
        }
    }

    extension Connection {
        /// The number of runs that are sent before their results are received.
        private static let pipelineLength = 256

        /// Runs one statement for each element of a sequence, and returns the number of rows that it inserted, updated
        /// or deleted. The runs are sent without waiting for the results of earlier ones.
        ///
        /// ```swift
        /// let insertion: SQL = "INSERT INTO points (latitude, longitude) VALUES ($1, $2)"
        /// try db.execute(insertion, forEach: points) { point, values in
        ///     try values.bind(point.latitude)
        ///     try values.bind(point.longitude)
        /// }
        /// ```
        ///
        /// For thousands of rows ``copy(into:columns:_:_:)`` is faster still.
        ///
        /// - Parameters:
        ///   - sql: The statement, with `$1`, `$2` and so on for its values. It must not contain interpolated values.
        ///   - elements: The elements, in the order of the runs.
        ///   - bind: Binds every parameter, in order. It must not use the connection.
        /// - Throws: ``PostgreSQLError``, such as `.range` if `bind` binds too few or too many values; the errors of
        ///   `bind`; `CancellationError`. Within a transaction, rethrow the error to undo the runs before it. Without a
        ///   transaction, some of these runs may be kept.
        @discardableResult
        public func execute<Elements: Sequence>(
            _ sql: SQL, forEach elements: Elements, _ bind: (Elements.Element, inout ParameterBinder) throws -> Void
        ) throws -> Int {
            let statement = try statement(for: sql.text, plan: .automatic)
            try setPlanMode(for: .automatic)
            var count = 0
            var iterator = elements.makeIterator()
            while let first = iterator.next() {
                count += try runPipeline(of: statement, first, &iterator, bind)
            }
            return count
        }

        /// Runs the statement for `first` and further elements.
        private func runPipeline<Iterator: IteratorProtocol>(
            of statement: Statement, _ first: Iterator.Element, _ rest: inout Iterator,
            _ bind: (Iterator.Element, inout ParameterBinder) throws -> Void
        ) throws -> Int {
            var failure: (any Error)?
            return try exchange(sql: statement.sql) {
                guard PQenterPipelineMode(raw) != 0 else { return 0 }
                var values = ParameterBinder(
                    buffer: parameters, types: statement.parameterTypes, sql: statement.sql)
                var next: Iterator.Element? = first
                var runs = 0
                while let element = next {
                    parameters.removeAll()
                    do {
                        try bind(element, &values)
                        try values.rewind()
                    } catch {
                        // The pipeline still ends with a sync, so that the earlier runs return their results.
                        failure = error
                        break
                    }
                    guard send(statement) != 0 else { return 0 }
                    runs += 1
                    next = runs < Self.pipelineLength ? rest.next() : nil
                }
                return PQpipelineSync(raw)
            } receive: {
                var count = 0
                try receivePipeline(sql: statement.sql) { count += changeCount(of: $0) }
                if let failure { throw failure }
                return count
            }
        }
    }
#endif
