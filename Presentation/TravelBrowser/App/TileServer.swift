import Foundation

/// A server of street maps that the owner of the app has named: squares of 256 pixels in the projection of Mercator, by zoom,
/// column and row.
///
/// ```swift
/// try TileServer(address: "https://tile.example.org/{z}/{x}/{y}.png", credit: "© OpenStreetMap contributors").origin
/// // "https://tile.example.org"
/// ```
///
/// A browser asks it for nothing before the user has agreed, on each map: its requests disclose the place, and to the server
/// the user's address.
package struct TileServer: Hashable, Sendable {
    /// The address of a tile, with `{z}`, `{x}` and `{y}`.
    let address: String
    /// What a content security policy allows.
    let origin: String
    /// The name by which the user knows the server, with its port.
    let host: String
    /// Whom the map thanks.
    let credit: String

    /// What is wrong with a server that was named.
    package enum Problem: Error, CaseIterable, Sendable {
        case insecure, host, placeholders, characters, credit

        package var text: Text {
            switch self {
            case .insecure:
                Text(
                    "the address of tiles begins with https://; http:// is for 127.0.0.1 and localhost",
                    "타일 주소는 https://로 시작해야 합니다. http://는 127.0.0.1과 localhost에만 쓸 수 있습니다")
            case .host:
                Text(
                    "the address of tiles needs the name of a host, such as tile.example.org",
                    "타일 주소에는 tile.example.org 같은 호스트 이름이 필요합니다")
            case .placeholders:
                Text(
                    "the address of tiles contains {z}, {x} and {y}, once each, and no other braces",
                    "타일 주소에는 {z}, {x}, {y}가 하나씩 있어야 하며 다른 중괄호는 쓸 수 없습니다")
            case .characters:
                Text(
                    "the address of tiles contains a character that has to be percent-encoded",
                    "타일 주소에 퍼센트 인코딩해야 하는 문자가 있습니다")
            case .credit:
                Text(
                    "tiles need a credit of at most 200 characters, such as '© OpenStreetMap contributors'",
                    "타일에는 '© OpenStreetMap contributors' 같은 출처를 200자 이내로 밝혀야 합니다")
            }
        }
    }

    /// - Parameters:
    ///   - address: An address of `https` with `{z}`, `{x}` and `{y}`, or of `http` on this machine.
    ///   - credit: The text that the map shows, as the terms of the server demand.
    package init(address: String, credit: String) throws(Problem) {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[1].isEmpty, parts[0] == "https:" || parts[0] == "http:" else { throw .insecure }
        let authority = parts[2].split(separator: ":", omittingEmptySubsequences: false)
        let name = authority[0].lowercased()
        // The characters that a source of the policy may have (Content Security Policy Level 3, 2.3.1).
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isOfHost), !name.hasPrefix("."), !name.contains(".."),
            authority.count == 1 || authority.count == 2 && UInt16(authority[1]) != nil
        else { throw .host }
        guard parts[0] == "https:" || name == "127.0.0.1" || name == "localhost" else { throw .insecure }
        guard address.utf8.allSatisfy(Self.isOfAddress), address.utf8.count <= 500 else { throw .characters }
        guard ["{z}", "{x}", "{y}"].allSatisfy({ parts[3].components(separatedBy: $0).count == 2 }),
            parts[3].count(where: { $0 == "{" || $0 == "}" }) == 6
        else { throw .placeholders }
        let credit = credit.trimmingCharacters(in: .whitespacesAndNewlines)
        guard credit.contains(where: { !$0.isWhitespace }), credit.unicodeScalars.count <= 200 else { throw .credit }
        (self.address, self.credit) = (address, credit)
        host = name + (authority.count == 2 ? ":\(authority[1])" : "")
        origin = "\(parts[0])//\(host)"
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// What an address may contain (RFC 3986), and braces.
    private static func isOfAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "#"):
            false
        default: byte > 0x20 && byte < 0x7F
        }
    }
}
