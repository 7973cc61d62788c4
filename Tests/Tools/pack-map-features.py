#!/usr/bin/env python3
"""Packs what one recognises a map by into Presentation/TravelPages/Map/MapFeatures+Data.swift.

    python3 pack-map-features.py FOLDER > .../Map/MapFeatures+Data.swift

FOLDER has these files:

- borders-50m.geojson, rivers-50m.geojson, lakes-50m.geojson, places-10m.geojson and rivers-10m-korea.geojson of Natural
  Earth (https://www.naturalearthdata.com), which is in the public domain: 1:50m boundary lines, rivers and lakes, 1:10m
  populated places, and three rivers of Korea at 1:10m;
- korea-provinces-2018.topojson, the census boundaries of 2018 of Statistics Korea (KOSTAT), free to share and remix.

Names that these lack are in `map_names.py`. Gunwi, which has belonged to Daegu since 1 July 2023, follows the corners that
`pack-provinces.py` has. Needs the package shapely. The same files give the same bytes. `MapFeatures.swift` describes the
format.
"""
import importlib
import json
import os
import re
import sys
import unicodedata

from shapely import set_precision
from shapely.geometry import LineString, MultiLineString, Point, Polygon
from shapely.ops import linemerge, unary_union

import map_names
from packed_numbers import difference, number

provinces = importlib.import_module("pack-provinces")

# Steps of a degree: what the files of Natural Earth are rounded to, and what the boundaries of provinces need.
STEPS = 1000
PROVINCE_STEPS = provinces.STEPS
# The size of a cell of towns in degrees.
CELL = 10
# Added to the rank of what is known to 500 metres.
FINE = 16


