import Testing
import TestReporting
import TestConcurrency
@testable import TravelTerminal

@Suite("Controls", .limitedConcurrency)
struct ControlTests {
    @Test("a list of a hundred thousand rows draws only those that are visible")
    func windowed() {
        var list = RowList(count: 100_000)
        list.setVisible(20)
        _ = list.handle(.end)
        var drawn: [Int] = []
        var grid = Grid(Size(columns: 20, rows: 20))
        list.render(into: &grid, in: grid.bounds) { index, _, _, _ in drawn.append(index) }
        #expect(drawn == Array(99_980..<100_000))
        #expect(list.current == 99_999 && list.isNearEnd)
    }

    @Test("moving keeps the current row visible, and never leaves the list", arguments: 0..<UInt64(8))
    func moving(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var list = RowList()
        let keys = [Key.up, .down, .pageUp, .pageDown, .home, .end]
        for _ in 0..<200 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: list.setCount(Int.random(in: 0...30, using: &random))
            case 1: list.setVisible(Int.random(in: 0...12, using: &random))
            default: _ = list.handle(keys.randomElement(using: &random) ?? .up)
            }
            if list.count > 0 {
                #expect((list.top..<list.top + list.visible).contains(list.current))
                #expect(list.top == 0 || list.top + list.visible <= list.count)
            } else {
                #expect(list.current == 0 && list.top == 0)
            }
        }
    }

    @Test("exclusive chips turn each other off, and one can be turned off")
    func chips() {
        var row = ChipRow(["a", "b", "c"].map { .init(label: $0, isOn: false) }, isExclusive: true)
        for key in [Key.right, .space] { _ = row.handle(key) }
        #expect(row.chosen == [1])
        for key in [Key.right, .right, .right, .space] { _ = row.handle(key) }
        #expect(row.chosen == [2])
        _ = row.handle(.space)
        #expect(row.chosen == [])
        #expect(row.handle(.up) == false)
    }

    @Test("chips wrap into lines")
    func chipLines() {
        let row = ChipRow(["힐링", "맛집", "자연"].map { .init(label: $0, isOn: $0 == "맛집") })
        #expect(row.height(columns: 14) == 2)
        var grid = Grid(Size(columns: 14, rows: 2))
        row.render(into: &grid, in: grid.bounds, isFocused: false)
        #expect(grid.text == " 힐링  ✓맛집\n 자연")
    }

    @Test("tabs scroll so that the current one is visible")
    func tabs() {
        let tabs = Tabs((1...9).map { "\($0)일" }, current: 8)
        var grid = Grid(Size(columns: 12, rows: 1))
        tabs.render(into: &grid, in: grid.bounds)
        #expect(grid.line(0).hasSuffix("9일") && grid.line(0).hasPrefix("‹"))
    }

    @Test("a dialog answers by arrows, letters and escape, and fits into a small terminal")
    func dialog() {
        var dialog = Dialog(title: "삭제", message: "여행을 삭제할까요?", buttons: ["Cancel", "Delete"])
        #expect(dialog.handle(.character("x")) == .pending)
        #expect(dialog.handle(.enter) == .chosen(0))
        #expect(dialog.handle(.right) == .pending)
        #expect(dialog.handle(.enter) == .chosen(1))
        #expect(dialog.handle(.character("c")) == .chosen(0))
        #expect(dialog.handle(.escape) == .cancelled)
        for size in [Size(columns: 40, rows: 8), Size(columns: 5, rows: 2), Size(columns: 0, rows: 0)] {
            var grid = Grid(size)
            dialog.render(into: &grid, in: grid.bounds)
        }
        var grid = Grid(Size(columns: 40, rows: 6))
        dialog.render(into: &grid, in: grid.bounds)
        #expect(grid.line(1).contains("여행을 삭제할까요?"))
        #expect(grid.line(3).contains("[ Cancel ] [ Delete ]"))
    }

    @Test("a form moves between its controls, skips what takes no keys, and shows messages")
    func form() {
        var form = Form<String>([
            .init("note", "", Note("Fill in")), .init("title", "Title", TextField()),
            .init("themes", "Themes", ChipRow([.init(label: "Food", isOn: false)])),
            .init("save", "", Button("Save", isEnabled: false)),
            .init("body", "Text", TextArea(rows: 2)),
        ])
        #expect(form.focus == "title")
        #expect(form.handle(.character("가")) == .changed("title"))
        #expect(form.text("title") == "가")
        #expect(form.handle(.tab) == .moved)
        #expect(form.handle(.space) == .changed("themes"))
        #expect(form.chosen("themes") == [0])
        #expect(form.handle(.down) == .moved)
        #expect(form.focus == "body")
        #expect(form.paste("a\nb") == .changed("body"))
        #expect(form.handle(.tab) == .ignored)
        #expect(form.handle(.escape) == .ignored)
        form.rows[1].message = "too short"
        var grid = Grid(Size(columns: 30, rows: 7))
        form.render(into: &grid, in: grid.bounds)
        #expect(grid.text.contains("! too short") && grid.text.contains("✓Food"))
        var small = Grid(Size(columns: 30, rows: 2))
        form.render(into: &small, in: small.bounds)
        #expect(small.text.contains("a\n") && small.cursor?.row == 1)
    }

    @Test("keys that do not fit into the line are left out whole")
    func keyLine() {
        var grid = Grid(Size(columns: 16, rows: 1))
        KeyLine([.init("q", "Quit"), .init("/", "찾기"), .init("?", "Help")]).render(into: &grid, in: grid.bounds)
        #expect(grid.line(0) == " q Quit  / 찾기")
    }

    @Test("every control draws into any size, the smallest included")
    func sizes() {
        for columns in 0...6 {
            for rows in 0...3 {
                var grid = Grid(Size(columns: columns, rows: rows))
                var form = Form<Int>([
                    .init(0, "가", TextField("나다라")), .init(1, "", TextArea("나다라", rows: 2)),
                ])
                form.render(into: &grid, in: grid.bounds)
                var help = HelpSheet(title: "도움말", items: [.init("q", "Quit")])
                help.render(into: &grid, in: grid.bounds)
                Toast(text: "저장했습니다").render(into: &grid, in: grid.bounds)
                Tabs(["가", "나"], current: 1).render(into: &grid, in: grid.bounds)
                ChipRow([.init(label: "가나다", isOn: true)]).render(into: &grid, in: grid.bounds, isFocused: true)
                var list = RowList(count: 9)
                list.setVisible(rows)
                list.render(into: &grid, in: grid.bounds) { $3.draw("\($0)", in: $1) }
                #expect(grid.size.rows == rows)
            }
        }
    }
}

