#if Server
import Foundation

/// An IPv4 or IPv6 address with a port.
struct SocketAddress: Hashable, Sendable {
    /// The number form: `127.0.0.1`, `::1`.
    let host: String
    let isIPv6: Bool
    /// The form of the system, a `sockaddr_in` or a `sockaddr_in6`.
    let bytes: [UInt8]

    /// Creates an address from a number form, or `localhost`; `nil` for any other text or a port beyond 65,535.
    init?(host: String, port: Int) {
        guard (0...65_535).contains(port) else { return nil }
        let host = host == "localhost" ? "127.0.0.1" : host
        var four = sockaddr_in()
        var six = sockaddr_in6()
        if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = in_port_t(UInt16(port).bigEndian)
            isIPv6 = false
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = in_port_t(UInt16(port).bigEndian)
            isIPv6 = true
            bytes = withUnsafeBytes(of: six) { Array($0) }
        } else {
            return nil
        }
        self.host = host
    }

    /// Creates an address from an item of `X-Forwarded-For`: a number form, with a port behind a colon if the proxy adds
    /// it; of IPv6 then, and only then, in brackets. `nil` for any other text.
    init?(forwarded item: String) {
        var host = item[...]
        var port = "0"[...]
        if item.hasPrefix("[") {
            guard let end = item.firstIndex(of: "]") else { return nil }
            host = item[..<end].dropFirst()
            let rest = item[item.index(after: end)...]
            guard host.contains(":"), rest.isEmpty || rest.hasPrefix(":") else { return nil }
            if !rest.isEmpty { port = rest.dropFirst() }
        } else if let colon = item.firstIndex(of: ":"), item.lastIndex(of: ":") == colon {
            (host, port) = (item[..<colon], item[colon...].dropFirst())
        }
        guard (1...5).contains(port.utf8.count), port.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(port)
        else { return nil }
        self.init(host: String(host), port: port)
    }

    /// The number form of an address of the system, which must be as long as its family says, without the zone of IPv6;
    /// `nil` of another family.
    static func host(of address: UnsafePointer<sockaddr>) -> String? {
        let lengths = [AF_INET: MemoryLayout<sockaddr_in>.size, AF_INET6: MemoryLayout<sockaddr_in6>.size]
        guard let length = lengths[Int32(address.pointee.sa_family)] else { return nil }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        let bytes = text.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes.prefix { $0 != 0 && $0 != UInt8(ascii: "%") }, as: UTF8.self)
    }

    /// The part of an address that belongs to one client: of IPv6 the first half, as a client has all of the second one;
    /// of IPv4 all of it, in IPv6 as well. Another text is returned as it is.
    static func network(of host: String) -> String {
        var six = in6_addr()
        guard host.contains(":"), inet_pton(AF_INET6, host, &six) == 1 else { return host }
        let bytes = withUnsafeBytes(of: six) { Array($0) }
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return bytes[12...].map(String.init).joined(separator: ".")
        }
        return bytes[..<8].map { String($0, radix: 16) }.joined(separator: ":") + "/64"
    }

    /// Whether only programs on this machine reach the address: 127.0.0.0/8 or ::1.
    var isLoopback: Bool {
        host == "::1" || !isIPv6 && host.hasPrefix("127.")
    }
}
#endif
