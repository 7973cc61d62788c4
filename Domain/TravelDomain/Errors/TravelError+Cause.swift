extension TravelError.Outage {
    /// A kind of reason why a store cannot answer.
    ///
    /// A store can define causes of its own; a screen that does not know one shows a general message.
    ///
    /// ```swift
    /// extension TravelError.Outage.Cause {
    ///     static let maintenance = Self(name: "maintenance")
    /// }
    /// ```
    public struct Cause: Hashable, Sendable {
        /// The name of the cause, which is unique.
        public let name: String

        /// Creates the cause with that name, known to this version or not.
        public init(name: String) {
            self.name = name
        }

        /// Another program uses the store at the moment.
        public static let busy = Cause(name: "busy")
        /// The disk on which the store writes is full.
        public static let diskFull = Cause(name: "disk full")
        /// A newer version of the product wrote the file.
        public static let newerVersion = Cause(name: "newer version")
        /// The file is not a travel database.
        public static let notATravelDatabase = Cause(name: "not a travel database")
        /// The store, or an image in it, is damaged or incomplete.
        public static let damaged = Cause(name: "damaged")
        /// A file cannot be opened, read or written.
        public static let inaccessible = Cause(name: "inaccessible")
        /// A file exists already where a new one would be.
        public static let fileExists = Cause(name: "file exists")
        /// A server cannot be reached over the network.
        public static let unreachable = Cause(name: "unreachable")
        /// A server refuses the user or the password.
        public static let accessRefused = Cause(name: "access refused")
        /// A server lets the user in, who lacks a privilege in the database.
        public static let missingPrivilege = Cause(name: "missing privilege")
        /// The address of a server is not valid.
        public static let invalidAddress = Cause(name: "invalid address")
        /// A server has no database of this name.
        public static let noSuchDatabase = Cause(name: "no such database")
        /// The connection to a server cannot be encrypted, or the certificate of the server is not trusted.
        public static let notSecure = Cause(name: "not secure")
        /// The store can only be read: a server is a copy of another one, or a file is on a read-only medium.
        public static let readOnly = Cause(name: "read-only")
        /// Any other reason, which the text describes.
        public static let other = Cause(name: "other")
    }
}
