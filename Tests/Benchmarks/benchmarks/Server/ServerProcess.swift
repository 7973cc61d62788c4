#if Server
import Foundation

/// A server under load: a process of its own, which listens on a port of this machine.
final class ServerProcess {
    private let process: Process
    let port: Int

    /// Starts the server that users run, on a database.
    static func traveline(database: String, log: String) throws -> ServerProcess {
        let folder = Bundle.main.executableURL?.deletingLastPathComponent() ?? URL(filePath: ".")
        return try ServerProcess(
            folder.appending(path: "traveline"), ["serve", "--listen", "127.0.0.1:0", "--database", database], log: log)
    }

    /// Starts a C program that answers every request with these bytes; `nil` when it cannot be compiled here.
    static func c(answering answer: HTTPAnswer, in folder: URL) throws -> ServerProcess? {
        let (program, head, body) = (
            folder.appending(path: "server"), folder.appending(path: "head"), folder.appending(path: "body")
        )
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../CServer/server.c")
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["cc", "-O2", "-o", program.path(), source.path(), "-lmicrohttpd"]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else { return nil }
        // The library writes these itself.
        let own = ["date", "content-length", "connection"]
        let lines = answer.headers.filter { line in !own.contains { line.lowercased().hasPrefix("\($0):") } }
        try Data(lines.joined(separator: "\n").utf8).write(to: head)
        try Data(answer.body).write(to: body)
        return try ServerProcess(program, [head.path(), body.path()], log: folder.appending(path: "server.log").path())
    }

    /// Starts a server that prints the port on which it listens as the last number of a line, or of an address in it.
    private init(_ program: URL, _ arguments: [String], log: String) throws {
        process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        guard FileManager.default.createFile(atPath: log, contents: nil) else {
            throw ServerBenchmarks.Failure("\(log) cannot be written")
        }
        process.standardError = FileHandle(forWritingAtPath: log)
        try process.run()
        var line = ""
        while !line.contains("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw ServerBenchmarks.Failure("\(program.path()) does not start: see \(log)") }
            line += String(decoding: data, as: UTF8.self)
        }
        let number = line.split(separator: ";")[0].split(separator: ":").last?.filter(\.isNumber)
        guard let port = number.flatMap({ Int($0) }) else {
            throw ServerBenchmarks.Failure("no port in \(line)")
        }
        self.port = port
    }

    /// Ends the process. Waits for its end.
    func stop() {
        // A child inherits the signal mask of the thread that starts it, which may block SIGTERM.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The processor time that the process has used, in nanoseconds; 0 where the system does not tell.
    var processorTime: Double {
        // Behind the name, which may have spaces, `utime` and `stime` are the 12th and the 13th field (proc(5)).
        guard let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8),
            let fields = text.split(separator: ")").last?.split(separator: " "), fields.count > 12,
            let user = Double(fields[11]), let system = Double(fields[12])
        else { return 0 }
        return (user + system) * 1e9 / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The memory that the process occupies, in bytes; 0 where the system does not tell.
    var residentBytes: Int {
        guard let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") })
        else { return 0 }
        return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    }
}
#endif
