#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Which databases the current thread is inside of an access to.
enum CurrentAccess {
    /// The innermost access, linked to those around it. It lies on the stack of the thread that is inside of it.
    private struct Frame {
        let database: ObjectIdentifier
        let outer: UnsafeMutableRawPointer?
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let code = pthread_key_create(&key, nil)
        precondition(code == 0, "the system has no thread-local storage left (error \(code))")
        return key
    }()

    /// Runs `body` as an access to `database`.
    static func enter<Result>(_ database: AnyObject, _ body: () throws -> Result) rethrows -> Result {
        let outer = pthread_getspecific(key)
        var frame = Frame(database: ObjectIdentifier(database), outer: outer)
        return try withUnsafeMutablePointer(to: &frame) { frame in
            pthread_setspecific(key, frame)
            defer { pthread_setspecific(key, outer) }
            return try body()
        }
    }

    /// Throws if the thread is inside of an access to `database`, which waiting for another would keep from ending.
    static func check(_ database: AnyObject) throws {
        var next = pthread_getspecific(key)
        while let frame = next?.assumingMemoryBound(to: Frame.self).pointee {
            if frame.database == ObjectIdentifier(database) {
                throw SQLiteError(
                    .reentrantAccess, "an access was begun inside of another to the same database: use its connection")
            }
            next = frame.outer
        }
    }
}
