import Foundation
import TravelDataFiles
import TravelDomain

/// The files in `Fixtures`, by their names.
enum Fixture {
    static func url(_ name: String) -> URL {
        Bundle.module.bundleURL.appendingPathComponent("Fixtures").appendingPathComponent(name)
    }

    static func track(_ name: String) throws -> Track {
        try GPXReader().track(at: url(name))
    }
}
