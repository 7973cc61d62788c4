#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Tracks the databases that the current thread is accessing, to detect re-entrant accesses.
package enum CurrentAccess {
    /// The innermost access, linked to the enclosing ones. It is stored on the stack of the accessing thread.
    private struct Frame {
        let database: ObjectIdentifier
        let outer: UnsafeMutableRawPointer?
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let code = pthread_key_create(&key, nil)
        precondition(code == 0, "the system has no thread-local storage key left (error \(code))")
        return key
    }()

    /// Runs `body` as an access to `database`.
    package static func enter<Result>(_ database: AnyObject, _ body: () throws -> Result) rethrows -> Result {
        let outer = pthread_getspecific(key)
        var frame = Frame(database: ObjectIdentifier(database), outer: outer)
        return try withUnsafeMutablePointer(to: &frame) { frame in
            pthread_setspecific(key, frame)
            defer { pthread_setspecific(key, outer) }
            return try body()
        }
    }

    /// Throws the error for `nested` if the thread is within an access to `database`, because another one could
    /// deadlock.
    package static func check(_ database: AnyObject, orThrow error: (AccessFailure) -> any Error) throws {
        var next = pthread_getspecific(key)
        while let frame = next?.assumingMemoryBound(to: Frame.self).pointee {
            if frame.database == ObjectIdentifier(database) { throw error(.nested) }
            next = frame.outer
        }
    }
}
