#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Starts a detached thread that runs `body`, and returns 0 or the error number.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
    final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
    let context = Unmanaged.passRetained(Body(body))
    #if canImport(Darwin)
        var thread: pthread_t?
        let code = pthread_create(
            &thread, nil,
            { context in
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        if code == 0, let thread { pthread_detach(thread) }
    #else
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        if code == 0 { pthread_detach(thread) }
    #endif
    if code != 0 { context.release() }
    return code
}
