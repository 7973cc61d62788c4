import Foundation

/// The bytes of a file, in one pass: its first ones to look at, then all of them to parse.
///
/// A stream of our own rather than `InputStream(url:)`, because it can be looked into before it is parsed even when
/// it is a pipe, knows whether all of it has been read, and keeps the error of a failed read.
///
/// NB: On Linux `InputStream.streamError`, which `XMLParser` asks for when a read fails, traps. Therefore a failed
/// read looks like the end of the file here, and is told in ``failure``.
final class GPXSource: InputStream {
    /// The first bytes, up to ``headSize``.
    private(set) var head = Data()
    /// Why reading had to end.
    private(set) var failure: GPXError?
    /// Whether the end of the file has been reached.
    private(set) var isAtEnd = false

    /// How many bytes are looked at before parsing.
    static let headSize = 65_536

    private let file: FileHandle?
    private var pending = Data()

    /// The bytes of that file, from where it stands; the file is closed with the last reference to it.
    init(_ file: FileHandle) {
        self.file = file
        super.init(data: Data())
        while head.count < Self.headSize, let more = next(Self.headSize - head.count) { head.append(more) }
        pending = head
    }

    /// These bytes.
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

    /// The next bytes of the file, at most `count`; `nil` at its end.
    private func next(_ count: Int) -> Data? {
        do {
            return try file?.read(upToCount: count).flatMap { $0.isEmpty ? nil : $0 }
        } catch {
            failure = GPXError(.unreadable(Self.reason(for: error)))
            return nil
        }
    }

    /// Why the system refused, in words and without the file's name.
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
