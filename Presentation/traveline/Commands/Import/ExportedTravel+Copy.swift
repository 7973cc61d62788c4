import Foundation
import TravelDataFiles
import TravelDomain

extension ExportedTravel {
    /// The same travel as a new one by `author`, with new IDs for itself, its entries and its images.
    func copy(by author: User, at now: Date) throws(TravelError) -> ExportedTravel {
        var newImages: [TravelImage.ID: TravelImage] = [:]
        for image in images { newImages[image.id] = try TravelImage(bytes: image.bytes) }
        var content = travel.content
        content.thumbnail = content.thumbnail.flatMap { newImages[$0]?.id }
        var timeline: [TimelineEntry] = []
        for entry in travel.timeline {
            timeline.append(
                try TimelineEntry(
                    day: entry.day, time: entry.time, title: entry.title, text: entry.text, place: entry.place,
                    image: entry.image.flatMap { newImages[$0]?.id }))
        }
        return try ExportedTravel(
            RecordedTravel(author: author, createdAt: now, content: content, timeline: timeline, track: travel.track),
            images: Array(newImages.values))
    }
}
