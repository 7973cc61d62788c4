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
        "trips as timelines, found by keyword and by filters": "타임라인으로 남기는 여행, 검색어와 필터로 찾기",
        "opens the app in the terminal, at a link if given: traveline://me or traveline://trip/WHOLE-ID":
            "터미널에서 앱 열기. 링크가 있으면 그 화면부터: traveline://me, traveline://trip/ID전체",
        "shows the options of a command, with examples": "명령의 옵션과 예 보기",
        "shows this text, or that of a command": "이 도움말 또는 명령의 도움말", "shows the version": "버전 보기",
        "Trips and entries have IDs; their first characters are enough.": "여행과 기록에는 ID가 있으며, 앞 글자만 써도 됩니다.",
        "TRAVELINE_DATABASE names a database for all commands. A server has what a URL leaves out from PGHOST, PGSERVICE and so on. Passwords belong in ~/.pgpass or PGPASSWORD: others can see a command line.":
            "TRAVELINE_DATABASE는 모든 명령이 쓸 데이터베이스입니다. 서버 주소에 없는 것은 PGHOST, PGSERVICE 등에서 가져옵니다. 명령줄은 다른 사람에게 보이므로 비밀번호는 ~/.pgpass나 PGPASSWORD에 두세요.",
    ]

    private static let commands = [
        "lists trips, found by keyword and by filters": "검색어와 필터로 여행 찾기",
        "prints a trip with its timeline": "여행과 타임라인 보기",
        "draws the places of a trip in the terminal": "여행의 장소를 터미널에 지도로 그리기",
        "records a new trip, or a new entry of one": "새 여행 또는 새 기록 쓰기",
        "changes one of your trips, or an entry of it": "내 여행 또는 기록 고치기",
        "likes trips, or takes likes back": "여행에 좋아요 누르기 또는 취소하기",
        "removes your trips, an entry of one, or the sample trips": "내 여행, 기록 또는 예시 여행 지우기",
        "writes trips to a file: GPX, GeoJSON, JSON, map, page": "여행을 파일로 내보내기: GPX, GeoJSON, JSON, 지도, 페이지",
        "adds trips from a file: GPX, GeoJSON, or exported JSON": "파일에서 여행 가져오기: GPX, GeoJSON, 내보낸 JSON",
        "your account, your trips and your likes": "내 계정, 내 여행, 좋아요한 여행",
        "signs this device up or in at a server": "이 기기를 서버에 가입하거나 로그인하기",
        "From then on, the app and the commands work with the trips of the server, from this device at once and offline as well; 'traveline sync' says what waits. Your own database stays as it is, and is back after 'traveline disconnect'.":
            "이후 앱과 명령은 서버의 여행으로 일합니다. 이 기기에서 바로, 오프라인에서도 됩니다. 기다리는 것은 'traveline sync'가 보여 줍니다. 내 데이터베이스는 그대로이며 'traveline disconnect' 뒤에 돌아옵니다.",
        "If the server has moved, connect to its new address with the same account: what waits is sent there.":
            "서버 주소가 바뀌었으면 같은 계정으로 새 주소에 연결하세요. 기다리는 변경은 그곳으로 보냅니다.",
        "The password is asked for without being shown, or taken from TRAVELINE_PASSWORD.":
            "비밀번호는 보이지 않게 물어보거나 TRAVELINE_PASSWORD에서 가져옵니다.",
        "signs this device out of its server": "이 기기를 서버에서 로그아웃하기",
        "Your own database is back. What the device has of the server is removed, with changes that wait and trips that have vanished; the server keeps what it has.":
            "내 데이터베이스로 돌아옵니다. 기기에 있는 서버의 것은 기다리는 변경과 사라진 여행까지 지워지고, 서버에 있는 것은 남습니다.",
        "sends what waits for the server, and decides conflicts": "기다리는 변경을 서버로 보내고 충돌 해결하기",
        "Changes are sent by every command and by the app; sync sends them now and prints what is left: changes that wait, conflicts with their numbers, and trips that the server no longer has.":
            "변경은 모든 명령과 앱이 보냅니다. sync는 지금 보내고 남은 것을 출력합니다: 기다리는 변경, 번호가 있는 충돌, 서버에서 사라진 여행.",
        "The exit code is 0 when everything is at the server, 65 when something waits for your decision, 75 when the server does not answer now, 69 when waiting is no help, and 77 when you have to sign in again. Other commands do not fail while the server does not answer: their changes wait.":
            "종료 코드는 모두 서버에 있으면 0, 결정할 것이 있으면 65, 서버가 지금 응답하지 않으면 75, 기다려도 소용없으면 69, 다시 로그인해야 하면 77입니다. 서버가 응답하지 않아도 다른 명령은 실패하지 않고, 변경은 기다립니다.",
        "Of a conflict, 'mine' sends your version again, and 'theirs' drops it, with the trip if the server does not have it; edit the trip afterwards for a third one. Of a trip that has vanished, 'restore' adds it again, and 'forget' drops the copy.":
            "충돌에서 'mine'은 내 것을 다시 보내고 'theirs'는 버립니다. 서버에 없는 여행이면 여행도 지워집니다. 다른 내용을 원하면 그 뒤에 여행을 고치세요. 사라진 여행에서 'restore'는 다시 더하고 'forget'은 사본을 지웁니다.",
        "prints the address of a trip's page at the server": "서버에 있는 여행 페이지의 주소 보기",
        "Whoever has the address can read the page, without an account. The trip is sent first; the command fails if it is not at the server yet.":
            "주소가 있으면 계정 없이도 누구나 페이지를 읽을 수 있습니다. 여행을 먼저 보내며, 아직 서버에 없으면 실패합니다.",
        "serves the trips of a database to devices and browsers": "데이터베이스의 여행을 기기와 브라우저에 제공하기",
        "Devices connect to it with 'traveline connect', and browsers show its pages. People sign up with a nickname and a password; what someone may see and change follows from who they are.":
            "기기는 'traveline connect'로 연결하고, 브라우저는 페이지를 보여 줍니다. 사람들은 닉네임과 비밀번호로 가입하며, 보고 바꿀 수 있는 것은 누구인지에 따라 정해집니다.",
        "Beyond this machine it needs TLS: a certificate with its key, or a proxy in front of it that has them. It ends at SIGTERM or Ctrl-C, when the requests that it has received are answered.":
            "이 기기 밖으로는 TLS가 필요합니다: 인증서와 키, 또는 그것을 가진 앞단의 프록시. SIGTERM이나 Ctrl-C를 받으면 받은 요청에 답한 뒤 끝납니다.",
        "adds made-up trips, to try a database of any size": "가상 여행을 더해 큰 데이터베이스 시험하기",
        "copies a whole database into another file or server": "데이터베이스 전체를 다른 파일이나 서버로 복사하기",
        "People whose accounts are on a server keep their passwords, and sign in again on their devices.":
            "서버에 계정이 있는 사람은 비밀번호를 그대로 쓰고, 기기에서 다시 로그인합니다.",
        "Copies people, trips, pictures, likes, reports and blocks with their versions and dates, in one transaction, and compares both databases before it is committed. When anything fails, the other database is as it was. It has to be empty, unless --replace is given.":
            "사람, 여행, 사진, 좋아요, 신고, 차단을 버전과 날짜까지 한 트랜잭션으로 복사하고, 확정하기 전에 두 데이터베이스를 비교합니다. 실패하면 대상은 그대로입니다. --replace가 없으면 대상이 비어 있어야 합니다.",
        "The source is your own database, or that of --database. On this device, you stay signed in.":
            "원본은 내 데이터베이스나 --database의 것입니다. 이 기기에서는 로그인이 유지됩니다.",
        "checks the database, its pictures and permissions": "데이터베이스, 사진, 권한 점검하기",
        "prints a script that completes commands in a shell": "셸 자동 완성 스크립트 출력하기",
        "TEXT is the same as --keyword. A trip has to meet every filter. Options that name several values can be repeated, or have commas between them; Korean names are understood as well. Each line begins with an ID that other commands accept.":
            "TEXT는 --keyword와 같습니다. 모든 필터에 맞는 여행을 찾습니다. 값을 여럿 쓰는 옵션은 되풀이하거나 쉼표로 나누며, 한국어 이름도 쓸 수 있습니다. 각 줄의 첫 글자들은 다른 명령에 쓰는 ID입니다.",
        "Entries have their numbers of 'traveline show'. For a picture: traveline export ID --format svg":
            "기록의 번호는 'traveline show'와 같습니다. 그림 파일: traveline export ID --format svg",
        "Prints the ID of what was written. An entry without --day or --time takes them from its photo, or else from the entry before.":
            "쓴 것의 ID를 출력합니다. --day나 --time이 없으면 사진에서, 사진에도 없으면 앞 기록에서 가져옵니다.",
        "A picture is stored without the place, the time and the camera that its file names, because whoever sees a trip gets its pictures; HEIC and AVIF stay as they are.":
            "여행을 보는 사람은 사진도 받으므로, 파일에 적힌 장소, 시간, 카메라는 빼고 저장합니다. HEIC와 AVIF는 그대로입니다.",
        "What no option names stays as it is. A new first day moves the last day along. The value none takes a value away. Entries are named by their number in 'traveline show' or by their ID.":
            "옵션에 없는 것은 그대로입니다. 첫날을 바꾸면 마지막 날도 함께 옮겨집니다. none은 값을 지웁니다. 기록은 'traveline show'의 번호나 ID로 고릅니다.",
        "Asks before it removes anything. Entries are named by their number in 'traveline show' or by their ID. 'traveline undo' restores what was removed last.":
            "지우기 전에 물어봅니다. 기록은 'traveline show'의 번호나 ID로 고릅니다. 마지막으로 지운 것은 'traveline undo'로 되살립니다.",
        "restores what you removed last: trips or an entry": "마지막으로 지운 여행이나 기록 되살리기",
        "Restores what the last deletion on this device removed, by a command or in the app, with its pictures and likes. It has to be the same database and the same account.":
            "이 기기에서 명령이나 앱으로 마지막에 지운 것을 사진, 좋아요와 함께 되살립니다. 같은 데이터베이스와 같은 계정이어야 합니다.",
        "json holds everything, pictures included, and several trips: importing it gives the same trips again. geojson and gpx are for maps and receivers; svg is a map, and html a page for people, each in one file.":
            "json에는 사진까지 모두 담기고 여행이 여럿 들어가며, 가져오면 같은 여행이 됩니다. geojson과 gpx는 지도와 수신기용이고, svg는 지도, html은 읽기 위한 페이지이며 각각 파일 하나입니다.",
        "The pictures of a page do not say where, when and with what they were taken.":
            "페이지의 사진에는 찍은 곳, 때, 기기가 남지 않습니다.",
        "Without --output, the file goes to standard output. Without --format, the ending of the file name decides, or it is json.":
            "--output이 없으면 표준 출력에 씁니다. --format이 없으면 파일 이름의 끝으로 정하거나 json이 됩니다.",
        "All of a file is imported or nothing. What traveline exported as json or geojson becomes the same trips again, of the same people. Any other GPX or GeoJSON is a recorded track: it becomes a trip of yours, with a timeline of its places, days and stops.":
            "파일 전체를 가져오거나 아무것도 가져오지 않습니다. traveline이 내보낸 json과 geojson은 같은 사람의 같은 여행이 됩니다. 다른 GPX와 GeoJSON은 이동 기록으로, 장소와 날짜와 머문 곳이 담긴 내 여행이 됩니다.",
        "Without --format, the name of the file and its content decide. The file - is standard input.":
            "--format이 없으면 파일 이름과 내용으로 정합니다. 파일 -는 표준 입력입니다.",
        "An account is a name on this device, without a password: 'me sign-in NAME' changes to it for good, and --as NAME for one command. Without a name, you sign in as the user of the device. Renaming changes the nickname that others see, not the name of the account. An avatar is a picture of at most 10 MiB that others see, and none removes it. Withdrawing removes the account with its trips and likes.":
            "계정은 이 기기에서 쓰는 이름이며 비밀번호가 없습니다. 'me sign-in NAME'은 계속, --as NAME은 명령 한 번만 그 계정을 씁니다. 이름이 없으면 기기 주인으로 로그인합니다. rename은 보이는 닉네임만 바꾸고 계정 이름은 그대로입니다. avatar는 다른 사람에게 보이는 10MiB 이하의 사진이며, none은 사진을 지웁니다. withdraw는 계정을 여행, 좋아요와 함께 지웁니다.",
        "An account at a server has a password. 'me password' changes it, and signs your other devices out. Both are asked for without being shown, or taken from TRAVELINE_PASSWORD and TRAVELINE_NEW_PASSWORD.":
            "서버의 계정에는 비밀번호가 있습니다. 'me password'는 비밀번호를 바꾸고 다른 기기를 로그아웃합니다. 둘 다 보이지 않게 물어보거나 TRAVELINE_PASSWORD와 TRAVELINE_NEW_PASSWORD에서 가져옵니다.",
        "The trips are always the same for the same N and SEED. All of them are added or, when it is interrupted, none.":
            "N과 SEED가 같으면 여행도 같습니다. 모두 더해지거나, 중단하면 하나도 더해지지 않습니다.",
        "Reads the whole database and all pictures, and changes nothing. The exit code is 0 when all is well, and 65 when something is wrong; each problem comes with what to do.":
            "데이터베이스와 사진을 모두 읽으며 아무것도 바꾸지 않습니다. 문제가 없으면 종료 코드가 0, 있으면 65이며, 문제마다 해결 방법이 나옵니다.",
        "The script completes commands, options and their values, and the IDs of trips. 'completion ids' lists IDs with titles, those that begin like this; the scripts use it.":
            "명령, 옵션과 그 값, 여행 ID를 완성합니다. 'completion ids'는 그렇게 시작하는 ID를 제목과 함께 출력하며, 스크립트가 씁니다.",
    ]
}

