import Foundation
import TravelDomain
import TravelPresentation

/// Asks for passwords on the terminal, without showing what is typed.
enum PasswordPrompt {
    /// The variable of the environment that has the password where there is no terminal to ask on.
    static let variable = "TRAVELINE_PASSWORD"
    /// The variable that has the password to which one is changed.
    static let newVariable = "TRAVELINE_NEW_PASSWORD"

    /// Returns the password of the environment, or the one that the user types.
    ///
    /// - Parameters:
    ///   - question: What is asked, such as `Password for mina:`; twice if `isNew`, until both are alike.
    ///   - variable: The variable of the environment that may have the password.
    /// - Throws: `UsageError` without a terminal to ask on; `TravelError.invalid` for text that cannot be a password, or
    ///   that nobody may choose as a new one.
    static func password(
        _ question: String, isNew: Bool = false, or variable: String = variable, in language: Language
    ) throws -> Password {
        func parsed(_ text: String) throws(TravelError) -> Password {
            let password = try Password(text)
            if isNew { try password.requireChoosable() }
            return password
        }
        if let text = try Standard.variable(variable) { return try parsed(text) }
        guard isatty(STDIN_FILENO) != 0, isatty(STDERR_FILENO) != 0 else {
            throw UsageError(
                "there is no terminal to ask for a password; set \(variable)",
                "여기서는 비밀번호를 물어볼 수 없습니다. \(variable)를 설정하세요")
        }
        while true {
            let text = try line(question)
            guard isNew else { return try parsed(text) }
            let password: Password
            do {
                password = try parsed(text)
            } catch {
                Standard.error.write("\(CommandError(error).text(in: language))\n")
                continue
            }
            if try line(language.say("Once more: ", "한 번 더: ")) == text { return password }
            Standard.error.write(language.say("The passwords differ. Try again.\n", "두 비밀번호가 다릅니다. 다시 입력하세요.\n"))
        }
    }

    /// A line that is typed without being shown. A signal that ends the process shows what is typed again before.
    ///
    /// - Throws: `CommandError` at the end of input.
    private static func line(_ question: String) throws -> String {
        Standard.error.write(question)
        var modes = termios()
        guard tcgetattr(STDIN_FILENO, &modes) == 0 else {
            throw CommandError("there is no terminal", "터미널이 없습니다", .usage)
        }
        let before = modes
        modes.c_lflag &= ~tcflag_t(ECHO)
        modes.c_lflag |= tcflag_t(ECHONL)
        @Sendable func restore() {
            var before = before
            tcsetattr(STDIN_FILENO, TCSANOW, &before)
        }
        return try Signal.handling({ signal in
            restore()
            signal.end()
        }) {
            // What was typed before the question is discarded.
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &modes)
            defer { restore() }
            if let line = try Standard.line() { return line }
            throw CommandError("there is no password", "비밀번호가 없습니다", .usage)
        }
    }
}

extension Text {
    static let passwordPrompt = Text("Password: ", "비밀번호: ")
}
