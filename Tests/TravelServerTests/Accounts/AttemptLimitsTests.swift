#if Server
import Foundation
import Testing

@testable import TravelServer

@Suite("The limits of attempts")
struct AttemptLimitsTests {
    private let clock = ServerWorld.TestDate()

    private func limits(_ change: (inout AttemptLimits.Limits) -> Void) -> AttemptLimits {
        var limits = AttemptLimits.Limits()
        change(&limits)
        return AttemptLimits(limits, now: { [clock] in clock.now })
    }

    @Test("an account can be tried a few times from an address, as often from another one, and then after a while")
    func accountAndAddress() throws {
        let limits = limits { $0.perAccountAndAddress = 2 }
        for address in ["a", "b"] {
            for _ in 0..<2 { _ = try limits.beginSignIn("mina", from: address) }
            #expect(throws: TooManyAttempts(seconds: 900)) { try limits.beginSignIn("mina", from: address) }
        }
        clock.advance(by: 899)
        #expect(throws: TooManyAttempts(seconds: 1)) { try limits.beginSignIn("mina", from: "a") }
        clock.advance(by: 1)
        _ = try limits.beginSignIn("mina", from: "a")
        // The first attempt begins the time, and another one does not prolong it.
        clock.advance(by: 899)
        _ = try limits.beginSignIn("mina", from: "a")
        #expect(throws: TooManyAttempts(seconds: 1)) { try limits.beginSignIn("mina", from: "a") }
    }

    @Test("an attempt that is taken back does not count")
    func takingBack() throws {
        let limits = limits { ($0.perAccountAndAddress, $0.perAddress, $0.perAccount) = (2, 2, 2) }
        for _ in 0..<10 { limits.takeBack(try limits.beginSignIn("mina", from: "a")) }
        for _ in 0..<2 { _ = try limits.beginSignIn("mina", from: "a") }
        #expect(throws: TooManyAttempts.self) { try limits.beginSignIn("mina", from: "a") }
    }

    @Test("an account that is tried from many addresses is open to those from which it has signed in, for a month")
    func knownAddresses() throws {
        let limits = limits { $0.perAccount = 3 }
        limits.signedIn("mina", from: "home")
        func attack() throws {
            for number in 0..<3 { _ = try limits.beginSignIn("mina", from: "\(number)") }
            #expect(throws: TooManyAttempts(seconds: 3_600)) { try limits.beginSignIn("mina", from: "new") }
        }
        try attack()
        limits.takeBack(try limits.beginSignIn("mina", from: "home"))
        #expect(throws: TooManyAttempts.self) { try limits.beginSignIn("mina", from: "new") }
        _ = try limits.beginSignIn("jun", from: "new")
        clock.advance(by: 30 * 24 * 3_600)
        try attack()
        #expect(throws: TooManyAttempts.self) { try limits.beginSignIn("mina", from: "home") }
    }

    @Test("a known address can try an account no more often than another one")
    func knownAddressIsLimited() throws {
        let limits = limits { $0.perAccountAndAddress = 2 }
        limits.signedIn("mina", from: "home")
        for _ in 0..<2 { _ = try limits.beginSignIn("mina", from: "home") }
        #expect(throws: TooManyAttempts.self) { try limits.beginSignIn("mina", from: "home") }
    }

    @Test("what is remembered is limited, and the newest counts stay")
    func memory() throws {
        let limits = limits { ($0.memory, $0.perAccountAndAddress) = (100, 1) }
        for number in 0..<1_000 {
            clock.advance(by: 0.1)
            _ = try limits.beginSignIn("\(number)", from: "\(number)")
        }
        _ = try limits.beginSignIn("0", from: "0")
        #expect(throws: TooManyAttempts.self) { try limits.beginSignIn("999", from: "999") }
    }

    @Test(
        "a client has one address of IPv4, and half an address of IPv6",
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "20:1:d:b8:0:1:0:2/64"), ("2001:db8:1:2::", "20:1:d:b8:0:1:0:2/64"), ("", ""),
        ])
    func networks(host: String, expected: String) {
        #expect(SocketAddress.network(of: host) == expected)
    }
}
#endif
