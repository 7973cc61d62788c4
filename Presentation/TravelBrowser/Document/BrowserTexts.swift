// The texts that only this edge has. What other edges say as well is in `TravelPresentation`.
extension Text {
    static let skip = Text("Skip to the content", "본문으로 건너뛰기")
    static let menu = Text("Menu", "메뉴")
    static let keyboard = Text("Keyboard", "키보드")
    static let connectionLost = Text("The connection is lost. Trying again…", "연결이 끊겼습니다. 다시 연결하는 중…")
    static let appEnded = Text("Traveline has ended. You can close this tab.", "Traveline이 끝났습니다. 이 탭을 닫아도 됩니다.")
    static let runEnded = Text(
        "The session has ended. What you typed stays here until you have opened the app again.",
        "세션이 끝났습니다. 앱을 다시 열 때까지 입력한 내용은 여기에 남아 있습니다.")
    static let sessionOver = Text(
        "You have been signed out. Sign in again in another tab: what you typed stays here until then.",
        "로그아웃되었습니다. 다른 탭에서 다시 로그인할 때까지 입력한 내용은 여기에 남아 있습니다.")
    static let changePassword = Text("Change password", "비밀번호 바꾸기")
    static let dropFiles = Text("Drop the files to add them", "파일을 놓으면 추가됩니다")
    static let days = Text("Days", "날짜")
    static let entriesOfDay = Text("Entries", "기록")
    static let moveUp = Text("Move up", "위로")
    static let moveDown = Text("Move down", "아래로")
    static let previousPicture = Text("Previous picture", "이전 사진")
    static let nextPicture = Text("Next picture", "다음 사진")
    /// The script puts numbers for both names in braces.
    static let pictureCount = Text("{n} of {m}", "{m}장 중 {n}번째")
}