extension KoreanHelp {
    static let options = [
        "shows this text": "이 도움말",
        "use a database on a server as its owner; its URL lets you act as any account":
            "서버의 데이터베이스를 주인으로 쓰기: 그 URL을 가진 사람은 그 안의 누구든 될 수 있음",
        "make a new account": "새 계정 만들기", "copy your own trips of this device to the server": "이 기기의 내 여행을 서버로 복사",
        "lose what only this device has, without a question": "이 기기에만 있는 것을 묻지 않고 버리기",
        "the address, 127.0.0.1:8080 by default": "주소, 기본은 127.0.0.1:8080",
        "the certificate chain for TLS, in PEM": "TLS 인증서 체인, PEM",
        "the private key of the certificate, in PEM": "인증서의 개인 키, PEM",
        "trust X-Forwarded-For, and leave TLS to the proxy": "X-Forwarded-For를 믿고 TLS는 프록시에 맡기기",
        "act as this account on the device; a new name makes a new account": "기기의 이 계정으로 실행, 새 이름이면 새 계정",
        "language of the output": "출력 언어",
        "use this file or server (postgresql://user@host/name), not your own database":
            "내 데이터베이스 대신 쓸 파일이나 서버(postgresql://user@host/name)",
        "trips whose title contains this text": "제목에 이 글자가 있는 여행", "in any of these regions": "이 지역 중 하나",
        "with any of these themes": "이 테마 중 하나", "with any of these companions": "이 동행 중 하나",
        "that begin in any of these seasons": "이 계절 중 하나에 시작", "of this length": "이 기간", "with so many people": "이 인원",
        "at this cost a person, in 10,000 won": "한 사람의 경비, 만 원 단위", "by this means of transport": "이 교통수단",
        "newest, most liked, or latest date first": "최신순, 좋아요순 또는 여행 날짜순",
        "at most N trips, \(SearchTrips.pageSize) by default": "최대 N개, 기본은 \(SearchTrips.pageSize)개",
        "continue after this trip of the same list": "같은 목록에서 이 여행 다음부터", "print a JSON array": "JSON 배열로 출력",
        "print a JSON object": "JSON 객체로 출력", "only this day of the trip": "여행의 이 날만",
        "the title, at most \(Title.length.upperBound) characters": "제목, 최대 \(Title.length.upperBound)자",
        "the destination": "여행지",
        "the first day, such as 2024-05-01": "첫날, 예: 2024-05-01",
        "the last day; by default the first day": "마지막 날, 기본은 첫날",
        "the number of days, instead of the last day": "마지막 날 대신 날수", "the purposes": "테마", "the company": "동행",
        "the number of people": "인원", "the cost a person, in 10,000 won": "한 사람의 경비, 만 원 단위",
        "the means of transport": "교통수단",
        "the picture of the trip; none for the first of its entries": "여행의 사진, none이면 기록의 첫 사진",
        "write an entry of this trip": "이 여행에 기록 쓰기", "change this entry of the trip": "여행의 이 기록 고치기",
        "the day of the trip, from 1": "여행의 날, 1부터", "the time of day, such as 09:30": "시각, 예: 09:30",
        "what happened, at most \(EntryText.length.upperBound) characters; - reads it":
            "있었던 일, 최대 \(EntryText.length.upperBound)자, -이면 표준 입력에서 읽기",
        "a known place, or the name of any; none for none": "아는 장소 또는 장소 이름, none이면 없음",
        "the location of a place that is not known": "모르는 장소의 위치", "its address": "장소의 주소",
        "a picture; none for none": "사진, none이면 없음",
        "print the changed trip as a JSON object": "고친 여행을 JSON 객체로 출력", "take your like back": "좋아요 취소",
        "remove this entry of the trip only": "여행의 이 기록만 지우기",
        "remove the sample trips that a new database has": "새 데이터베이스에 있는 예시 여행 지우기", "do not ask": "묻지 않기",
        "the format": "형식", "the file to write; - for standard output": "쓸 파일, -이면 표준 출력",
        "all of your trips": "내 여행 모두",
        "replace a file that exists": "있는 파일 덮어쓰기",
        "the destination of a recorded track, otherwise that of most of its places": "이동 기록의 여행지, 없으면 장소가 가장 많은 곳",
        "the zone of a recorded track's local times, such as Europe/Lisbon": "이동 기록의 현지 시간대, 예: Europe/Lisbon",
        "the day of a recorded track without times": "시각이 없는 이동 기록의 날짜",
        "import exported trips as new trips of your own": "내보낸 여행을 내 새 여행으로 가져오기",
        "withdraw without a question": "묻지 않고 탈퇴", "the number of trips": "여행 수",
        "which trips: a whole number, 1 by default": "여행의 종류, 정수, 기본은 1",
    ]

