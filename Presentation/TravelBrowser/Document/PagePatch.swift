internal import TravelJSON
internal import TravelPages

/// What has changed on a page since its last version.
struct PagePatch: Hashable, Sendable {
    /// The version that the browser has with it.
    let version: Int
    /// The number of the last input that it shows: fields that were typed into later keep their text.
    let lastInput: Int
    let title: String
    let address: String
    /// Whether the address is another one than before.
    let isNewAddress: Bool
    /// The parts of the page that have changed, each before those inside of it.
    let parts: [HTML.Part]

    /// The patch as one line of JSON.
    var json: [UInt8] {
        var text = JSONText()
        text.appendVerbatim("{\"version\":\(version),\"input\":\(lastInput),\"title\":")
        text.append(title)
        if isNewAddress {
            text.appendVerbatim(",\"address\":")
            text.append(address)
        }
        text.appendVerbatim(",\"parts\":[")
        for (index, part) in parts.enumerated() {
            text.appendVerbatim(index == 0 ? "[" : ",[")
            text.append(part.id)
            text.appendVerbatim(",")
            text.append(part.source)
            text.appendVerbatim("]")
        }
        text.appendVerbatim("]}")
        return text.bytes
    }
}
