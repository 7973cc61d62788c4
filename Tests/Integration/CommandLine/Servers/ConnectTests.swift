#if Server
import Foundation
import TestConcurrency
import Testing

@testable import traveline

@Suite("Devices that are connected to a server", .enabled(if: Program.isBuilt), .limitedConcurrency)
struct ConnectTests {
    /// Runs a script with a server at `$url`, which `down` kills and `up` starts again, and with two devices of one
    /// user: `phone` and `tablet`.
    private func run(_ script: String, _ check: (Shell.Result) throws -> Void) throws {
        let prelude = """
            port=0
            up() {
                $traveline serve --database server.sqlite --listen 127.0.0.1:$port > served 2>> log & server=$!
                for i in $(seq 200); do grep -qs http served && break; sleep 0.05; done
                url=$(grep -o 'http://[0-9.:]*' served); port=${url##*:}
            }
            down() { kill -9 $server; wait $server 2> /dev/null; : > served; }
            device() { export XDG_DATA_HOME=$PWD/$1 TRAVELINE_PASSWORD='a long secret'; shift; $traveline "$@"; }
            phone() { (device phone "$@"); }
            tablet() { (device tablet "$@"); }
            trap 'kill -9 $server 2> /dev/null' EXIT
            up
            phone connect $url Mina --sign-up && tablet connect $url Mina &&
            """
        try Program.run(prelude + " " + script) { result, _ in try check(result) }
    }

    /// Records a trip on the phone, whose ID is `$id` then.
    private static let write = "id=$(phone write --title First --region busan --from 2024-05-01 | cut -d ' ' -f 1)"

    @Test("a trip that one device writes appears on the other, and an edit trips back")
    func twoDevices() throws {
        try run(
            """
            \(Self.write) && tablet search First && tablet edit $id --title Second &&
            phone search > /dev/null && phone search Second
            """
        ) { result in
            #expect(result.status == 0, "\(result.error)")
            #expect(result.output.contains("connected to http://127.0.0.1"))
            #expect(result.output.contains("First"))
            #expect(result.output.contains("Second"))
        }
    }

    @Test("a device works offline, lists pending changes, and sends it when the server is back")
    func offline() throws {
        try run(
            """
            down; \(Self.write) && [ -n "$id" ] && up && phone sync > /dev/null &&
            down && phone edit $id --title Offline > /dev/null && phone search Offline &&
            phone sync; echo $?; up; phone sync && tablet show $id > /dev/null && tablet search Offline
            """
        ) { result in
            #expect(result.status == 0, "\(result.error)")
            let lines = result.output.split(separator: "\n")
            #expect(lines.contains { $0.contains("offline") && $0.contains("1 pending change") }, "\(result.output)")
            #expect(lines.contains("75"), "\(result.output)")
            #expect(result.error.contains(": The server does not answer."), "\(result.error)")
            #expect(lines.contains { $0.contains("Everything is on the server.") })
            #expect(lines.last?.contains("Offline") == true)
        }
    }

    @Test("a device that signs out while the server is down lists pending changes, which the next sync sends")
    func signOutOffline() throws {
        try run(
            """
            \(Self.write) && down && phone edit $id --title Offline > /dev/null && phone me sign-out; up
            phone sync && tablet show $id > /dev/null && tablet search Offline
            """
        ) { result in
            #expect(result.status == 0, "\(result.error)")
            #expect(result.error.contains("1 pending change on this device, sent by: traveline sync"))
            #expect(result.output.split(separator: "\n").last?.contains("Offline") == true, "\(result.output)")
        }
    }

    @Test("edits of two devices while the server is down are a conflict, which the user decides")
    func conflict() throws {
        try run(
            """
            \(Self.write) && tablet show $id > /dev/null && down && phone edit $id --title Mine > /dev/null &&
            phone write --in $id --title Lunch --text Noodles > /dev/null &&
            tablet write --in $id --title Dinner --text Fish > /dev/null &&
            tablet edit $id --title Theirs > /dev/null; up; tablet sync && phone sync > left; [ $? = 65 ] && cat left &&
            phone sync mine $(grep 'Edit of' left | cut -d ' ' -f 1) && tablet search > /dev/null && tablet search Mine
            """
        ) { result in
            #expect(result.status == 0, "\(result.error)")
            #expect(result.output.contains("1 conflict"), "\(result.output)")
            #expect(result.output.contains("Edit of “Mine”: it was changed elsewhere in the meantime."))
            for line in ["Stored version: Theirs", "Only in yours: Lunch", "Only in theirs: Dinner"] {
                #expect(result.output.contains("\n   \(line)\n"), "\(result.output)")
            }
            #expect(result.error.contains("resolve what remains: traveline sync --help"), "\(result.error)")
            #expect(result.output.split(separator: "\n").last?.contains("Mine") == true)
        }
    }

