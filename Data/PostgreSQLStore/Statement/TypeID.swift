#if PostgreSQL
    /// The object identifier of a type of the server. Those of built-in types are the same in every database
    /// (https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat).
    @usableFromInline
    struct TypeID: RawRepresentable, Hashable, Sendable {
        @usableFromInline
        let rawValue: UInt32

        @inlinable
        init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        @inlinable static var boolean: TypeID { TypeID(rawValue: 16) }
        @inlinable static var bytea: TypeID { TypeID(rawValue: 17) }
        @inlinable static var character: TypeID { TypeID(rawValue: 18) }
        @inlinable static var name: TypeID { TypeID(rawValue: 19) }
        @inlinable static var bigint: TypeID { TypeID(rawValue: 20) }
        @inlinable static var smallint: TypeID { TypeID(rawValue: 21) }
        @inlinable static var integer: TypeID { TypeID(rawValue: 23) }
        @inlinable static var text: TypeID { TypeID(rawValue: 25) }
        @inlinable static var oid: TypeID { TypeID(rawValue: 26) }
        @inlinable static var json: TypeID { TypeID(rawValue: 114) }
        @inlinable static var xml: TypeID { TypeID(rawValue: 142) }
        @inlinable static var real: TypeID { TypeID(rawValue: 700) }
        @inlinable static var double: TypeID { TypeID(rawValue: 701) }
        @inlinable static var unknown: TypeID { TypeID(rawValue: 705) }
        @inlinable static var paddedCharacters: TypeID { TypeID(rawValue: 1042) }
        @inlinable static var varchar: TypeID { TypeID(rawValue: 1043) }
        @inlinable static var timestamp: TypeID { TypeID(rawValue: 1114) }
        @inlinable static var timestamptz: TypeID { TypeID(rawValue: 1184) }
        @inlinable static var numeric: TypeID { TypeID(rawValue: 1700) }
        @inlinable static var uuid: TypeID { TypeID(rawValue: 2950) }
        @inlinable static var jsonb: TypeID { TypeID(rawValue: 3802) }

        /// The smallest identifier of a type that a database defines itself, such as an enumeration.
        private static let firstOwn: UInt32 = 16384

        /// Whether the type is defined by the database, and not built in.
        var isOwn: Bool { rawValue >= Self.firstOwn }

        /// Whether the binary form is the text.
        @usableFromInline
        var isText: Bool {
            switch self {
            case .text, .varchar, .paddedCharacters, .name, .character, .json, .xml, .unknown: true
            default: false
            }
        }

        /// The type of the elements; nil for a type that is not a built-in array of a type above.
        var element: TypeID? { Self.elements[self] }

        /// The name in SQL.
        var description: String {
            if let element { return element.description + "[]" }
            return Self.names[self] ?? (isOwn ? "a type of the database" : "the type \(rawValue)")
        }

        private static let elements: [TypeID: TypeID] = {
            let pairs: [(UInt32, TypeID)] = [
                (1000, .boolean), (1001, .bytea), (1002, .character), (1003, .name), (1005, .smallint),
                (1007, .integer),
                (1009, .text), (1014, .paddedCharacters), (1015, .varchar), (1016, .bigint), (1021, .real),
                (1022, .double), (1028, .oid), (1115, .timestamp), (1185, .timestamptz), (1231, .numeric), (143, .xml),
                (199, .json), (2951, .uuid), (3807, .jsonb),
            ]
            return Dictionary(uniqueKeysWithValues: pairs.map { (TypeID(rawValue: $0), $1) })
        }()

        private static let names: [TypeID: String] = {
            let pairs: [(TypeID, String)] = [
                (.boolean, "boolean"), (.bytea, "bytea"), (.character, "\"char\""), (.name, "name"),
                (.bigint, "bigint"),
                (.smallint, "smallint"), (.integer, "integer"), (.text, "text"), (.oid, "oid"), (.json, "json"),
                (.xml, "xml"), (.real, "real"), (.double, "double precision"), (.unknown, "unknown"),
                (.paddedCharacters, "char"), (.varchar, "varchar"), (.timestamp, "timestamp"),
                (.timestamptz, "timestamptz"), (.numeric, "numeric"), (.uuid, "uuid"), (.jsonb, "jsonb"),
                (TypeID(rawValue: 1082), "date"), (TypeID(rawValue: 1083), "time"),
                (TypeID(rawValue: 1186), "interval"),
                (TypeID(rawValue: 869), "inet"), (TypeID(rawValue: 1266), "timetz"), (TypeID(rawValue: 650), "cidr"),
            ]
            return Dictionary(uniqueKeysWithValues: pairs)
        }()
    }
#endif
