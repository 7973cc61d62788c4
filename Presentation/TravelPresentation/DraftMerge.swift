/// The three-way merge of a form: of what it began with, what the user has made of it, and what was stored meanwhile.
///
/// A part that only one side has changed has the value of that side. A part that both have changed differently collides: it has
/// the value of the user, unless the stored one is chosen.
///
/// ```swift
/// let merge = DraftMerge(base: original, mine: draft, theirs: stored, chosen: [.title])
/// merge.arrived      // what only the other side has changed: [.region]
/// merge.collisions   // what both have changed: [.title, .lastDay]
/// merge.result       // the form with the stored region and title, and the last day of the user
/// ```
public struct DraftMerge<Draft: EditorDraft>: Equatable, Sendable {
    /// What both began with; without it, whatever differs collides.
    public let base: Draft?
    public let mine: Draft
    public let theirs: Draft
    /// The parts that have the stored value if they collide.
    public let chosen: Set<Draft.Part>

    init(base: Draft?, mine: Draft, theirs: Draft, chosen: Set<Draft.Part> = []) {
        (self.base, self.mine, self.theirs, self.chosen) = (base, mine, theirs, chosen)
    }

    /// The parts that only the other side has changed, in the order of the form.
    public var arrived: [Draft.Part] {
        Draft.Part.allCases.filter { part in
            base.map { mine.hasSame(part, as: $0) } == true && !mine.hasSame(part, as: theirs)
        }
    }

    /// The parts that both have changed differently, in the order of the form.
    public var collisions: [Draft.Part] {
        Draft.Part.allCases.filter { part in
            let isOneSided = base.map { mine.hasSame(part, as: $0) || theirs.hasSame(part, as: $0) }
            return isOneSided != true && !mine.hasSame(part, as: theirs)
        }
    }

    /// Whether there is nothing to tell or to ask: the other side has changed nothing that the form does not have.
    var isSettled: Bool { arrived.isEmpty && collisions.isEmpty }

    public var result: Draft {
        var result = mine
        for part in arrived + collisions.filter(chosen.contains) { result.take(part, from: theirs) }
        return result
    }

    /// The parts that collide, with both values.
    public func collidingLines(in language: Language) -> [(part: Draft.Part, line: VersionLine)] {
        collisions.map { part in
            (part, VersionLine(part, of: mine, beside: theirs, in: language))
        }
    }

    /// What only the other side has changed: the former value, and the stored one.
    public func arrivedLines(in language: Language) -> [VersionLine] {
        arrived.map { VersionLine($0, of: mine, beside: theirs, in: language) }
    }
}

/// A part of a form, which a merge takes from one version or the other.
public protocol DraftPart: CaseIterable, Hashable, Sendable {
    /// The name in a page, in ASCII without white space.
    var name: String { get }
}

extension DraftPart {
    public init?(name: some StringProtocol) {
        guard let part = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = part
    }
}

/// The two versions of a conflict.
public enum VersionSide: String, CaseIterable, Sendable {
    case mine, theirs
}

/// One line of a comparison of two versions: a part of the form with both values.
public struct VersionLine: Hashable, Sendable {
    public let label: String
    /// The value of the form, as text; empty without one.
    public let mine: String
    /// The value that is stored, as text; empty without one.
    public let theirs: String

    /// Whether the values differ, so that the line is highlighted.
    public var differs: Bool { mine != theirs }

    init(label: String, mine: String, theirs: String) {
        (self.label, self.mine, self.theirs) = (label, mine, theirs)
    }

    init<Draft: EditorDraft>(_ part: Draft.Part, of mine: Draft, beside theirs: Draft, in language: Language) {
        self.init(
            label: Draft.label(of: part, in: language), mine: mine.text(of: part, in: language),
            theirs: theirs.text(of: part, in: language))
    }
}