    @Test("a device follows its server to another address with pending changes, and no other account or server")
    func movedServer() throws {
        try run(
            """
            \(Self.write) && down && phone edit $id --title Offline > /dev/null; old=$url; port=0; up; [ $url != $old ] &&
            phone sync; phone connect $url Mina && phone sync && tablet connect $url Mina && tablet show $id > /dev/null &&
            tablet search Offline; down; rm server.sqlite*; up; phone connect $url Mina; echo $?
            (export XDG_DATA_HOME=$PWD/other TRAVELINE_PASSWORD='a long secret'; $traveline connect $url Mina --sign-up)
            phone connect $url Mina; echo $?; down; phone me | head -1
            """
        ) { result in
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(lines.filter { $0.contains("Everything is on the server.") }.count == 1, "\(result.output)")
            #expect(lines.contains { $0.contains("Offline") }, "\(result.output)\(result.error)")
            #expect(lines.filter { Int($0) != nil } == ["77", "64"], "\(result.output)\(result.error)")
            #expect(result.error.contains("this device has the trips of another account"), "\(result.error)")
            #expect(lines.last == "Mina", "\(result.output)\(result.error)")
        }
    }

    @Test("a wrong password, an unknown nickname and another account are refused in one line without a secret")
    func refusals() throws {
        try run(
            """
            for attempt in "connect $url Mina" "connect $url Nobody" "connect http://example.org Mina" "me --as Jun"; do
                (export XDG_DATA_HOME=$PWD/other TRAVELINE_PASSWORD='wrong s3cret'
                    [[ $attempt = me* ]] && XDG_DATA_HOME=$PWD/phone; $traveline $attempt; echo $?)
            done
            """
        ) { result in
            #expect(result.output.hasSuffix("77\n77\n64\n64\n"), "\(result.output)\(result.error)")
            #expect(!(result.error + result.output).contains("s3cret"))
            #expect(result.error.split(separator: "\n").count == 4, "\(result.error)")
        }
    }

    @Test("a command that finds the app open with the connection says so, and works once it is closed")
    func openApp() throws {
        // The app keeps the outbox locked like this.
        try run(
            """
            exec 8< phone/traveline/server/outbox && flock 8
            phone search; echo $?; exec 8<&-; phone me > /dev/null; echo $?
            """
        ) { result in
            #expect(result.output.split(separator: "\n").suffix(2) == ["75", "0"], "\(result.output)\(result.error)")
            #expect(result.error.contains("the app or another command is using the connection"), "\(result.error)")
        }
    }

    @Test("a refused sign-in with another account leaves the device signed in, with pending changes")
    func anotherAccount() throws {
        try run(
            """
            tablet disconnect && tablet connect $url Jun --sign-up && \(Self.write) && down &&
            phone edit $id --title Offline --visible-to everyone > /dev/null; up
            phone connect $url Jun; echo $?; phone sync && tablet search Offline
            phone connect $url Someone --sign-up; [ $? = 64 ] &&
            phone me sign-out > /dev/null; phone me; [ $? = 77 ]
            """
        ) { result in
            #expect(result.status == 0, "\(result.error)")
            #expect(result.error.contains("you are not signed in; sign in with: traveline connect http://127.0.0.1"))
            let lines = result.output.split(separator: "\n")
            #expect(lines.contains("64") && result.error.contains("this device has the trips of another account"))
            #expect(result.error.contains("this device is already connected; for a new account"), "\(result.error)")
            #expect(lines.contains { $0.contains("Everything is on the server.") }, "\(result.output)")
            #expect(lines.last?.contains("Offline") == true)
        }
    }

