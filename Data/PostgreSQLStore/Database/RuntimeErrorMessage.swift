#if PostgreSQL
    internal import CPostgreSQL

    /// The server's message for a failed run, reduced to the part that cannot contain a value.
    ///
    /// Messages quote their subject in double quotes, or state it after a colon or as a number. The quotation may be a
    /// bound value or derived from one. A quotation is kept if it is one of the names that the server reports beside
    /// the message; otherwise the message ends before it. A fixed text replaces the message of an error that a function
    /// raises. No value is inspected.
    enum RuntimeErrorMessage {
        /// Returns the message of a result that reports an error of a run with values.
        static func text(of result: OpaquePointer, code: String) -> String {
            guard let message = field(.message, of: result),
                field(.sourceFunction, of: result) != "exec_stmt_raise",
                serverClasses.contains(String(code.prefix(2)))
            else { return "the statement failed with SQLSTATE \(code)" }
            let names = [ErrorField.schema, .table, .column, .type, .constraint].compactMap { field($0, of: result) }
            return withoutQuotations(message, except: names)
        }

        /// Returns a field of an error report.
        static func field(_ field: ErrorField, of result: OpaquePointer) -> String? {
            PQresultErrorField(result, Int32(field.rawValue.value)).map { String(cString: $0) }
        }

        /// The classes of errors that only the server itself reports with its own messages.
        private static let serverClasses: Set<String> = [
            "08", "0A", "21", "22", "23", "25", "26", "28", "40", "42", "53", "54", "55", "57",
        ]

        private static func withoutQuotations(_ message: String, except names: [String]) -> String {
            var text = ""
            var rest = message[...]
            while let character = rest.first {
                if character == "\"" {
                    guard let name = names.first(where: { rest.hasPrefix("\"\($0)\"") }) else { return truncated(text) }
                    text += "\"\(name)\""
                    rest = rest.dropFirst(name.count + 2)
                } else if "'`:".contains(character) || character.isNumber || !character.isASCII {
                    return truncated(text)
                } else {
                    text.append(character)
                    rest = rest.dropFirst()
                }
            }
            return text
        }

        private static func truncated(_ text: String) -> String {
            text + "…"
        }
    }

    /// A field of the server's report of an error
    /// (https://www.postgresql.org/docs/current/protocol-error-fields.html).
    enum ErrorField: Unicode.Scalar {
        case severity = "V"
        case sqlState = "C"
        case message = "M"
        case schema = "s"
        case table = "t"
        case column = "c"
        case type = "d"
        case constraint = "n"
        case sourceFunction = "R"
    }
#endif
