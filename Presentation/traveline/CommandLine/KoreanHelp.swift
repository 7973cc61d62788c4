import TravelDomain

/// The texts of the help in Korean, by the English ones.
///
/// A text that is missing here appears in English; a test makes sure that none is.
enum KoreanHelp {
    static func text(for english: String) -> String { texts[english] ?? english }

    static let texts = headings.merging(commands) { $1 }.merging(options) { $1 }.merging(examples) { $1 }

    private static let headings = [
        "Usage:": "사용법:", "Options:": "옵션:", "Examples:": "예:", "Commands:": "명령:",
        "Options of commands that use a database:": "데이터베이스를 쓰는 명령의 옵션:",
        "trips as timelines, found by keyword and filters": "타임라인으로 남기는 여행, 검색어와 필터로 찾기",
        "opens the app in the terminal, at a link if given: traveline://me or traveline://trip/WHOLE-ID":
            "터미널에서 앱 열기. 링크가 있으면 그 화면부터: traveline://me, traveline://trip/ID전체",
        "shows the options of a command, with examples": "명령의 옵션과 예 보기",
        "shows this text, or the help of a command": "이 도움말 또는 명령의 도움말", "shows the version": "버전 보기",
        "Trips and entries have IDs; their first characters are enough.": "여행과 기록에는 ID가 있으며, 앞 글자만 써도 됩니다.",
        "TRAVELINE_DATABASE specifies a database for all commands. What the URL of a server omits comes from PGHOST, PGSERVICE and so on. Put passwords in ~/.pgpass or PGPASSWORD: others can see a command line.":
            "TRAVELINE_DATABASE는 모든 명령이 쓸 데이터베이스입니다. 서버 주소에 없는 것은 PGHOST, PGSERVICE 등에서 가져옵니다. 명령줄은 다른 사람에게 보이므로 비밀번호는 ~/.pgpass나 PGPASSWORD에 두세요.",
    ]

