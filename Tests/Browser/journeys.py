#!/usr/bin/env python3
"""Journeys through the app in a real browser, in each language.

    Tests/Browser/journeys.py PROGRAM [--language en] [--only WORDS] [--pictures FOLDER]

PROGRAM is a `traveline` that was built with the package trait `Server`. Each journey has a data folder, a program and a
browser of its own, and a time limit.
"""

import argparse
import json
import math
import pathlib
import random
import re
import signal
import statistics
import struct
import sys
import time
import traceback
import zlib

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from harness import Failure, Stage, Tiles, check, equal, eventually

LIMIT = 240
JOURNEYS = []
AXE = PICTURES = None  # the script of axe-core, and the folder for pictures
HERE = pathlib.Path(__file__).parent


def journey(run):
    JOURNEYS.append(run)
    return run


def ids(browser):
    return browser.js("return [...document.querySelectorAll('#trips li')].map(row => row.id)")


def scroll(browser, top):
    browser.js("scrollTo({ top: arguments[0], behavior: 'instant' })", top)


def say(language, english, korean):
    return english if language == "en" else korean


# MARK: Reading


@journey
def first_visit(stage):
    """the first visit shows trips, and its address is of no use to anybody else"""
    browser = stage.browser()
    browser.open(stage.app)
    equal(browser.address, "/app/", "the address")
    equal(browser.js("return document.documentElement.lang"), stage.language, "the language")
    equal(len(ids(browser)), 20, "rows")
    check("Traveline" in browser.driver.title, "the title has the name of the app")
    check(browser.js("return performance.getEntriesByType('navigation')[0].transferSize") < 60_000, "at most 60 kB")
    # The file signs in once.
    browser.driver.get(stage.app.page)
    eventually(lambda: "/app/open" in browser.driver.current_url, "the file was sent again")
    check(not browser.all("#trips li"), "the file signs in once")
    browser.driver.get(stage.app.address)
    browser.wait("#trips li", "the session goes on")
    equal(browser.complaints(), [], "messages of the console")


@journey
def endless_list(stage):
    """scrolling loads the rest of the list, each trip once"""
    browser = stage.browser()
    browser.open(stage.app)
    total = len(stage.app.search("--limit", "1000"))
    while len(ids(browser)) < total:
        shown = len(ids(browser))
        browser.js("scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })")
        eventually(lambda: len(ids(browser)) > shown, f"more rows than {shown} of {total}")
    found = ids(browser)
    equal(len(set(found)), total, "different rows")


@journey
def search_with_hangul(stage):
    """a syllable under composition survives patches, and is searched for once it is composed"""
    browser = stage.browser()
    browser.open(stage.app)
    trip = ids(browser)[3].removeprefix("trip-")
    browser.click("#keyword")
    browser.wait("#proposals:not([hidden])")
    browser.js(
        "window.ends = 0; window.node = document.getElementById('keyword');"
        "node.addEventListener('compositionend', () => window.ends++);")
    for number, text in enumerate(["ㅂ", "바", "받", "바다"]):
        browser.cdp("Input.imeSetComposition", text=text, selectionStart=len(text), selectionEnd=len(text))
        equal(browser.value("#keyword"), text, "the text under composition")
        # Another command changes a row of the list meanwhile: a patch.
        before = browser.text(f"#trip-{trip} .like")
        stage.app.run("like", trip, *(["--undo"] if number % 2 else []))
        eventually(lambda: browser.text(f"#trip-{trip} .like") != before, "the like of another command arrives")
        equal(browser.value("#keyword"), text, "the text under composition after a patch")
        equal(browser.js("return ends"), 0, "the composition goes on")
    browser.cdp("Input.insertText", text="바다")
    equal(browser.value("#keyword"), "바다", "the composed text")
    check(browser.js("return node === document.getElementById('keyword')"), "the field is the same node")
    eventually(lambda: browser.all("#proposals a"), "suggestions")
    browser.press(Keys.ENTER)
    browser.at("keyword=")
    wanted = len(stage.app.search("--keyword", "바다", "--limit", "1000"))
    eventually(lambda: len(ids(browser)) == min(20, wanted), f"{min(20, wanted)} rows")
    check("바다" in browser.driver.title, "the title has the keyword")
    equal(browser.complaints(), [], "messages of the console")


@journey
def filters(stage):
    """filters are chosen, named by chips, bookmarked, and cleared; an unapplied choice survives a patch"""
    browser = stage.browser()
    browser.open(stage.app)
    browser.click("#filters summary")
    browser.click("#sheet input[value=busan]")
    # A patch arrives before the choice is applied.
    trip = ids(browser)[0].removeprefix("trip-")
    before = browser.text(f"#trip-{trip} .like")
    stage.app.run("like", trip)
    eventually(lambda: browser.text(f"#trip-{trip} .like") != before, "a patch")
    check(browser.js("return document.querySelector('#sheet input[value=busan]').checked"), "the choice is still made")
    check(browser.js("return document.getElementById('filters').open"), "the menu is still open")
    browser.click("#sheet button[type=submit]")
    browser.at("region=busan")
    wanted = stage.app.search("--region", "busan", "--limit", "1000")
    eventually(lambda: set(ids(browser)) == {"trip-" + row["id"] for row in wanted}, "the trips in Busan")
    check(not browser.js("return document.getElementById('filters').open"), "the menu is closed")
    address = browser.driver.current_url
    browser.click("button.chip")
    eventually(lambda: "region" not in browser.address, "the filter is cleared")
    eventually(lambda: len(ids(browser)) == 20, "all trips")
    # Another search is an entry of the history.
    browser.driver.back()
    browser.at("region=busan")
    eventually(lambda: len(ids(browser)) == len(wanted), "the trips in Busan again")
    browser.driver.back()
    eventually(lambda: "region" not in browser.address and len(ids(browser)) == 20, "all trips again")
    browser.driver.get(address)
    eventually(lambda: len(ids(browser)) == len(wanted), "the bookmark shows the same trips")
    equal(browser.complaints(), [], "messages of the console")


@journey
def likes(stage):
    """a like shows at once, and is stored"""
    browser = stage.browser()
    browser.open(stage.app)
    row = browser.js("return [...document.querySelectorAll('.like')].findIndex(like => like.ariaPressed === 'false')")
    trip = ids(browser)[row].removeprefix("trip-")
    count = int(browser.text(f"#trip-{trip} .like").split()[-1])
    browser.click(f"#trip-{trip} .like")
    browser.wait(f"#trip-{trip} .like[aria-pressed=true]")
    equal(int(browser.text(f"#trip-{trip} .like").split()[-1]), count + 1, "likes")
    eventually(
        lambda: any(row["id"] == trip and row["likeCount"] == count + 1 for row in stage.app.search("--limit", "1000")),
        "another command sees the like")


@journey
def back_and_forward(stage):
    """back and forward lead through screens, days, and searches, to where one was"""
    browser = stage.browser()
    browser.open(stage.app)
    scroll(browser, 700)
    rows = browser.js(
        "return [...document.querySelectorAll('#trips li')].filter(row => row.getBoundingClientRect().top > 200).map(row => row.id)")
    link = browser.find(f"#{rows[0]} a")
    href = link.get_attribute("href").split("localhost")[1].split("/", 1)[1]
    link.click()
    browser.at(href)
    browser.wait("#trip h1")
    equal(browser.js("return scrollY"), 0, "a new screen begins at its top")
    title = browser.driver.title
    days = len(browser.all("#days a"))
    browser.driver.back()
    eventually(lambda: browser.address == "/app/" and ids(browser), "the list")
    eventually(lambda: abs(browser.js("return scrollY") - 700) < 3, "the list is where it was")
    equal(browser.js("return document.activeElement.getAttribute('href')"), "/" + href, "the focus is at the link again")
    browser.driver.forward()
    eventually(lambda: browser.driver.title == title, "the trip again")
    # A day is an entry of the history, and the steps are taken fast.
    if days < 2:
        browser.driver.get(stage.app.address.replace("/app/", f"/app/trips/{long_trip(stage)}"))
        browser.wait("#days a:nth-child(2)")
    browser.connected()
    start = browser.address
    browser.click("#days a:nth-child(2)")
    browser.at("day=2")
    second = browser.text("#day")
    browser.driver.back()
    eventually(lambda: browser.address == start and "day=2" not in browser.address, "the first day")
    eventually(lambda: browser.text("#day") != second, "the entries of the first day")
    # The browser may join steps that it has not taken yet: wherever it ends, the page is that of the address.
    browser.driver.execute_async_script("""
        const done = arguments[0];
        history.forward();
        setTimeout(() => history.back(), 1);
        setTimeout(() => history.forward(), 30);
        setTimeout(done, 60);""")
    eventually(lambda: ("day=2" in browser.address) == (browser.text("#day") == second), "the page of the address after quick steps")
    # Several steps at once: to a list that has shown another search since.
    browser.driver.get(stage.app.address)
    browser.wait("#trips li")
    browser.connected()
    browser.click("#keyword")
    browser.press("바다", Keys.ENTER)
    browser.at("keyword=")
    eventually(lambda: "바다" in browser.driver.title and not browser.all("[aria-busy=true]"), "what was found")
    browser.press(Keys.ESCAPE)
    browser.click("#trips li a")
    browser.wait("#trip h1")
    browser.js("history.go(-2)")
    eventually(lambda: browser.address == "/app/" and len(ids(browser)) == 20, "the list before the search")
    equal(browser.value("#keyword"), "", "the field")
    browser.press(Keys.ESCAPE)
    browser.js("history.go(2)")
    browser.wait("#trip h1")
    browser.press(Keys.ESCAPE)
    eventually(lambda: browser.address == "/app/" and not browser.all("#trip"), "one list below the trip")
    equal(browser.complaints(), [], "messages of the console")


def long_trip(stage):
    """A trip of several days."""
    return next(row["id"] for row in stage.app.search("--limit", "1000") if row["numberOfDays"] > 2)


@journey
def links_are_links(stage):
    """a link with a modifier opens another tab, downloads and targets are left alone, and a reload stays where it was"""
    browser = stage.browser()
    browser.open(stage.app)
    link = browser.find("#trips li a")
    ActionChains(browser.driver).key_down(Keys.CONTROL).click(link).key_up(Keys.CONTROL).perform()
    eventually(lambda: len(browser.driver.window_handles) == 2, "another tab")
    equal(browser.address, "/app/", "this tab stays")
    taken = browser.js("""
        const found = [];
        for (const [name, value] of [["download", ""], ["target", "_blank"], ["href", "#screen"], ["href", "https://example.org/"]]) {
          const link = document.createElement("a");
          link.href = "/app/me";
          link.setAttribute(name, value);
          document.getElementById("screen").append(link);
          addEventListener("click", event => { found.push(event.defaultPrevented); event.preventDefault(); }, { once: true });
          link.click();
          link.remove();
        }
        return found;""")
    equal(taken, [False] * 4, "links that the script takes")
    scroll(browser, 600)
    browser.driver.refresh()
    browser.wait("#trips li")
    eventually(lambda: abs(browser.js("return scrollY") - 600) < 3, "a reload stays where it was")


# MARK: Patches


REPLACED_STREAM = """
    window.streams = [];
    window.EventSource = class {
      constructor() { this.listeners = {}; window.streams.push(this); setTimeout(() => this.onopen?.()); }
      addEventListener(name, action) { this.listeners[name] = action; }
      close() {}
      emit(name, data) { this.listeners[name]({ data: JSON.stringify(data) }); }
    };"""


@journey
def generated_patches(stage):
    """after any patch the page is as if rendered anew, with the same nodes, and the focus"""
    browser = stage.browser()
    browser.cdp("Page.addScriptToEvaluateOnNewDocument", source=REPLACED_STREAM)
    browser.open(stage.app)
    seed = random.randrange(1 << 30)
    failures = browser.driver.execute_async_script((HERE / "patches.js").read_text(), seed, 300)
    check(not failures, f"seed {seed}:\n" + "\n".join(failures))