def features(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return json.load(file)["features"]


def parts(geometry):
    """The lines of a line, or the rings of a polygon."""
    return [geometry["coordinates"]] if geometry["type"] == "LineString" else geometry["coordinates"]


def text(name):
    """A name without invisible characters, with single spaces."""
    visible = "".join(character for character in name or "" if unicodedata.category(character) != "Cf")
    assert "/" not in visible
    return " ".join(visible.split())


def packed(rank, names, lines, steps, is_closed=False):
    """A line of the source, and its number of positions."""
    lines = [[(round(x * steps), round(y * steps)) for x, y, *_ in line] for line in lines]
    lines = [[point for point, before in zip(line, [None] + line) if point != before] for line in lines]
    if is_closed:
        lines = [line[:-1] if line[0] == line[-1] else line for line in lines]
    lines = [line for line in lines if len(line) > (2 if is_closed else 1)]
    if not lines:
        return None
    xs, ys = zip(*(point for line in lines for point in line))
    west, south = min(xs), min(ys)
    record = number(rank) + difference(west) + difference(south) + number(max(xs) - west) + number(max(ys) - south)
    record += "/".join(names) + "/" + number(len(lines))
    x, y = west, south
    for line in lines:
        record += number(len(line))
        for next_x, next_y in line:
            record += difference(next_x - x) + difference(next_y - y)
            x, y = next_x, next_y
    return (west, south, record), sum(map(len, lines))


def borders(folder):
    for feature in features(folder, "borders-50m.geojson"):
        is_agreed = feature["properties"]["featurecla"].startswith("International boundary")
        yield packed(0 if is_agreed else 1, ("", ""), parts(feature["geometry"]), STEPS)


class Census:
    """The provinces of South Korea, in steps."""

    def __init__(self, folder):
        with open(os.path.join(folder, "korea-provinces-2018.topojson"), encoding="utf-8") as file:
            topology = json.load(file)
        self.arcs = list(provinces.arcs(topology))
        self.owners = {}  # The codes of the provinces on both sides of an arc.
        self.outlines = {}
        for province in next(iter(topology["objects"].values()))["geometries"]:
            code = province["properties"]["code"]
            polygons = province["arcs"] if province["type"] == "MultiPolygon" else [province["arcs"]]
            for index in (index for polygon in polygons for indices in polygon for index in indices):
                self.owners.setdefault(index if index >= 0 else ~index, set()).add(code)
            rings = [provinces.ring(polygon[0], self.arcs) for polygon in polygons]
            self.outlines[code] = unary_union([Polygon(ring).buffer(0) for ring in rings if len(ring) > 2])
        gunwi = Polygon([(x * PROVINCE_STEPS, y * PROVINCE_STEPS) for x, y in provinces.GUNWI])
        # Slivers between the borders of Daegu and Gunwi, which is known to two kilometres, are closed.
        gap = 0.012 * PROVINCE_STEPS
        daegu = self.outlines["22"]
        daegu = unary_union([daegu, gunwi, daegu.buffer(gap).intersection(gunwi.buffer(gap))])
        daegu = max(getattr(daegu, "geoms", [daegu]), key=lambda part: part.area)
        self.outlines["22"] = set_precision(Polygon(daegu.exterior), 1)

    def borders(self):
        """The lines between two provinces. Daegu has no coast."""
        lines = [self.arcs[index] for index, codes in self.owners.items() if len(codes) == 2 and "22" not in codes]
        lines = [LineString(line) for line in lines if len(line) > 1]
        merged = linemerge(MultiLineString(lines + [LineString(self.outlines["22"].exterior.coords)]))
        for line in getattr(merged, "geoms", [merged]):
            corners = [(x / PROVINCE_STEPS, y / PROVINCE_STEPS) for x, y in line.coords]
            yield packed(0, ("", ""), [corners], PROVINCE_STEPS)

    def distance(self, code, longitude, latitude):
        """From the land of a province, in degrees."""
        return self.outlines[code].distance(Point(longitude * PROVINCE_STEPS, latitude * PROVINCE_STEPS)) / PROVINCE_STEPS


def rivers(folder):
    files = features(folder, "rivers-50m.geojson") + features(folder, "rivers-10m-korea.geojson")
    # Parts of a river with one name and rank become one, so that it has one label.
    rivers = {}
    for feature in files:
        properties, lines = feature["properties"], parts(feature["geometry"])
        names = map_names.RIVERS.get(properties["name"], (text(properties["name"]), ""))
        rank = round(properties["scalerank"])
        if rank > 6:
            # The three rivers of Korea, where most trips of this travel log are.
            rank = 5
            if names[0] == "Han":
                ends = [point for point in lines[0] if not map_names.HAN[-1][0] <= point[0] <= map_names.HAN[0][0]]
                lines = [[*ends[:2], *map_names.HAN, *ends[2:]]]
                rank += FINE
        elif names[0] == "Han":
            names = ("Han", "한수이강")  # That of China.
        rivers.setdefault((rank, names), []).extend(LineString(part) for part in lines)
    for (rank, names), lines in rivers.items():
        if not names[0]:
            merged = lines
        else:
            merged = linemerge(MultiLineString(lines)) if len(lines) > 1 else lines[0]
            merged = getattr(merged, "geoms", [merged])
        # Far apart, they are different rivers.
        groups = []
        for line in merged:
            near = [group for group in groups if any(line.distance(other) < 0.5 for other in group)]
            groups = [group for group in groups if group not in near] + [sum(near, []) + [line]]
        for group in groups:
            yield packed(rank, names, [line.coords for line in group], STEPS)


def lakes(folder):
    for feature in features(folder, "lakes-50m.geojson"):
        name = text(feature["properties"]["name"])
        names = map_names.LAKES.get(feature["properties"]["name"], (name, ""))
        yield packed(feature["properties"]["scalerank"], names, parts(feature["geometry"]), STEPS, is_closed=True)


def towns(folder, census):
    """Rank, longitude, latitude, names."""
    korean = {}
    for word in re.split(r",\s+|\n\s*", map_names.KOREAN.strip()):
        name, translation = word.rsplit(" ", 1)
        korean[name.replace("~", " ")] = translation
    found, used = [], set()
    for place in features(folder, "places-10m.geojson"):
        name, country = place["properties"]["name"], place["properties"]["adm0_a3"]
        name = text(name)
        translation = korean.get(f"{name}/{country}", korean.get(name, ""))
        used |= {f"{name}/{country}", name}
        x, y = place["geometry"]["coordinates"]
        found.append((place["properties"]["rank_max"], x, y, map_names.ENGLISH.get((name, country), name), translation))
    unknown = sorted(set(korean) - used)
    if unknown:
        print("names of no place:", ", ".join(unknown), file=sys.stderr)
    for code, list_of_towns in map_names.KOREAN_TOWNS.items():
        for town in re.split(r",\s+|\n\s*", list_of_towns.strip()):
            translation, name, latitude, longitude, rank = town.split()
            # In its province, but for the simplified coast.
            assert census.distance(code, float(longitude), float(latitude)) < 0.005, town
            assert not any(known[4] == translation and abs(known[1] - float(longitude)) < 0.1 for known in found), town
            found.append((int(rank), float(longitude), float(latitude), name, translation))
    return found


def cells(found):
    cells = {}
    for rank, x, y, *names in found:
        column, row = min(int((x + 180) // CELL), 360 // CELL - 1), min(int((y + 90) // CELL), 180 // CELL - 1)
        place = (round((x + 180 - column * CELL) * STEPS), round((y + 90 - row * CELL) * STEPS))
        cells.setdefault((column, row), []).append((-rank, *place, *names))
    for (column, row), list_of_towns in sorted(cells.items()):
        record = number(column) + number(row)
        for rank, x, y, *names in sorted(list_of_towns):
            record += number(-rank) + number(x) + number(y) + "/".join(names) + "/"
        yield record


def region_names(census):
    record = ""
    for province in re.split(r",\s+|\n\s*", map_names.PROVINCES.strip()):
        code, translation, name, latitude, longitude = province.split()
        assert census.distance(code, float(longitude), float(latitude)) == 0, province
        record += difference(round(float(longitude) * STEPS)) + difference(round(float(latitude) * STEPS))
        record += f"{name}/{translation}/"
    return record


def literal(name, comment, records):
    print(f"""
    /// {comment}
    static let {name} = #\"\"\"""")
    for record in records:
        print(f"        {record}")
    print('        """#')


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    census = Census(folder)
    print("""\
// Generated by Tests/Tools/pack-map-features.py from files of Natural Earth (https://www.naturalearthdata.com), which is in
// the public domain (1:50m boundary lines, rivers and lakes, 1:10m populated places and rivers of Korea), and from the census
// boundaries of 2018 of Statistics Korea (KOSTAT), free to share and remix.

extension MapFeatures {""", end="")
    for name, comment, source in [
        ("borders", "Borders of countries: rank 1 where they are disputed.", borders(folder)),
        ("provinces", "Borders between provinces of South Korea, in 1/4,000 degree.", census.borders()),
        ("rivers", "Rivers, with the rank of their scale.", rivers(folder)),
        ("lakes", "Lakes, with the rank of their scale; the first ring is the outer one.", lakes(folder)),
    ]:
        records = [record for record in source if record]
        print(f"{name}: {len(records)} records, {sum(count for _, count in records)} positions, "
              f"{sum(len(record[2].encode()) + 1 for record, _ in records)} bytes", file=sys.stderr)
        literal(name, comment, [record for _, _, record in sorted(record for record, _ in records)])
    found = towns(folder, census)
    print(f"towns: {len(found)}, {sum(len(record.encode()) for record in cells(found))} bytes", file=sys.stderr)
    literal("towns", "Towns, a line for each cell.", cells(found))
    literal("regions", "The names of the provinces of South Korea that are no cities, and where these may stand.",
            [region_names(census)])
    print("}")


main()