    private static let commands = [
        "lists trips by keyword and filters": "검색어와 필터로 여행 찾기",
        "prints a trip with its timeline": "여행과 타임라인 보기",
        "draws the places of a trip in the terminal": "여행의 장소를 터미널에 지도로 그리기",
        "records a new trip, or adds an entry to one": "새 여행 또는 새 기록 쓰기",
        "changes one of your trips, or one of its entries": "내 여행 또는 기록 고치기",
        "likes trips, or removes likes": "여행에 좋아요 누르기 또는 취소하기",
        "removes your trips, an entry of a trip, or the sample trips": "내 여행, 기록 또는 예시 여행 지우기",
        "writes trips to a file: GPX, GeoJSON, JSON, map, page": "여행을 파일로 내보내기: GPX, GeoJSON, JSON, 지도, 페이지",
        "adds trips from a file: GPX, GeoJSON, or exported JSON": "파일에서 여행 가져오기: GPX, GeoJSON, 내보낸 JSON",
        "your account, your trips and your likes": "내 계정, 내 여행, 좋아요한 여행",
        "signs in to a server, or creates an account there": "이 기기를 서버에 가입하거나 로그인하기",
        "From then on, the app and the commands work with the server's trips, without waiting for the network and also offline; 'traveline sync' lists pending changes. Your own database is kept, and is used again after 'traveline disconnect'.":
            "이후 앱과 명령은 서버의 여행으로 일합니다. 이 기기에서 바로, 오프라인에서도 됩니다. 기다리는 것은 'traveline sync'가 보여 줍니다. 내 데이터베이스는 그대로이며 'traveline disconnect' 뒤에 돌아옵니다.",
        "If the server has moved, connect to its new address with the same account: pending changes are sent there.":
            "서버 주소가 바뀌었으면 같은 계정으로 새 주소에 연결하세요. 기다리는 변경은 그곳으로 보냅니다.",
        "The password is read from the terminal without being shown, or from TRAVELINE_PASSWORD.":
            "비밀번호는 보이지 않게 물어보거나 TRAVELINE_PASSWORD에서 가져옵니다.",
        "signs this device out of its server": "이 기기를 서버에서 로그아웃하기",
        "Your own database is used again. The device's copy of the server's trips is removed, with pending changes and vanished trips; the server keeps its data.":
            "내 데이터베이스로 돌아옵니다. 기기에 있는 서버의 것은 기다리는 변경과 사라진 여행까지 지워지고, 서버에 있는 것은 남습니다.",
        "sends pending changes to the server, and resolves conflicts": "기다리는 변경을 서버로 보내고 충돌 해결하기",
        "Changes are sent by every command and by the app; sync sends them now and lists what remains: pending changes, numbered conflicts, and trips that the server no longer has.":
            "변경은 모든 명령과 앱이 보냅니다. sync는 지금 보내고 남은 것을 출력합니다: 기다리는 변경, 번호가 있는 충돌, 서버에서 사라진 여행.",
        "The exit code is 0 if everything is on the server, 65 if a decision is needed, 75 if the server does not answer for now, 69 if waiting does not help, and 77 if you have to sign in again. Other commands do not fail while the server does not answer: their changes stay pending.":
            "종료 코드는 모두 서버에 있으면 0, 결정할 것이 있으면 65, 서버가 지금 응답하지 않으면 75, 기다려도 소용없으면 69, 다시 로그인해야 하면 77입니다. 서버가 응답하지 않아도 다른 명령은 실패하지 않고, 변경은 기다립니다.",
        "For a conflict, 'mine' sends your version again, 'theirs' discards it, with the trip if the server no longer has it, and 'copy' makes a new trip of it; to combine both, edit the trip afterwards. For a trip that has vanished, 'restore' adds it again, and 'forget' discards the copy.":
            "충돌에서 'mine'은 내 것을 다시 보내고 'theirs'는 버립니다. 서버에 없는 여행이면 여행도 지워집니다. 'copy'는 내 것을 새 여행으로 만듭니다. 다른 내용을 원하면 그 뒤에 여행을 고치세요. 사라진 여행에서 'restore'는 다시 더하고 'forget'은 사본을 지웁니다.",
        "Your trips are compared with those of the server, so that one that the server has lost is found.":
            "내 여행을 서버의 것과 비교해서 서버가 잃은 여행을 찾습니다.",
        "prints the URL of a trip's page on the server": "서버에 있는 여행 페이지의 주소 보기",
        "Anyone with the URL can read the page, without an account. The trip is sent first; the command fails if it is not on the server yet.":
            "주소가 있으면 계정 없이도 누구나 페이지를 읽을 수 있습니다. 여행을 먼저 보내며, 아직 서버에 없으면 실패합니다.",
        "shows what was reported on your server, and decides": "내 서버에서 신고된 것을 보고 결정하기",
        "Run it with the database that 'traveline serve' uses, also while the server runs. A trip with more than five reports that count is hidden from everyone but its author, who is told. Reports count if the account is older than a day, and has made at most five within a day.":
            "'traveline serve'가 쓰는 데이터베이스에 실행하며, 서버가 도는 동안에도 됩니다. 반영된 신고가 다섯 건을 넘은 여행은 쓴 사람에게만 보이고, 쓴 사람은 그 사실을 압니다. 만든 지 하루가 넘은 계정이 하루에 다섯 건까지 한 신고가 반영됩니다.",
        "'restore' shows a trip again: the reports that it had no longer count. 'hide' hides a trip until it is restored. 'block' signs an account out on all devices and keeps it from signing in, and its reports no longer count; its trips stay.":
            "'restore'는 여행을 다시 보이고, 그때까지의 신고는 더 이상 반영되지 않습니다. 'hide'는 restore할 때까지 여행을 숨깁니다. 'block'은 계정을 모든 기기에서 로그아웃하고 로그인을 막으며, 그 신고는 더 이상 반영되지 않습니다. 여행은 남습니다.",
        "serves the trips of a database to devices and browsers": "데이터베이스의 여행을 기기와 브라우저에 제공하기",
        "Devices connect to it with 'traveline connect', and browsers show its pages. People sign up with a nickname and a password, and see and change only what their account permits.":
            "기기는 'traveline connect'로 연결하고, 브라우저는 페이지를 보여 줍니다. 사람들은 닉네임과 비밀번호로 가입하며, 보고 바꿀 수 있는 것은 누구인지에 따라 정해집니다.",
        "Beyond this machine it needs TLS: a certificate with its key, or a proxy that terminates TLS. On SIGTERM or Ctrl-C, it answers the requests that it has received, and exits.":
            "이 기기 밖으로는 TLS가 필요합니다: 인증서와 키, 또는 그것을 가진 앞단의 프록시. SIGTERM이나 Ctrl-C를 받으면 받은 요청에 답한 뒤 끝납니다.",
        "adds generated trips, to test a database of any size": "가상 여행을 더해 큰 데이터베이스 시험하기",
        "copies a whole database into another file or server": "데이터베이스 전체를 다른 파일이나 서버로 복사하기",
        "Users with accounts on a server keep their passwords, and sign in again on their devices.":
            "서버에 계정이 있는 사람은 비밀번호를 그대로 쓰고, 기기에서 다시 로그인합니다.",
        "Copies users, trips, pictures, likes, reports and blocks with their versions and dates, in one transaction, and compares both databases before the commit. If anything fails, the other database is unchanged. It must be empty, unless --replace is given.":
            "사람, 여행, 사진, 좋아요, 신고, 차단을 버전과 날짜까지 한 트랜잭션으로 복사하고, 확정하기 전에 두 데이터베이스를 비교합니다. 실패하면 대상은 그대로입니다. --replace가 없으면 대상이 비어 있어야 합니다.",
        "The source is your own database, or that of --database. You stay signed in on this device.":
            "원본은 내 데이터베이스나 --database의 것입니다. 이 기기에서는 로그인이 유지됩니다.",
        "checks the database, its pictures and permissions": "데이터베이스, 사진, 권한 점검하기",
        "prints a script that completes commands in a shell": "셸 자동 완성 스크립트 출력하기",
        "TEXT is the same as --keyword. A trip must match every filter. Options with several values can be repeated, or take a list separated by commas; Korean names work as well. Each line begins with an ID that other commands accept.":
            "TEXT는 --keyword와 같습니다. 모든 필터에 맞는 여행을 찾습니다. 값을 여럿 쓰는 옵션은 되풀이하거나 쉼표로 나누며, 한국어 이름도 쓸 수 있습니다. 각 줄의 첫 글자들은 다른 명령에 쓰는 ID입니다.",
        "Entries have the same numbers as in 'traveline show'. For an image: traveline export ID --format svg":
            "기록의 번호는 'traveline show'와 같습니다. 그림 파일: traveline export ID --format svg",
        "Prints the ID of the new trip or entry. Without --day or --time, an entry takes them from its photo, or else from the previous entry.":
            "쓴 것의 ID를 출력합니다. --day나 --time이 없으면 사진에서, 사진에도 없으면 앞 기록에서 가져옵니다.",
        "Pictures are stored without the location, time and camera in their metadata, because everyone who sees a trip can download them; HEIC and AVIF must be converted first on Linux.":
            "여행을 보는 사람은 사진도 받으므로, 파일에 적힌 장소, 시간, 카메라는 빼고 저장합니다. 리눅스에서는 HEIC와 AVIF를 먼저 변환하세요.",
        "Values without an option stay unchanged. A new first day moves the last day as well. The value none clears a field. Specify an entry by its number in 'traveline show' or by its ID.":
            "옵션에 없는 것은 그대로입니다. 첫날을 바꾸면 마지막 날도 함께 옮겨집니다. none은 값을 지웁니다. 기록은 'traveline show'의 번호나 ID로 고릅니다.",
        "Asks before it removes anything. Specify an entry by its number in 'traveline show' or by its ID. 'traveline undo' restores what was removed last.":
            "지우기 전에 물어봅니다. 기록은 'traveline show'의 번호나 ID로 고릅니다. 마지막으로 지운 것은 'traveline undo'로 되살립니다.",
        "restores what you removed last: trips or an entry": "마지막으로 지운 여행이나 기록 되살리기",
        "Restores what the last deletion on this device removed, by a command or in the app, with its pictures and likes. The database and the account must be the same.":
            "이 기기에서 명령이나 앱으로 마지막에 지운 것을 사진, 좋아요와 함께 되살립니다. 같은 데이터베이스와 같은 계정이어야 합니다.",
        "json contains everything, including pictures, and several trips: importing it restores the same trips. geojson and gpx are for maps and GPS receivers; svg is a map, and html a web page, each in one file.":
            "json에는 사진까지 모두 담기고 여행이 여럿 들어가며, 가져오면 같은 여행이 됩니다. geojson과 gpx는 지도와 수신기용이고, svg는 지도, html은 읽기 위한 페이지이며 각각 파일 하나입니다.",
        "What the format cannot hold is named on standard error.": "형식에 담기지 않는 내용은 표준 오류에 알립니다.",
        "The pictures in a page have no location, time or camera in their metadata.":
            "페이지의 사진에는 찍은 곳, 때, 기기가 남지 않습니다.",
        "Without --output, the file goes to standard output. Without --format, the extension of the file name decides; the default is json.":
            "--output이 없으면 표준 출력에 씁니다. --format이 없으면 파일 이름의 끝으로 정하거나 json이 됩니다.",
        "A file is imported as a whole or not at all. What traveline exported as json or geojson becomes the same trips again, by the same users. Any other GPX or GeoJSON is a recorded track: it becomes a trip of yours, with a timeline of its places, days and stops.":
            "파일 전체를 가져오거나 아무것도 가져오지 않습니다. traveline이 내보낸 json과 geojson은 같은 사람의 같은 여행이 됩니다. 다른 GPX와 GeoJSON은 이동 기록으로, 장소와 날짜와 머문 곳이 담긴 내 여행이 됩니다.",
        "Without --format, the format is detected from the file's name and content. The file - is standard input.":
            "--format이 없으면 파일 이름과 내용으로 정합니다. 파일 -는 표준 입력입니다.",
        "An account is a name on this device, without a password: 'me sign-in NAME' switches to it permanently, and --as NAME for one command. Without a name, you sign in as the user of the device. 'rename' changes the nickname that others see, not the name of the account. An avatar is a picture of at most 10 MiB that others see; none removes it. 'delete-account' removes the account with its trips and likes.":
            "계정은 이 기기에서 쓰는 이름이며 비밀번호가 없습니다. 'me sign-in NAME'은 계속, --as NAME은 명령 한 번만 그 계정을 씁니다. 이름이 없으면 기기 주인으로 로그인합니다. rename은 보이는 닉네임만 바꾸고 계정 이름은 그대로입니다. avatar는 다른 사람에게 보이는 10MiB 이하의 사진이며, none은 사진을 지웁니다. delete-account는 계정을 여행, 좋아요와 함께 지웁니다.",
        "An account on a server has a password. 'me password' changes it, and signs your other devices out. Both passwords are read from the terminal without being shown, or from TRAVELINE_PASSWORD and TRAVELINE_NEW_PASSWORD.":
            "서버의 계정에는 비밀번호가 있습니다. 'me password'는 비밀번호를 바꾸고 다른 기기를 로그아웃합니다. 둘 다 보이지 않게 물어보거나 TRAVELINE_PASSWORD와 TRAVELINE_NEW_PASSWORD에서 가져옵니다.",
        "The same N and SEED always give the same trips. Either all of them are added or, if the command is interrupted, none.":
            "N과 SEED가 같으면 여행도 같습니다. 모두 더해지거나, 중단하면 하나도 더해지지 않습니다.",
        "Reads the whole database and all pictures, and changes nothing. The exit code is 0 if there are no problems, and 65 otherwise; each problem is reported with its remedy.":
            "데이터베이스와 사진을 모두 읽으며 아무것도 바꾸지 않습니다. 문제가 없으면 종료 코드가 0, 있으면 65이며, 문제마다 해결 방법이 나옵니다.",
        "The script completes commands, options and their values, and the IDs of trips. 'completion ids', which the scripts call, lists the IDs that begin with a text, with their titles.":
            "명령, 옵션과 그 값, 여행 ID를 완성합니다. 'completion ids'는 그렇게 시작하는 ID를 제목과 함께 출력하며, 스크립트가 씁니다.",
    ]
}

