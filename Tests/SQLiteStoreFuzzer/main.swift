import SQLiteStoreFuzzing

/// The loop of libFuzzer, which calls `check` repeatedly with bytes that are likely to reach new code.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ argumentCount: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

let fuzzing = try await Fuzzing()
var argumentCount = CommandLine.argc
var arguments = CommandLine.unsafeArgv
_ = runFuzzer(&argumentCount, &arguments) { start, count in
    do {
        try fuzzing.check(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(error)")
    }
    return 0
}
