"""What the journeys are made of: the program, a relay that breaks its connections, and a browser.

Every wait is for a condition; nothing sleeps for a time that is hoped to be enough.
"""

import http.server
import json
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

# A machine that builds at the same time is slow: a wait ends when its condition holds, however long that takes.
PATIENCE = float(os.environ.get("PATIENCE", "30"))


class Failure(AssertionError):
    """What was expected is not so."""


def check(condition, what):
    if not condition:
        raise Failure(what)


def equal(found, wanted, what):
    check(found == wanted, f"{what}: {found!r} instead of {wanted!r}")


def eventually(condition, what, patience=None):
    """Waits until `condition()` is true, and returns its value."""
    end = time.monotonic() + (patience or PATIENCE)
    while True:
        try:
            value = condition()
        except StaleElementReferenceException:
            value = None
        if value:
            return value
        if time.monotonic() > end:
            raise Failure(f"not within {patience or PATIENCE:.0f} s: {what}")
        time.sleep(0.02)


def end(process, kill=False):
    """Ends a process as Ctrl-C does, or at once."""
    if process is None or process.poll() is not None:
        return
    process.send_signal(signal.SIGKILL if kill else signal.SIGINT)
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class App:
    """`traveline browse` on a data folder."""

    def __init__(self, program, language, folder):
        self.program, self.language, self.folder = program, language, folder
        self.environment = dict(
            os.environ, HOME=folder, XDG_DATA_HOME=folder, LC_ALL="C.UTF-8", TRAVELINE_PASSWORD="open sesame")
        self.process = None
        self.options = []

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "browse", "--no-open", "--lang", self.language, *self.options], env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        lines = []
        while len(lines) < 4:
            line = self.process.stdout.readline()
            if not line:
                raise Failure(f"the program has ended: {lines}")
            lines.append(line.strip())
        self.page, self.address = "file://" + lines[1], lines[3]
        self.host, port = re.match(r"http://([^/:]*):(\d+)/", self.address).groups()
        self.port = int(port)
        return self

    def run(self, *arguments):
        """Runs another command on the same data, and returns what it prints."""
        done = subprocess.run(
            [self.program, *arguments], env=self.environment, capture_output=True, text=True, timeout=120)
        check(done.returncode == 0, f"{arguments}: {done.stderr}")
        return done.stdout

    def search(self, *arguments):
        return json.loads(self.run("search", *arguments, "--json"))

    def stop(self, kill=False):
        end(self.process, kill)


