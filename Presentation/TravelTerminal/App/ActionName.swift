/// The names of actions that only a terminal has; all other texts are those of the screens.
enum ActionName {
    case move, open, search, choose, otherDay, nextField, scroll, redraw, suspend, deleteText, page, stop, quitUnsaved,
        unsaved

    func text(in language: Language) -> String {
        let (english, korean) = texts
        return language == .korean ? korean : english
    }

    private var texts: (String, String) {
        switch self {
        case .move: ("Move", "이동")
        case .open: ("Open", "열기")
        case .search: ("Search", "검색")
        case .choose: ("Choose", "선택")
        case .otherDay: ("Day", "날짜")
        case .nextField: ("Next field", "다음 칸")
        case .scroll: ("Scroll", "스크롤")
        case .redraw: ("Draw the screen again", "화면 다시 그리기")
        case .suspend: ("Back to the shell (fg returns)", "셸로 잠시 나가기 (fg로 복귀)")
        case .deleteText: ("Delete the text before the cursor", "커서 앞의 글 지우기")
        case .page: ("A page up or down", "한 화면씩 이동")
        case .stop: ("Stop", "장소")
        case .quitUnsaved: ("Quit; twice without saving", "종료 (두 번 누르면 저장하지 않고)")
        case .unsaved:
            ("Not saved yet. Ctrl-C again quits without saving.", "아직 저장하지 않았습니다. Ctrl-C를 다시 누르면 저장하지 않고 종료합니다.")
        }
    }
}
