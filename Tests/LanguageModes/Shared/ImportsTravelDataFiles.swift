import Foundation
import TravelDataFiles

func lengthOfTrack() throws -> Int {
    let text = """
        <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
        <trkpt lat="33.5" lon="126.5"/><trkpt lat="33.6" lon="126.5"/>
        </trkseg></trk></gpx>
        """
    let track: Track = try GPXReader().track(in: Data(text.utf8))
    return track.segments.reduce(0) { $0 + $1.count }
}
