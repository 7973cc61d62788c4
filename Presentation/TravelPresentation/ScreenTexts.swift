// What pages and commands say as well is in `TravelTexts`.

extension Text {
    // General

    public static let retry = Text("Retry", "다시 시도")
    public static let cancel = Text("Cancel", "취소")
    public static let close = Text("Close", "닫기")
    public static let back = Text("Back", "뒤로")
    public static let save = Text("Save", "저장")
    public static let delete = Text("Delete", "삭제")
    public static let edit = Text("Edit", "수정")
    public static let loading = Text("Loading…", "불러오는 중…")
    public static let saving = Text("Saving…", "저장하는 중…")
    public static let help = Text("Help", "도움말")
    public static let quit = Text("Quit", "종료")

    // Home

    public static let recentKeywords = Text("Recent searches", "최근 검색어")
    public static let suggestions = Text("Suggestions", "추천 검색어")
    public static let noRecentKeywords = Text("No recent searches", "최근 검색어가 없습니다")
    public static let noSuggestions = Text("No matching titles", "일치하는 제목이 없습니다")
    public static let forgetKeyword = Text("Remove", "지우기")
    public static let nothingFoundHint = Text("Try another keyword or fewer filters.", "다른 검색어를 쓰거나 필터를 줄여 보세요.")
    public static let applyFilters = Text("Apply", "적용")
    public static let clearFilters = Text("Clear all", "모두 해제")
    public static let sort = Text("Sort", "정렬")
    public static let refresh = Text("Refresh", "새로고침")
    public static let loadingMore = Text("Loading more…", "더 불러오는 중…")
    public static let endOfList = Text("End of the list.", "마지막입니다.")
    public static let writeTrip = Text("New trip", "새 여행")

    // Trip

    public static let like = Text("Like", "좋아요")
    public static let unlike = Text("Unlike", "좋아요 취소")
    public static let report = Text("Report", "신고")
    public static let reportQuestion = Text(
        "Report this trip? Trips with more than five reports are hidden.", "이 여행을 신고할까요? 신고가 다섯 번을 넘은 여행은 숨겨집니다.")
    public static let reported = Text("Reported. Thank you.", "신고했습니다. 감사합니다.")
    public static let alreadyReported = Text("You have already reported this trip.", "이미 신고한 여행입니다.")
    public static let block = Text("Block author", "작성자 차단")
    public static let blockQuestion = Text(
        "Block this author? You will no longer see their trips.", "이 작성자를 차단할까요? 이 사람의 여행이 더 이상 보이지 않습니다.")
    public static let blocked = Text("Author blocked.", "작성자를 차단했습니다.")
    public static let editTrip = Text("Edit trip", "여행 수정")
    public static let deleteTrip = Text("Delete trip", "여행 삭제")
    public static let deleteTripQuestion = Text("Delete this trip with all its entries?", "이 여행과 모든 기록을 삭제할까요?")
    public static let tripDeleted = Text("Trip deleted.", "여행을 삭제했습니다.")
    public static let undo = Text("Undo", "되돌리기")
    public static let tripRestored = Text("The trip is back.", "여행을 되살렸습니다.")
    public static let hiddenTrip = Text(
        "hidden: only you see it, because it was reported or the owner of the server hid it",
        "숨겨짐: 신고되었거나 서버 주인이 숨겨서 나에게만 보입니다")
    public static let noPlaces = Text("No places on the map of this day.", "이날은 지도에 표시할 장소가 없습니다.")

    // Entries

    public static let addEntry = Text("Add entry", "기록 추가")
    public static let noEntries = Text("Nothing recorded on this day.", "이날은 기록이 없습니다.")
    public static let editEntry = Text("Edit entry", "기록 수정")
    public static let moveEntry = Text("Move entry", "기록 옮기기")
    public static let deleteEntry = Text("Delete entry", "기록 삭제")
    public static let deleteEntryQuestion = Text("Delete this entry?", "이 기록을 삭제할까요?")
    public static let entryDeleted = Text("Entry deleted.", "기록을 삭제했습니다.")
    public static let entryRestored = Text("The entry is back.", "기록을 되살렸습니다.")

    // Forms

