#if Server
import Foundation
import TestConcurrency
import Testing

@testable import TravelServer

@Suite(
    "An encrypted server",
    .enabled(if: OpenSSL.isAvailable, "no program openssl: install the package openssl"), .limitedConcurrency)
struct EncryptionTests {
    /// The options of a client, and whether the server answers it.
    private static let clients: [(options: [String], isAnswered: Bool)] = [
        (["-tls1_3"], true),
        (["-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256"], true),
        (["-tls1_2", "-cipher", "ECDHE-RSA-CHACHA20-POLY1305"], true),
        // Whoever learns the key of the server later reads what was recorded.
        (["-tls1_2", "-cipher", "AES128-GCM-SHA256"], false),
        (["-tls1_2", "-cipher", "ECDHE-RSA-AES128-SHA256"], false),
        (["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"], false), (["-tls1", "-cipher", "DEFAULT@SECLEVEL=0"], false),
    ]

    @Test("speaks TLS 1.2 and later with forward secrecy only, and asks browsers to do so as well")
    func versions() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "certificate-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // What is left is the system's to remove.
        let (certificate, key) = (folder.appending(path: "chain.pem"), folder.appending(path: "key.pem"))
        let made = await OpenSSL.run([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key.path, "-out", certificate.path, "-days",
            "2",
            "-subj", "/CN=localhost",
        ])
        try #require(made.status == 0, "\(made.output)")
        let tls = ServerConfiguration.TLS(
            certificate: try String(contentsOf: certificate, encoding: .utf8),
            key: try String(contentsOf: key, encoding: .utf8))
        try await withWorld {
            $0.tls = tls
        } _: { world in
            for (options, isAnswered) in Self.clients {
                let answer = await OpenSSL.run(
                    ["s_client", "-connect", "127.0.0.1:\(world.port)", "-quiet", "-ign_eof"] + options,
                    input: "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                #expect(answer.output.contains("HTTP/1.1 200") == isAnswered, "\(options): \(answer.output)")
                if isAnswered { #expect(answer.output.contains("Strict-Transport-Security: max-age=31536000")) }
            }
        }
    }

    @Test("is what browsers are asked for behind a proxy, which encrypts, and not without encryption")
    func strictTransportSecurity() async throws {
        for isBehindProxy in [false, true] {
            try await withWorld {
                $0.isBehindProxy = isBehindProxy
            } _: { world in
                for target in ["/healthz", "/nothing"] {
                    let header = try await world.ask("GET", target).headers["strict-transport-security"]
                    #expect(header == (isBehindProxy ? "max-age=31536000" : nil))
                }
            }
        }
    }
}

private enum OpenSSL {
    static let isAvailable = FileManager.default.isExecutableFile(atPath: path)
    private static let path = "/usr/bin/openssl"

    /// Runs the program to its end, on a thread outside of the cooperative pool.
    static func run(_ arguments: [String], input: String = "") async -> (status: Int32, output: String) {
        await elsewhere {
            let process = Process()
            let (standardInput, output) = (Pipe(), Pipe())
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
            (process.standardInput, process.standardOutput, process.standardError) = (standardInput, output, output)
            do {
                // Less than what a pipe holds, and before the client runs: to write when it has failed would end this process.
                try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
                try process.run()
            } catch {
                return (-1, "\(error)")
            }
            let bytes = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
        }
    }
}
#endif
