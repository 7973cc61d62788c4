import Foundation
import TestConcurrency
import Testing

@testable import traveline

@Suite("A user with the command line", .limitedConcurrency, .enabled(if: Program.isBuilt))
struct JourneyTests {
    /// A database of one generated trip, which is created faster than one with all samples.
    let start = "export d='--database db' && $traveline seed --count 1 $d > /dev/null && "
    let write = """
        id=$($traveline write --title '부산 밤바다' --region busan --from 2024-05-01 --days 2 --theme food $d | cut -c 1-8) && \
        $traveline write --in $id --title 해운대 --text '파도가 높았다.' --time 09:30 --place 해운대해수욕장 $d > /dev/null &&
        """

    /// Shows the trip to the other people of the device.
    let publish = "$traveline edit $id --visible-to everyone $d > /dev/null && "

    let picture = """
        printf '\\211PNG\\r\\n\\032\\n\\0\\0\\0\\015IHDR0123456789abcsum_\\0\\0\\0\\001IDATxsum_' > p.png &&
        """

    @Test("writes a trip with entries and a picture, changes it, and finds it all again")
    func writing() throws {
        let script =
            start + picture + write + """
                $traveline write --in $id --title 광안리 --text - --day 2 --at 35.15,129.12 --place 다리 --image p.png $d \
                    <<< '불꽃' > /dev/null && \
                $traveline edit $id --entry 1 --time 10:00 --place none $d > /dev/null && \
                $traveline edit $id --from 2024-06-01 --title 부산 --theme none --budget under10 $d > /dev/null && \
                $traveline like $id $d > /dev/null && \
                $traveline show $id $d && $traveline me likes $d && $traveline me trips --keyword 산 $d && \
                $traveline delete $id --entry 2 --yes $d && $traveline show $id --json $d && \
                $traveline like $id $id --undo $d && $traveline delete $id $id --yes $d && ! $traveline show $id $d
                """
        try Program.run(script) { result, folder in
            #expect(result.status == 0, "\(result.error)")
            let lines = result.output.split(separator: "\n").map { line in
                // IDs are random.
                line.replacing(#/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/#, with: "ID")
                    .replacing(#/\b[0-9a-f]{8}\b/#, with: "id")
            }
            #expect(
                lines.prefix(13) == [
                    "부산", "Busan - 1 night - Up to KRW 100k - 2024-06-01 - 2024-06-02",
                    "나그네 - * 1 (liked by you) - Visible to: Only me", "ID",
                    "Day 1 - 2024-06-01", "  10:00 1. 해운대 (id)", "        파도가 높았다.", "Day 2 - 2024-06-02",
                    "  09:00 2. 광안리 [picture] (id)", "        @ 다리", "        불꽃",
                    "id  부산  Busan  1 night  2024-06-01-02  나그네  * 1 (you)",
                    "id  부산  Busan  1 night  2024-06-01-02  나그네  * 1 (you)",
                ])
            #expect(lines[13] == "removed: '광안리' of '부산'")
            let json = try #require(
                try JSONSerialization.jsonObject(with: Data(lines[14].utf8)) as? [String: Any])
            #expect((json["timeline"] as? [[String: Any]])?.map { $0["title"] as? String } == ["해운대"])
            #expect(json["isLiked"] as? Bool == true && json["isSample"] as? Bool == false)
            #expect(lines.last == "removed: '부산'")
            #expect(result.error.contains("no ID begins with"))
            // The picture was removed with its entry.
            let images = try FileManager.default.contentsOfDirectory(atPath: folder + "/db-images")
            #expect(images == ["unsettled"])
        }
    }