    @Test("a user changes the password: other devices sign in again with the new one, and the old one is refused")
    func passwordChange() throws {
        try run(
            """
            (export XDG_DATA_HOME=$PWD/phone TRAVELINE_NEW_PASSWORD='a longer secret'
                TRAVELINE_PASSWORD='not the secret' $traveline me password; echo $?
                TRAVELINE_PASSWORD='a long secret' $traveline me password && $traveline me)
            tablet sync; echo $?; tablet connect $url Mina; echo $?
            XDG_DATA_HOME=$PWD/tablet TRAVELINE_PASSWORD='a longer secret' $traveline connect $url Mina && tablet me
            XDG_DATA_HOME=$PWD/other $traveline me password; [ $? = 64 ]
            """
        ) { result in
            #expect(result.status == 0, "\(result.error)")
            let lines = result.output.split(separator: "\n")
            #expect(lines.filter { $0 == "77" }.count == 3, "\(result.output)\(result.error)")
            #expect(lines.contains { $0.hasPrefix("the password was changed") }, "\(result.error)")
            #expect(lines.filter { $0 == "Mina" }.count == 2)
            #expect(result.error.contains("the accounts of this device have no password"))
            #expect(result.error.contains("The password is wrong."), "\(result.error)")
            #expect(!(result.error + result.output).contains("secret"))
        }
    }

    @Test("a device that has the last copy of a trip, or a change that cannot be read, asks before it disconnects")
    func lastCopy() throws {
        try run(
            """
            \(Self.write) && tablet delete $id --yes > /dev/null && phone search First; phone sync
            phone disconnect < /dev/null; echo $?
            phone sync forget $id && echo broken > phone/traveline/server/outbox/9.json && phone sync
            phone disconnect < /dev/null; echo $?; phone disconnect --yes
            """
        ) { result in
            #expect(result.status == 0, "\(result.error)")
            let lines = result.output.split(separator: "\n")
            #expect(lines.contains { $0.contains("1 trip vanished") }, "\(result.output)")
            #expect(lines.contains { $0.contains("1 change cannot be read") }, "\(result.output)")
            #expect(lines.filter { $0 == "64" }.count == 2, "\(result.output)\(result.error)")
            #expect(lines.last?.hasPrefix("disconnected") == true)
        }
    }

    @Test("damaged copies of the server's trips are named, can be fetched again, and keep no device connected")
    func damagedCopies() throws {
        let damage = "rm phone/traveline/server/cache.sqlite*; echo broken > phone/traveline/server/cache.sqlite"
        try run(
            """
            \(Self.write) && down && phone edit $id --title Second > /dev/null; up
            \(damage); phone search; echo $?; phone disconnect; echo $?
            rm phone/traveline/server/cache.sqlite && phone sync && tablet search Second
            \(damage); phone disconnect --yes && phone me
            """
        ) { result in
            #expect(result.status == 0, "\(result.error)")
            let lines = result.output.split(separator: "\n")
            #expect(lines.filter { $0 == "69" }.count == 2, "\(result.output)\(result.error)")
            let name =
                "phone/traveline/server/cache.sqlite: the copies of the server's trips are damaged; remove this file"
            #expect(result.error.ranges(of: name).count == 3, "\(result.error)")
            #expect(lines.contains { $0.contains("Everything is on the server.") }, "\(result.output)")
            #expect(lines.contains { $0.contains("Second") }, "\(result.output)")
            #expect(lines.contains { $0.hasPrefix("disconnected") })
        }
    }

    @Test("a file of the device that cannot be used is named, rather than the server")
    func unusableFiles() throws {
        try run(
            """
            echo x > phone/traveline/server/tokens/tokens.json; phone sync; echo $?
            phone connect $url Mina; rm -r phone/traveline/server/outbox; echo > phone/traveline/server/outbox
            phone search --lang ko; echo $?
            """
        ) { result in
            let errors = result.error.split(separator: "\n")
            #expect(errors.count == 2 && errors.allSatisfy { $0.contains("phone/traveline/server: ") }, "\(errors)")
            #expect(errors.first?.contains("damaged: sign in again") == true)
            #expect(errors.last?.contains("권한을 확인하세요") == true)
            #expect(result.output.split(separator: "\n").filter { $0 == "69" }.count == 2, "\(result.output)")
        }
    }

    @Test("a damaged connection is named, and connecting again sends pending changes, for its user only")
    func damagedConnection() throws {
        let damage = ": > phone/traveline/server/connection.json"
        try run(
            """
            (XDG_DATA_HOME=$PWD/other TRAVELINE_PASSWORD='a long secret' $traveline connect $url Jun --sign-up)
            \(Self.write) && down && phone edit $id --title Second > /dev/null; \(damage); phone search; echo $?; up
            phone connect $url Jun; echo $?; phone connect $url Mina && phone sync && tablet search Second
            \(damage); phone disconnect; echo $?; phone disconnect --yes && phone me
            """
        ) { result in
            #expect(result.status == 0, "\(result.error)")
            let lines = result.output.split(separator: "\n")
            #expect(lines.filter { Int($0) != nil } == ["69", "64", "69"], "\(result.output)\(result.error)")
            let name = "phone/traveline/server/connection.json: the connection cannot be read"
            #expect(result.error.ranges(of: name).count == 3, "\(result.error)")
            #expect(lines.contains { $0.contains("Everything is on the server.") }, "\(result.output)")
            #expect(lines.contains { $0.contains("Second") }, "\(result.output)")
            #expect(lines.contains("disconnected"))
        }
    }

