import Foundation
import TestConcurrency
import Testing
import TravelDataRemote

@Suite("Addresses of servers", .limitedConcurrency)
struct ServerAddressTests {
    @Test(
        "an address is accepted without the slashes at its end",
        arguments: [
            ("https://trips.example", "https://trips.example"), ("https://trips.example/", "https://trips.example"),
            ("HTTPS://trips.example:8443/log//", "https://trips.example:8443/log"),
            ("http://localhost:8080", "http://localhost:8080"), ("http://127.0.0.1", "http://127.0.0.1"),
            ("http://127.9.8.7:1", "http://127.9.8.7:1"), ("http://[::1]:8080", "http://[::1]:8080"),
        ])
    func accepted(text: String, url: String) throws {
        #expect(try ServerAddress(text).url.absoluteString == url)
    }

    @Test(
        "text that is no address of a server is refused",
        arguments: [
            "", "trips.example", "ftp://trips.example", "https://", "https:///path", "https://mina@trips.example",
            "https://mina:secret@trips.example", "https://trips.example?a=1", "https://trips.example#a", "file:///etc",
        ])
    func refused(text: String) {
        let error = #expect(throws: TravelError.self) { try ServerAddress(text) }
        guard case .unavailable(let outage) = error else { return }
        #expect(outage.cause == .invalidAddress)
    }

    @Test(
        "plain text to another host is refused unless it is allowed",
        arguments: ["http://trips.example", "http://127.0.0.1.example", "http://10.0.0.1", "http://localhost.example"])
    func plainText(text: String) throws {
        let error = #expect(throws: TravelError.self) { try ServerAddress(text) }
        guard case .unavailable(let outage) = error else { return }
        #expect(outage.cause == .notSecure)
        #expect(try ServerAddress(text, allowsPlainText: true).url.absoluteString == text)
    }
}
