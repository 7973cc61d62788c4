internal import TravelJSON
internal import TravelPages

/// What has changed on a page since its last version.
struct PagePatch: Sendable {
    /// The version that the browser has with it.
    let version: Int
    /// The number of the last input that it shows: fields that were typed into later keep their text.
    let lastInput: Int
    let title: String
    /// The address of the page. Every patch has it: the one that brought it may have been lost.
    let address: String
    /// The parts of the page that have changed, each before those inside of it.
    let parts: [HTML.Part]

    /// The patch as one line of JSON.
    var json: [UInt8] {
        var text = JSONText()
        text.appendVerbatim("{\"version\":\(version),\"input\":\(lastInput),\"title\":")
        text.append(title)
        text.appendVerbatim(",\"address\":")
        text.append(address)
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