@journey
def what_a_person_does_survives(stage):
    """focus, selection, scroll positions and open menus survive patches from elsewhere"""
    browser = stage.browser()
    browser.open(stage.app)
    trip = ids(browser)[4].removeprefix("trip-")

    def patch():
        before = browser.text(f"#trip-{trip} .like")
        stage.app.run("like", trip, *(["--undo"] if browser.all(f"#trip-{trip} .like[aria-pressed=true]") else []))
        eventually(lambda: browser.text(f"#trip-{trip} .like") != before, "a patch")

    # Selection in a field.
    browser.click("#keyword")
    browser.press("바다 여행")
    eventually(lambda: browser.all("#proposals:not([hidden])"), "proposals")
    browser.js("document.getElementById('keyword').setSelectionRange(1, 3)")
    patch()
    equal(browser.js("const k = document.getElementById('keyword'); return [k.selectionStart, k.selectionEnd, k.value]"),
          [1, 3, "바다 여행"], "the selection")
    equal(browser.js("return document.activeElement.id"), "keyword", "the focus")
    browser.press(Keys.ESCAPE)
    # A menu, a selection of text, the scroll position, and the focus on the row that changes.
    browser.js("document.getElementById('filters').open = true")
    scroll(browser, 500)
    browser.js(
        "document.querySelector(arguments[0]).focus({ preventScroll: true });"
        "getSelection().selectAllChildren(document.querySelector('#trips li:nth-child(6) h2'))", f"#trip-{trip} .like")
    selected = browser.js("return String(getSelection())")
    top = browser.js("return scrollY")
    patch()
    check(browser.js("return document.getElementById('filters').open"), "the menu is open")
    equal(browser.js("return scrollY"), top, "the scroll position")
    equal(browser.js("return String(getSelection())"), selected, "the selected text")
    equal(browser.js("return document.activeElement.closest('li')?.id"), f"trip-{trip}", "the focus")
    # A trip that comes at the top of the list does not move what one reads.
    browser.js("document.getElementById('filters').open = false")
    scroll(browser, 500)
    row = browser.js(
        "return [...document.querySelectorAll('#trips li')].find(row => row.getBoundingClientRect().top > 100).id")
    before = browser.js("return document.getElementById(arguments[0]).getBoundingClientRect().top", row)
    own = stage.own_trip()
    browser.wait(f"#trip-{own}", "the new trip")
    eventually(
        lambda: abs(browser.js("return document.getElementById(arguments[0]).getBoundingClientRect().top", row) - before) < 2,
        "what one reads is where it was")


@journey
def two_tabs(stage):
    """what one tab or another command changes appears in the other within a second"""
    browser = stage.browser()
    browser.open(stage.app)
    first = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("window")
    second = browser.driver.current_window_handle
    browser.driver.get(stage.app.address)
    browser.wait("#trips li")
    trip = ids(browser)[2].removeprefix("trip-")
    like = f"#trip-{trip} .like"
    times = []
    for number in range(10):
        browser.driver.switch_to.window(second)
        before = browser.js("return document.querySelector(arguments[0]).ariaPressed", like)
        browser.js(OBSERVED, like)
        browser.driver.switch_to.window(first)
        sent = browser.js("document.querySelector(arguments[0]).click(); return Date.now()", like)
        browser.driver.switch_to.window(second)
        eventually(lambda: browser.js("return window.seen"), "the change in the other tab")
        check(browser.js("return document.querySelector(arguments[0]).ariaPressed", like) != before, "the like has changed")
        times.append(browser.js("return window.seen") - sent)
    print(f"   a change in the other tab: median {statistics.median(times):.0f} ms of {sorted(times)}")
    check(statistics.median(times) < 1000, "the median is below a second")


@journey
def other_commands(stage):
    """what another command writes appears on the page within a second of the write"""
    browser = stage.browser()
    browser.open(stage.app)
    trip = ids(browser)[2].removeprefix("trip-")
    times = []
    for number in range(10):
        browser.js(OBSERVED, f"#trip-{trip} .like")
        stage.app.run("like", trip, *(["--undo"] if number % 2 else []))
        files = [file for file in pathlib.Path(stage.folder).rglob("*.sqlite*") if not file.name.endswith("-shm")]
        written = max(file.stat().st_mtime for file in files) * 1000
        eventually(lambda: browser.js("return window.seen"), "the change on the page")
        times.append(browser.js("return window.seen") - written)
    print(f"   the write of a command: median {statistics.median(times):.0f} ms of {[round(time) for time in sorted(times)]}")
    check(statistics.median(times) < 1000, "the median is below a second")


@journey
def connected_devices(stage):
    """what one device writes appears on another one within a second, and does not move what is read there"""
    server = stage.server()
    device, other = stage.device("device"), stage.device("other")
    device.run("connect", server.address, "mina", "--sign-up")
    trip = device.run("write", "--title", "Busan", "--region", "busan", "--from", "2024-05-01", "--days", "1", "--quiet").strip()
    for hour in range(9, 15):
        device.run(
            "write", "--in", trip, "--title", f"Stop at {hour}", "--text", "\n".join(["What happened there."] * 12), "--day", "1",
            "--time", f"{hour:02}:00")
    other.run("connect", server.address, "mina")
    writer, reader = stage.browser(), stage.browser()
    for browser, app in ((writer, device), (reader, other)):
        app.start()
        browser.open(app)
        browser.driver.get(app.address.replace("/app/", f"/app/trips/{trip}"))
        browser.wait("#stop-6")
        browser.connected()
    read = reader.find("article:has(#stop-5)")
    place = "return Math.round(arguments[0].getBoundingClientRect().top)"
    scroll(reader, reader.js(place, read) - 200)
    before = reader.js(place, read)
    check(100 < before < 300, f"the place of what is read: {before}")

    def save(title):
        writer.wait("#edit-title").clear()
        writer.find("#edit-title").send_keys(title)
        eventually(lambda: writer.value("#edit-title") == title, "the title is there")
        sent = writer.js("document.querySelector('#editor-buttons button[value=save]').click(); return Date.now()")
        writer.gone("#edit-title")
        return sent

    times = []
    for number in range(10):
        writer.click("article:has(#stop-1) button[value^='edit-entry ']")
        reader.js(OBSERVED, "#day")
        sent = save(f"Breakfast {number}")
        eventually(lambda: reader.js("return window.seen"), "the change on the other device")
        times.append(reader.js("return window.seen") - sent)
        equal(reader.text("article:has(#stop-1) h2"), f"Breakfast {number}", "the title there")
        equal(reader.js(place, read), before, "the place of what is read")
    print(f"   a change on the other device: median {statistics.median(times):.0f} ms, at most {max(times):.0f} ms of {sorted(times)}")
    check(statistics.median(times) < 1000, "the median is below a second")
    # What is added above what is read moves nothing either.
    writer.click("button[value=add-entry]")
    writer.wait("#edit-title")
    for field, value in (("#edit-time", "08:00"), ("#edit-text", "Up early.")):
        writer.js(
            "const e = document.querySelector(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new InputEvent('input', { bubbles: true }))",
            field, value)
    save("Sunrise")
    eventually(lambda: reader.text("article:has(#stop-1) h2") == "Sunrise", "the new entry on the other device")
    check("Stop at 13" in read.text and reader.js("return arguments[0].querySelector('.stop').id", read) == "stop-6", "the entry that is read")
    check(abs(reader.js(place, read) - before) <= 2, f"the place of what is read: {reader.js(place, read)} instead of {before}")
    equal(writer.complaints() + reader.complaints(), [], "messages of the console")


# The time at which an element changes next.
OBSERVED = """
    window.seen = 0;
    new MutationObserver((_, observer) => { window.seen = Date.now(); observer.disconnect(); })
      .observe(document.querySelector(arguments[0]), { attributes: true, subtree: true, childList: true, characterData: true });"""


# MARK: Connections


@journey
def broken_connection(stage):
    """while the connection is broken, inputs wait; then they are sent in order, once each"""
    relay = stage.relay()
    browser = stage.browser(relay)
    browser.open(stage.app)
    browser.click("#keyword")
    relay.cut()
    browser.wait(".lost", "the page says that the connection is lost")
    browser.press("한라산")
    equal(browser.value("#keyword"), "한라산", "what is typed meanwhile")
    posts = len(relay.posts)
    relay.mend()
    browser.gone(".lost")
    browser.wait("#proposals a", "suggestions for what was typed meanwhile")
    equal(browser.value("#keyword"), "한라산", "the text afterwards")
    browser.press(Keys.ENTER)
    browser.at("keyword=")
    check(len(relay.posts) - posts < 8, "texts that wait are sent as one")
    # An answer that is lost: the input was handled, and is sent again.
    browser.wait("#trips li .like[aria-pressed=false]")
    trip = browser.js("return document.querySelector('.like[aria-pressed=false]').closest('li').id").removeprefix("trip-")
    count = int(browser.text(f"#trip-{trip} .like").split()[-1])
    relay.swallows = b"do=like"
    browser.click(f"#trip-{trip} .like")
    browser.wait(".lost", "the answer is lost")
    relay.swallows = None
    browser.gone(".lost")
    browser.wait(f"#trip-{trip} .like[aria-pressed=true]")
    eventually(
        lambda: any(row["id"] == trip and row["likeCount"] == count + 1 for row in stage.app.search("--limit", "1000")),
        "the like counts once")
    sent = eventually(
        lambda: (found := [post for post in relay.posts if b"do=like" in post]) and len(found) >= 2 and found,
        "the like is sent again")
    check(len({re.search(rb"number=(\d+)", post)[1] for post in sent}) == 1, "the like was sent again with its number")


@journey
def killed_while_typing(stage):
    """when the program is killed, what is typed stays on the page; the new program has another address"""
    browser = stage.browser()
    browser.open(stage.app)
    browser.click("#keyword")
    browser.press("제주")
    stage.app.stop(kill=True)
    browser.wait(".lost", "the page says that the connection is lost")
    browser.press(" 올레")
    equal(browser.value("#keyword"), "제주 올레", "the text")
    old = stage.app.address
    stage.app.start()
    check(stage.app.address != old, "another address, which the old page cannot know")
    browser.press("길")
    equal(browser.value("#keyword"), "제주 올레길", "the text")
    browser.driver.switch_to.new_window("tab")
    browser.open(stage.app)
    equal(browser.driver.current_url, stage.app.address, "the new program works in the same browser")


@journey
def expired_session(stage):
    """when the session is over, the page says so and keeps what was typed, also over a new session"""
    browser = stage.browser()
    browser.open(stage.app)
    browser.click("#keyword")
    browser.press("부산")
    cookie = browser.driver.get_cookies()[0]
    check(cookie["httpOnly"] and cookie["sameSite"] == "Lax", "the cookie is HttpOnly with SameSite=Lax")
    browser.driver.delete_all_cookies()
    browser.press(" 밤")
    browser.wait(".lost", "the page says that the session has ended")
    browser.press("바다")
    equal(browser.value("#keyword"), "부산 밤바다", "the text")
    # The session is there again, as after signing in in another tab.
    browser.driver.add_cookie({key: cookie[key] for key in ("name", "value", "path", "httpOnly", "sameSite")})
    browser.gone(".lost")
    browser.wait("#trips li")
    eventually(lambda: browser.value("#keyword") == "부산 밤바다", "the text in the new session")


# MARK: Habits


@journey
def reload_in_a_form(stage):
    """a form that was not saved asks before leaving, and a reload keeps what was typed"""
    browser = stage.browser()
    browser.open(stage.app)
    browser.press("n")
    browser.wait("#edit-title")
    browser.click("#edit-title")
    browser.press(say(stage.language, "Three days by the sea", "바닷가 사흘"))
    typed = browser.value("#edit-title")
    eventually(lambda: browser.js("return document.getElementById('page').dataset.unsaved !== undefined"), "unsaved")
    # The driver answers the question of the browser itself.
    asks = "const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented"
    check(browser.js(asks), "the page asks before it is left")
    browser.driver.refresh()
    eventually(lambda: browser.value("#edit-title") == typed, "the text after the reload")
    eventually(lambda: browser.js("return document.getElementById('page').dataset.unsaved !== undefined"), "still unsaved")
    equal(browser.js("return document.activeElement.id"), "edit-title", "the focus after the reload")


@journey
def double_click(stage):
    """a double click saves once, and does not press what comes to its place"""
    browser = stage.browser()
    browser.open(stage.app)
    before = len(stage.app.search("--limit", "1000"))
    browser.press("n")
    browser.wait("#edit-title")
    browser.click("#edit-title")
    browser.press("Double")
    fill_new_trip(browser)
    button = browser.find("#editor-buttons button[value=save]")
    browser.js("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", button)
    ActionChains(browser.driver).double_click(button).perform()
    browser.gone("#edit-title")
    eventually(lambda: len(stage.app.search("--limit", "1000")) == before + 1, "one trip more")
    eventually(lambda: not browser.all("[aria-busy=true]"), "nothing loads")
    equal(len(stage.app.search("--limit", "1000")), before + 1, "trips")


