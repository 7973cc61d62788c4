#if Server
import Foundation
import Synchronization

/// The pictures that the browsers of one session have sent and not saved yet, in a private folder that goes with the session;
/// and the files that wait for an import.
///
/// An editor names a picture by the path of a ``StagedPicture``, which is no path of a file: a text that a browser sends
/// reaches the file system only as an ID that is known here. Before a picture is shown to anybody, it has been read, so that
/// what is shown is the picture as it will be stored.
final class StagedPictures: Sendable {
    /// The bytes that all sessions may stage.
    final class Budget: Sendable {
        private let rest: Mutex<Int>
        private let whole: Budget?

        /// - Parameter whole: The budget of which this is a part; `nil` for none.
        init(_ bytes: Int, of whole: Budget? = nil) {
            rest = Mutex(bytes)
            self.whole = whole
        }

        fileprivate func take(_ count: Int) -> Bool {
            let isTaken = rest.withLock { rest in
                guard rest >= count else { return false }
                rest -= count
                return true
            }
            guard isTaken else { return false }
            if whole?.take(count) == false {
                rest.withLock { $0 += count }
                return false
            }
            return true
        }

        fileprivate func giveBack(_ count: Int) {
            rest.withLock { $0 += count }
            whole?.giveBack(count)
        }

        /// The bytes that can be taken now.
        var bytes: Int { rest.withLock(\.self) }
    }

    /// What a session may stage: twice what an entry may have, after which the oldest one goes.
    static let maximumCount = 2 * TimelineEntry.maximumPictureCount
    static let maximumSize = maximumCount * (5 << 20)

    private enum Content {
        /// A file as it was sent, and how large it is.
        case sent(Int)
        /// The file has become the picture that is stored.
        case read(Int, ImageFormat, taken: PhotoDate?, coordinate: Coordinate?)
        case refused(TravelError)

        var size: Int {
            switch self {
            case .sent(let size), .read(let size, _, _, _): size
            case .refused: 0
            }
        }
    }

    private struct State {
        var contents: [TripImage.ID: Content] = [:]
        /// From the oldest one.
        var order: [TripImage.ID] = []
        var size = 0
        var folder: URL?
        var isClosed = false
    }

    /// The bytes of the files of a session that wait for imports.
    static let maximumImportSize = 1 << 30

    private let state = Mutex(State())
    private let budget: Budget
    private let importBudget: Budget

    init(_ budget: Budget) {
        self.budget = budget
        importBudget = Budget(Self.maximumImportSize, of: budget)
    }

    deinit {
        close()
    }

