"""A browser for tests: Debian's chromium driven by chromium-driver through the WebDriver protocol (W3C), nothing else."""

import base64
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the protocol's name of an element's reference

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # the driver is on this machine


def find_programs():
    """(chromium, chromedriver), or None where one of them is missing."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


class Browser:
    """One headless window. Use it in a `with`; it leaves nothing behind."""

    def __init__(self, width=1400, height=900, arguments=()):
        browser, driver = find_programs()
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = "http://127.0.0.1:" + self._read_port()
        options = {
            "binary": browser,
            "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--disable-background-networking", "--disable-component-update", "--no-first-run",
                     "--enable-unsafe-swiftshader", f"--window-size={width},{height}",
                     "--user-data-dir=" + self.profile.name, *arguments],
        }
        answer = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.session = "/session/" + answer["sessionId"]
        self._ask("POST", self.session + "/url", {"url": "about:blank"})
        self.requests()  # those of the window's first page

    def _read_port(self):
        for line in self.driver.stdout:
            found = re.search(r"successfully on port (\d+)", line)
            if found:
                return found.group(1)
        raise RuntimeError("chromedriver did not start")

    def _ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with OPENER.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._ask("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.driver.stdout.close()
            self.profile.cleanup()

    def open(self, file, fragment=""):
        """Opens a file of the disk."""
        self._ask("POST", self.session + "/url", {"url": pathlib.Path(file).resolve().as_uri() + fragment})

    def run(self, script, *arguments):
        """The value of a script's `return`; a promise is waited for."""
        return self._ask("POST", self.session + "/execute/sync", {"script": script, "args": list(arguments)})

    def command(self, name, **parameters):
        """A command of the browser's own protocol, such as Emulation.setEmulatedMedia."""
        return self._ask("POST", self.session + "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def find(self, selector):
        return self._ask("POST", self.session + "/element", {"using": "css selector", "value": selector})

    def click(self, selector):
        element = self.find(selector)[ELEMENT]
        self.run("arguments[0].scrollIntoView({block: 'center'})", {ELEMENT: element})
        self._ask("POST", f"{self.session}/element/{element}/click", {})

    def press(self, keys):
        """Types into whatever has the focus. Special keys by their code points, as the protocol has them."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._ask("POST", self.session + "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def point(self, x, y, *moves):
        """Moves the pointer to a place in the window; further places with the button down."""
        actions = [{"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}]
        if moves:
            actions.append({"type": "pointerDown", "button": 0})
            actions += [{"type": "pointerMove", "duration": 50, "x": round(a), "y": round(b)} for a, b in moves]
            actions.append({"type": "pointerUp", "button": 0})
        self._ask("POST", self.session + "/actions", {"actions": [
            {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}]})

    def screenshot(self, file):
        pathlib.Path(file).write_bytes(base64.b64decode(self._ask("GET", self.session + "/screenshot")))

    def console(self):
        """Messages since the last call, as (level, text)."""
        return [(m["level"], m["message"]) for m in self._ask("POST", self.session + "/se/log", {"type": "browser"})]

    def requests(self):
        """Addresses that the page asked for since the last call."""
        addresses = []
        for entry in self._ask("POST", self.session + "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                addresses.append(message["params"]["request"]["url"])
        return addresses


class Key:
    """Code points of keys without a character."""
    TAB, ENTER, ESCAPE, SPACE = "\ue004", "\ue007", "\ue00c", " "
    END, HOME, LEFT, UP, RIGHT, DOWN = "\ue010", "\ue011", "\ue012", "\ue013", "\ue014", "\ue015"
