/// The reason why a nickname cannot be taken.
///
/// ```swift
/// nicknameLabel.text = NicknameProblem.verdict(.taken).text(in: .english)
/// ```
public enum NicknameProblem: Hashable, Sendable {
    /// The nickname has this verdict, which is not `available`.
    case verdict(CheckNickname.Verdict)
    /// It could not be checked, or not be saved.
    case failed(ScreenFailure)

    /// The problem of a verdict; `nil` if the nickname is available.
    init?(_ verdict: CheckNickname.Verdict) {
        if verdict == .available { return nil }
        self = .verdict(verdict)
    }

    /// Returns the text to show beside the field, in a language.
    public func text(in language: Language) -> String {
        switch self {
        case .verdict(.unchanged): language[.nicknameUnchanged]
        case .verdict(.tooShort): language[.tooShort(minimum: Nickname.length.lowerBound)]
        case .verdict(.tooLong): language[.tooLong(maximum: Nickname.length.upperBound)]
        case .verdict(.controlCharacter): language[.nicknameControl]
        case .verdict(.taken): language[.nicknameTaken]
        case .verdict(.available): language[.nicknameAvailable]
        case .failed(let failure): failure.message(in: language).text
        }
    }
}
