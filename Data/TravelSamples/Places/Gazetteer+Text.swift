import TravelDomain

extension Gazetteer {
    /// Parses the places in `text`, one per line.
    ///
    /// A line has the Korean name, the English name, the address, the latitude and the longitude in degrees, and
    /// optionally other names. `|` separates the fields, and commas separate the other names.
    ///
    ///     해운대해수욕장 | Haeundae Beach | 부산 해운대구 우동 | 35.1587 | 129.1604 | 해운대해변
    ///
    /// - Throws: ``MalformedLine`` for the first malformed line.
    static func places(in region: Region, from text: String) throws(MalformedLine) -> [KnownPlace] {
        var places: [KnownPlace] = []
        for line in TextLine.lines(of: text) {
            let fields = try line.fields(5, optional: 1)
            let otherNames = fields.count > 5 ? try line.list(fields[5]) : []
            places.append(
                try line.parse("place") { () throws(TravelError) in
                    let coordinate = try Coordinate(
                        latitude: Double(fields[3]) ?? .nan, longitude: Double(fields[4]) ?? .nan)
                    return try KnownPlace(
                        place: Place(name: fields[0], address: fields[2], coordinate: coordinate),
                        englishName: fields[1], otherNames: otherNames, region: region)
                })
        }
        return places
    }

    /// The places of a region as text for ``places(in:from:)``.
    static func text(of region: Region) -> String {
        switch region {
        case .seoul: seoul
        case .busan: busan
        case .daegu: daegu
        case .incheon: incheon
        case .gwangju: gwangju
        case .daejeon: daejeon
        case .ulsan: ulsan
        case .sejong: sejong
        case .gyeonggi: gyeonggi
        case .gangwon: gangwon
        case .chungbuk: chungbuk
        case .chungnam: chungnam
        case .jeonbuk: jeonbuk
        case .jeonnam: jeonnam
        case .gyeongbuk: gyeongbuk
        case .gyeongnam: gyeongnam
        case .jeju: jeju
        case .abroad: ""
        }
    }
}