class Server:
    """`traveline serve` on a database of its own, for people with accounts."""

    def __init__(self, program, language, folder):
        self.program, self.language, self.folder = program, language, folder
        self.environment = dict(os.environ, HOME=folder, XDG_DATA_HOME=folder, LC_ALL="C.UTF-8")
        self.port = 0
        self.start()

    def start(self):
        """Starts to serve; after `stop`, at the same address."""
        self.process = subprocess.Popen(
            [self.program, "serve", "--listen", f"127.0.0.1:{self.port}", "--database",
             str(pathlib.Path(self.folder, "served.db")), "--lang", self.language],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        match = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        check(match, f"the server has ended: {line}")
        self.address, self.port = match.group(), int(match.group(1))

    def stop(self, kill=False):
        end(self.process, kill)


class Relay:
    """Passes connections on to a port, until they are cut. The browser is told to use it by a rule for its resolver."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.target = None
        self.is_cut = False
        # Answers to posts with this text are swallowed: they have been handled, and the browser cannot know.
        self.swallows = None
        self.lock = threading.Lock()
        self.pairs = set()
        # All posts, in the order of their arrival.
        self.posts = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.is_cut:
                client.close()
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self.target), timeout=5)
                server.settimeout(None)
            except OSError:
                client.close()
                continue
            with self.lock:
                self.pairs.add((client, server))
            threading.Thread(target=self.pump, args=(client, server), daemon=True).start()

    def pump(self, client, server):
        has_posted = False  # whether an answer to an input is awaited
        try:
            while True:
                for side in select.select([client, server], [], [])[0]:
                    data = side.recv(65536)
                    if not data:
                        return
                    if side is client:
                        if data.startswith((b"POST ", b"GET ")):
                            has_posted = data.startswith(b"POST ")
                            if has_posted:
                                self.posts.append(b"")
                        if has_posted:
                            self.posts[-1] += data
                    elif has_posted and self.swallows and self.swallows in self.posts[-1]:
                        return
                    (server if side is client else client).sendall(data)
        except OSError:
            pass
        finally:
            self.close(client, server)

    def close(self, *pair):
        with self.lock:
            self.pairs.discard(pair)
        for side in pair:
            try:
                side.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            side.close()

    def cut(self):
        self.is_cut = True
        with self.lock:
            pairs = list(self.pairs)
        for pair in pairs:
            for side in pair:
                try:
                    side.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def mend(self):
        self.is_cut = False

    def stop(self):
        self.listener.close()
        self.cut()


class Tiles:
    """A server of street maps, which notes what it is asked for."""

    def __init__(self, picture):
        asked = self.asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append((self.path, self.headers.get("Referer")))
                self.send_response(200)
                self.send_header("Content-Type", "image/png")
                self.end_headers()
                self.wfile.write(picture)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Browser:
    """Chromium, driven by its driver."""

    # Messages of the console that say what a journey does on purpose.
    ALLOWED = re.compile(r"ERR_|status of (401|404|422|429)|favicon")

    def __init__(self, rules="", script=True, language="en"):
        options = Options()
        options.binary_location = shutil.which("chromium")
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900", "--disable-gpu",
            f"--accept-lang={language}", "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding"]
        if rules:
            arguments.append(f"--host-resolver-rules={rules}")
        if not script:
            # The driver clicks where a smooth scroll has not arrived, unless a script tells it.
            arguments += ["--blink-settings=scriptEnabled=false", "--force-prefers-reduced-motion"]
        for argument in arguments:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.set_capability("unhandledPromptBehavior", {"default": "ignore", "beforeUnload": "ignore"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.driver.set_page_load_timeout(90)
        self.driver.set_script_timeout(90)
        self.prepare()

    def prepare(self):
        """Replaces the script of the app by files, to try a change without a build: `JOURNEYS_SCRIPT=a.swift:b.swift`."""
        if files := os.environ.get("JOURNEYS_SCRIPT"):
            texts = [re.sub(r"(?s).*#\"\"\"\n|\"\"\"#.*", "", pathlib.Path(file).read_text()) for file in files.split(os.pathsep)]
            self.cdp("Network.enable")
            self.cdp("Network.setBlockedURLs", urls=["*/script.js"])
            # Before there is an element, there is no root for the theme.
            text = "".join(
                text.replace("addEventListener(\"DOMContentLoaded\", () => {", "(() => {").rstrip().removesuffix("});") + "})();"
                for text in texts)
            self.cdp(
                "Page.addScriptToEvaluateOnNewDocument",
                source=f"addEventListener('DOMContentLoaded', () => {{ if (document.getElementById('controls')) {{ {text} }} }});")

    def cdp(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def js(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def open(self, app):
        """Signs in, and waits for the list."""
        self.driver.get(app.page)
        self.wait("#trips li")
        self.connected()

    def connected(self):
        """Waits until the stream of patches is open, where the script runs."""
        if self.js("return document.scripts.length") is not None:
            eventually(lambda: self.js("return !document.querySelector('.lost')"), "the page is connected")

    def all(self, css):
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def find(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def wait(self, css, what=None):
        eventually(lambda: self.all(css), what or f"an element {css}")
        return self.find(css)

    def gone(self, css):
        eventually(lambda: not self.all(css), f"no element {css}")

    def text(self, css):
        return self.js("return document.querySelector(arguments[0])?.textContent ?? ''", css)

    def value(self, css):
        return self.js("return document.querySelector(arguments[0])?.value", css)

    @property
    def address(self):
        return self.js("return location.pathname + location.search")

    def at(self, part):
        eventually(lambda: part in self.address, f"the address has {part!r}; it is {self.address!r}")

    def focused(self):
        """What has the focus: its ID or its name, and its element."""
        return self.js("const e = document.activeElement; return e.id || e.value || e.textContent || e.localName")

    def press(self, *keys):
        """Presses keys where the focus is."""
        self.driver.switch_to.active_element.send_keys(*keys)

    def click(self, css):
        eventually(lambda: self.all(css), f"an element {css}")
        element = self.find(css)
        self.js("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", element)
        element.click()

    def screenshot(self, file):
        self.driver.save_screenshot(str(file))

    def complaints(self):
        return [
            entry["message"] for entry in self.driver.get_log("browser")
            if entry["level"] in ("SEVERE", "WARNING") and not self.ALLOWED.search(entry["message"])]

    def quit(self):
        self.driver.quit()


class Stage:
    """What one journey has: a data folder of its own, the program on it, and browsers."""

    def __init__(self, program, language):
        self.language = language
        self.folder = tempfile.mkdtemp(prefix="journey-")
        self.app = App(program, language, self.folder)
        self.closing = []

    def __enter__(self):
        self.app.start()
        return self

    def browser(self, relay=None, **options):
        rules = f"MAP *.localhost:{self.app.port} 127.0.0.1:{relay.port}" if relay else ""
        browser = Browser(rules, language=self.language, **options)
        self.closing.append(browser.quit)
        return browser

    def without_script(self, signed_in):
        """A browser without the script, in the session of another one."""
        browser = self.browser(script=False)
        browser.driver.get(self.app.address)
        for cookie in signed_in.driver.get_cookies():
            browser.driver.add_cookie({key: cookie[key] for key in ("name", "value", "path", "httpOnly", "sameSite")})
        return browser

    def server(self):
        server = Server(self.app.program, self.language, self.folder)
        self.closing.append(server.stop)
        return server

    def device(self, name):
        """Another device, with a data folder of its own; its app is not started."""
        folder = pathlib.Path(self.folder, name)
        folder.mkdir()
        device = App(self.app.program, self.language, str(folder))
        self.closing.append(device.stop)
        return device

    def relay(self):
        relay = Relay()
        relay.target = self.app.port
        self.closing.append(relay.stop)
        return relay

    def own_trip(self):
        """A trip of one's own, by another command."""
        track = pathlib.Path(self.folder, "walk.gpx")
        track.write_text(
            '<?xml version="1.0"?><gpx version="1.1" creator="journey" xmlns="http://www.topografix.com/GPX/1/1"><trk>'
            "<name>광안리 밤산책</name><trkseg>"
            '<trkpt lat="35.1532" lon="129.1189"><time>2024-05-01T10:00:00Z</time></trkpt>'
            '<trkpt lat="35.1540" lon="129.1230"><time>2024-05-01T10:20:00Z</time></trkpt>'
            '<trkpt lat="35.1600" lon="129.1600"><time>2024-05-01T11:30:00Z</time></trkpt></trkseg></trk></gpx>')
        self.app.run("import", str(track))
        return self.app.search("--keyword", "밤산책")[0]["id"]

    def __exit__(self, *_):
        for close in reversed(self.closing):
            try:
                close()
            except Exception as error:  # The other ones are closed all the same.
                print(f"   could not be closed: {error}")
        self.app.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