def fill_new_trip(browser):
    """Chooses what a new trip needs beside its title."""
    for select in browser.all("#editor select"):
        browser.js(
            "const s = arguments[0]; if (!s.value) { s.value = [...s.options].find(o => o.value).value;"
            " s.dispatchEvent(new Event('input', { bubbles: true })); s.dispatchEvent(new Event('change', { bubbles: true })); }", select)
    browser.js("""
        for (const field of document.querySelectorAll("#editor input[type=date]")) {
          if (!field.value) { field.value = "2024-05-01"; field.dispatchEvent(new Event("input", { bubbles: true })); }
        }""")


def png(file, seed, width=64, height=48):
    """Writes a small picture."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes((seed * 40 + x * 3 + y) % 256 for x in range(width * 3)) for y in range(height))
    file.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    return file


def begin_entry(stage, browser):
    """Opens the form for an entry of a trip of one's own, and types its title."""
    own = stage.own_trip()
    browser.open(stage.app)
    browser.driver.get(stage.app.address.replace("/app/", f"/app/trips/{own}"))
    browser.wait("button[value=add-entry]")
    browser.connected()
    browser.press("a")
    browser.wait("#edit-title")
    browser.click("#edit-title")
    browser.press(say(stage.language, "Lunch", "점심"))


@journey
def first_problem(stage):
    """a form that cannot be saved leads to its first problem, also at the end of a long form on a phone"""
    browser = stage.browser()
    browser.open(stage.app)
    browser.cdp("Emulation.setDeviceMetricsOverride", width=390, height=700, deviceScaleFactor=1, mobile=False)
    browser.press("n")
    browser.click("#editor-buttons button[value=save]")
    eventually(lambda: browser.focused() == "edit-title", "the focus is at the title")
    visible = "const box = document.activeElement.getBoundingClientRect(); return box.top > 0 && box.bottom < innerHeight"
    eventually(lambda: browser.js(visible), "the title is in the window")
    browser.press(say(stage.language, "Alone", "혼자"))
    # What is typed from then on moves the focus no more.
    eventually(lambda: not browser.all("#edit-title[aria-invalid]"), "the title is all right")
    equal(browser.focused(), "edit-title", "the focus")
    browser.press(Keys.ENTER)
    eventually(lambda: browser.focused() == "edit-first-day", "the focus is at the next problem")
    equal(browser.text("#problem-first-day"), say(stage.language, "Choose a date.", "날짜를 고르세요."), "what is to be done")
    equal(browser.complaints(), [], "messages of the console")


@journey
def shared_link(stage):
    """the author of a trip copies its link, which opens it for a stranger, and for an account in the app, until it is withdrawn"""
    server = stage.server()
    mina, stranger, jun = stage.browser(), stage.browser(), stage.browser()
    sign(mina, server, "sign-up", "Mina")
    mina.wait("#search")
    mina.connected()
    mina.driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    write_trip(mina, say(stage.language, "By the sea", "바닷가"), is_public=False)
    mina.wait("#trips li a").click()
    mina.wait("#sharing")
    check(not mina.all("#sharing a"), "a trip for its author only has no link")
    mina.click("button[value=edit]")
    mina.click("#edit-audience-link")
    mina.click("#editor-buttons button[value=save]")
    mina.click("#sharing [data-copy]")
    eventually(lambda: mina.text("#sharing [data-copy]") == say(stage.language, "Copied", "복사했습니다"), "the page says that it has copied")
    link = mina.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0], error => arguments[0](String(error)))")
    check(link.startswith(f"{server.address}/trips/") and "key=" in link, f"the link: {link}")
    stranger.driver.get(link)
    stranger.wait("h1")
    check(say(stage.language, "By the sea", "바닷가") in stranger.text("h1"), "the stranger sees the trip")
    # Whoever has an account goes on in the app, where the trip is live.
    sign(jun, server, "sign-up", "Jun")
    jun.wait("#search")
    jun.driver.get(link)
    jun.click(".home a[href*='/app/']")
    jun.wait("#trip")
    jun.connected()
    check("key=" in jun.address, f"the address has the key: {jun.address}")
    jun.click("#trip .like")
    eventually(lambda: mina.text("#trip .like").endswith("1"), "the like arrives")
    mina.click("button[value=edit]")
    mina.click("#edit-audience-me")
    mina.click("#editor-buttons button[value=save]")
    eventually(lambda: mina.all("#sharing") and not mina.all("#sharing a"), "the link is withdrawn")
    jun.gone("#trip")
    check(say(stage.language, "By the sea", "바닷가") not in jun.driver.page_source, "the open screen has nothing of it any more")
    stranger.driver.get(link)
    check(say(stage.language, "By the sea", "바닷가") not in stranger.text("body"), "the link opens nothing any more")
    equal(mina.complaints(), [], "messages of the console")


@journey
def pictures(stage):
    """an entry is written with five pictures, of which one fails; the others are saved, and the form says which one failed"""
    browser = stage.browser()
    begin_entry(stage, browser)
    browser.click("#edit-text")
    browser.press(say(stage.language, "By the sea", "바닷가에서"))
    folder = pathlib.Path(stage.folder)
    files = [png(folder / f"picture-{number}.png", number) for number in range(4)]
    files.insert(2, folder / "broken.jpg")
    files[2].write_text("This is no picture.")
    browser.find("#editor-files").send_keys("\n".join(map(str, files)))
    eventually(lambda: len(browser.all("[data-item] img")) == 4, "four pictures")
    eventually(lambda: "broken.jpg" in browser.text("#failures"), "what failed is named")
    equal(browser.value("#edit-title"), say(stage.language, "Lunch", "점심"), "the title")
    # Their order, by keys: the focus stays at the arrow of the picture that moves.
    first = browser.js("return document.querySelector('[data-item]').dataset.item")
    browser.js("document.getElementById(arguments[0]).focus()", f"move-right-{first}")
    for place in (1, 2, 3):
        browser.press(Keys.ENTER)
        eventually(
            lambda: browser.js("return [...document.querySelectorAll('[data-item]')].findIndex(e => e.dataset.item === arguments[0])", first) == place,
            f"the picture is at {place}")
        equal(browser.js("return document.activeElement.id"), f"move-right-{first}", "the focus")
    browser.click("#editor-buttons button[value=save]")
    browser.gone("#edit-title")
    eventually(lambda: len(browser.all(".pictures img")) == 4, "four pictures of the entry")
    eventually(
        lambda: browser.js("return [...document.querySelectorAll('.pictures img')].every(image => (image.loading = 'eager', image.complete && image.naturalWidth > 0))"),
        "the pictures are shown")
    equal(browser.complaints(), [], "messages of the console")