@Suite("Fields")
struct TextFieldTests {
    private func type(_ text: String, into field: inout TextField) {
        for character in text { #expect(field.handle(.character(character)) == true) }
    }

    @Test("editing moves and deletes by cluster")
    func clusters() {
        var field = TextField()
        type("가👨‍👩‍👧e\u{301}🇰🇷", into: &field)
        #expect(field.text == "가👨‍👩‍👧é🇰🇷")
        for key in [Key.left, .backspace] { #expect(field.handle(key) == true) }
        #expect(field.text == "가👨‍👩‍👧🇰🇷")
        for key in [Key.backspace, .delete] { #expect(field.handle(key) == true) }
        #expect(field.text == "가")
        for key in [Key.backspace, .backspace, .delete, .left, .right] { #expect(field.handle(key) == true) }
        #expect(field.text == "")
    }

    @Test("scalars that arrive one after the other join into one cluster")
    func joining() {
        var field = TextField()
        for scalar in "👨‍👩‍👧".unicodeScalars { _ = field.handle(.character(Character(scalar))) }
        #expect(field.text.count == 1)
        #expect(field.handle(.backspace) == true)
        #expect(field.text == "")
    }

    @Test("words are removed, and the cursor moves to the ends")
    func words() {
        var field = TextField("부산 밤바다 걷기")
        #expect(field.handle(.control("w")) == true)
        #expect(field.text == "부산 밤바다 ")
        #expect(field.handle(.home) == true)
        type("늦은 ", into: &field)
        #expect(field.text == "늦은 부산 밤바다 ")
        #expect(field.handle(.control("k")) == true)
        #expect(field.text == "늦은 ")
        #expect(field.handle(.control("u")) == true)
        #expect(field.text == "")
        #expect(
            field.handle(.enter) == false && field.handle(.tab) == false && field.handle(.control("c")) == false
                && field.handle(.escape) == false)
    }

    @Test("pasted line breaks become spaces in a field, and stay in an area")
    func paste() {
        var field = TextField()
        _ = field.paste("a\r\nb\nc")
        #expect(field.text == "a b c")
        var area = TextArea()
        _ = area.paste("a\r\nb\rc")
        #expect(area.text == "a\nb\nc")
    }

    @Test("the cursor stays visible while a long text is typed")
    func scrolling() {
        var field = TextField()
        for character in "가나다라마바사" {
            _ = field.handle(.character(character))
            var grid = Grid(Size(columns: 7, rows: 1))
            field.render(into: &grid, in: grid.bounds, isFocused: true)
            #expect(grid.cursor.map { $0.column < 7 } == true)
        }
        var grid = Grid(Size(columns: 7, rows: 1))
        field.render(into: &grid, in: grid.bounds, isFocused: true)
        #expect(grid.line(0) == "마바사")
        #expect(grid.cursor == Position(column: 6, row: 0))
    }

    @Test("moving up and down in an area follows the lines as they are shown")
    func areaMoves() {
        var area = TextArea("가나다라마 abc\nxy")
        area.columns = 9
        var grid = Grid(Size(columns: 9, rows: 4))
        area.render(into: &grid, in: grid.bounds, isFocused: true)
        #expect(grid.text == "가나다라\n마 abc\nxy\n")
        #expect(grid.cursor == Position(column: 2, row: 2))
        #expect(area.handle(.up) == true)
        #expect(area.handle(.up) == true)
        #expect(area.handle(.up) == false)
        #expect(area.before == "가")
        _ = area.handle(.end)
        _ = area.handle(.down)
        #expect(area.handle(.home) == true)
        #expect(area.before == "가나다라")
        #expect(area.handle(.enter) == true)
        #expect(area.text == "가나다라\n마 abc\nxy")
    }
}
