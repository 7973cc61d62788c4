import Testing

@testable import TravelTerminal

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