@journey
def broken_upload(stage):
    """an upload that breaks off is named, and goes through when it is tried again; nothing that was typed is lost"""
    relay = stage.relay()
    browser = stage.browser(relay=relay)
    begin_entry(stage, browser)
    picture = png(pathlib.Path(stage.folder, "large.png"), 7)
    with open(picture, "ab") as file:  # What follows the end of the picture makes it slow to send.
        file.write(bytes(4 << 20))
    # A slow network, which breaks in the middle.
    browser.cdp("Network.enable")
    browser.cdp("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=1 << 20)
    browser.find("#editor-files").send_keys(str(picture))
    eventually(lambda: browser.js("return document.querySelector('[id^=uploads-] progress')?.value > 0.1"), "a part has been sent")
    relay.cut()
    browser.wait("[id^=uploads-] .problem button", "the upload has failed, and can be tried again")
    check("large.png" in browser.text("[id^=uploads-]"), "the file is named")
    equal(browser.value("#edit-title"), say(stage.language, "Lunch", "점심"), "the title")
    relay.mend()
    browser.cdp("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    browser.gone(".lost")
    browser.click("[id^=uploads-] .problem button")
    browser.wait("[data-item] img", "the picture is there")
    equal(len(browser.all("[data-item]")), 1, "pictures")
    equal(browser.complaints(), [], "messages of the console")


@journey
def keys(stage):
    """everything works by keys: each shortcut that `?` lists, Escape, and a focus that is never lost"""
    browser = stage.browser()
    own = stage.own_trip()
    browser.open(stage.app)
    browser.press("?")
    browser.wait("dialog.keys[open]")
    listed = dict(zip(*browser.js(
        "return ['dt', 'dd'].map(name => [...document.querySelectorAll(`dialog.keys ${name}`)].map(item => item.textContent))")))
    check({"/", "f", "n", "m", ",", "Escape", "?"} <= set(listed), f"what is listed: {listed}")
    check(all(listed.values()), f"each key has a name: {listed}")
    browser.press(Keys.ESCAPE)
    browser.gone("dialog.keys")
    browser.press("/")
    equal(browser.js("return document.activeElement.id"), "keyword", "the focus after /")
    browser.press(Keys.ESCAPE)
    eventually(lambda: not browser.all("#proposals:not([hidden])"), "the proposals are closed")
    browser.press("f")
    browser.wait("#filters[open]")
    browser.press(Keys.ESCAPE)
    eventually(lambda: not browser.all("#filters[open]"), "the menu is closed")
    equal(browser.js("return document.activeElement.localName"), "summary", "the focus is at the menu")
    check(browser.js("return getComputedStyle(document.activeElement).outlineStyle") != "none", "the focus is visible")
    for key, path in (("n", "/app/trips/new"), ("m", "/app/me"), (",", "/app/settings")):
        check(key in listed, f"{key} is listed")
        browser.press(key)
        browser.at(path)
        check(browser.js("return document.activeElement !== document.body"), f"there is a focus after {key}")
        browser.press(Keys.ESCAPE)
        eventually(lambda: browser.address == "/app/", f"Escape leads back from {path}")
    # The letter on the key, with a layout of other letters.
    browser.cdp("Input.dispatchKeyEvent", type="keyDown", key="ㅡ", code="KeyM", windowsVirtualKeyCode=77)
    browser.at("/app/me")
    browser.press(Keys.ESCAPE)
    eventually(lambda: browser.address == "/app/", "back")
    # By Tab and Return alone: to the first trip of the list, its like, and back.
    browser.js("document.querySelector('#trips li a').focus()")
    browser.press(Keys.TAB)
    equal(browser.js("return document.activeElement.className"), "like", "Tab leads to the like")
    before = browser.js("return document.activeElement.ariaPressed")
    browser.press(Keys.SPACE)
    eventually(lambda: browser.js("return document.activeElement.ariaPressed") not in (before, None), "the like, with the focus still on it")
    # A question keeps the focus inside, and gives it back.
    browser.driver.get(stage.app.address.replace("/app/", f"/app/trips/{own}"))
    browser.wait("button[value=delete]")
    browser.connected()
    browser.js("document.querySelector('button[value=delete]').focus()")
    browser.press(Keys.ENTER)
    browser.wait(".question")
    inside = "return !!document.activeElement.closest('.question')"
    for keys_pressed in ([Keys.TAB] * 5, [Keys.SHIFT + Keys.TAB] * 5):
        for key in keys_pressed:
            check(browser.js(inside), "the focus is in the question")
            browser.press(key)
            browser.press(Keys.NULL)
    check(browser.js(inside), "the focus is in the question")
    browser.press(Keys.ESCAPE)
    browser.gone(".question")
    equal(browser.js("return document.activeElement.value"), "delete", "the question gives the focus back")
    # All other shortcuts of a trip do something.
    browser.press("?")
    browser.wait("dialog.keys[open]")
    listed = browser.js("return [...document.querySelectorAll('dialog.keys dt')].map(item => item.textContent)")
    browser.press(Keys.ESCAPE)
    browser.gone("dialog.keys")
    check({"a", "t", "D"} <= set(listed), f"what is listed on a trip: {listed}")
    for key, path in (("a", "/entries/new"), ("t", "/edit")):
        browser.press(key)
        browser.at(path)
        browser.press(Keys.ESCAPE)
        eventually(lambda: browser.address == f"/app/trips/{own}", f"Escape leads back from {path}")
    browser.press("D")
    browser.wait(".question")
    browser.press(Keys.TAB, Keys.ENTER)
    browser.gone(f"button[value=delete]")
    check(browser.js("return document.activeElement !== document.body"), "the focus is not lost with the trip")
    equal(browser.complaints(), [], "messages of the console")


@journey
def undo_of_deletions(stage):
    """an entry and a trip that were deleted are back by their message, also without the script, and nothing else is"""
    trip = stage.own_trip()
    page = f"/app/trips/{trip}"
    browser = stage.browser()
    browser.open(stage.app)
    browser.driver.get(stage.app.address.replace("/app/", page))
    browser.wait("#day article")
    browser.connected()
    entries = lambda: browser.js("return [...document.querySelectorAll('#day article')].map(entry => entry.id)")
    before = entries()
    check(len(before) > 1 and all(before), f"entries with IDs: {before}")
    browser.click("button[value^='delete-entry ']")
    browser.click(".question button[value^='answer yes']")
    eventually(lambda: len(entries()) == len(before) - 1, "one entry less")
    browser.click("#messages button[value^='undo ']")
    eventually(lambda: entries() == before, "the entry is back where it was")
    check(not browser.all("#messages button[value^='undo ']"), "it is not offered again")
    # A trip, by the key; its page is open again.
    browser.press("D")
    browser.click(".question button[value^='answer yes']")
    eventually(lambda: browser.address == "/app/" and browser.all("#messages button[value^='undo ']"), "the list, with the message")
    browser.gone(f"#trip-{trip}")
    browser.press("z")
    browser.at(page)
    eventually(lambda: entries() == before, "the trip is back")
    # What another command has deleted since is not what the message names.
    browser.click("button[value^='delete-entry ']")
    browser.click(".question button[value^='answer yes']")
    browser.wait("#messages button[value^='undo ']")
    deleted = entries()
    stage.app.run("delete", trip, "--entry", "1", "--yes")
    eventually(lambda: len(entries()) == len(deleted) - 1, "two entries less")
    browser.press("z")
    browser.wait("#messages .failure", "the page says that it is too late")
    equal(len(entries()), len(deleted) - 1, "entries")
    stage.app.run("undo")
    eventually(lambda: entries() == deleted, "the other deletion can still be undone")
    equal(browser.complaints(), [], "messages of the console")
    # Without the script.
    plain = stage.without_script(browser)
    plain.driver.get(stage.app.address.replace("/app/", page))
    plain.wait("#day article")
    plain.find("button[value=delete]").send_keys(Keys.ENTER)
    plain.wait(".question button[value^='answer yes']").send_keys(Keys.ENTER)
    plain.wait("#messages button[value^='undo ']").send_keys(Keys.ENTER)
    plain.wait("#day article", "the trip is back")
    equal(len(plain.all("#day article")), len(deleted), "entries")


TRACK = (
    '<?xml version="1.0"?><gpx version="1.1" creator="journey" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>{name}</name>'
    '<trkseg><trkpt lat="35.1532" lon="129.1189"><time>2024-05-0{day}T10:00:00Z</time></trkpt>'
    '<trkpt lat="35.1600" lon="129.1600"><time>2024-05-0{day}T11:30:00Z</time></trkpt></trkseg></trk></gpx>')

# Drops files on the page, as a person does.
DROP = """
    const data = new DataTransfer();
    const part = content => typeof content === "string" ? content : new Uint8Array(content);
    for (const [name, content, zeros] of arguments[0])
      data.items.add(new File([part(content), new Uint8Array(zeros ?? 0)], name, { type: name.endsWith(".jpg") ? "image/jpeg" : "" }));
    for (const type of ["dragenter", "dragover", "drop"])
      document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));"""


def jpeg(taken, shade=0):
    """The bytes of a grey picture that was taken at that time, such as `2024:05:01 10:20:00`, by a clock without a zone."""
    def segment(code, content):
        return bytes([0xFF, code]) + struct.pack(">H", len(content) + 2) + content

    # An image directory with the place of another one, which has the time.
    exif = (
        b"MM" + struct.pack(">HI", 42, 8) + struct.pack(">HHHIII", 1, 0x8769, 4, 1, 26, 0)
        + struct.pack(">HHHIII", 1, 0x9003, 2, 20, 44, 0) + taken.encode() + b"\0")
    # The difference of the first block to grey in seven bits, and none in the others.
    bits = "10" + format(64 + shade, "07b") + "0" + "00" * 47
    bits += "1" * (-len(bits) % 8)
    scan = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")
    return (
        b"\xff\xd8" + segment(0xE1, b"Exif\0\0" + exif) + segment(0xDB, b"\0" + bytes([8] * 64))
        + segment(0xC0, struct.pack(">BHHBBBB", 8, 48, 64, 1, 1, 0x11, 0))
        + segment(0xC4, b"\0" + bytes([1, 1] + [0] * 14) + b"\0\7") + segment(0xC4, b"\x10" + bytes([1] + [0] * 15) + b"\0")
        + segment(0xDA, bytes([1, 1, 0, 0, 63, 0])) + scan + b"\xff\xd9")


def photos(*taken):
    """Photos to drop, by the times at which they were taken."""
    return [[f"{number}.jpg", list(jpeg(time, number))] for number, time in enumerate(taken)]


@journey
def photos_and_tracks(stage):
    """photos and a track that are dropped on a trip join it, once; photos that are dropped on the list become a trip; what is cancelled leaves nothing"""
    browser = stage.browser()
    trip = stage.app.run(
        "write", "--title", "By hand", "--region", "busan", "--from", "2024-05-01", "--days", "3", "--quiet").strip()
    for day, time, title in ((1, "10:20", "Lunch"), (2, "09:00", "Breakfast")):
        stage.app.run("write", "--in", trip, "--title", title, "--text", "x", "--day", str(day), "--time", time)

    def stored():
        return json.loads(stage.app.run("show", trip, "--json"))

    def pictures():
        browser.js("document.querySelectorAll('#day img').forEach(image => image.loading = 'eager')")
        return browser.js("""
            return [...document.querySelectorAll('#day article')].map(entry => [
              entry.querySelector('h2').textContent, [...entry.querySelectorAll('img')].filter(image => image.naturalWidth > 0).length])""")

    files = photos(
        "2024:05:01 10:25:00", "2024:05:01 10:30:00", "2024:05:02 09:05:00", "2024:05:02 19:05:00", "2024:05:03 12:00:00",
        "2024:05:03 12:10:00") + [["night.gpx", TRACK.format(name="밤 산책", day=2)], ["note.txt", "no track"]]
    browser.open(stage.app)
    browser.driver.get(stage.app.address.replace("/app/", f"/app/trips/{trip}"))
    browser.wait("#import-menu")
    browser.connected()
    browser.js(DROP, files)
    eventually(lambda: pictures() == [["Lunch", 2]], "the photos of the first day")
    eventually(lambda: "note.txt" in browser.text("#messages-alert"), "a message that names what is no photo")
    check(say(stage.language, "Added to the trip", "여행에 더했습니다") in browser.text("#messages-status"), "a message of what was done")
    equal(browser.address, f"/app/trips/{trip}", "the address")
    browser.click("#days a[href*='day=2']")
    eventually(lambda: pictures()[0] == ["Breakfast", 1], "the photo of the second morning")
    eventually(lambda: sum(count for _, count in pictures()[1:]) == 1 and len(pictures()) > 2, "the entries of the track, one with a photo")
    check(browser.all("#map svg polyline, #map svg path"), "the line of the track")
    browser.click("#days a[href*='day=3']")
    eventually(lambda: [count for _, count in pictures()] == [2], "a new entry for the photos of the third day")
    before = stored()
    equal(before["title"] if "title" in before else before["trip"]["title"], "By hand", "the title")
    # The same again.
    browser.js(DROP, files[:-1])
    eventually(lambda: say(stage.language, "Nothing new", "더한 것이 없습니다") in browser.text("#messages-status"), "a message that says so")
    equal(stored(), before, "the trip")
    # Photos of another year are named, and filed nowhere.
    browser.js(DROP, [["old.jpg", list(jpeg("2019:01:01 10:00:00"))]])
    eventually(lambda: "old.jpg" in browser.text("#messages-alert"), "a message that names the photo")
    equal(stored(), before, "the trip")
    # A trip of photos alone.
    count = len(stage.app.search("--limit", "1000"))
    browser.driver.get(stage.app.address)
    browser.wait("#import-menu")
    browser.connected()
    browser.js(DROP, photos("2024:07:01 08:00:00", "2024:07:01 08:10:00", "2024:07:02 08:00:00"))
    browser.at("/app/trips/")
    eventually(lambda: [count for _, count in pictures()] == [2], "the photos of its first day")
    equal(len(stage.app.search("--limit", "1000")), count + 1, "trips")
    stage.app.run("undo")
    equal(len(stage.app.search("--limit", "1000")), count, "trips after the import was undone")
    # An upload that is cancelled.
    browser.driver.get(stage.app.address)
    browser.wait("#import-menu")
    browser.connected()
    browser.cdp("Network.enable")
    browser.cdp("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=1 << 18)
    browser.js(DROP, [[name, content, 4 << 20] for name, content in photos("2024:08:01 08:00:00", "2024:08:01 08:10:00")])
    eventually(lambda: browser.js("return document.querySelector('#uploads-files progress')?.value > 0.02"), "a part has been sent")
    browser.click("#cancel-import")
    browser.gone("#uploads-files li")
    browser.cdp("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    browser.js(DROP, [["bad.gpx", "<gpx"]])
    eventually(lambda: "bad.gpx" in browser.text("#messages-alert"), "a message that names the next file")
    equal(len(stage.app.search("--limit", "1000")), count, "trips")
    equal(browser.complaints(), [], "messages of the console")


@journey
def cancelled_import(stage):
    """an import that is cancelled while it stores photos says that what it has stored stays, and the same photos again are stored once each"""
    browser = stage.browser()
    browser.open(stage.app)
    count = len(stage.app.search("--limit", "1000"))
    files = photos(*[f"2024:07:{1 + number // 40:02} {8 + number % 40 // 4:02}:{number % 4 * 15:02}:00" for number in range(120)])
    browser.js(DROP, files)
    browser.click("#message-import button[value=cancel-import]")
    browser.gone("#message-import")
    cancelled = say(stage.language, "Cancelled the import of 120 files", "파일 120개 가져오기를 취소했습니다")
    eventually(lambda: cancelled in browser.text("#messages-status"), "a message that says so")
    check(len(stage.app.search("--limit", "1000")) <= count + 1, "at most one trip more")
    browser.js(DROP, files)
    browser.at("/app/trips/")
    browser.wait("#day article")
    browser.gone("#message-import")
    equal(len(stage.app.search("--limit", "1000")), count + 1, "trips")
    trip = json.loads(stage.app.run("show", browser.address.split("/")[-1].split("?")[0], "--json"))
    images = [picture["image"] for entry in trip["timeline"] for picture in entry["pictures"]]
    equal((len(images), len(set(images))), (120, 120), "pictures of the trip, and different ones")
    equal(browser.complaints(), [], "messages of the console")


@journey
def track_files(stage):
    """a track file that is dropped or chosen becomes a trip, which opens; a bad one is named and changes nothing; one that was imported leads to its trip"""
    browser = stage.browser()
    browser.open(stage.app)
    before = len(stage.app.search("--limit", "1000"))
    walk = TRACK.format(name="새벽 산책", day=1)
    browser.js(DROP, [["walk.gpx", walk]])
    browser.at("/app/trips/")
    eventually(lambda: browser.text("#trip h1") == "새벽 산책", "the trip of the track")
    eventually(lambda: "walk.gpx" in browser.text("#messages-status"), "a message that names the file")
    trip = browser.address
    # A bad file, and a good one with it.
    browser.driver.get(stage.app.address + "me")
    browser.wait("#import-menu")
    browser.connected()
    browser.js(DROP, [["bad.gpx", "<gpx"], ["night.gpx", TRACK.format(name="밤 산책", day=2)]])
    eventually(lambda: browser.text("#trip h1") == "밤 산책", "the trip of the good file")
    eventually(lambda: "bad.gpx" in browser.text("#messages-alert"), "a message that names the bad file")
    # The same track again, chosen in the form for a new trip.
    browser.driver.get(stage.app.address + "trips/new")
    browser.wait("#editor")
    browser.connected()
    browser.press("u")
    file = pathlib.Path(stage.folder, "again.gpx")
    file.write_text(walk)
    browser.find("#import-files").send_keys(str(file))
    eventually(lambda: browser.address == trip, "the trip that it has become before")
    eventually(lambda: "again.gpx" in browser.text("#messages-status"), "a message that says so")
    equal(len(stage.app.search("--limit", "1000")), before + 2, "trips")
    stage.app.run("undo")
    equal(len(stage.app.search("--limit", "1000")), before + 1, "trips after the last import was undone")
    equal(browser.complaints(), [], "messages of the console")
    # Without the script.
    plain = stage.without_script(browser)
    plain.driver.get(stage.app.address)
    plain.find("#import-menu summary").click()
    file.write_text(TRACK.format(name="낮 산책", day=3))
    plain.find("#import-files").send_keys(str(file))
    plain.find("#import button[value=import]").send_keys(Keys.ENTER)
    plain.wait("#trip h1")
    equal(plain.find("#trip h1").text, "낮 산책", "the trip of the track")


@journey
def focus_after_removal(stage):
    """when what has the focus goes away, the focus goes to what is next to it"""
    browser = stage.browser()
    browser.open(stage.app)
    for keyword in ("바다", "산", "섬"):
        browser.click("#keyword")
        browser.js("document.getElementById('keyword').select()")
        browser.press(keyword, Keys.ENTER)
        eventually(lambda: keyword in browser.driver.title, f"the search for {keyword}")
    browser.press(Keys.ESCAPE)
    browser.press("c")
    eventually(lambda: "keyword" not in browser.address, "no filter")
    check(browser.js("return document.activeElement !== document.body"), "the focus is not lost")
    browser.click("#keyword")
    eventually(lambda: len(browser.all("#proposals .proposal button")) >= 3, "recent keywords")
    browser.js("document.querySelector('#proposals .proposal button').focus()")
    shown = len(browser.all("#proposals .proposal button"))
    browser.press(Keys.ENTER)
    eventually(lambda: len(browser.all("#proposals .proposal button")) == shown - 1, "one keyword less")
    check(browser.js("return !!document.activeElement.closest('#proposals')"), "the focus is at the next keyword")


@journey
def without_script(stage):
    """reading, searching, filters and likes work without the script"""
    browser = stage.browser(script=False)
    browser.driver.get(stage.app.page)
    # The form in the file does not send itself.
    browser.find("button").click()
    browser.wait("#trips li")
    wanted = len(stage.app.search("--keyword", "바다", "--limit", "1000"))
    browser.find("#keyword").send_keys("바다", Keys.ENTER)
    eventually(lambda: "keyword" in browser.driver.current_url, "the address has the keyword")
    equal(len(browser.all("#trips li")), min(20, wanted), "rows")
    check(browser.find("#keyword").get_attribute("value") == "바다", "the keyword is in the field")
    browser.driver.get(stage.app.address)
    browser.find("#filters summary").click()
    browser.find("#sheet input[value=busan]").click()
    browser.find("#sheet button[type=submit]").click()
    eventually(lambda: "region=busan" in browser.driver.current_url, "the filter is in the address")
    equal(len(browser.all("#trips li")), len(stage.app.search("--region", "busan", "--limit", "1000")), "rows in Busan")
    like = browser.find("#trips li .like[aria-pressed=false]")
    row = like.find_element("xpath", "..").get_attribute("id")
    like.send_keys(Keys.ENTER)
    eventually(lambda: browser.all(f"#{row} .like[aria-pressed=true]"), "the like")
    check("region=busan" in browser.driver.current_url, "the page is the same")
    browser.find(f"#{row} a").send_keys(Keys.ENTER)
    eventually(lambda: browser.all("#trip h1"), "the trip")
    check(browser.all("#day article"), "its entries")
    browser.driver.get(stage.app.address)
    browser.find("button[value=more]").send_keys(Keys.ENTER)
    eventually(lambda: len(browser.all("#trips li")) == 40, "the second page of the list")


# MARK: Accounts on a server


def sign(browser, server, path, nickname, password="open sesame"):
    """Signs somebody in, or up."""
    browser.driver.get(f"{server.address}/app/{path}")
    browser.wait("#nickname").send_keys(nickname)
    browser.find("#password").send_keys(password, Keys.ENTER)


def write_trip(browser, title, is_public):
    browser.press("n")
    browser.wait("#edit-title")
    browser.click("#edit-title")
    browser.press(title)
    fill_new_trip(browser)
    if is_public:
        browser.click("#editor input[value=everyone]")
    browser.click("#editor-buttons button[value=save]")
    browser.gone("#edit-title")


@journey
def accounts(stage):
    """people sign up, write, see each other's trips live, and sign out; a stranger comes to a link by signing in"""
    server = stage.server()
    mina, jun = stage.browser(), stage.browser()
    mina.driver.get(server.address)
    mina.click(".home a")
    mina.at("/app/sign-in")
    mina.click("a[href*=sign-up]")
    mina.wait("#password")
    mina.find("#nickname").send_keys("Mina")
    mina.find("#password").send_keys("short", Keys.ENTER)
    mina.wait("#password[aria-invalid=true]", "a password that is too short")
    equal(mina.value("#nickname"), "Mina", "the nickname")
    mina.find("#password").send_keys("open sesame", Keys.ENTER)
    mina.wait("#search")
    mina.connected()
    sign(jun, server, "sign-up", "Jun")
    jun.wait("#search")
    jun.connected()
    write_trip(mina, "A quiet island", is_public=False)
    write_trip(mina, "Three days by the sea", is_public=True)
    eventually(lambda: "by the sea" in jun.text("#trips li h2"), "the trip of somebody else arrives by itself")
    check("quiet island" not in jun.text("#trips"), "a trip for its author only stays with her")
    jun.click("#trips .like")
    eventually(lambda: mina.text("#trip .like, #trips .like").endswith("1"), "the like arrives")
    link = jun.find("#trips li a").get_attribute("href")
    # The link brings a stranger to the form, and from there to the trip.
    jun.driver.delete_all_cookies()
    jun.driver.get(link)
    jun.at("/app/sign-in")
    jun.find("#nickname").send_keys("Jun")
    jun.find("#password").send_keys("open sesame", Keys.ENTER)
    jun.wait("#trip h1")
    equal(jun.text("#trip h1"), "Three days by the sea", "the trip of the link")
    jun.press(",")
    jun.click("button[value=sign-out]")
    jun.at("/app/sign-in")
    jun.driver.back()
    eventually(lambda: "/app/sign-in" in jun.address and not jun.all("#trip"), "nothing of the session is left")
    equal(mina.complaints() + jun.complaints(), [], "messages of the console")


@journey
def password(stage):
    """another password signs out other browsers; what is typed there stays until its author signs in again"""
    server = stage.server()
    here, there = stage.browser(), stage.browser()
    sign(here, server, "sign-up", "Mina")
    here.wait("#search")
    sign(there, server, "sign-in", "Mina")
    there.wait("#search")
    there.connected()
    there.press("n")
    there.wait("#edit-title")
    there.click("#edit-title")
    there.press("Not saved yet")
    eventually(lambda: there.js("return document.getElementById('page').dataset.unsaved !== undefined"), "unsaved")
    here.press(",")
    here.click("a[href$='/app/password']")
    here.wait("#old").send_keys("open sesame")
    here.find("#password").send_keys("another sesame", Keys.ENTER)
    here.at("/app/settings")
    there.wait(".lost", "the other browser says that it is signed out")
    there.press(" by me")
    equal(there.value("#edit-title"), "Not saved yet by me", "what was typed")
    first = there.driver.current_window_handle
    there.driver.switch_to.new_window("tab")
    sign(there, server, "sign-in", "Mina", "another sesame")
    there.wait("#search")
    there.driver.switch_to.window(first)
    there.gone(".lost")
    eventually(lambda: there.value("#edit-title") == "Not saved yet by me", "what was typed, in the new session")
    fill_new_trip(there)
    there.click("#editor-buttons button[value=save]")
    there.wait("#trip h1, #trips li")
    eventually(lambda: "Not saved yet by me" in there.text("#screen"), "it is saved in the new session")
    # The account goes with its password.
    here.wait("#account a[href$='/app/settings/delete-account']")
    here.click("#account a[href$='/app/settings/delete-account']")
    here.wait("#password").send_keys("another sesame", Keys.ENTER)
    here.at("/app/sign-in")
    sign(here, server, "sign-in", "Mina", "another sesame")
    here.wait("[role=alert]", "there is no such account")
    equal(here.complaints() + there.complaints(), [], "messages of the console")


@journey
def restarted_server(stage):
    """when the server is killed while one types, the text stays, and one is still signed in on the new one"""
    server = stage.server()
    browser = stage.browser()
    sign(browser, server, "sign-up", "Mina")
    browser.wait("#search")
    browser.connected()
    browser.press("n")
    browser.wait("#edit-title")
    browser.click("#edit-title")
    browser.press("Not")
    eventually(lambda: browser.js("return document.getElementById('page').dataset.unsaved !== undefined"), "unsaved")
    server.stop(kill=True)
    browser.press(" saved yet")
    browser.wait(".lost", "the page says that the connection is lost")
    equal(browser.value("#edit-title"), "Not saved yet", "what was typed")
    server.start()
    browser.gone(".lost")
    eventually(lambda: browser.value("#edit-title") == "Not saved yet", "what was typed, on the new server")


@journey
def interrupted_import(stage):
    """when the server is killed while files of an import are being sent, they are named, and can be sent again"""
    server = stage.server()
    browser = stage.browser()
    sign(browser, server, "sign-up", "Mina")
    browser.wait("#import-menu")
    browser.connected()
    browser.cdp("Network.enable")
    browser.cdp("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=1 << 18)
    (first, start), (second, end) = photos("2024:08:01 08:00:00", "2024:08:01 08:10:00")
    browser.js(DROP, [[first, start], [second, end, 4 << 20]])
    eventually(lambda: browser.js("return document.querySelector('#uploads-files progress')?.value > 0.02"), "a part has been sent")
    server.stop(kill=True)
    server.start()
    eventually(lambda: [item.text.split()[0] for item in browser.all("#uploads-files .problem")] == [first, second], "the names of both")
    equal(len(browser.all("#uploads-files .problem button")), 2, "buttons, which close")
    browser.cdp("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    browser.js(DROP, [[first, start], [second, end]])
    browser.at("/app/trips/")
    browser.wait("#day img", "the photos, once they were sent again")


@journey
def conflict(stage):
    """what a device has changed offline stands beside what another one has changed, and its author decides"""
    server = stage.server()
    device, other = stage.device("device"), stage.device("other")
    device.run("connect", server.address, "mina", "--sign-up")
    trip = device.run("write", "--title", "Busan", "--region", "busan", "--from", "2024-05-01", "--days", "2", "--quiet").strip()
    other.run("connect", server.address, "mina")
    browser = stage.browser()
    device.start()
    browser.open(device)
    browser.driver.get(device.address.replace("/app/", f"/app/trips/{trip}/edit"))
    browser.wait("#edit-title")
    browser.connected()
    server.stop()
    browser.click("#edit-title")
    browser.press(" by night")
    browser.click("#editor-buttons button[value=save]")
    browser.gone("#edit-title")
    eventually(lambda: "by night" in browser.text("#screen"), "the trip as it is on this device")
    browser.wait("#sync", "the bar says that a change waits")
    device.stop()
    server.start()
    other.run("edit", trip, "--title", "Busan by day")
    device.start()
    browser.open(device)
    browser.driver.get(device.address.replace("/app/", "/app/changes"))
    mine = "button[value^='decide '][value$=' mine']"
    browser.wait(mine, "the conflict")
    check("Busan by night" in browser.text("#screen") and "Busan by day" in browser.text("#screen"), "both titles")
    browser.click(mine)
    browser.gone(mine)
    eventually(lambda: other.search("--keyword", "Busan by")[0]["title"] == "Busan by night", "the decision arrives")


@journey
def merged_trip(stage):
    """what was changed elsewhere is merged into a trip that one edits, and only what both have changed is asked"""
    browser = stage.browser()
    browser.open(stage.app)
    plain = stage.without_script(browser)
    for tab, script in ((browser, True), (plain, False)):
        trip = stage.app.run(
            "write", "--title", "Busan", "--region", "busan", "--from", "2024-05-01", "--days", "2", "--quiet").strip()

        def stored():
            return json.loads(stage.app.run("show", trip, "--json"))

        def save(title, *elsewhere):
            tab.driver.get(stage.app.address.replace("/app/", f"/app/trips/{trip}/edit"))
            tab.wait("#edit-title")
            if script:
                tab.connected()
            stage.app.run("edit", trip, *elsewhere)
            field = tab.find("#edit-title")
            field.clear()
            field.send_keys(title)
            if not script:
                field.send_keys(Keys.ENTER)
            else:
                eventually(lambda: tab.value("#edit-title") == title, "the title")
                tab.click("#editor-buttons button[value=save]")
            tab.wait(".versions", "what was changed elsewhere")

        merge = ".versions button[value^='merge ']"
        # One side each: one confirmation, which says what came.
        save("By night", "--region", "jeju")
        check(not tab.all(".versions table"), "nothing to choose")
        came = tab.find(".versions .arrived").text
        check(say(stage.language, "Jeju", "제주") in came, f"what came: {came}")
        if script:
            check_form(tab, "merge")
        tab.find(merge).send_keys(Keys.ENTER)
        tab.gone(".versions")
        eventually(lambda: (stored()["title"], stored()["region"]) == ("By night", "jeju"), "the merged trip")
        # Both have changed the title: one of them is chosen, and the rest is merged.
        save("Mine", "--title", "Theirs", "--budget", "under10")
        equal(len(tab.all(".versions tbody tr > th + td + td")), 1, "parts to choose")
        check(tab.find("#version-title-mine").is_selected(), "one's own version is chosen at first")
        if script:
            check_form(tab, "conflict")
        tab.find("#version-title-theirs").click()
        tab.find(merge).send_keys(Keys.ENTER)
        tab.gone(".versions")
        eventually(lambda: (stored()["title"], stored()["budget"]) == ("Theirs", "under10"), "the chosen version")
        # Escape, or its button, leads back to the form, which has what was typed.
        save("Mine again", "--title", "Theirs again")
        tab.find(".versions button[value=close-conflict]").send_keys(Keys.ENTER)
        tab.gone(".versions")
        equal(tab.find("#edit-title").get_attribute("value"), "Mine again", "what was typed")
        equal(stored()["title"], "Theirs again", "nothing was saved")
    equal(browser.complaints(), [], "messages of the console")


@journey
def deleted_while_edited(stage):
    """a trip that is deleted while one edits it is kept or given up, with and without the script"""
    browser = stage.browser()
    browser.open(stage.app)
    plain = stage.without_script(browser)
    for tab, script in ((browser, True), (plain, False)):
        for keeps in (True, False):
            trip = stage.app.run(
                "write", "--title", "Busan", "--region", "busan", "--from", "2024-05-01", "--days", "2", "--quiet").strip()
            tab.driver.get(stage.app.address.replace("/app/", f"/app/trips/{trip}/edit"))
            tab.wait("#edit-title")
            if script:
                tab.connected()
            stage.app.run("delete", trip, "--yes")
            title = f"Kept {'with' if script else 'without'} script"
            field = tab.find("#edit-title")
            field.clear()
            field.send_keys(title)
            tab.find("#editor-buttons button[value=save]").send_keys(Keys.ENTER)
            tab.wait(".versions", "the question")
            deleted = say(stage.language, "The trip was deleted elsewhere", "다른 곳에서 기록과 함께 삭제된 여행")
            check(deleted in tab.find("#question-text").text, f"the question: {tab.find('#question-text').text}")
            check(not tab.all(".versions table"), "nothing to choose")
            tab.find(f".versions button[value={'merge' if keeps else 'take-theirs'}]").send_keys(Keys.ENTER)
            tab.gone("#edit-title")
            found = [found["id"] for found in stage.app.search("--keyword", title)]
            equal(found, [trip] if keeps else [], "trips")
            if keeps:
                stage.app.run("delete", trip, "--yes")
    equal(browser.complaints(), [], "messages of the console")


@journey
def merged_pictures(stage):
    """the pictures of an entry that is edited in two places are merged one by one, and only what both have changed is asked"""
    browser = stage.browser()
    begin_entry(stage, browser)
    browser.click("#edit-text")
    browser.press(say(stage.language, "By the sea", "바닷가에서"))
    files = [str(png(pathlib.Path(stage.folder, f"{number}.png"), number, 320, 240)) for number in range(4)]

    def choose(*chosen):
        before = len(browser.all("[data-item] img"))
        browser.find("#editor-files").send_keys("\n".join(chosen))
        eventually(lambda: len(browser.all("[data-item] img")) == before + len(chosen), "the pictures in the form")

    choose(*files[:2])
    browser.click("#editor-buttons button[value=save]")
    browser.gone("#edit-title")
    eventually(lambda: len(browser.all(".pictures img")) == 2, "two pictures")
    trip = browser.driver.current_url
    browser.driver.switch_to.new_window("tab")
    tabs = browser.driver.window_handles
    for tab in tabs:
        browser.driver.switch_to.window(tab)
        browser.driver.get(trip)
        browser.click("article:has(.pictures) button[value^='edit-entry ']")
        browser.wait("#edit-title")
        browser.connected()
    first, second = browser.js("return [...document.querySelectorAll('[data-item]')].map(item => item.dataset.item)")
    for tab, text in reversed(list(zip(tabs, (say(stage.language, "Mine", "내 설명"), say(stage.language, "Theirs", "다른 설명"))))):
        browser.driver.switch_to.window(tab)
        browser.connected()
        browser.click(f"#describe-{first}")
        browser.press(text)
        if tab == tabs[1]:
            browser.click(f"button[value='remove-picture {second}']")
            eventually(lambda: len(browser.all("[data-item]")) == 1, "one picture is removed")
        choose(files[2 + tabs.index(tab)])
        browser.click("#editor-buttons button[value=save]")
        if tab == tabs[1]:
            browser.gone("#edit-title")
    browser.wait(".versions", "what was changed elsewhere")
    equal(len(browser.all(".versions .arrived li")), 2, "what came: one picture, and that one was removed")
    equal(len(browser.all(".versions tbody tr")), 1, "parts to choose")
    shown = "const image = document.querySelector('.versions th img'); return image.complete && image.naturalWidth > 0"
    eventually(lambda: browser.js(shown), "the picture that is asked about")
    check_form(browser, "merged-pictures")
    browser.click(f"#version-picture-text-{first}-theirs")
    browser.find(".versions button[value^='merge ']").send_keys(Keys.ENTER)
    browser.gone("#edit-title")
    eventually(lambda: len(browser.all(".pictures img")) == 3, "three pictures")
    alts = browser.js("return [...document.querySelectorAll('.pictures img')].map(image => image.alt)")
    check(say(stage.language, "Theirs", "다른 설명") in alts, f"the chosen description: {alts}")
    equal(browser.complaints(), [], "messages of the console")


@journey
def account_forms(stage):
    """axe finds nothing on the forms for accounts, which fit in every window and work without the script"""
    server = stage.server()
    browser = stage.browser(script=False)
    sign(browser, server, "sign-up", "Mina")
    browser.wait("#search")
    browser = stage.browser()
    for path in ("sign-in", "sign-up"):
        browser.driver.get(f"{server.address}/app/{path}")
        browser.find("#password").send_keys("x", Keys.ENTER)
        browser.wait("[role=alert], [aria-invalid=true]")
        check_form(browser, path)
    sign(browser, server, "sign-in", "Mina")
    browser.wait("#search")
    browser.driver.get(f"{server.address}/app/password")
    browser.wait("#old")
    check_form(browser, "password")


def check_form(browser, name):
    for scheme in ("light", "dark"):
        paint(browser, scheme)
        if AXE is not None:
            equal(axe(browser), [], f"what axe finds: {name}, {scheme}")
    for width in (320, 768, 1920):
        browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        equal(browser.js(OVERLAPS, width), None, f"what does not fit: {name}, {width} px")
        if PICTURES and width == 320:
            PICTURES.mkdir(parents=True, exist_ok=True)
            browser.screenshot(PICTURES / f"account-{name}.png")
    browser.cdp("Emulation.clearDeviceMetricsOverride")


# MARK: Maps and pictures


def walked_trip(stage, pictures=0):
    """A trip of two days, with places that are near each other and one far away, and pictures of its first entry."""
    trip = stage.app.run(
        "write", "--title", "Busan", "--region", "busan", "--from", "2024-05-01", "--days", "2", "--quiet").strip()
    files = [png(pathlib.Path(stage.folder, f"picture-{number}.png"), number) for number in range(pictures)]
    for number, (day, name, at) in enumerate([
            (1, "해운대", "35.1587,129.1604"), (1, "동백섬", "35.1532,129.1519"), (1, "광안리", "35.1532,129.1189"),
            (2, "다대포", "35.0467,128.9663")]):
        images = [word for file in files if not number for word in ("--image", str(file))]
        stage.app.run(
            "write", "--in", trip, "--title", f"Stop {number + 1}", "--text", "x\n" * 12, "--day", str(day),
            "--time", f"1{number}:00", "--place", name, "--at", at, *images)
    return trip


def show_trip(stage, browser, trip, path=""):
    if "/app/" not in browser.driver.current_url:
        browser.open(stage.app)
    browser.driver.get(stage.app.address.replace("/app/", f"/app/trips/{trip}{path}"))
    browser.wait("#map svg.tlmap[tabindex]", "a map with its script")
    browser.connected()


def box(browser):
    return [float(number) for number in browser.js("return document.querySelector('#map svg').getAttribute('viewBox')").split()]


def zoomed(browser, width, what):
    eventually(lambda: abs(box(browser)[2] - width) < 0.01, f"{what}: a view of {width}; it is {box(browser)}")


def middle_of(browser, css):
    return browser.js("const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]", css)


@journey
def map_zoom(stage):
    """a map is enlarged and moved by wheel, buttons, keys, drag and fingers, and a patch changes nothing of that"""
    browser = stage.browser()
    trip = walked_trip(stage)
    show_trip(stage, browser, trip)
    paint(browser, "light")
    whole = box(browser)
    # Those that share a marker separate, and markers keep their size.
    labels = "return [...document.querySelectorAll('#map .num')].filter(label => !label.closest('[display=none]')).map(label => label.textContent)"
    height = "return [...document.querySelectorAll('#map .mark')].find(mark => !mark.closest('[display=none]')).getBoundingClientRect().height"
    equal(browser.js(labels), ["1–2", "3", "4"], "markers of the whole map")
    size = browser.js(height)
    browser.js("document.querySelector('#map .frame').scrollIntoView({ block: 'center', behavior: 'instant' })")
    browser.find("#map [data-zoom-to=in]").click()
    zoomed(browser, whole[2] / 2, "the button")
    browser.press(Keys.ENTER)
    zoomed(browser, whole[2] / 4, "the button by key")
    equal(browser.js(labels), ["1", "2", "3", "4"], "markers of the enlarged map")
    check(abs(browser.js(height) - size) < 0.5, "markers keep their size")
    browser.press("-")
    zoomed(browser, whole[2] / 2, "a key anywhere on the page")
    # A patch from elsewhere.
    view = box(browser)
    before = browser.text("#trip .like")
    stage.app.run("like", trip)
    eventually(lambda: browser.text("#trip .like") != before, "a patch")
    equal(box(browser), view, "the view after a patch")
    # The map itself changes, and is shown at the same place.
    stage.app.run("write", "--in", trip, "--title", "Stop 5", "--text", "x", "--day", "2", "--place", "감천", "--at", "35.0975,129.0107")
    eventually(lambda: browser.all("#map a[data-stops~='5']"), "the new stop on the map")
    check(max(abs(one - other) for one, other in zip(box(browser), view)) < 0.01, "the view after the map has changed")
    equal(browser.js("return document.querySelector('#map svg').tabIndex"), 0, "the map is reached by key")
    # Keys of the map do not turn the page.
    browser.js("document.querySelector('#map svg').focus()")
    browser.press(Keys.ARROW_LEFT, Keys.ARROW_UP)
    eventually(lambda: box(browser)[0] < view[0] and box(browser)[1] < view[1], "the arrow keys move the map")
    browser.press(Keys.ARROW_RIGHT)
    eventually(lambda: abs(box(browser)[0] - view[0]) < 0.01, "and back")
    check("day=2" not in browser.address, "the day is the same")
    browser.press("0")
    zoomed(browser, whole[2], "the whole map")
    equal(browser.js("return document.querySelector('#map [data-zoom-to=out]').ariaDisabled"), "true", "there is nothing outside")
    # A wheel scrolls, and zooms with Ctrl, at the pointer.
    x, y = middle_of(browser, "#map svg")
    top = browser.js("return scrollY")
    browser.cdp("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=60)
    eventually(lambda: browser.js("return scrollY") > top, "the page scrolls")
    browser.wait("#map .hint.shown", "the page says how to zoom")
    equal(box(browser), whole, "the view after a wheel")
    x, y = browser.js("const box = document.querySelector('#map svg').getBoundingClientRect(); return [box.x + box.width / 4, box.y + box.height / 2]")
    browser.cdp("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-120, modifiers=2)
    zoomed(browser, whole[2] / 2, "the wheel with Ctrl")
    check(abs(box(browser)[0] - whole[2] / 8) < 1, f"what is below the pointer stays: {box(browser)}")
    # A drag moves it, and is no click on what it began at.
    start = box(browser)
    ActionChains(browser.driver).move_to_element(browser.find("#map svg")).click_and_hold().move_by_offset(-60, 0).release().perform()
    eventually(lambda: box(browser)[0] > start[0] + 10, "a drag moves the map")
    ActionChains(browser.driver).double_click(browser.find("#map svg")).perform()
    zoomed(browser, whole[2] / 4, "a double click")
    # Two fingers zoom; one scrolls the page.
    browser.press("0")
    zoomed(browser, whole[2], "the whole map")
    browser.cdp("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    x, y = middle_of(browser, "#map svg")
    for kind, away in (("touchStart", 30), ("touchMove", 45), ("touchMove", 60)):
        browser.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x - away, "y": y, "id": 0}, {"x": x + away, "y": y, "id": 1}])
    browser.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    zoomed(browser, whole[2] / 2, "two fingers")
    view, top = box(browser), browser.js("return scrollY")
    for kind, way in (("touchStart", 0), ("touchMove", 15), ("touchMove", 30), ("touchMove", 60), ("touchMove", 90)):
        browser.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y - way}])
    browser.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    eventually(lambda: browser.js("return scrollY") > top, "one finger scrolls the page")
    equal(box(browser), view, "the view after one finger")
    browser.cdp("Emulation.setTouchEmulationEnabled", enabled=False)
    # The map of another screen has a view of its own, and this one is found again.
    browser.driver.execute_script("document.querySelector('#bar .brand').click()")
    browser.wait("#trips li")
    browser.driver.back()
    browser.wait("#map svg[tabindex]")
    eventually(lambda: max(abs(one - other) for one, other in zip(box(browser), view)) < 0.01, "the view is found again")
    equal(browser.complaints(), [], "messages of the console")


@journey
def map_and_entries(stage):
    """a marker and its entry highlight each other, and a marker leads to its entry, on another day as well"""
    browser = stage.browser()
    trip = walked_trip(stage)
    show_trip(stage, browser, trip)
    paint(browser, "light")
    lit = "return [...document.querySelectorAll('.lit')].map(element => element.querySelector('.stop')?.id || element.dataset.stops)"
    ActionChains(browser.driver).move_to_element(browser.find("article:has(#stop-2) .text")).perform()
    eventually(lambda: "stop-2" in browser.js(lit), "the entry is highlighted")
    equal(browser.js("return [...document.querySelectorAll('#map .lit')].filter(marker => !marker.closest('[display=none]')).map(marker => marker.dataset.stops)"),
          ["1-2"], "its marker is highlighted")
    ActionChains(browser.driver).move_to_element(browser.find("#map a[data-stops='3']")).perform()
    eventually(lambda: browser.js("return [...document.querySelectorAll('#day .lit .stop')].map(stop => stop.id)") == ["stop-3"], "the entry of a marker")
    ActionChains(browser.driver).move_to_element(browser.find("#bar .brand")).perform()
    eventually(lambda: browser.js(lit) == [], "nothing is highlighted")
    # By key: a link with a name.
    browser.js("document.querySelector(\"#map a[data-stops='3']\").focus()")
    eventually(lambda: browser.js("return [...document.querySelectorAll('#day .lit .stop')].map(stop => stop.id)") == ["stop-3"], "the entry of a focused marker")
    check("Stop 3" in browser.text("#map a[data-stops='3'] title"), "the marker has a name")
    before = browser.text("#trip .like")
    stage.app.run("like", trip)
    eventually(lambda: browser.text("#trip .like") != before, "a patch")
    check("stop-3" in browser.js(lit), "a patch leaves it highlighted")
    browser.press(Keys.ENTER)
    eventually(lambda: browser.js("return document.activeElement.closest('article')?.querySelector('.stop').id") == "stop-3", "the entry has the focus")
    check(browser.js("const box = document.getElementById('stop-3').getBoundingClientRect(); return box.top >= 0 && box.top < innerHeight"), "the entry is in the window")
    # A marker of another day.
    browser.click("#map a[data-stops='4']")
    browser.at("day=2")
    eventually(lambda: browser.js("return document.activeElement.closest('article')?.querySelector('.stop').id") == "stop-4", "the entry of the other day has the focus")
    check("#" not in browser.driver.current_url, "the address is that of the day")
    browser.driver.back()
    eventually(lambda: browser.all("#stop-3"), "the first day again")
    # The page of the map has those of a day.
    browser.click("#map .note a")
    browser.at("/map")
    stops = lambda: browser.js("return [...document.querySelectorAll('#map a[data-stops]')].filter(marker => !marker.closest('[display=none]')).map(marker => marker.dataset.stops).join()")
    equal(stops(), "1,2,3", "the markers of the first day")
    browser.click("#map a[data-stops='3']")
    eventually(lambda: browser.js("return document.activeElement.closest('li')?.id") == "stop-3", "the entry in the list of the map")
    browser.click("#days a[href$='day=2']")
    browser.at("/map?day=2")
    eventually(lambda: stops() == "4", "the marker of the second day")
    equal(browser.complaints(), [], "messages of the console")


@journey
def lightbox(stage):
    """a picture opens in a dialog with keys and swipes, which gives the focus back; with a modifier, the browser opens it"""
    browser = stage.browser()
    trip = walked_trip(stage, pictures=3)
    show_trip(stage, browser, trip)
    links = browser.js("return [...document.querySelectorAll('a[data-picture]')].map(link => link.getAttribute('href'))")
    equal(len(links), 3, "pictures")
    shown = "return document.querySelector('dialog.lightbox[open] img')?.getAttribute('src')"
    browser.click("a[data-picture]")
    eventually(lambda: browser.js(shown) == links[0], "the first picture")
    equal(browser.text(".lightbox .count"), say(stage.language, "1 of 3", "3장 중 1번째"), "the number of the picture")
    eventually(lambda: browser.js("const image = document.querySelector('.lightbox img'); return image.complete && image.naturalWidth > 0"), "the picture is shown")
    for key, number in ((Keys.ARROW_LEFT, 0), (Keys.ARROW_RIGHT, 1), (Keys.ARROW_RIGHT, 2), (Keys.ARROW_RIGHT, 2), (Keys.HOME, 0), (Keys.END, 2), (Keys.ARROW_LEFT, 1)):
        browser.press(key)
        eventually(lambda: browser.js(shown) == links[number], f"picture {number + 1} after the key {key!r}")
    check("day=2" not in browser.address, "the keys are not those of the page")
    # A patch meanwhile, and the keys of the page.
    before = browser.text("#trip .like")
    stage.app.run("like", trip)
    eventually(lambda: browser.text("#trip .like") != before, "a patch")
    browser.press("t")
    equal(browser.js(shown), links[1], "the picture after a patch")
    browser.press(Keys.ESCAPE)
    browser.gone("dialog")
    equal(browser.js("return document.activeElement.getAttribute('href')"), links[1], "the focus is at the picture that was shown")
    check(f"/app/trips/{trip}" in browser.address, "Escape has closed the dialog alone")
    # By key, by its buttons, and by swipes.
    browser.press(Keys.ENTER)
    eventually(lambda: browser.js(shown) == links[1], "the picture that has the focus")
    browser.find(".lightbox .next").click()
    eventually(lambda: browser.js(shown) == links[2], "the next one")
    browser.cdp("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    for kind, x in (("touchStart", 400), ("touchMove", 480), ("touchMove", 560)):
        browser.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": 400}])
    browser.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    eventually(lambda: browser.js(shown) == links[1], "the previous one by a swipe")
    browser.cdp("Emulation.setTouchEmulationEnabled", enabled=False)
    browser.find(".lightbox .close").click()
    browser.gone("dialog")
    equal(browser.complaints(), [], "messages of the console")
    # With a modifier, the link does what links do.
    ActionChains(browser.driver).key_down(Keys.CONTROL).click(browser.find("a[data-picture]")).key_up(Keys.CONTROL).perform()
    eventually(lambda: len(browser.driver.window_handles) == 2, "another tab")
    check(not browser.all("dialog"), "no dialog")


# What has moved on the page since it was opened, without what the person did, and the first elements that have.
SHIFTS = """
    const done = arguments[0], shifts = [];
    const add = list => shifts.push(...list.filter(shift => !shift.hadRecentInput));
    const observer = new PerformanceObserver(list => add(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => setTimeout(() => {
      add(observer.takeRecords());
      done([
        shifts.reduce((sum, shift) => sum + shift.value, 0),
        shifts.flatMap(shift => shift.sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? "gone").slice(0, 80))).slice(0, 4)]);
    }, 50))));"""


@journey
def no_shift(stage):
    """nothing moves while a page and its pictures arrive: in the app, on the public page, and in the exported one"""
    server, author = stage.server(), stage.device("author")
    author.run("connect", server.address, "mina", "--sign-up")
    trip = author.run(
        "write", "--title", "Busan", "--region", "busan", "--from", "2024-05-01", "--days", "1", "--quiet").strip()
    for number, sizes in enumerate([[(640, 480)], [(480, 853)], [(640, 480), (480, 640), (640, 360)], []]):
        files = [
            png(pathlib.Path(stage.folder, f"{number}-{index}.png"), number, *size) for index, size in enumerate(sizes)]
        author.run(
            "write", "--in", trip, "--title", f"Stop {number + 1}", "--text", "x\n" * 3, "--day", "1", "--time", f"1{number}:00",
            "--place", "해운대", "--at", f"35.15{number},129.16{number}", *(word for file in files for word in ("--image", str(file))))
    file = pathlib.Path(stage.folder, "trip.html")
    author.run("export", trip, "--output", str(file))
    shared = author.run("share", trip).split()
    shared = next(word for word in shared if word.startswith("http"))
    author.start()
    browser = stage.browser()
    browser.open(author)
    found = []
    for width in (390, 1280):
        browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        for name, address, css in (
            ("list", author.address, "#trips li"), ("trip", author.address.replace("/app/", f"/app/trips/{trip}"), "#day img"),
            ("public page", shared, "article img"), ("exported page", f"file://{file}", "article img"),
        ):
            # Pictures arrive after the page has been shown.
            browser.cdp("Network.enable")
            browser.cdp("Network.clearBrowserCache")
            browser.cdp("Network.emulateNetworkConditions", offline=False, latency=150, downloadThroughput=-1, uploadThroughput=-1)
            browser.driver.get(address)
            browser.wait(css)
            images = len(browser.all("img"))
            for index in range(images):
                browser.js("document.images[arguments[0]].scrollIntoView({ block: 'center', behavior: 'instant' })", index)
                arrived = "const image = document.images[arguments[0]]; return image.complete && image.naturalWidth > 0"
                eventually(lambda: browser.js(arrived, index), f"picture {index + 1} of the {name}")
            equal(images > 4, name != "list", f"pictures of the {name}")
            value, moved = browser.driver.execute_async_script(SHIFTS)
            print(f"   {name}, {width} px: {value:.4f}")
            if value >= 0.01:
                found.append(f"{name}, {width} px: {value:.4f}: {' | '.join(moved)}")
            if PICTURES:
                PICTURES.mkdir(parents=True, exist_ok=True)
                for scheme in ("light", "dark"):
                    paint(browser, scheme)
                    browser.screenshot(PICTURES / f"arrived-{name.replace(' ', '-')}-{width}-{scheme}-{stage.language}.png")
    check(not found, "\n   ".join(["what moves:", *found]))
    equal(browser.complaints(), [], "messages of the console")


@journey
def tiles(stage):
    """a map asks for streets after a click alone, only where it is, and says to whom that discloses the place"""
    picture = png(pathlib.Path(stage.folder, "tile.png"), 1).read_bytes()
    server = Tiles(picture)
    stage.closing.append(server.stop)
    stage.app.stop()
    stage.app.options = ["--tiles", server.origin + "/{z}/{x}/{y}.png", "--tiles-credit", "© Streets"]
    stage.app.start()
    browser = stage.browser()
    trip = walked_trip(stage)
    show_trip(stage, browser, trip)
    paint(browser, "light")
    browser.press("+")
    zoomed(browser, 190, "the enlarged map")
    equal(server.asked, [], "requests before the click")
    check(server.origin.removeprefix("http://") in browser.text("#tiles-note"), "the page names the server")
    check(not browser.find("#map .credit").is_displayed(), "no credit yet")
    browser.click("#map [data-tiles]")
    eventually(lambda: server.asked and len(browser.all("#map image")) == len({path for path, _ in server.asked}), "tiles")
    equal(browser.text("#map .credit"), "© Streets", "the credit")
    check(browser.find("#map .credit").is_displayed(), "the credit is shown")
    equal({referer for _, referer in server.asked}, {None}, "what the requests disclose beside the place")
    # The tile of a place is below its marker: Haeundae, as the formula of OpenStreetMap's wiki has it.
    def column_and_row(z, latitude, longitude):
        x = (longitude + 180) / 360 * 2 ** z
        y = (1 - math.asinh(math.tan(math.radians(latitude))) / math.pi) / 2 * 2 ** z
        return x, y

    found = browser.js("""
        const box = document.querySelector("#map a[data-stops='3'] .mark").getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        for (const tile of document.querySelectorAll("#map image")) {
          const place = tile.getBoundingClientRect();
          if (x >= place.left && x < place.right && y >= place.top && y < place.bottom) return [tile.getAttribute("href"), (x - place.left) / place.width, (y - place.top) / place.height, place.width, place.height];
        }""")
    check(found, "a tile below the marker")
    z, x, y = map(int, re.search(r"/(\d+)/(\d+)/(\d+)\.png", found[0]).groups())
    wanted = column_and_row(z, 35.1532, 129.1189)
    check(abs(x + found[1] - wanted[0]) < 0.02 and abs(y + found[2] - wanted[1]) < 0.02, f"the place on its tile: {found} instead of {wanted}")
    check(150 < found[3] < 450 and 0.9 < found[3] / found[4] < 1.1, f"the size of a tile: {found}")
    # A patch leaves the streets, and another map has none.
    before = browser.text("#trip .like")
    stage.app.run("like", trip)
    eventually(lambda: browser.text("#trip .like") != before, "a patch")
    check(browser.all("#map image"), "the streets are still there")
    equal(browser.complaints(), [], "messages of the console")
    asked = len(server.asked)
    browser.js("document.querySelector('#bar .brand').click()")
    browser.wait("#trips li")
    browser.driver.get(stage.app.address.replace("/app/", f"/app/trips/{long_trip(stage)}"))
    browser.wait("#map svg[tabindex]")
    check(not browser.all("#map image"), "another map has no streets before a click")
    equal(len(server.asked), asked, "requests for another map")
    equal(browser.js("return document.querySelector('#map [data-tiles]').ariaPressed"), "false", "the control is off")
    # The policy allows this server alone.
    blocked = browser.driver.execute_async_script("""
        const done = arguments[0];
        addEventListener("securitypolicyviolation", event => done(event.blockedURI), { once: true });
        new Image().src = "http://127.0.0.1:9/1/2/3.png";""")
    check("127.0.0.1:9" in blocked, "what is blocked")


# MARK: Accessibility and widths


def screens(stage, browser):
    """Shows one screen after another, and yields the name of each."""
    own = stage.own_trip()
    days = long_trip(stage)

    def go(path, css):
        browser.driver.get(stage.app.address.replace("/app/", path))
        browser.wait(css)
        browser.connected()

    browser.open(stage.app)
    yield "list"
    browser.click("#filters summary")
    browser.wait("#sheet")
    yield "filters"
    browser.press(Keys.ESCAPE)
    browser.click("#import-menu summary")
    browser.wait("#import-menu[open]")
    yield "import"
    browser.press(Keys.ESCAPE)
    browser.click("#keyword")
    browser.press("바다")
    browser.wait("#proposals a")
    yield "proposals"
    go("/app/?keyword=zzzz", ".empty")
    yield "nothing found"
    go(f"/app/trips/{days}", "#day article")
    yield "trip"
    browser.js("document.querySelector('#map svg').focus()")
    browser.press("+")
    eventually(lambda: browser.all("#map svg.zoomed"), "an enlarged map")
    yield "map with the focus"
    go(f"/app/trips/{days}/map", "#map")
    yield "map"
    entry = browser.js("return document.querySelector('#stops a')?.getAttribute('href')")
    if entry:
        go(entry, "#screen")
        yield "entry"
    go(f"/app/trips/{own}", "button[value=delete]")
    yield "own trip"
    browser.click("#import-menu summary")
    browser.wait("#import-menu[open]")
    yield "import into a trip"
    browser.press(Keys.ESCAPE)
    browser.click("button[value=delete]")
    browser.wait(".question")
    yield "question"
    browser.press(Keys.ESCAPE)
    browser.gone(".question")
    browser.press("?")
    browser.wait("dialog.keys[open]")
    yield "keys"
    go(f"/app/trips/{walked_trip(stage, pictures=2)}", "#day article")
    yield "trip with pictures"
    browser.click("a[data-picture]")
    browser.wait(".lightbox[open]")
    yield "lightbox"
    browser.press(Keys.ESCAPE)
    for name, path in (
        ("new trip", "/app/trips/new"), ("edited trip", f"/app/trips/{own}/edit"), ("new entry", f"/app/trips/{own}/entries/new"),
    ):
        go(path, "#editor")
        yield name
    browser.click("#edit-text")
    browser.press("No title")
    browser.click("#editor-buttons button[value=save]")
    browser.wait(".problem")
    yield "problems"
    for name, path in (
        ("my page", "/app/me"), ("my trips", "/app/me/trips"), ("liked trips", "/app/me/likes"), ("profile", "/app/me/profile"),
        ("blocked", "/app/me/blocked"), ("settings", "/app/settings"), ("changes", "/app/changes"), ("sign-in", "/app/sign-in"),
        ("deletion", "/app/settings/delete-account"), ("no such trip", f"/app/trips/{own[:-4]}0000"),
    ):
        go(path, "#screen")
        eventually(lambda: not browser.all(".loading"), f"{name} is loaded")
        yield name


def paint(browser, scheme):
    browser.cdp("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}])


def axe(browser):
    """What axe finds on the page, each with the elements that it is about."""
    if not browser.js("return typeof axe === 'object'"):
        browser.js(AXE.read_text())
    return browser.driver.execute_async_script("""
        const done = arguments[arguments.length - 1];
        axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
          .then(({ violations }) => done(violations.map(({ id, nodes }) =>
            `${id}: ${nodes.slice(0, 3).map(({ html, any }) => html.slice(0, 160) + " " + (any[0]?.message ?? "")).join(" | ")}`)),
            error => done([String(error)]));""")


@journey
def accessibility(stage):
    """axe finds nothing on any screen, light or dark"""
    if AXE is None:
        return print("   not checked: no --axe")
    browser = stage.browser()
    found, count = [], 0
    for name in screens(stage, browser):
        for scheme in ("light", "dark"):
            paint(browser, scheme)
            found += [f"{name}, {scheme}: {problem}" for problem in axe(browser)]
            count += 1
    print(f"   {count} screens and colours")
    check(not found, "\n   ".join(["what axe finds:", *found]))


@journey
def widths(stage):
    """no screen is wider than its window, from 320 to 1920 px, and no text or control lies on another"""
    browser = stage.browser()
    found = []
    for name in screens(stage, browser):
        for width in (320, 390, 768, 1280, 1920):
            browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
            problem = browser.js(OVERLAPS, width)
            if problem:
                found.append(f"{name}, {width} px: {problem}")
            if PICTURES and width in (390, 768, 1280):
                for scheme in ("light", "dark"):
                    paint(browser, scheme)
                    PICTURES.mkdir(parents=True, exist_ok=True)
                    browser.screenshot(PICTURES / f"{name.replace(' ', '-')}-{width}-{scheme}-{stage.language}.png")
    check(not found, "\n   ".join(["what does not fit:", *found]))


OVERLAPS = """
    const width = document.documentElement.scrollWidth;
    if (width > arguments[0]) {
      const wide = [...document.querySelectorAll("body *")].filter(element => element.getBoundingClientRect().right > arguments[0] + 1);
      return `${width} px wide: ${wide.slice(0, 3).map(element => element.outerHTML.slice(0, 100)).join(" | ")}`;
    }
    // Controls and texts in the flow of the page, which lie above nothing on purpose.
    const lies = element => {
      for (let node = element; node && node !== document.body; node = node.parentElement) {
        if (/fixed|sticky/.test(getComputedStyle(node).position) || /^(proposals|sheet)$/.test(node.id) || node.localName === "svg" || node.localName === "dialog") return true;
        if (node.classList.contains("hidden") || node.classList.contains("skip") || node.classList.contains("days")) return true;
      }
      return false;
    };
    const boxes = [...document.querySelectorAll("#screen :is(button, input:not([type=hidden]), select, textarea, h1, h2, p, summary, time, label)")]
      .filter(element => element.checkVisibility() && !lies(element)).map(element => [element, element.getBoundingClientRect()])
      .filter(([, box]) => box.width > 1 && box.height > 1);
    for (const [index, [one, a]] of boxes.entries()) {
      for (const [other, b] of boxes.slice(index + 1)) {
        if (one.contains(other) || other.contains(one)) continue;
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left), down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 2 && down > 2) return `${one.outerHTML.slice(0, 100)} and ${other.outerHTML.slice(0, 100)}`;
      }
    }
    return null;"""


@journey
def facts_in_rows(stage):
    """facts of a row that stand on one line have a dot between them, and no line begins or ends with one"""
    browser = stage.browser()
    browser.open(stage.app)
    counts = set()
    for width in (320, 390, 1280):
        browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        rows = browser.js("""
            return [...document.querySelectorAll("#trips .parts")].map(row => {
              const start = row.getBoundingClientRect().left + parseFloat(/[\\d.]+px\\)$/.exec(getComputedStyle(row).clipPath)[0]);
              const facts = [...row.children], isFirst = fact => fact.offsetTop !== fact.previousElementSibling?.offsetTop;
              return facts.slice(1).map(fact => [isFirst(fact), fact.querySelector("i").getBoundingClientRect().right > start + 1]);
            }).flat();""")
        check(len(rows) >= 40, f"facts of rows: {len(rows)}")
        check(all(is_first != is_dotted for is_first, is_dotted in rows), f"dots at {width} px: {rows}")
        counts.add(sum(is_dotted for _, is_dotted in rows))
    check(len(counts) > 1, f"rows wrap in narrow windows: {counts}")


@journey
def print_and_motion(stage):
    """on paper there are no controls, and who wants no motion gets none"""
    browser = stage.browser()
    browser.open(stage.app)
    browser.click("#trips li a")
    browser.wait("#trip h1")
    browser.wait("#map [data-zoom-to]", "a map with buttons")
    browser.cdp("Emulation.setEmulatedMedia", media="print")
    shown = browser.js(
        "return [...document.querySelectorAll('button, nav, form, #bar, .lost')].filter(e => e.checkVisibility()).map(e => e.outerHTML.slice(0, 80))")
    equal(shown, [], "controls on paper")
    check(browser.js("return document.querySelector('#trip h1').checkVisibility()"), "the title is on paper")
    browser.cdp("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    equal(browser.js("return getComputedStyle(document.documentElement).scrollBehavior"), "auto", "scrolling")
    moving = browser.js("return document.getAnimations().length")
    equal(moving, 0, "animations")


def main():
    global AXE, PICTURES
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--language", action="append", choices=["en", "ko"])
    parser.add_argument("--only", default="")
    parser.add_argument("--axe", type=pathlib.Path, help="the script of axe-core, to check accessibility")
    parser.add_argument("--pictures", type=pathlib.Path, help="a folder for pictures of all screens")
    options = parser.parse_args()
    AXE, PICTURES = options.axe, options.pictures
    passed, failed = 0, []

    def out_of_time(*_):
        raise Failure(f"not done within {LIMIT} s")

    signal.signal(signal.SIGALRM, out_of_time)
    for language in options.language or ["en", "ko"]:
        for run in JOURNEYS:
            name = f"{language}: {run.__doc__}"
            if not all(word in f"{run.__name__} {name}" for word in options.only.split()):
                continue
            begin = time.monotonic()
            signal.alarm(LIMIT)
            try:
                with Stage(pathlib.Path(options.program).resolve(), language) as stage:
                    run(stage)
                passed += 1
                print(f"ok {name} ({time.monotonic() - begin:.1f} s)", flush=True)
            except Exception as error:
                failed.append(name)
                print(f"FAILED {name} ({time.monotonic() - begin:.1f} s)\n   {type(error).__name__}: {error}", flush=True)
                frames = [frame for frame in traceback.extract_tb(error.__traceback__) if str(HERE) in frame.filename]
                print("   " + " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(frames)), flush=True)
            finally:
                signal.alarm(0)
    for name in failed:
        print(f"FAILED {name}")
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