    @Test("numbers an entry alike in the list, on the map, in files and in commands, with or without a place")
    func numbers() throws {
        let script =
            start + write + """
                $traveline write --in $id --title 일기 --text 비 --time 08:00 $d > /dev/null && \
                $traveline write --in $id --title 광안리 --text 밤 --day 2 --at 35.15,129.12 --place 다리 $d > /dev/null && \
                $traveline show $id $d && $traveline map $id $d && $traveline map $id --day 2 $d && \
                $traveline export $id --output t.svg $d && $traveline export $id --output t.html $d && \
                $traveline edit $id --entry 3 --title 광안대교 $d > /dev/null && \
                $traveline delete $id --entry 1 --yes $d && $traveline show $id $d
                """
        try Program.run(script) { result, folder in
            #expect(result.status == 0, "\(result.error)")
            let lines = result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(lines.filter { $0.contains("해운대 (") }.map { $0.prefix(8) } == ["09:30 2.", "09:30 1."])
            #expect(
                lines.filter { $0.hasPrefix("2. ") || $0.hasPrefix("3. ") } == [
                    "2. 해운대 - 해운대해수욕장", "3. 광안리 - 다리", "3. 광안리 - 다리",
                ])
            #expect(lines.contains { $0.contains("광안대교 (") && $0.hasPrefix("09:00 2.") || $0.hasPrefix("09:30 2.") })
            #expect(!lines.suffix(6).contains { $0.contains("일기") })
            for name in ["t.svg", "t.html"] {
                let file = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
                #expect(file.contains("2. 해운대") && file.contains("3. 광안리") && !file.contains("1. 해운대"))
            }
        }
    }

    @Test("prints the ID alone where a program reads it")
    func identifiers() throws {
        let script =
            start + """
                id=$($traveline write --title 부산 --region busan --from 2024-05-01 $d) && \
                entry=$($traveline write --in $id --title 해운대 --text 파도 $d) && \
                $traveline edit $id --entry $entry --title 광안리 $d > /dev/null && echo $id $entry
                """
        try Program.run(script) { result, _ in
            #expect(result.status == 0, "\(result.error)")
            #expect(result.output.wholeMatch(of: #/[0-9a-f-]{36} [0-9a-f-]{36}\n/#) != nil)
        }
    }

    @Test("shows entries of one time in the order in which they were written, and moves them")
    func order() throws {
        let script =
            start + write + """
                for i in 1 2 3 4 5 6; do $traveline write --in $id --title "Step $i" --text t $d > /dev/null; done && \
                $traveline show $id $d && \
                $traveline edit $id --entry 7 --move up $d > /dev/null && $traveline edit $id --entry 2 --move down $d && \
                ! $traveline edit $id --entry 1 --move up $d && ! $traveline edit $id --entry 2 --move left $d && \
                $traveline delete $id --entry 3 --yes $d && $traveline undo $d && $traveline export $id $d > t.json && \
                $traveline delete $id --yes $d > /dev/null && $traveline import t.json $d > /dev/null && \
                $traveline show $id $d
                """
        try Program.run(script) { result, _ in
            #expect(result.status == 0, "\(result.error)")
            let steps = result.output.split(separator: "\n").compactMap { line in
                line.firstMatch(of: #/^ +09:30 \d\. Step (\d) \(/#).map { String($0.1) }
            }
            #expect(steps.joined() == "123456" + "213465" + "213465")
            #expect(result.error.contains("the entry is the first at its time") && result.error.contains("up or down"))
        }
    }

    @Test("restores what was deleted last, with pictures, likes, reports and versions")
    func undo() throws {
        let script =
            start + picture + write + """
                $traveline write --in $id --title 광안리 --text 밤 --day 2 --image p.png $d > /dev/null && \
                $traveline like $id $d > /dev/null && $traveline like $id --as 민지 $d > /dev/null && \
                $traveline undo $d; echo "nothing $?"; \
                $traveline show $id --json $d > before && $traveline export $id $d > before.json && \
                $traveline delete $id --yes $d && ! $traveline show $id $d && \
                ls -l data/traveline/deleted | cut -c 1-10; $traveline undo; echo "place $?"; $traveline undo --as 민지 $d; echo "account $?"; \
                $traveline undo $d && $traveline show $id --json $d > after && cmp before after && \
                $traveline export $id $d | cmp before.json - && \
                $traveline undo $d; echo "twice $?"; \
                $traveline delete $id --entry 2 --yes $d && $traveline undo $d && \
                $traveline export $id $d | grep -v -e updatedAt -e version > e1 && \
                grep -v -e updatedAt -e version before.json | cmp - e1 && \
                $traveline delete $id --entry 2 --yes $d && $traveline delete $id --entry 9 --yes $d; echo "failed $?"; \
                $traveline undo $d && \
                $traveline delete $id --entry 2 --yes $d && $traveline delete $id --yes $d && $traveline undo $d && \
                $traveline show $id $d | grep -c -e 해운대 && ls db-images | grep -v unsettled | wc -l
                """
        try Program.run(script) { result, _ in
            let lines = result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(
                lines == [
                    "nothing 65", "removed: '부산 밤바다'", "-rw-------", "place 65", "account 77", "restored: '부산 밤바다'",
                    "twice 65",
                    "removed: '광안리' of '부산 밤바다'", "restored: '광안리' of '부산 밤바다'",
                    "removed: '광안리' of '부산 밤바다'", "failed 65", "restored: '광안리' of '부산 밤바다'",
                    "removed: '광안리' of '부산 밤바다'", "removed: '부산 밤바다'", "restored: '부산 밤바다'", "2", "0",
                ], "\(result.error)")
            #expect(result.error.contains("to restore it: traveline undo --database db"))
            #expect(result.error.contains("the last change was in another database: /"))
        }
    }

    @Test("two processes that delete at the same time keep both deletions, and the last one is restored first")
    func simultaneousDeletions() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("deletions-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }  // The folder is a temporary one.
        let environment = ["XDG_DATA_HOME": folder.path]
        var (first, second) = (try DeletionLog(in: environment), try DeletionLog(in: environment))
        try first.keep(Deletion([], by: nil, in: "first"))
        try second.keep(Deletion([], by: nil, in: "second"))
        try first.confirm()
        #expect(first.deletions.map(\.deletion.place) == ["second", "first"])
        second.discardPending()
        #expect(first.deletions.map(\.deletion.place) == ["first"])
        first.remove(first.deletions)
        #expect(try DeletionLog(in: environment).deletions.isEmpty)
    }

    @Test("deletes trips and entries whose pictures are lost, without a way to restore them")
    func deletionWithoutPictures() throws {
        let script =
            start + picture + write + """
                for day in 2 2; do \
                $traveline write --in $id --title 광안리 --text 밤 --day $day --image p.png $d > /dev/null || exit 1; done; \
                find db-images -type f -size +0 -delete; \
                $traveline export $id $d; \
                $traveline delete $id --entry 2 --yes $d && $traveline delete $id --yes $d && $traveline undo $d; \
                echo "$?"; $traveline doctor $d | grep pictures
                """
        try Program.run(script) { result, _ in
            #expect(
                result.output.split(separator: "\n") == [
                    "removed: '광안리' of '부산 밤바다'", "removed: '부산 밤바다'", "65", "ok pictures: 0, all readable",
                ], "\(result.error)")
            #expect(result.error.contains("'부산 밤바다', entry 2 '광안리': the picture is missing or damaged"))
            #expect(!result.error.contains("to restore it"))
        }
    }

    @Test("reads a database on a medium that cannot be written, and says so where it would have to write")
    func readOnlyMedium() throws {
        let script =
            "$traveline seed --count 1 > /dev/null && " + write + """
                ls -R data > before && chmod -R a+rX,a-w data && chmod a+rx . && run= && \
                if [ $(id -u) = 0 ]; then run="setpriv --reuid=65534 --regid=65534 --clear-groups"; fi && \
                export HOME=/nonexistent && $run $traveline show $id && $run $traveline map $id > /dev/null && \
                $run $traveline me trips && $run $traveline search 부산 --json > /dev/null; echo "read $?"; \
                $run $traveline edit $id --title x; echo "edit $?"; \
                $run $traveline delete $id --yes; echo "delete $?"; \
                ls -R data | diff before - && echo same; chmod -R u+w data
                """
        try Program.run(script) { result, _ in
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(lines.first == "부산 밤바다", "\(result.error)")
            #expect(lines.count { $0.contains("부산 밤바다") } == 2, "\(result.output)")
            #expect(lines.suffix(4) == ["read 0", "edit 69", "delete 69", "same"], "\(result.error)")
            #expect(result.error.contains("can only be read here"))
        }
    }

    @Test("says of a database that can only be read what it is, not that nobody is signed in")
    func readOnlyAtFirstUse() throws {
        let script =
            start + write + publish + """
                chmod -R a+rX,a-w db* && chmod a+rx . && mkdir -m 777 own && run= && \
                if [ $(id -u) = 0 ]; then run="setpriv --reuid=65534 --regid=65534 --clear-groups"; fi && \
                for data in "$PWD/own" /nonexistent; do \
                export XDG_DATA_HOME="$data" && $run $traveline show $id $d | head -n 1 && \
                for c in "like $id" me "me trips" "edit $id --title x" "export --mine" "me sign-in"; do \
                $run $traveline $c --lang en $d; echo "rc $?"; done; done; \
                $run $traveline like $id --lang ko $d; chmod -R u+w db*
                """
        try Program.run(script) { result, _ in
            let outcomes = ["부산 밤바다"] + Array(repeating: "rc 69", count: 6)
            #expect(result.output.split(separator: "\n").map(String.init) == outcomes + outcomes, "\(result.error)")
            let lines = result.error.split(separator: "\n")
            let reason = "can only be read here: check the permissions of its file and of the folder."
            #expect(lines.count { $0 == "traveline: db: The travel database \(reason)" } == 12, "\(result.error)")
            #expect(lines.last == "traveline: db: 읽기만 할 수 있습니다. 파일과 폴더의 권한을 확인하거나 원본 서버에 연결하세요.")
            #expect(!result.error.contains("not signed in"))
        }
    }

    @Test("chooses who sees a trip, and says of a file from elsewhere that it has trips which only their author sees")
    func audiences() throws {
        let script =
            start + write + """
                show() { $traveline show $id "$@" $d > shown 2>> notes; echo "$1 $?"; } && \
                $traveline edit $id --visible-to friends $d; cp -r data here; show; show --as 민지; \
                export XDG_DATA_HOME=$PWD/elsewhere; show; cat notes >&2; \
                XDG_DATA_HOME=$PWD/here $traveline edit $id --visible-to everyone $d > /dev/null; show; \
                XDG_DATA_HOME=$PWD/here $traveline edit $id --visible-to me $d | sed -n 3p; show
                """
        try Program.run(script) { result, _ in
            #expect(result.error.contains("unknown audience 'friends'; choose one of: me, link, everyone"))
            #expect(
                result.output.split(separator: "\n") == [
                    " 0", "--as 65", " 65", " 0", "나그네 - * 0 - Visible to: Only me", " 65",
                ])
            let notes = result.error.split(separator: "\n").filter {
                $0.contains("db: 1 trip is visible only to '나그네'")
            }
            #expect(notes.count == 1, "\(result.error)")
        }
    }

    @Test("finds trips by a word, and proposes the region that it names")
    func word() throws {
        let script =
            start + write + """
                $traveline search 밤바다 $d && $traveline search --lang ko 부산시 --json $d; $traveline help help | head -n 1
                """
        try Program.run(script) { result, _ in
            let lines = result.output.split(separator: "\n")
            #expect(lines.first?.contains("부산 밤바다") == true)
            #expect(lines.last == "traveline: trips as timelines, found by keyword and filters")
            #expect(result.error.contains("제목과 관계없이 부산 여행 모두 보기: --region busan"))
            #expect(result.error.split(separator: "\n").count == 1, "\(result.error)")
        }
    }

    @Test("has several accounts on one device, each with its own trips and likes")
    func accounts() throws {
        let script =
            start + write + publish + """
                $traveline like $id --as 민지 $d && $traveline me likes --as 민지 $d && $traveline me trips --as 민지 $d; \
                $traveline edit $id --title x --as 민지 $d; echo "edit $?"; \
                $traveline me sign-in 민지 $d && $traveline me $d | head -n 1 && $traveline me rename 민지2 $d && \
                $traveline me sign-out $d && $traveline like $id $d; echo "like $?"; \
                $traveline show $id $d > /dev/null; echo "show $?"; \
                $traveline me sign-in $d && $traveline delete $id --entry 1 --yes $d 2> note && ls data/traveline/deleted && \
                $traveline me delete-account --yes $d && $traveline show $id $d; echo "gone $?"; \
                [ -e data/traveline/deleted ]; echo "kept $?"; \
                $traveline me --as 민지 --json $d
                """
        try Program.run(script) { result, _ in
            let lines = result.output.split(separator: "\n")
            #expect(lines[0].hasSuffix("나그네  * 1 (you)") && lines[1].hasSuffix("나그네  * 1 (you)"))
            #expect(
                lines[2...].prefix(14) == [
                    "No trips found.", "edit 77", "signed in as 민지", "민지", "민지 is now 민지2", "signed out", "like 77",
                    "show 0", "signed in as 나그네", "removed: '해운대' of '부산 밤바다'", "data/traveline/deleted",
                    "the account was removed", "gone 65", "kept 1",
                ])
            #expect(lines.last?.contains("\"nickname\":\"민지2\"") == true)
            #expect(result.error.contains("you are not signed in; sign in with: traveline me sign-in"))
        }
    }

    @Test("is another user on another device, also in files that they exchange")
    func devices() throws {
        let script =
            start + write + """
                $traveline export $id --output t.json $d && export XDG_DATA_HOME=$PWD/friend && \
                export e='--database friend.db' && $traveline seed --count 1 $e > /dev/null && $traveline import t.json $e && \
                $traveline me trips $e && $traveline me $e | head -n 1 && $traveline edit $id --title x $e; echo "edit $?"; \
                $traveline import t.json --copy $e && $traveline me trips $e | wc -l
                """
        try Program.run(script) { result, _ in
            let lines = result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(lines[1...].prefix(3) == ["No trips found.", "나그네", "edit 77"] || lines[2] == "나그네2")
            #expect(lines.last == "1")
        }
    }

    @Test("doctor reports problems of the database, its pictures and its permissions")
    func doctor() throws {
        let script =
            start + picture + write + """
                $traveline edit $id --cover p.png $d > /dev/null && $traveline doctor $d && chmod 644 db && \
                rm db-images/*-* && $traveline doctor --json $d; echo "status $?"; \
                ln -s loop loop; $traveline doctor --database loop/db; \
                $traveline doctor --database nothing; echo "status $?"; ls nothing
                """
        try Program.run(script) { result, _ in
            let lines = result.output.split(separator: "\n")
            try #require(lines.count > 7)
            #expect(lines.prefix(6).filter { $0.hasPrefix("ok ") }.count == 5)
            let json = try #require(
                try JSONSerialization.jsonObject(with: Data(lines[6].utf8)) as? [String: Any])
            let problems = (json["checks"] as? [[String: Any]])?.compactMap { $0["problem"] as? String }
            #expect(json["isWell"] as? Bool == false && problems == ["open", "damaged"])
            #expect(lines[7] == "status 65" && lines.last == "status 65")
            // What cannot be reached is not missing.
            #expect(lines.count { $0.contains("there is no such file") } == 1, "\(result.output)")
            #expect(result.error.contains("traveline: 2 checks have found a problem\n"))
            #expect(result.error.contains("No such file or directory"))
        }
    }

    @Test("doctor finds nothing wrong with a link to a database, and names no command for a file that is none")
    func doctorOfOtherFiles() throws {
        let script =
            start + write + """
                chmod 600 db && ln -s db link && $traveline doctor --database link; echo "status $?"; \
                echo notes > text && chmod 644 text && $traveline doctor --database text; echo "status $?"
                """
        try Program.run(script) { result, _ in
            #expect(result.output.contains("only you can read them"), "\(result.output)")
            #expect(result.output.contains("status 0\n") && result.output.hasSuffix("status 65\n"))
            #expect(!result.output.contains("chmod"))
        }
    }

    @Test("pages through a list with the IDs that it prints, and removes the sample trips")
    func paging() throws {
        let script = """
            $traveline search --limit 50 2> note | cut -c 1-8 > a && after=$(sed 's/.*--after //' note) && \
            $traveline search --limit 50 --after $after 2>> note | cut -c 1-8 >> a && sort -u a | wc -l && cat note && \
            $traveline search --sort liked --limit 1 --json 2> /dev/null | grep -c isSample && \
            $traveline delete --samples --yes && $traveline search && $traveline delete --samples --yes
            """
        try Program.run(script) { result, _ in
            #expect(result.status == 0)
            let lines = result.output.split(separator: "\n")
            #expect(lines[0].trimmingCharacters(in: .whitespaces) == "79")
            #expect(lines[1].hasPrefix("traveline: 50 of 79 trips; for more: --after "))
            #expect(lines[2] == "traveline: 29 of 79 trips")
            #expect(lines[3...] == ["1", "79 trips removed", "No trips found.", "There are no sample trips."])
        }
    }

    @Test(
        "gets IDs that are long enough to find each trip again, in a database where many begin with the same characters"
    )
    func longIDs() throws {
        // IDs of generated trips begin with their time: with so many, some share their first eight characters.
        let script = """
            $traveline seed --count 3000 --database db > /dev/null 2>&1 && \
            $traveline search --database db --limit 300 2> /dev/null | cut -d ' ' -f 1 > ids && sort -u ids | wc -l && \
            awk 'length($0) > 8' ids | head -n 1 > long && $traveline show $(cat long) --database db > /dev/null; \
            echo "$? $(wc -l < long)"
            """
        try Program.run(script) { result, _ in
            #expect(
                result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) } == ["300", "0 1"])
            #expect(result.error == "")
        }
    }

    @Test("sees nothing of a closed pipe, whether its signal is ignored or not", arguments: ["", "trap '' PIPE; "])
    func closedPipe(setting: String) throws {
        // A pipe for writing that nobody has open for reading.
        let script = "mkfifo p && exec 3<> p 4> p 3>&-; \(setting)$traveline help >&4; echo $?"
        try Program.run(script) { result, _ in
            #expect(result.output == "141\n")
            #expect(!result.error.contains("traveline:"))
        }
    }

    @Test("reads and prints Korean in the encoding of the locale")
    func encoding() throws {
        // 부산 and 밤바다 in EUC-KR.
        let script =
            start + """
                export LC_ALL=ko_KR.eucKR && busan=$(printf '\\272\\316\\273\\352') && \
                id=$($traveline write --title "$busan" --region "$busan" --from 2024-05-01 $d) && \
                $traveline show $id $d > out && iconv -f EUC-KR -t UTF-8 out | head -n 1 && \
                $traveline search --keyword "$busan" --json $d 2> /dev/null
                """
        try Program.run(script) { result, _ in
            #expect(result.status == 0, "\(result.error)")
            let lines = result.output.split(separator: "\n")
            #expect(lines.first == "부산")
            #expect(lines.dropFirst(2).first?.contains(#""title":"\ubd80\uc0b0""#) == true)
        }
    }

    @Test("gives text in the encoding of the locale on standard input as well, and is refused any other")
    func encodingOfInput() throws {
        // 파도 in EUC-KR, which is not UTF-8.
        let script =
            start + write + """
                export LC_ALL=ko_KR.eucKR && wave=$(printf '\\306\\304\\265\\265') && \
                printf %s "$wave" | $traveline write --in $id --title a --text - $d > /dev/null && \
                export LC_ALL=C.UTF-8 && $traveline show $id $d && \
                printf %s "$wave" | $traveline write --in $id --title b --text - $d; echo "input $?"; \
                $traveline write --in $id --title "$wave" --text b $d; echo "argument $?"; \
                TRAVELINE_PASSWORD="a long $wave" $traveline connect http://127.0.0.1:1 Mina; echo "password $?"; \
                $traveline show $id --json $d | grep -o '"title"' | wc -l
                """
        try Program.run(script) { result, _ in
            let lines = result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(lines.contains("파도"), "\(result.output)\(result.error)")
            #expect(lines.suffix(4) == ["input 64", "argument 64", "password 64", "3"], "\(result.error)")
            #expect(
                result.error.split(separator: "\n").suffix(3) == [
                    "traveline: --text is not text in UTF-8, the encoding of the locale",
                    "traveline: an argument is not text in UTF-8, the encoding of the locale",
                    "traveline: TRAVELINE_PASSWORD is not text in UTF-8, the encoding of the locale",
                ])
        }
    }

    @Test("reads no control character of an argument in a message")
    func controlCharacters() throws {
        try Program.run("$traveline show \"$(printf 'a\\033[31mb\\302\\233c')\"; echo $?") { result, _ in
            #expect(result.output == "64\n")
            #expect(result.error.hasPrefix("traveline: 'a␛[31mb\u{FFFD}c' is not an ID"), "\(result.error)")
        }
    }

    @Test("reads trips while the disk is full, and learns that it is when an export cannot be written")
    func fullDisk() throws {
        let script =
            start + write + """
                $traveline export $id --format gpx --output /dev/full $d; echo "export $?"; \
                (ulimit -f 4; $traveline show $id $d > shown; echo "show $?"); \
                grep -c 파도가 shown
                """
        try Program.run(script) { result, _ in
            #expect(result.output == "export 73\nshow 0\n1\n", "\(result.error)")
            #expect(result.error.contains("traveline: /dev/full: the disk is full"), "\(result.error)")
        }
    }

    @Test("gets messages, names and pages in Korean when the environment or an option asks for it")
    func korean() throws {
        let script =
            start + """
                $traveline show 0 --lang ko $d; LC_ALL=ko_KR.UTF-8 $traveline search --region seoul $d; \
                echo '{"format":}' > bad.json; $traveline import bad.json --lang ko $d; \
                echo '<gpx><wpt/></gpx>' > bad.gpx; $traveline import bad.gpx --lang ko $d; \
                $traveline delete ffff --yes --lang ko $d; $traveline fly --lang ko; $traveline seed --count 3 --seed 2 --lang ko $d; \
                LC_ALL=ko_KR.UTF-8 $traveline help show; $traveline completion ids; ls data/traveline/trips.sqlite
                """
        try Program.run(script) { result, _ in
            #expect(result.output.contains("찾은 여행이 없습니다.") || result.output.contains("서울"))
            #expect(result.error.contains("시작하는 ID가 없습니다"))
            #expect(result.error.contains("bad.json: 1행 11열: JSON 형식이 잘못되었습니다"))
            #expect(result.error.contains("bad.gpx: 1행: 지점의 위도가 없거나"))
            #expect(result.output.contains("여행 3개, 초당 "))
            #expect(result.error.contains("알 수 없는 명령 'fly'") && result.output.contains("여행과 타임라인 보기"))
            // Completing creates no database.
            #expect(result.error.contains("No such file or directory"))
        }
    }
}
