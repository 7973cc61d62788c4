#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The standard streams of this process.
enum Standard {
    case output
    case error

    /// Writes the text, all of it, before it returns; nothing is left to do when whoever reads has gone.
    func write(_ text: String) {
        let descriptor = self == .output ? STDOUT_FILENO : STDERR_FILENO
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let start = rest.baseAddress, !rest.isEmpty {
                let written = systemWrite(descriptor, start, rest.count)
                if written < 0 && errno == EINTR { continue }
                if written <= 0 { return }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
            }
        }
    }

    /// The language of the environment, by the variables that POSIX names for messages.
    static func locale(in environment: [String: String]) -> String {
        ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
