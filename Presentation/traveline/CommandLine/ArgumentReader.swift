/// Reads a command line from left to right: options with values, flags, and other words.
///
/// Understands `--name value`, `--name=value`, `-n value`, and `--` before words that begin with a dash.
struct ArgumentReader {
    /// One thing on the command line.
    enum Argument: Equatable {
        case option(String)
        case word(String)
    }

    private var remaining: ArraySlice<String>
    private var inlineValue: String?
    private var onlyWordsFollow = false
    /// The option that was read last.
    private(set) var lastOption = ""

    init(_ arguments: [String]) {
        remaining = arguments[...]
    }

    /// The next option or word; `nil` at the end.
    mutating func next() throws -> Argument? {
        if inlineValue != nil { throw UsageError("\(lastOption) takes no value", "\(lastOption)에는 값을 쓰지 않습니다") }
        guard let argument = remaining.popFirst() else { return nil }
        if onlyWordsFollow || !argument.hasPrefix("-") || argument == "-" { return .word(argument) }
        if argument == "--" {
            onlyWordsFollow = true
            return try next()
        }
        if argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") {
            inlineValue = String(argument[argument.index(after: equals)...])
            lastOption = String(argument[..<equals])
        } else {
            lastOption = argument
        }
        return .option(lastOption)
    }

    /// The value of the option read last.
    mutating func value(_ placeholder: String) throws -> String {
        if let value = inlineValue.take() { return value }
        guard let value = remaining.popFirst(), value != "--" else {
            throw UsageError(
                "\(lastOption) needs a value: \(lastOption) \(placeholder)",
                "\(lastOption)에는 값이 필요합니다: \(lastOption) \(placeholder)")
        }
        return value
    }
}
