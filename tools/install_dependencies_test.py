"""Tests of install_dependencies against stand-ins for dpkg-query, apt-cache, apt-get, id and sudo."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent / "install_dependencies"

# Stand-ins: the installed packages are files in $STATE/installed, the installable ones in $STATE/known.
# After an update the packages in $STATE/archive become installable.
STAND_INS = {
    "dpkg-query": '[ -e "$STATE/installed/${!#}" ] && echo -n installed',
    "apt-cache": '[ ! -e "$STATE/known/${!#}" ] || echo "  Candidate: 1.0"',
    "id": 'cat "$STATE/uid"',
    "apt-get": """echo "apt-get $*" >> "$STATE/log"
        case " $* " in
          *" update "*) [ ! -e "$STATE/offline" ] || exit 100; cp "$STATE"/archive/* "$STATE/known/" ;;
          *" install "*) for word; do [ -e "$STATE/known/$word" ] && touch "$STATE/installed/$word"; done ;;
        esac""",
    "sudo": 'echo sudo >> "$STATE/log"; shift; exec "$@"',
}
TOOLS = ["bash", "cat", "cp", "dirname", "env", "grep", "readlink", "sed", "touch"]


class InstallDependencies(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.state = pathlib.Path(folder.name)
        for name in ["bin", "installed", "known", "archive"]:
            (self.state / name).mkdir()
        for name, body in STAND_INS.items():
            path = self.state / "bin" / name
            path.write_text(f"#!/usr/bin/env bash\n{body}\n", encoding="utf-8")
            path.chmod(0o755)
        for name in TOOLS:
            (self.state / "bin" / name).symlink_to(shutil.which(name))
        (self.state / "uid").write_text("0", encoding="utf-8")

    def add(self, place, *packages):
        for package in packages:
            (self.state / place / package).touch()

    def install(self, packages):
        """Runs the script on a list of packages; returns its result and the apt-get calls."""
        wanted = self.state / "packages.txt"
        wanted.write_text(packages, encoding="utf-8")
        result = subprocess.run([SCRIPT, wanted], capture_output=True, text=True, check=False,
                                env={"PATH": str(self.state / "bin"), "STATE": str(self.state)})
        log = self.state / "log"
        return result, log.read_text(encoding="utf-8") if log.exists() else ""

    def test_silent_and_without_apt_when_all_is_there(self):
        self.add("installed", "alpha", "beta")
        result, log = self.install("# a list\nalpha  # first\n\nbeta\n")
        self.assertEqual((result.returncode, result.stdout, result.stderr, log), (0, "", "", ""))

    def test_installs_only_what_is_missing(self):
        self.add("installed", "alpha")
        self.add("archive", "alpha", "beta")
        result, log = self.install("alpha\nbeta\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("update", log)
        self.assertTrue(log.endswith("install -y --no-install-recommends beta\n"), log)

    def test_optional_package_unknown_to_the_release_is_skipped(self):
        self.add("installed", "alpha")
        result, log = self.install("alpha\nold-name?\n")
        self.assertEqual((result.returncode, result.stderr, log), (0, "", ""))

    def test_optional_package_is_installed_once_the_update_made_it_known(self):
        self.add("archive", "alpha", "old-name")
        result, log = self.install("alpha\nold-name?\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(log.endswith("alpha old-name\n"), log)

    def test_offline_names_the_packages_and_the_command(self):
        (self.state / "offline").touch()
        self.add("installed", "alpha")
        result, _ = self.install("alpha\nbeta\ngamma\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn("Missing packages: beta gamma\n", result.stderr)
        self.assertIn("apt-get install -y --no-install-recommends beta gamma\n", result.stderr)

    def test_user_without_sudo_is_told_and_apt_is_left_alone(self):
        (self.state / "uid").write_text("1000", encoding="utf-8")
        (self.state / "bin" / "sudo").unlink()
        result, log = self.install("alpha\n")
        self.assertEqual((result.returncode, log), (1, ""))
        self.assertIn("Missing packages: alpha\n", result.stderr)

    def test_user_with_sudo_uses_it(self):
        (self.state / "uid").write_text("1000", encoding="utf-8")
        self.add("archive", "alpha")
        result, log = self.install("alpha\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(log.count("sudo"), 2)


if __name__ == "__main__":
    unittest.main()