    @Test("a trip is shared by the address of its page; one that waits is not, and neither is one without a server")
    func share() throws {
        try run(
            """
            \(Self.write) && address=$(phone share ${id:0:8}) && [[ $address = $url/trips/* ]] && phone share $id --json &&
            exec 3<>/dev/tcp/127.0.0.1/$port && printf 'GET %s HTTP/1.0\r\n\r\n' ${address#$url} >&3 && cat <&3 | grep -c First
            down; new=$(phone write --title Second --region busan --from 2024-05-02 | cut -d ' ' -f 1)
            phone edit $id --title Offline > /dev/null; phone share $id; phone share $new; echo $?
            (export XDG_DATA_HOME=$PWD/other; $traveline share $id; echo $?)
            """
        ) { result in
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(lines.contains { $0.contains("\"waits\":false") && $0.contains("/trips/") }, "\(result.output)")
            #expect(lines.suffix(3).map { $0.contains("/trips/") } == [true, false, false], "\(result.output)")
            #expect(lines.suffix(2) == ["75", "64"], "\(result.output)\(result.error)")
            #expect(result.error.contains("the page has an earlier version"), "\(result.error)")
            #expect(result.error.contains("the trip is not on the server yet (offline"), "\(result.error)")
            #expect(result.error.contains("this device is not connected to a server"))
        }
    }

    @Test("an account is deleted on the server at once, with its password; offline the device keeps everything")
    func accountDeletion() throws {
        try run(
            """
            \(Self.write) && down && phone me delete-account --yes; echo $?; up; phone me trips &&
            (export TRAVELINE_PASSWORD='another secret'; XDG_DATA_HOME=$PWD/phone $traveline me delete-account --yes; echo $?)
            phone me delete-account --yes && phone me; echo $?; tablet sync; tablet connect $url Mina; echo $?
            """
        ) { result in
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(lines.contains { $0.contains("First") }, "\(result.output)")
            #expect(lines.contains("the account was removed"))
            #expect(lines.contains { $0.hasSuffix("sign in again") }, "\(result.output)")
            #expect(lines.filter { Int($0) != nil } == ["75", "77", "77", "77"], "\(result.output)\(result.error)")
            #expect(result.error.contains("The password is wrong."), "\(result.error)")
            #expect(result.error.contains("The server does not answer."), "\(result.error)")
        }
    }

    @Test("a device that connects without its own trips says how many stay, and how to copy them; then they are copied")
    func leftBehind() throws {
        let command = """
            export XDG_DATA_HOME=$PWD/old TRAVELINE_PASSWORD='a long secret';
            $traveline write --title First --region busan --from 2024-05-01 > /dev/null 2>&1 &&
            $traveline connect $url Jun --sign-up && $traveline connect $url Jun --take-trips && $traveline me trips
            """
        try run(command) { result in
            #expect(result.status == 0, "\(result.error)")
            #expect(result.output.contains("1 trip of your own stays on this device"), "\(result.output)")
            #expect(result.output.ranges(of: "Jun --take-trips").count == 1, "\(result.output)")
            #expect(result.output.contains("1 trip copied to the server") && result.output.contains("First"))
        }
    }

    @Test("trips of the device are taken along, and are its own again after it has disconnected")
    func takeAlong() throws {
        let command = """
            export XDG_DATA_HOME=$PWD/old TRAVELINE_PASSWORD='a long secret';
            $traveline write --title First --region busan --from 2024-05-01 > /dev/null 2>&1 &&
            $traveline connect $url Jun --sign-up --take-trips && $traveline me trips && $traveline disconnect &&
            $traveline me trips
            """
        try run(command) { result in
            #expect(result.status == 0, "\(result.error)")
            #expect(result.output.contains("1 trip copied to the server"))
            #expect(result.output.ranges(of: "First").count == 2)
        }
    }
}
#endif
