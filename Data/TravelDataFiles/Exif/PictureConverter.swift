public import Foundation

/// Decodes pictures of any `ImageFormat`, and encodes them again as JPEG: upright, in sRGB, without metadata.
///
/// ```swift
/// let converter = PictureConverter()
/// let small = try await converter?.jpeg(of: image, longestSide: 320)
/// // 320 × 240 pixels of a photo of 4,032 × 3,024
/// ```
///
/// Where there is no ImageIO, the program `vips` of libvips decodes (Debian: `libvips-tools`). Pictures come from
/// anywhere, and decoders have faults: it runs in a process of its own with limits of memory, processor time, time and the
/// size of its output, with an environment that has nothing of this process, and reads and writes a folder of its own that
/// is removed. A picture is given to it only if its signature is known, which leaves out SVG and PDF, and if its headers
/// have at most ``Limits/pixels``.
public struct PictureConverter: Sendable {
    /// What decoding one picture may take.
    public struct Limits: Hashable, Sendable {
        /// Width times height.
        public var pixels = 100_000_000
        /// Bytes of address space; about 25 for each pixel of HEIC, and much less for other formats.
        public var memory = 3 << 30
        /// Seconds of processor time.
        public var processorTime = 30
        /// How long it may take when the processor is shared.
        public var time: Duration = .seconds(60)
        /// Bytes of the new picture.
        public var outputSize = TripImage.maximumSize

        public init() {}
    }

    private let limits: Limits

    #if canImport(ImageIO)
    // NB: not compiled on Linux.
    public init?(limits: Limits = Limits()) {
        self.limits = limits
    }
    #else
    private let program: String

    /// Looks for `vips` once; `nil` if it is in no folder of `searchPath`.
    ///
    /// - Parameters:
    ///   - searchPath: Absolute paths of folders, separated by colons: by default the variable `PATH`.
    ///   - limits: What decoding one picture may take.
    public init?(
        searchPath: String? = ProcessInfo.processInfo.environment["PATH"], limits: Limits = Limits()
    ) {
        let folders = (searchPath ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        guard
            let program = folders.map({ "\($0)/vips" }).first(where: FileManager.default.isExecutableFile(atPath:))
        else { return nil }
        self.program = program
        self.limits = limits
    }
    #endif

    /// Returns the picture as JPEG with at most `longestSide` pixels in each direction; it is never enlarged. Of an
    /// animation, it is the first picture; what is transparent becomes white.
    ///
    /// - Throws: ``PictureConversionError``; `CancellationError`, after the process has ended and its files are removed.
    public func jpeg(of image: TripImage, longestSide: Int) async throws -> Data {
        guard let size = ByteReader(image.bytes).pixelSize(image.format) else {
            throw PictureConversionError.undecodable
        }
        guard size.count <= limits.pixels else {
            throw PictureConversionError.tooManyPixels(maximum: limits.pixels)
        }
        let output = try await decoded(image.bytes, longestSide: longestSide)
        // A decoder with a fault may have written anything.
        guard let output, output.count <= limits.outputSize, ImageFormat(of: output) == .jpeg,
            let shared = ByteReader(output).sharedJPEG,
            let newSize = ByteReader(shared).pixelSize(.jpeg), newSize.longestSide <= longestSide,
            newSize.longestSide <= size.longestSide
        else { throw PictureConversionError.undecodable }
        return shared
    }

    #if canImport(ImageIO)
    private func decoded(_ bytes: Data, longestSide: Int) async throws -> Data? {
        try Task.checkCancellation()
        return SharedPicture.converted(bytes, longestSide: longestSide)
    }
    #else
    private func decoded(_ bytes: Data, longestSide: Int) async throws -> Data? {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appendingPathComponent("traveline-picture-\(UUID().uuidString)")
        let (input, output) = (folder.appendingPathComponent("picture"), folder.appendingPathComponent("picture.jpg"))
        do {
            try files.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw PictureConversionError.noWorkingFolder
        }
        // What remains after a failure is in the system's folder for what may be removed.
        defer { try? files.removeItem(at: folder) }
        do {
            try bytes.write(to: input)
        } catch {
            throw PictureConversionError.noWorkingFolder
        }
        let process = LimitedProcess(
            program: program,
            arguments: [
                "thumbnail", input.path,
                output.path + "[Q=\(longestSide > 2_000 ? 88 : 80),strip,optimize_coding,background=255]",
                "\(longestSide)", "--height", "\(longestSide)", "--size", "down", "--export-profile", "srgb",
            ],
            environment: [
                "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder.path, "TMPDIR": folder.path, "LC_ALL": "C",
                // Loaders that are not fit for files of unknown origin.
                "VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1",
            ],
            memory: limits.memory, processorTime: limits.processorTime, fileSize: limits.outputSize,
            time: limits.time)
        let succeeds: Bool
        do {
            succeeds = try await process.succeeds()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw PictureConversionError.undecodable
        }
        // No file, or one that cannot be read, is no picture either. It is no larger than the limit of the process.
        return succeeds ? try? Data(contentsOf: output) : nil
    }
    #endif
}

/// The reason why a picture is not converted.
public enum PictureConversionError: Error, Hashable, Sendable {
    /// Its headers say that it has more pixels than are decoded.
    case tooManyPixels(maximum: Int)
    /// It is damaged, or decoding it would exceed the limits.
    case undecodable
    /// The system has no room for temporary files.
    case noWorkingFolder
}
