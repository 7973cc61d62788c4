#if PostgreSQL
    /// A type whose values can be bound to parameters of a statement.
    ///
    /// To conform a type of your own, convert it to one of the values of PostgreSQL:
    ///
    /// ```swift
    /// extension Color: SQLBindable {
    ///     var sqlValue: SQLValue { .text(hexadecimal) }
    /// }
    /// ```
    ///
    /// A `RawRepresentable` type needs no code: `extension Region: SQLCodable {}`.
    ///
    /// The code that evaluates the SQL literal converts its values. Therefore types in a module with main-actor default
    /// isolation conform without that isolation.
    public protocol SQLBindable: SendableMetatype {
        /// The value that is sent. The call that runs the statement rethrows its errors.
        var sqlValue: SQLValue { get throws }
    }

    /// A type whose values can be read from a column.
    ///
    /// ```swift
    /// extension Color: SQLDecodable {
    ///     init(column: borrowing Column) throws {
    ///         guard let color = Color(hexadecimal: try String(column: column)) else {
    ///             throw column.mismatch(Color.self)
    ///         }
    ///         self = color
    ///     }
    /// }
    /// ```
    public protocol SQLDecodable: SendableMetatype {
        /// Reads the value; throws ``Column/mismatch(_:_:)`` if the column holds no value of this type.
        init(column: borrowing Column) throws
    }

    /// A type whose values can be bound and read.
    ///
    /// ```swift
    /// enum Region: String, SQLCodable { case north, south }
    /// try db.execute("INSERT INTO cities (name, region) VALUES (\(name), \(Region.north))")
    /// let region = try db.fetchOne(Region.self, "SELECT region FROM cities")  // Region.north
    /// ```
    public typealias SQLCodable = SQLBindable & SQLDecodable

    extension SQLBindable where Self: RawRepresentable, RawValue: SQLBindable {
        /// The raw value.
        ///
        /// - Throws: The error of a raw value that cannot be converted.
        @inlinable
        public var sqlValue: SQLValue {
            get throws { try rawValue.sqlValue }
        }
    }

    extension SQLDecodable where Self: RawRepresentable, RawValue: SQLDecodable {
        /// Reads the value with the raw value in the column; an unknown raw value is a mismatch.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch`.
        @inlinable
        public init(column: borrowing Column) throws {
            guard let value = Self(rawValue: try RawValue(column: column)) else {
                throw column.mismatch(Self.self, "is not one of its raw values")
            }
            self = value
        }
    }

    extension Optional: SQLBindable where Wrapped: SQLBindable {
        /// `NULL` for nil, otherwise the wrapped value.
        ///
        /// - Throws: The error of a wrapped value that cannot be converted.
        @inlinable
        public var sqlValue: SQLValue {
            get throws {
                switch self {
                case .none: .null
                case .some(let wrapped): try wrapped.sqlValue
                }
            }
        }
    }

    extension Optional: SQLDecodable where Wrapped: SQLDecodable {
        /// Reads nil from `NULL`, otherwise a wrapped value.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch`.
        @inlinable
        public init(column: borrowing Column) throws {
            self = column.isNull ? .none : .some(try Wrapped(column: column))
        }
    }
#endif