extension KoreanHelp {
    static let options = [
        "shows this text": "이 도움말",
        "use a database on a server as its owner; its URL lets you act as any account":
            "서버의 데이터베이스를 주인으로 쓰기: 그 URL을 가진 사람은 그 안의 누구든 될 수 있음",
        "create a new account": "새 계정 만들기", "copy your own trips from this device to the server": "이 기기의 내 여행을 서버로 복사",
        "discard what exists only on this device, without asking": "이 기기에만 있는 것을 묻지 않고 버리기",
        "the address, 127.0.0.1:8080 by default": "주소, 기본은 127.0.0.1:8080",
        "the certificate chain for TLS, in PEM": "TLS 인증서 체인, PEM",
        "the private key of the certificate, in PEM": "인증서의 개인 키, PEM",
        "trust X-Forwarded-For, and leave TLS to the proxy": "X-Forwarded-For를 믿고 TLS는 프록시에 맡기기",
        "act as this account on the device; a new name creates an account": "기기의 이 계정으로 실행, 새 이름이면 새 계정",
        "language of the output": "출력 언어",
        "use this file or server (postgresql://user@host/name) instead of your own database":
            "내 데이터베이스 대신 쓸 파일이나 서버(postgresql://user@host/name)",
        "trips whose title contains this text": "제목에 이 글자가 있는 여행", "in any of these regions": "이 지역 중 하나",
        "with any of these themes": "이 테마 중 하나", "with any of these companions": "이 동행 중 하나",
        "that begin in any of these seasons": "이 계절 중 하나에 시작", "of this length": "이 기간",
        "with this many people": "이 인원",
        "at this cost per person, in units of 10,000 won": "한 사람의 경비, 만 원 단위", "by this means of transport": "이 교통수단",
        "newest, most liked, or latest date first": "최신순, 좋아요순 또는 여행 날짜순",
        "at most N trips, \(SearchTrips.pageSize) by default": "최대 N개, 기본은 \(SearchTrips.pageSize)개",
        "continue after this trip in the same list": "같은 목록에서 이 여행 다음부터", "print a JSON array": "JSON 배열로 출력",
        "print a JSON object": "JSON 객체로 출력", "only this day of the trip": "여행의 이 날만",
        "the title, at most \(Title.length.upperBound) characters": "제목, 최대 \(Title.length.upperBound)자",
        "the region": "여행지",
        "the first day, such as 2024-05-01": "첫날, 예: 2024-05-01",
        "the last day; by default the first day": "마지막 날, 기본은 첫날",
        "the number of days, instead of the last day": "마지막 날 대신 날수", "the themes": "테마", "the companions": "동행",
        "the number of people": "인원", "the cost per person, in units of 10,000 won": "한 사람의 경비, 만 원 단위",
        "the means of transport": "교통수단",
        "the picture of the trip; none for the first one of its entries": "여행의 사진, none이면 기록의 첫 사진",
        "add an entry to this trip": "이 여행에 기록 쓰기", "change this entry of the trip": "여행의 이 기록 고치기",
        "the day of the trip, from 1": "여행의 날, 1부터", "the time of day, such as 09:30": "시각, 예: 09:30",
        "what happened, at most \(EntryText.length.upperBound) characters; - reads standard input":
            "있었던 일, 최대 \(EntryText.length.upperBound)자, -이면 표준 입력에서 읽기",
        "a known place, or any name; none removes it": "아는 장소 또는 장소 이름, none이면 없음",
        "the coordinates of a place that is not known": "모르는 장소의 위치", "its address": "장소의 주소",
        "a picture; none removes it": "사진, none이면 없음",
        "print the changed trip as a JSON object": "고친 여행을 JSON 객체로 출력", "remove your like": "좋아요 취소",
        "remove only this entry of the trip": "여행의 이 기록만 지우기",
        "remove the sample trips of a new database": "새 데이터베이스에 있는 예시 여행 지우기", "do not ask": "묻지 않기",
        "the format": "형식", "the file to write; - for standard output": "쓸 파일, -이면 표준 출력",
        "all of your trips": "내 여행 모두",
        "overwrite an existing file": "있는 파일 덮어쓰기",
        "the region of a recorded track; by default that of most of its places": "이동 기록의 여행지, 없으면 장소가 가장 많은 곳",
        "the time zone of a recorded track's local times, such as Europe/Lisbon": "이동 기록의 현지 시간대, 예: Europe/Lisbon",
        "the day of a recorded track without times": "시각이 없는 이동 기록의 날짜",
        "import exported trips as new trips of your own": "내보낸 여행을 내 새 여행으로 가져오기",
        "delete the account without asking": "묻지 않고 탈퇴", "the number of trips": "여행 수",
        "the seed of the generator: a whole number, 1 by default": "여행의 종류, 정수, 기본은 1",
    ]

