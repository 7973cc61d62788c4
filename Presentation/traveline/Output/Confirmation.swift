import TravelPresentation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A question before something is removed.
enum Confirmation {
    /// Asks on the terminal; `y`, `yes` and `네` confirm, everything else declines.
    ///
    /// - Throws: `UsageError` without a terminal to ask on; `CommandError` when the person declines.
    static func require(_ question: String, in language: Language) throws {
        guard isatty(STDIN_FILENO) != 0, isatty(STDERR_FILENO) != 0 else {
            throw UsageError(
                "nobody can be asked here; add --yes to confirm", "여기서는 물어볼 수 없습니다. 확인했다면 --yes를 붙이세요")
        }
        Standard.error.write("\(question) [y/N] ")
        let answer = readLine()?.trimmingPrefix { $0 == " " }.lowercased() ?? ""
        guard ["y", "yes", "네", "예", "ㅇ"].contains(String(answer)) else {
            throw CommandError(language.say("nothing was changed", "아무것도 바꾸지 않았습니다"), .success)
        }
    }
}
