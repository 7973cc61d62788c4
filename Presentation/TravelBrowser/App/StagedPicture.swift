/// A picture that a browser has sent, by which an editor reads it.
///
/// The ID is the one that the picture has in the form. The name is that of its file on the machine of the user: text to
/// show, and nothing else.
struct StagedPicture: Hashable, Sendable {
    let id: TripImage.ID
    let name: String

    /// In code points.
    static let maximumNameLength = 100

    /// - Parameter name: What a browser calls the file: a name, or a path of which the last part is one.
    init(_ id: TripImage.ID = TripImage.ID(), name: String) {
        let last = name.split(whereSeparator: { "/\\".contains($0) }).last ?? ""
        self.id = id
        var scalars = String.UnicodeScalarView()
        for scalar in last.unicodeScalars.prefix(Self.maximumNameLength) {
            scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        self.name = String(scalars)
    }

    /// Reads a ``path``; `nil` for any other text.
    init?(path: String) {
        guard let id = TripImage.ID(path.prefix { $0 != " " }) else { return nil }
        self.init(id, name: String(path.drop { $0 != " " }.dropFirst()))
    }

    /// What an editor picks: no path of a file, but the ID, and behind it the name.
    var path: String { "\(id) \(name)" }
}
