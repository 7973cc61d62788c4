#if PostgreSQL
    internal import DatabaseAccess

    /// The columns of one row of a result.
    final class ResultRow: RowSource {
        private let result: OpaquePointer
        private let statement: Statement
        let columns: ColumnIndices
        var position: Int32
        /// Whether the row may no longer exist: a decoder that outlives it throws instead of reading.
        var isOver = false

        init(_ row: borrowing Row) {
            (result, statement, position) = (row.result, row.statement.takeUnretainedValue(), row.position)
            columns = ColumnIndices(row.columnNames)
        }

        func index(of name: String) throws -> Int {
            guard let index = columns[name] else {
                throw PostgreSQLError(.range, "no column \"\(name)\" among \(columns.names)", sql: statement.sql)
            }
            return index
        }

        func isNull(at index: Int) throws -> Bool {
            try column(index).isNull
        }

        /// Decodes a `SQLDecodable` type as the server stores it, and other types from JSON in a text. From `json` and
        /// `jsonb` decodes every type except `String` as JSON.
        func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
            let column = try column(index)
            let isJSON = column.type == .json || column.type == .jsonb
            if let type = type as? any SQLDecodable.Type, !isJSON || type is String.Type {
                guard let value = try type.init(column: column) as? Value else { throw column.mismatch(Value.self) }
                return value
            }
            if isJSON { return try SQLJSON<Value>(column: column).value }
            do {
                return try decodeSingleValue(type, at: index) ?? SQLJSON<Value>(column: column).value
            } catch is DecodingError {
                // Usually an unknown raw value. The description of the error may quote it.
                throw column.mismatch(type, "is not a valid value")
            }
        }

        func readsFromColumn(_ type: any Decodable.Type) -> Bool { type is any SQLDecodable.Type }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
            KeyedDecodingContainer(ResultRowContainer(source: self))
        }

        func misuse(_ message: String) -> any Error {
            PostgreSQLError(.misuse, message, sql: statement.sql)
        }

        private func column(_ index: Int) throws -> Column {
            guard !isOver else { throw PostgreSQLError(.misuse, "a row was decoded after its access") }
            return Column(result: result, statement: .passUnretained(statement), row: position, index: index)
        }
    }

    private struct ResultRowContainer<Key: CodingKey>: RowContainer {
        let source: ResultRow
    }
#endif
