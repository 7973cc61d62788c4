import Foundation
import TestConcurrency
import Testing

@testable import traveline

/// Pictures, imports and exports.
extension JourneyTests {
    @Test("does not publish a picture whose metadata cannot be removed")
    func refusedPictures() throws {
        let script =
            start + write + """
                printf '\\0\\0\\0\\030ftypheic\\0\\0\\0\\0' > p.heic && printf '\\377\\330\\377\\341\\0\\077GPS' > p.jpg && \
                for f in p.heic p.jpg; do PATH=/nowhere $traveline write --in $id --title 둘 --text b --image $f $d; echo "rc $?"; done; \
                $traveline show $id $d | grep -c '\\[picture\\]'
                """
        try Program.run(script) { result, _ in
            #expect(result.output == "rc 65\nrc 65\n0\n", "\(result.output)")
            let reason =
                "keeps where and when it was taken, which cannot be removed from it: convert it to JPEG or PNG first, or, "
                + "if it is HEIC or AVIF, install vips (Debian: libvips-tools)."
            for name in ["p.heic", "p.jpg"] {
                #expect(result.error.contains("\(name): The file of the image \(reason)"))
            }
        }
    }

    @Test("learns at export which pictures a page does not have, and how to keep them")
    func omittedPictures() throws {
        // Such pictures come from files, and from stores of earlier versions.
        let script =
            start + picture + write + """
                printf '\\211PNG\\r\\n\\032\\nxxxx' > damaged.png && \
                printf '\\0\\0\\0\\030ftypheic\\0\\0\\0\\0' > p.heic && \
                $traveline write --in $id --title 하나 --text a --image p.png $d > /dev/null && \
                $traveline export $id --format json --output one.json $d && png=$(grep -o '"bytes" : "[^"]*"' one.json) && \
                $traveline write --in $id --title 둘 --text b --image p.png $d > /dev/null && \
                $traveline export $id --format json $d | awk -v png="$png" -v first="$(base64 -w 0 damaged.png)" \
                    -v second="$(base64 -w 0 p.heic)" '{ while (i = index($0, png)) $0 = substr($0, 1, i - 1) \
                    "\\"bytes\\" : \\"" (n++ ? second : first) "\\"" substr($0, i + length(png)); print }' > two.json && \
                export e='--database other' && $traveline seed --count 1 $e > /dev/null && \
                $traveline import two.json $e > /dev/null && \
                PATH=/nowhere $traveline export $id --output trip.html $e && ! grep '<img' trip.html && \
                $traveline export $id --format json $e | grep -c '"bytes"'
                """
        try Program.run(script) { result, _ in
            #expect(result.status == 0 && result.output == "2\n", "\(result.output)")
            #expect(
                result.error.contains(
                    "1 picture is not in the page: the PNG file is damaged; --format json keeps every picture\n"))
            #expect(
                result.error.contains(
                    "1 picture is not in the page: convert HEIC to JPEG first, or install vips (Debian: libvips-tools);"
                ))
        }
    }

    @Test(
        "shows pictures of HEIC in a page, in a size for screens",
        .enabled(if: App.pictures != nil, "install libvips-tools"))
    func convertedPictures() throws {
        let script =
            start + write + """
                { printf 'P6 2000 1500 255\n'; head -c 9000000 /dev/zero | tr '\\0' '\\252'; } > p.ppm && \
                vips copy p.ppm p.heic && vips copy p.ppm 'p.png[compression=0]' && \
                $traveline write --in $id --title 하나 --text a --image p.heic --image p.png $d > /dev/null && \
                $traveline export $id --output trip.html $d && grep -o 'src="data:image/jpeg;' trip.html | grep -c . && \
                [ $(wc -c < trip.html) -lt 200000 ] && grep -o 'base64,[^"]*' trip.html | head -n 1 | cut -c 8- | \
                base64 -d > back.jpg && vipsheader -f width back.jpg && vipsheader -f height back.jpg
                """
        try Program.run(script) { result, _ in
            #expect(result.status == 0 && result.output == "2\n1280\n960\n", "\(result.output) \(result.error)")
        }
    }

    @Test("gets the day and the time of an entry from its photo, unless they are named")
    func photoTime() throws {
        // A JPEG file whose Exif part has the tag DateTime: 2 May 2024, 18:45.
        let photo = """
            printf '\\377\\330\\377\\341\\000\\066Exif\\000\\000II*\\000\\010\\000\\000\\000\\001\\000\\062\\001\\002\\000\\024\\000' > p.jpg && \
            printf '\\000\\000\\032\\000\\000\\000\\000\\000\\000\\0002024:05:02 18:45:00\\000\\377\\332\\000\\006\\000\\000\\077\\000\\377\\331' >> p.jpg &&
            """
        let script =
            start + photo + write + """
                $traveline write --in $id --title 노을 --text 하늘 --image p.jpg $d > /dev/null && \
                $traveline write --in $id --title 아침 --text 하늘 --image p.jpg --day 1 --time 07:00 $d > /dev/null && \
                $traveline show $id $d
                """
        try Program.run(script) { result, _ in
            #expect(result.status == 0, "\(result.error)")
            let lines = result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(lines.filter { $0.contains("[picture]") }.map { $0.prefix(8) } == ["07:00 1.", "18:45 3."])
        }
    }

    @Test("gives an entry several pictures, describes, moves and removes them, and undoes a removal")
    func pictures() throws {
        let script =
            start + picture + write + """
                for n in 1 2 3; do cp p.png $n.png; done && t="$id --entry 1" && \
                $traveline edit $t --image 1.png --image 2.png --add-image 3.png $d | grep -c '3 pictures' && \
                $traveline edit $t --picture 3 --describe 등대 --taken '2024-05-01 09:30' --taken-at 35.1,129.1 $d > /dev/null && \
                $traveline edit $t --picture 3 --picture-to 1 $d | grep -e '등대' && \
                $traveline edit $t --picture 1 --show-position --json $d | grep -o '"isPositionShown":[a-z]*' && \
                $traveline edit $t --picture 2 --remove-picture $d | grep -c '2 pictures' && \
                $traveline delete $id --entry 1 --yes $d > /dev/null && $traveline undo $d > /dev/null && \
                $traveline export $id --format html $d > t.html && grep -o 'alt="등대"' t.html && grep -o '<img' t.html | wc -l; \
                $traveline edit $t --picture 3 --describe x $d; $traveline edit $t --picture 2 --show-position $d; \
                $traveline edit $t --taken yesterday $d; $traveline edit $t --hide-position --show-position $d; echo "rc $?"
                """
        try Program.run(script) { result, _ in
            #expect(
                result.output == """
                    1
                            [1] 등대 - 2024-05-01 09:30 - 35.10000,129.10000 (only you see it)
                    "isPositionShown":true
                    1
                    alt="등대"
                    2
                    rc 64

                    """, "\(result.output)\(result.error)")
            for text in [
                "--picture: the entry has pictures 1 to 2", "the picture has no position; specify it with --taken-at",
                "--taken needs a day and a time such as '2024-05-01 09:30', not 'yesterday'", "are alternatives",
            ] { #expect(result.error.contains(text), "\(result.error)") }
        }
    }

    @Test("a picture that was taken outside of the trip is not filed under one of its days unasked")
    func pictureOutside() throws {
        let photo = """
            printf '\\377\\330\\377\\341\\000\\066Exif\\000\\000II*\\000\\010\\000\\000\\000\\001\\000\\062\\001\\002\\000\\024\\000' > p.jpg && \
            printf '\\000\\000\\032\\000\\000\\000\\000\\000\\000\\0002024:07:02 18:45:00\\000\\377\\332\\000\\006\\000\\000\\077\\000\\377\\331' >> p.jpg &&
            """
        let script =
            start + photo + write + """
                $traveline write --in $id --title 노을 --text 하늘 --image p.jpg $d; echo "rc $?"; \
                $traveline write --in $id --title 노을 --text 하늘 --image p.jpg --day 1 --quiet $d > /dev/null; echo "rc $?"
                """
        try Program.run(script) { result, _ in
            #expect(result.output.hasSuffix("rc 64\nrc 0\n"), "\(result.output)\(result.error)")
            #expect(result.error.contains("a picture was taken on 2024-07-02, outside of the trip ("))
        }
    }

    @Test("an import that exists already names its trip, replaces it where that is wanted, and is undone")
    func importsAgain() throws {
        let track = """
            printf '<gpx version="1.1"><trk><name>걷기</name><trkseg><trkpt lat="35.1" lon="129.1"><time>2024-05-01T00:00:00Z</time></trkpt><trkpt lat="35.2" lon="129.1"><time>2024-05-01T03:00:00Z</time></trkpt></trkseg></trk></gpx>' > w.gpx && \\
            """
        let script =
            start + track + picture + write + """
                l='--lang en'; $traveline edit $id --entry 1 --image p.png $d > /dev/null && $traveline export $id $d > a.json && \
                $traveline edit $id --title Changed $d > /dev/null && \
                $traveline import w.gpx $d $l | cut -c 37- && $traveline import w.gpx $d $l; echo "again $?"; \
                $traveline import w.gpx --timezone Asia/Tokyo --replace $d $l | cut -c 37- && \
                $traveline undo $d $l && $traveline undo $d $l; echo "twice $?"; \
                $traveline import w.gpx $d $l | cut -c 37- && $traveline undo $d $l && \
                $traveline import a.json $d $l; echo "same $?"; \
                $traveline import a.json --replace $d $l | grep -c '부산 밤바다' && $traveline undo $d $l && \
                $traveline show $id $d | grep -c -e Changed -e picture && \
                $traveline delete $id --yes $d > /dev/null && $traveline import a.json $d $l > /dev/null && \
                $traveline edit $id --title Again $d > /dev/null; $traveline undo $d $l; echo "changed $?"
                """
        try Program.run(script) { result, _ in
            #expect(
                result.output == """
                      걷기  Busan  2024-05-01  2 entries
                    again 65
                      걷기  Busan  2024-05-01  2 entries
                    import undone: '걷기'
                    twice 65
                      걷기  Busan  2024-05-01  2 entries
                    import undone: '걷기'
                    same 65
                    1
                    import undone: '부산 밤바다'
                    2
                    changed 65

                    """, "\(result.output)\(result.error)")
            for text in [
                "was imported from this track; replace its entries with --replace",
                "to undo the import: traveline undo",
                "all of its trips are there already; replace them with --replace",
                "'Again' was changed since its import",
            ] { #expect(result.error.contains(text), "\(result.error)") }
        }
    }

    @Test("exports a trip and imports the same one elsewhere, in every format that allows it")
    func files() throws {
        let script =
            start + picture + write + """
                $traveline edit $id --entry 1 --image p.png $d > /dev/null && \
                for f in json geojson gpx svg html; do $traveline export $id --output t.$f $d || exit 1; done; \
                $traveline export $id --output t.json $d; echo "exists $?"; \
                $traveline import t.json $d; echo "twice $?"; \
                export e='--database other' && $traveline seed --count 1 $e > /dev/null && \
                $traveline import t.json $e && $traveline export $id $e > same.json && cmp t.json same.json && \
                $traveline import --copy - $e < t.geojson && $traveline import t.gpx --region busan --json $e && \
                $traveline me trips --limit 2 $e && \
                $traveline export --mine --output all.json $e && $traveline import t.html $e; echo "html $?"
                """
        try Program.run(script) { result, folder in
            let lines = result.output.split(separator: "\n")
            #expect(lines.first == "exists 73")
            #expect(lines[1] == "twice 65")
            #expect(lines.last == "html 64")
            #expect(lines.count { $0.contains("부산 밤바다") } == 5, "\(result.output)")
            #expect(result.error.contains("traveline: 2 of 3 trips; for more: --after "))
            #expect(result.error.contains("traveline: all.json: 3 trips written\n"))
            for (name, text) in [("t.html", "<!DOCTYPE html>"), ("t.svg", "<svg "), ("t.gpx", "<gpx ")] {
                let file = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
                #expect(file.contains(text) && file.contains("해운대"))
            }
            let page = try String(contentsOfFile: "\(folder)/t.html", encoding: .utf8)
            #expect(page.contains("data:image/png;base64,") && page.contains("Busan"))
        }
    }

    @Test("an export names what its format leaves out")
    func exportOmissions() throws {
        let script =
            start + picture + write + """
                $traveline edit $id --entry 1 --image p.png $d > /dev/null && \
                $traveline write --in $id --title 낮잠 --text '숙소에서 잤다.' --time 13:00 $d > /dev/null && \
                for f in gpx geojson svg json; do $traveline export $id --format $f --lang en $d > t.$f || exit 1; done; \
                $traveline export $id --format gpx --lang ko $d > /dev/null
                """
        try Program.run(script) { result, _ in
            let json = "--format json keeps everything"
            #expect(
                result.error.split(separator: "\n").filter { $0.contains("--format json") } == [
                    "traveline: GPX leaves out 1 entry without a position, the region, the theme and 1 picture; \(json)",
                    "traveline: GeoJSON leaves out 1 picture; \(json)",
                    "traveline: the map leaves out 1 entry without a position; \(json)",
                    "traveline: GPX에 담기지 않음: 위치가 없는 기록 1개, 지역, 테마, 사진 1장. --format json에는 모두 들어갑니다",
                ], "\(result.error)")
        }
    }

    @Test("an export is written to a pipe, and through a link to its file, and replaces neither")
    func exportsThroughPipesAndLinks() throws {
        let script =
            start + write + """
                $traveline export $id $d > plain.json && mkfifo pipe.json && { timeout 50 cat pipe.json > copy & } && \
                $traveline export $id --output pipe.json $d && wait $! && cmp plain.json copy && test -p pipe.json && \
                $traveline export $id --format json --output /dev/stdout $d | cmp plain.json - && \
                echo old > target && ln -s target link.json && $traveline export $id --output link.json --force $d && \
                test -L link.json && cmp plain.json target && echo same
                """
        try Program.run(script) { result, _ in #expect(result.output == "same\n", "\(result.error)") }
    }

    @Test("a track abroad is imported in the language, the time zone and on the day that the user names")
    func abroad() throws {
        let script =
            start + """
                point() { echo "<trkpt lat='$1' lon='$2'>$3</trkpt>"; } && \
                file() { echo "<gpx version='1.1'><trk><name>$1</name><trkseg>$2$3</trkseg></trk></gpx>"; } && \
                file Lisboa "$(point 38.7139 -9.1335 '<time>2024-05-01T08:00:00Z</time>')" \
                    "$(point 38.6916 -9.216 '<time>2024-05-01T09:00:00Z</time>')" > timed.gpx && \
                file Lisboa "$(point 38.7139 -9.1335 '<time>2024-02-30T08:00:00Z</time>')" > impossible.gpx && \
                file Sintra "$(point 38.7979 -9.3907)" "$(point 38.7876 -9.3906)" > untimed.gpx && \
                $traveline import timed.gpx --timezone Europe/Lisbon --lang en $d > imported && cat imported && \
                $traveline show $(cut -c1-36 imported) --lang en $d && \
                $traveline export $(cut -c1-36 imported) --format geojson $d | grep -c '"track"'; \
                $traveline import untimed.gpx --lang en $d; echo "undated $?"; \
                $traveline import impossible.gpx --lang en $d; echo "impossible $?"; \
                $traveline import timed.gpx --date 2024-05-02 --lang en $d; echo "dated $?"; \
                $traveline import timed.gpx --timezone Lisbon --lang en $d; echo "zone $?"; \
                $traveline import untimed.gpx --date 2024-05-02 --timezone Europe/Lisbon --lang ko $d | cut -d' ' -f3-
                """
        try Program.run(script) { result, _ in
            let lines = result.output.split(separator: "\n")
            #expect(lines[0].contains("Lisboa  Abroad  ") || lines[1].contains("Lisboa  Abroad  "), "\(result.output)")
            #expect(result.output.contains("09:00") && result.output.contains("Departure"), "\(result.output)")
            #expect(result.output.contains("undated 65\n") && result.output.contains("zone 64\n"), "\(result.output)")
            #expect(result.output.contains("dated 64\n"), "\(result.output)")
            #expect(result.output.contains("impossible 65\n"), "\(result.output)")
            #expect(result.error.contains("impossible.gpx: no point of the track has a plausible time"))
            #expect(result.output.contains("Sintra  해외  "), "\(result.output)")
            #expect(result.error.contains("--date 2024-05-01") && result.error.contains("did you mean Europe/Lisbon?"))
        }
    }
}