    static let examples = [
        "serve your own database on this machine, at http://127.0.0.1:8080":
            "내 데이터베이스를 이 컴퓨터에서 제공, http://127.0.0.1:8080",
        "serve other machines, with TLS": "모두에게 TLS로 제공", "create the account mina there": "그곳에 mina 계정 만들기",
        "sign in on another device": "다른 기기에서 로그인",
        "the URL of the trip whose ID begins like this": "ID가 이렇게 시작하는 여행의 주소",
        "sign out, after pending changes have been sent": "기다리는 변경을 보낸 뒤 로그아웃",
        "send pending changes": "기다리는 변경 보내기", "keep your version in conflict 3": "3번 충돌에서 내 것 남기기",
        "trips with 바다 in their title": "제목에 바다가 있는 여행",
        "summer trips to Busan or Jeju, most liked first": "부산이나 제주의 여름 여행을 좋아요순으로",
        "five family trips as JSON": "가족 여행 다섯 개를 다른 프로그램에",
        "the trip whose ID begins like this": "ID가 이렇게 시작하는 여행",
        "its second day as JSON": "둘째 날을 다른 프로그램에",
        "all places of the trip, in order": "여행의 모든 장소를 순서대로",
        "the places of its second day": "둘째 날의 장소", "a trip of two days": "이틀 여행", "an entry of that trip": "그 여행의 기록",
        "change the title, and clear the budget": "제목을 바꾸고 경비는 지우기",
        "change the time and place of the second entry": "둘째 기록의 시각과 장소 바꾸기",
        "like the trip whose ID begins like this": "ID가 이렇게 시작하는 여행에 좋아요",
        "remove the like of another account": "다른 계정의 좋아요 취소",
        "the trip with its entries, pictures and likes": "여행을 기록, 사진, 좋아요와 함께",
        "the trips or the entry that were removed last": "마지막으로 지운 여행이나 기록",
        "its second entry, without asking": "둘째 기록을 묻지 않고", "the sample trips": "예시 여행",
        "a page that opens in any browser": "어느 브라우저에서나 열리는 페이지", "the places for a GPS receiver": "GPS 수신기용 장소",
        "all your trips with their pictures": "내 여행 모두를 사진과 함께", "a trip from a recorded track": "이동 기록으로 만드는 여행",
        "the trips of a backup into another database": "백업의 여행을 다른 데이터베이스에",
        "a trip of a friend, as one of your own": "친구의 여행을 내 여행으로", "your trips, most liked first": "내 여행을 좋아요순으로",
        "five trips that you like": "좋아요한 여행 다섯 개", "act as 민지 from now on": "이제부터 민지로",
        "show this picture to others": "이 사진을 다른 사람에게 보이기",
        "the trips of 민지, without signing in": "로그인하지 않고 민지의 여행", "a database of a million trips": "여행 백만 개의 데이터베이스",
        "list reported trips, hidden ones first": "신고된 여행을 숨겨진 것부터 보기",
        "show a trip again that its reports have hidden": "신고로 숨겨진 여행 다시 보이기",
        "sign an account out for good": "계정을 로그아웃하고 로그인 막기",
        "'invite' prints codes for 'traveline serve --sign-up invitation', each for one account. They are not stored, only their digests: they cannot be shown again.":
            "'invite'는 'traveline serve --sign-up invitation'의 초대 코드를 출력하며, 코드 하나로 계정 하나를 만듭니다. 다이제스트만 저장하므로 다시 볼 수 없습니다.",
        "make so many invitations, 1 by default": "만들 초대 코드 수, 기본 1",
        "who may create an account; open by default": "가입할 수 있는 사람, 기본 open",
        "the trips of an account, 5000 by default": "계정마다 여행 수, 기본 5000",
        "the pictures of an account, 20000 by default": "계정마다 사진 수, 기본 20000",
        "the size of the pictures of an account, 20480 by default": "계정마다 사진 크기의 합, 기본 20480",
        "let people in who have a code of 'moderate invite'": "'moderate invite' 코드가 있는 사람만 가입",
        "the code from the owner of the server, where it asks for one": "초대 코드가 필요한 서버의 주인에게서 받은 코드",
        "list at most so many trips, 20 by default": "최대 여행 수, 기본 20",
        "500 more trips in your own database": "내 데이터베이스에 여행 500개 더하기",
        "check the database in your data directory": "데이터 폴더의 데이터베이스 점검",
        "check another database, and print JSON": "다른 것을 점검해 다른 프로그램에",
        "check a database on a server": "서버의 데이터베이스 점검",
        "the database to copy into, a file or a server": "복사할 데이터베이스, 파일이나 서버",
        "remove the contents of the other database first": "대상 데이터베이스의 내용 지우기",
        "move your own trips to a server": "내 여행을 서버로 옮기기", "and back into a new file": "다시 새 파일로",
        "the sample trips, in a database without them": "예시 여행이 없는 데이터베이스에 예시 여행 더하기",
        "add the sample trips that a new database has": "새 파일에 있는 예시 여행 더하기",
        "for bash, with 'source ~/.traveline.bash' in ~/.bashrc": "bash용, ~/.bashrc에 'source ~/.traveline.bash' 추가",
        "for zsh, with ~/.zfunc in its fpath": "zsh용, fpath에 ~/.zfunc 추가", "for fish": "fish용",
    ]
}
