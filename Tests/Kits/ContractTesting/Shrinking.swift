/// A random sequence of steps. Each step follows from the seed, its number, and the results of the steps before it. So
/// any subsequence is a sequence, too.
package protocol GeneratedSteps: Sendable {
    associatedtype Subject: Sendable

    /// Creates a sequence before its first step; throws if the seed has no sequence.
    init(seed: UInt64) throws

    /// Performs the step with that number, and compares its result.
    ///
    /// - Throws: ``UnmetExpectation``; unexpected errors of the subject.
    mutating func perform(_ step: Int, on subject: Subject) async throws

    /// Compares the final state after the last step; throws ``UnmetExpectation`` for a difference.
    mutating func finish(on subject: Subject) async throws

    /// The calls made so far as source code, if `isRecording`.
    var calls: CallRecord { get set }
}

/// Calls as source code.
package struct CallRecord: Sendable {
    package var isRecording = false
    private var made: [String] = []
    private var last: String?

    package init() {}

    package var lines: [String] { made + [last].compactMap(\.self) }

    /// Records a call, if `isRecording`.
    package mutating func note(_ call: @autoclosure () -> String) {
        if isRecording { made.append(call()) }
    }

    /// Records a call that changes nothing; only the last one is kept.
    package mutating func noteFinal(_ call: @autoclosure () -> String) {
        if isRecording { last = call() }
    }
}

/// Whether a failing sequence is shrunk.
package enum Shrinking {
    /// By default it is; tests turn it off where only the failure matters.
    @TaskLocal package static var isOn = true
}

extension GeneratedSteps {
    /// Runs steps 0 to `count` on a new subject; if that fails, searches for the fewest steps that still fail.
    ///
    /// - Throws: ``UnmetExpectation`` with the seed, the remaining calls as source code, and the failure of the last
    ///   one.
    package static func check(seed: UInt64, count: Int, on make: () async throws -> Subject) async throws {
        let all = Array(0..<count)
        guard let first = try await failure(of: all, seed, make) else { return }
        guard Shrinking.isOn else { throw UnmetExpectation(first.message) }
        var shortest = Array(all.prefix(first.count))
        // Each attempt takes as long as the remaining steps.
        var tries = 300
        var size = max(1, shortest.count / 2)
        while tries > 0 {
            var hasShrunk = false
            var start = 0
            while start < shortest.count, tries > 0 {
                var part = shortest
                part.removeSubrange(start..<min(start + size, shortest.count))
                tries -= 1
                if let failure = try await failure(of: part, seed, make) {
                    shortest = Array(part.prefix(failure.count))
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if size == 1, !hasShrunk { break }
            size = max(1, size / 2)
        }
        let last = try await failure(of: shortest, seed, make, isRecording: true)
        throw UnmetExpectation(
            description(seed, (last ?? first).calls, (last ?? first).message, of: count, shortest.count))
    }

    private static func description(
        _ seed: UInt64, _ calls: [String], _ message: String, of count: Int, _ steps: Int
    ) -> String {
        // The comparison of the final state fails last, or not at all: the calls before it had their expected results.
        let shown = calls.count <= 20 ? calls : ["// after \(calls.count - 20) other calls"] + calls.suffix(20)
        let lines = shown.map { "    \($0.count <= 1_000 ? $0 : "\($0.prefix(999))…")" }
        return """
            \(message)
            \(steps) of the \(count) steps of seed \(seed) are sufficient:
            \(lines.joined(separator: "\n"))
            """
    }

    private static func failure(
        of steps: [Int], _ seed: UInt64, _ make: () async throws -> Subject, isRecording: Bool = false
    ) async throws -> (message: String, count: Int, calls: [String])? {
        let subject = try await make()
        var sequence = try Self(seed: seed)
        sequence.calls.isRecording = isRecording
        var count = 0
        do {
            for step in steps {
                count += 1
                try await sequence.perform(step, on: subject)
            }
            try await sequence.finish(on: subject)
            return nil
        } catch let failure as UnmetExpectation {
            return (failure.message, count, sequence.calls.lines)
        } catch is CancellationError where Task.isCancelled {
            throw CancellationError()
        } catch {
            return ("threw \(type(of: error)): \(error)", count, sequence.calls.lines)
        }
    }
}