    public static let title = Text("Title", "제목")
    public static let firstDay = Text("First day", "시작일")
    public static let lastDay = Text("Last day", "종료일")
    public static let text = Text("Text", "내용")
    public static let day = Text("Day", "날짜")
    public static let time = Text("Time", "시간")
    public static let place = Text("Place", "장소")
    public static let image = Text("Photo", "사진")
    public static let imagePath = Text("Path of a photo", "사진 파일 경로")
    public static let pictures = Text("Photos", "사진")
    public static let picturePaths = Text("Paths of photos", "사진 파일 경로")
    public static let pictureText = Text("What it shows", "사진 설명")
    public static let showPosition = Text("Show position", "위치 공개")
    public static let hidePosition = Text("Position only for me", "위치는 나만")
    public static let removePosition = Text("Remove position", "위치 지우기")
    public static let removePictureTime = Text("Remove time", "시각 지우기")
    public static let placePlaceholder = Text("Type a name, or search places", "이름을 쓰거나 장소 검색")
    public static let noPlaceFound = Text("Unknown place; only its name is saved.", "아는 장소가 아닙니다. 이름만 남깁니다.")
    public static let removePlace = Text("Remove place", "장소 지우기")
    public static let removeImage = Text("Remove photo", "사진 지우기")
    public static let chooseRegion = Text("Choose a region.", "지역을 선택하세요.")
    public static let saved = Text("Saved.", "저장했습니다.")
    public static let discardQuestion = Text("Discard your changes?", "변경한 내용을 버릴까요?")
    public static let discard = Text("Discard", "버리기")
    public static let keepEditing = Text("Keep editing", "계속 편집")
    public static let mine = Text("Your version", "내 변경")
    public static let theirs = Text("Stored version", "저장된 내용")
    public static let keepCopy = Text("Keep a copy", "새 여행으로 저장")
    public static let keepMine = Text("Keep mine", "내 변경 저장")
    public static let keepBoth = Text("Keep both", "둘 다 남기기")
    public static let takeTheirs = Text("Take theirs", "저장된 내용 사용")
    public static let saveMerge = Text("Merge and save", "합쳐서 저장")
    public static let arrived = Text("Changed elsewhere, and kept:", "다른 곳에서 바뀐 내용(그대로 둡니다):")
    public static let collisions = Text("Changed here and elsewhere; choose one:", "양쪽에서 바뀐 내용(하나를 고르세요):")
    public static let noValue = Text("(none)", "(없음)")
    public static let entryWasDeleted = Text("The entry was deleted elsewhere.", "다른 곳에서 삭제된 기록입니다.")
    public static let entryWasDeletedWithPhotos = Text(
        "The entry was deleted elsewhere, with its photos.", "다른 곳에서 사진과 함께 삭제된 기록입니다.")
    public static let tripWasDeleted = Text(
        "The trip was deleted elsewhere, with its entries.", "다른 곳에서 기록과 함께 삭제된 여행입니다.")

    // Account

    public static let myPage = Text("My page", "마이페이지")
    public static let myTrips = Text("My trips", "내 여행")
    public static let likedTrips = Text("Liked trips", "좋아요한 여행")
    public static let seeAll = Text("See all", "모두 보기")
    public static let noTrips = Text("You have not recorded a trip yet.", "아직 기록한 여행이 없습니다.")
    public static let noLikedTrips = Text("You have not liked a trip yet.", "아직 좋아요한 여행이 없습니다.")
    public static let profile = Text("Profile", "프로필")
    public static let settings = Text("Settings", "설정")
    public static let language = Text("Language", "언어")
    public static let nickname = Text("Nickname", "닉네임")
    public static let nicknameAvailable = Text("This nickname is available.", "사용할 수 있는 닉네임입니다.")
    public static let nicknameUnchanged = Text("This is already your nickname.", "지금 닉네임과 같습니다.")
    public static let nicknameControl = Text(
        "A nickname is one line of visible characters.", "닉네임에는 줄바꿈이나 제어 문자를 쓸 수 없습니다.")
    public static let checking = Text("Checking…", "확인하는 중…")
    public static let signIn = Text("Sign in", "로그인")
    public static let signedIn = Text("Signed in.", "로그인했습니다.")
    public static let signOut = Text("Sign out", "로그아웃")
    public static let signedOut = Text("Signed out.", "로그아웃했습니다.")
    public static let blockedUsers = Text("Blocked people", "차단한 사람")
    public static let nobodyBlocked = Text("You have not blocked anyone.", "차단한 사람이 없습니다.")
    public static let unblock = Text("Unblock", "차단 해제")
    public static let unblocked = Text("Unblocked.", "차단을 해제했습니다.")
    public static let deleteAccount = Text("Delete account", "회원 탈퇴")
    public static let deleteAccountQuestion = Text(
        "Delete your account with all your trips, photos and likes? This cannot be undone.",
        "계정과 모든 여행, 사진, 좋아요를 삭제할까요? 되돌릴 수 없습니다.")
    public static let accountDeleted = Text("Your account was deleted.", "계정을 삭제했습니다.")
    public static let brokenLink = Text("This link cannot be opened.", "열 수 없는 링크입니다.")
}

extension Text {
    /// Several chosen values: the first, and the number of the others.
    public static func andMore(_ first: String, _ others: Int) -> Text {
        Text("\(first) +\(others)", "\(first) 외 \(others)")
    }

    public static func tooShort(minimum: Int) -> Text {
        minimum == 1
            ? Text("Enter some text.", "내용을 입력하세요.")
            : Text("Enter at least \(minimum) characters.", "\(minimum)자 이상 입력하세요.")
    }

    /// A picture was taken on a day that the trip does not have.
    /// The pictures of a form that could not be read again after a restart.
    static func picturesLeftOut(_ paths: [String]) -> Text {
        let names = paths.joined(separator: ", ")
        return Text(
            "Left out, because the file can no longer be read: \(names)", "파일을 더는 읽을 수 없어 뺐습니다: \(names)")
    }

    public static func takenOutside(_ date: PhotoDate) -> Text {
        Text(
            "Taken on \(date.day), outside of the trip: is it on the right day?",
            "여행 밖의 날인 \(date.day)에 찍은 사진입니다. 이 날짜가 맞나요?")
    }

    /// Images that are still to be read.
    public static func readingPictures(_ count: Int) -> Text {
        Text("Reading \(count == 1 ? "1 photo" : "\(count) photos")…", "사진 \(count)장 읽는 중…")
    }

    public static func tooLong(maximum: Int) -> Text {
        Text("Enter at most \(maximum) characters.", "\(maximum)자 이하로 입력하세요.")
    }

    public static func hello(_ name: String) -> Text {
        Text("Hello, \(name)", "\(name)님, 안녕하세요")
    }
}