    static let examples = [
        "serve your own database on this machine, at http://127.0.0.1:8080":
            "내 데이터베이스를 이 컴퓨터에서 제공, http://127.0.0.1:8080",
        "serve everybody, with TLS": "모두에게 TLS로 제공", "make the account mina there": "그곳에 mina 계정 만들기",
        "sign in on another device": "다른 기기에서 로그인",
        "the address of the trip whose ID begins like this": "ID가 이렇게 시작하는 여행의 주소",
        "sign out, after the changes that wait have been sent": "기다리는 변경을 보낸 뒤 로그아웃",
        "send what waits": "기다리는 변경 보내기", "keep your version in conflict 3": "3번 충돌에서 내 것 남기기",
        "trips with 바다 in their title": "제목에 바다가 있는 여행",
        "summer trips to Busan or Jeju, most liked first": "부산이나 제주의 여름 여행을 좋아요순으로",
        "five family trips for another program": "가족 여행 다섯 개를 다른 프로그램에",
        "the trip whose ID begins like this": "ID가 이렇게 시작하는 여행",
        "its second day for another program": "둘째 날을 다른 프로그램에",
        "all places of the trip, in their order": "여행의 모든 장소를 순서대로",
        "those of its second day": "둘째 날의 장소", "a trip of two days": "이틀 여행", "an entry of that trip": "그 여행의 기록",
        "another title, and no budget any more": "제목을 바꾸고 경비는 지우기",
        "another time and place of the second entry": "둘째 기록의 시각과 장소 바꾸기",
        "like the trip whose ID begins like this": "ID가 이렇게 시작하는 여행에 좋아요",
        "take the like of another account back": "다른 계정의 좋아요 취소",
        "the trip with its entries, pictures and likes": "여행을 기록, 사진, 좋아요와 함께",
        "the trips or the entry that were removed last": "마지막으로 지운 여행이나 기록",
        "its second entry, without a question": "둘째 기록을 묻지 않고", "the sample trips": "예시 여행",
        "a page that opens in any browser": "어느 브라우저에서나 열리는 페이지", "the places for a GPS receiver": "GPS 수신기용 장소",
        "all your trips with their pictures": "내 여행 모두를 사진과 함께", "a trip from a recorded track": "이동 기록으로 만드는 여행",
        "the trips of a backup into another database": "백업의 여행을 다른 데이터베이스에",
        "a trip of a friend, as one of your own": "친구의 여행을 내 여행으로", "your trips, most liked first": "내 여행을 좋아요순으로",
        "five trips that you like": "좋아요한 여행 다섯 개", "be 민지 from now on": "이제부터 민지로",
        "show this picture to others": "이 사진을 다른 사람에게 보이기",
        "the trips of 민지, without signing in": "로그인하지 않고 민지의 여행", "a database of a million trips": "여행 백만 개의 데이터베이스",
        "500 trips more in your own database": "내 데이터베이스에 여행 500개 더하기",
        "check the database in your data directory": "데이터 폴더의 데이터베이스 점검",
        "check another one, for another program": "다른 것을 점검해 다른 프로그램에",
        "check a database on a server": "서버의 데이터베이스 점검",
        "the database to copy into, a file or a server": "복사할 데이터베이스, 파일이나 서버",
        "remove what the other database holds": "대상 데이터베이스의 내용 지우기",
        "move your own trips to a server": "내 여행을 서버로 옮기기", "and back into a new file": "다시 새 파일로",
        "the sample trips, in a database without": "예시 여행이 없는 데이터베이스에 예시 여행 더하기",
        "add the sample trips that a new file has": "새 파일에 있는 예시 여행 더하기",
        "for bash, with 'source ~/.traveline.bash' in ~/.bashrc": "bash용, ~/.bashrc에 'source ~/.traveline.bash' 추가",
        "for zsh, with ~/.zfunc in its fpath": "zsh용, fpath에 ~/.zfunc 추가", "for fish": "fish용",
    ]
}