    /// Removes all pictures and their folder. Nothing can be staged from then on.
    func close() {
        let (folder, size) = state.withLock { state in
            defer { state = State(isClosed: true) }
            return (state.folder, state.size)
        }
        budget.giveBack(size)
        // A file that cannot be removed stays where nobody else can read it.
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    /// The folder, which nobody else of this machine can open.
    private func folder() throws -> URL {
        if let folder = state.withLock({ $0.folder }) { return folder }
        var template = Array(
            FileManager.default.temporaryDirectory.appendingPathComponent("traveline-XXXXXX").path.utf8CString)
        // `mkdtemp` makes the folder with the mode 0700, at a name that did not exist.
        guard mkdtemp(&template) != nil else { throw Self.noRoom }
        let made = URL(
            fileURLWithPath: String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
        let kept = state.withLock { state -> URL? in
            if state.isClosed { return nil }
            if state.folder == nil { state.folder = made }
            return state.folder
        }
        // Another request was faster, or the session has ended: this one is empty.
        if kept != made { try? FileManager.default.removeItem(at: made) }
        guard let kept else { throw CancellationError() }
        return kept
    }

    private static let noRoom = TravelError.unavailable(
        .init("There is no room for temporary files: free space on the disk.", cause: .diskFull, canRetry: true))

    // MARK: Staging

    /// Keeps a picture that was sent, for an editor to read.
    ///
    /// - Throws: `TravelError.unavailable` where there is no room for it.
    func stage(_ bytes: [UInt8], name: String) throws -> StagedPicture {
        let picture = StagedPicture(name: name)
        if let violation = Self.violation(bytes) { return refuse(name: name, violation) }
        guard budget.take(bytes.count) else { throw Self.noRoom }
        do {
            let file = try folder().appendingPathComponent("\(picture.id)")
            try Data(bytes).write(to: file)
        } catch {
            budget.giveBack(bytes.count)
            throw error is CancellationError ? error : Self.noRoom
        }
        let isKept = state.withLock { state in
            guard !state.isClosed else { return false }
            state.contents[picture.id] = .sent(bytes.count)
            state.order.append(picture.id)
            state.size += bytes.count
            return true
        }
        guard isKept else {
            budget.giveBack(bytes.count)
            throw CancellationError()
        }
        removeOldest()
        return picture
    }

    /// Keeps that a picture cannot be taken, for an editor to say so.
    func refuse(name: String, _ error: TravelError) -> StagedPicture {
        let picture = StagedPicture(name: name)
        state.withLock { state in
            guard !state.isClosed else { return }
            state.contents[picture.id] = .refused(error)
            state.order.append(picture.id)
        }
        removeOldest()
        return picture
    }

    private static func violation(_ bytes: [UInt8]) -> TravelError? {
        do throws(TravelError) {
            _ = try TripImage(bytes: Data(bytes))
            return nil
        } catch {
            return error
        }
    }

    /// Whether it is known that this picture cannot be taken.
    func isRefused(_ picture: StagedPicture) -> Bool {
        if case .refused = state.withLock({ $0.contents[picture.id] }) { true } else { false }
    }

    private func removeOldest() {
        let (removed, folder) = state.withLock { state -> ([(id: TripImage.ID, size: Int)], URL?) in
            var removed: [(id: TripImage.ID, size: Int)] = []
            while state.order.count > Self.maximumCount || state.size > Self.maximumSize, state.order.count > 1 {
                let id = state.order.removeFirst()
                let size = state.contents.removeValue(forKey: id)?.size ?? 0
                state.size -= size
                removed.append((id, size))
            }
            return (removed, state.folder)
        }
        for (id, size) in removed {
            budget.giveBack(size)
            // One that was refused has no file.
            if let folder { try? FileManager.default.removeItem(at: folder.appendingPathComponent("\(id)")) }
        }
    }

    // MARK: Imports

    /// A file that waits for an import. It is removed when nobody refers to it any more.
    private final class WaitingFile: Sendable {
        private let file: URL
        private let size: Int
        private let budget: Budget

        init(_ file: URL, size: Int, of budget: Budget) {
            (self.file, self.size, self.budget) = (file, size, budget)
        }

        func bytes() throws -> Data {
            do {
                return try Data(contentsOf: file)
            } catch {
                throw StagedPictures.gone
            }
        }

        deinit {
            // The folder may have gone with its session.
            try? FileManager.default.removeItem(at: file)
            budget.giveBack(size)
        }
    }

    /// Keeps a file that was sent, for an import: on the disk, as long as somebody refers to what is returned, and the session
    /// has not ended.
    ///
    /// - Throws: `TravelError.unavailable` where there is no room for it; `CancellationError` when the session has ended.
    func keep(_ bytes: [UInt8], name: String) throws -> PickedFile {
        let file = try folder().appendingPathComponent(UUID().uuidString)
        guard importBudget.take(bytes.count) else { throw Self.noRoom }
        do {
            try Data(bytes).write(to: file)
        } catch {
            importBudget.giveBack(bytes.count)
            throw Self.noRoom
        }
        let waiting = WaitingFile(file, size: bytes.count, of: importBudget)
        return PickedFile(name: name) { try waiting.bytes() }
    }

    // MARK: Reading

    /// Reads a picture for an editor, by the path of a ``StagedPicture``.
    ///
    /// - Parameter read: Reads a picture from a file.
    /// - Throws: Why it cannot be taken; `TravelError.unavailable` for what is not one of these pictures.
    func read(_ path: String, by read: @Sendable (String) async throws -> PickedImage) async throws -> PickedImage {
        guard let id = StagedPicture(path: path)?.id else { throw Self.gone }
        let (content, folder) = state.withLock { ($0.contents[id], $0.folder) }
        let file = folder?.appendingPathComponent("\(id)")
        switch content {
        case .refused(let error): throw error
        case .sent:
            guard let file else { throw Self.gone }
            let picked: PickedImage
            do {
                picked = try await read(file.path)
            } catch let error as TravelError {
                set(id, .refused(error))
                throw error
            }
            let image = try TripImage(id: id, bytes: picked.image.bytes)
            try image.bytes.write(to: file)
            set(id, .read(image.bytes.count, image.format, taken: picked.taken, coordinate: picked.coordinate))
            return PickedImage(image, taken: picked.taken, coordinate: picked.coordinate)
        case .read(_, _, let taken, let coordinate):
            guard let file, let bytes = try? Data(contentsOf: file) else { throw Self.gone }
            return PickedImage(try TripImage(id: id, bytes: bytes), taken: taken, coordinate: coordinate)
        case nil: throw Self.gone
        }
    }

    private func set(_ id: TripImage.ID, _ content: Content) {
        let (change, folder, isThere) = state.withLock { state -> (Int, URL?, Bool) in
            guard let old = state.contents[id] else { return (0, state.folder, false) }
            state.contents[id] = content
            let change = content.size - old.size
            state.size += change
            return (change, state.folder, true)
        }
        // A conversion may make a picture larger than it was.
        budget.giveBack(-change)
        // It was removed while it was being read, or cannot be taken: nobody needs the file.
        if !isThere || content.size == 0, let folder {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent("\(id)"))
        }
    }

    private static let gone = TravelError.unavailable(
        .init("The picture is no longer there; choose it again", cause: .inaccessible, canRetry: false))

    /// A picture that an editor of this session shows and nobody has saved yet; `nil` for any other.
    func picture(_ id: TripImage.ID) -> (mediaType: String, bytes: Data)? {
        let (content, folder) = state.withLock { ($0.contents[id], $0.folder) }
        guard case .read(_, let format, _, _) = content, let folder,
            let bytes = try? Data(contentsOf: folder.appendingPathComponent("\(id)"))
        else { return nil }
        return ("image/\(format.rawValue.lowercased())", bytes)
    }

    // MARK: Tests

    var count: Int { state.withLock { $0.order.count } }
    /// The bytes of the files that wait for imports.
    var waitingSize: Int { Self.maximumImportSize - importBudget.bytes }
    var folderPath: String? { state.withLock { $0.folder?.path } }
}
#endif
