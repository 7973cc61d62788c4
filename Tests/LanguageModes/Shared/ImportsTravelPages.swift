// One import is enough to write a page of one's own.
import TravelPages

func listOfRegions(_ regions: [Region]) -> String {
    let list = HTML("ul", ["class": "regions"]) {
        for region in regions { HTML("li") { region.name(in: .english) } }
    }
    let page = PageFrame(titled: "Regions", in: .english, on: PageSite()).data { list }
    return String(decoding: page, as: UTF8.self)
}
