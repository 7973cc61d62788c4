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
    ///   one. When the failure does not occur again, it has the calls of the first failure, and says so.
    package static func check(seed: UInt64, count: Int, on make: () async throws -> Subject) async throws {
        let all = Array(0..<count)
        guard let first = try await run(all, seed, make).failure else { return }
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
                if let failure = try await run(part, seed, make).failure {
                    shortest = Array(part.prefix(failure.count))
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if size == 1, !hasShrunk { break }
            size = max(1, size / 2)
        }
        let (calls, last) = try await run(shortest, seed, make, isRecording: true)
        if let last {
            let sufficient = calls.count == 1 ? "1 call is" : "\(calls.count) calls are"
            let reason = "\(sufficient) sufficient, of a history of \(count) steps of seed \(seed):"
            throw UnmetExpectation(description(last.message, reason, calls))
        }
        // The results of the subject vary from one attempt to the next, by its concurrency, say.
        let again = try await run(Array(all.prefix(first.count)), seed, make, isRecording: true)
        let reason =
            again.failure == nil
            ? "The same steps of seed \(seed) did not fail again, so the results vary between attempts. The calls were:"
            : "Fewer steps of seed \(seed) did not fail each time, so the results vary between attempts. The calls were:"
        throw UnmetExpectation(description((again.failure ?? first).message, reason, again.calls))
    }

    private static func description(_ message: String, _ reason: String, _ calls: [String]) -> String {
        // The comparison of the final state fails last, or not at all: the calls before it had their expected results.
        let shown = calls.count <= 20 ? calls : ["// after \(calls.count - 20) other calls"] + calls.suffix(20)
        let lines = shown.map { line in
            // A truncated line is not valid source code; only lines that are too long to be copied are truncated.
            line.count <= 20_000
                ? "    \(line)" : "    \(line.prefix(20_000)) // and \(line.count - 20_000) characters more"
        }
        return "\(message)\n\(reason)\n\(lines.joined(separator: "\n"))"
    }

    /// Runs steps on a new subject, and returns the calls so far if they are recorded, and the failure with the number
    /// of steps up to it.
    private static func run(
        _ steps: [Int], _ seed: UInt64, _ make: () async throws -> Subject, isRecording: Bool = false
    ) async throws -> (calls: [String], failure: (message: String, count: Int)?) {
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
            return (sequence.calls.lines, nil)
        } catch let failure as UnmetExpectation {
            return (sequence.calls.lines, (failure.message, count))
        } catch is CancellationError where Task.isCancelled {
            throw CancellationError()
        } catch {
            return (sequence.calls.lines, ("threw \(type(of: error)): \(error)", count))
        }
    }
}
