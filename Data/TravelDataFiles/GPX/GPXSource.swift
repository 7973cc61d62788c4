import Foundation

/// A stream of the bytes of a file, whose beginning can be inspected before it is parsed.
///
/// Unlike `InputStream(url:)` it allows this for a pipe as well, knows whether all bytes have been read, and keeps the
/// error of a failed read.
///
/// On Linux `InputStream.streamError`, which `XMLParser` reads after a failed read, traps. Therefore this stream
/// reports a failed read as the end of the file, and its error as ``failure``.
final class GPXSource: InputStream {
    /// The first bytes, up to ``headSize``.
    private(set) var head = Data()
    /// The error of a failed read.
    private(set) var failure: GPXError?
    /// Whether the end of the file has been reached.
    private(set) var isAtEnd = false

    /// The maximum number of bytes that are inspected before parsing.
    static let headSize = 65_536

    private let file: FileHandle?
    private var pending = Data()

    /// Creates a stream of the bytes of `file` from its current offset. The last reference to `file` closes it.
    init(_ file: FileHandle) {
        self.file = file
        super.init(data: Data())
        while head.count < Self.headSize, let more = next(Self.headSize - head.count) { head.append(more) }
        pending = head
    }

    /// Creates a stream of `data`.
    override init(data: Data) {
        self.file = nil
        super.init(data: Data())
        head = data.prefix(Self.headSize)
        pending = data
    }

    override func open() {}
    override func close() {}
    override var hasBytesAvailable: Bool { !isAtEnd }
    override var streamStatus: Stream.Status { isAtEnd ? .atEnd : .open }
    override var streamError: (any Error)? { nil }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        if pending.isEmpty { pending = next(length) ?? Data() }
        let count = min(length, pending.count)
        pending.copyBytes(to: buffer, count: count)
        pending = pending.dropFirst(count)
        isAtEnd = count == 0
        return count
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    /// Reads the next bytes of the file, at most `count`; `nil` at its end and after a failed read.
    private func next(_ count: Int) -> Data? {
        do {
            return try file?.read(upToCount: count).flatMap { $0.isEmpty ? nil : $0 }
        } catch {
            failure = GPXError(.unreadable(Self.reason(for: error)))
            return nil
        }
    }

    /// Describes an error of the system in words, without the name of the file.
    static func reason(for error: any Error) -> String {
        let error = error as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        return switch (cause.domain, cause.code) {
        case (NSPOSIXErrorDomain, Int(ENOENT)), (NSPOSIXErrorDomain, Int(ENOTDIR)),
            (NSCocoaErrorDomain, CocoaError.fileReadNoSuchFile.rawValue),
            (NSCocoaErrorDomain, CocoaError.fileNoSuchFile.rawValue):
            "there is no such file"
        case (NSPOSIXErrorDomain, Int(EACCES)), (NSPOSIXErrorDomain, Int(EPERM)),
            (NSCocoaErrorDomain, CocoaError.fileReadNoPermission.rawValue):
            "permission denied"
        case (NSPOSIXErrorDomain, Int(EISDIR)): "it is a directory"
        default: "the system answered with error \(cause.code) of \(cause.domain)"
        }
    }
}
