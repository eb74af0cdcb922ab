"""Tests of install_dependencies against stand-ins for dpkg, dpkg-query, apt-cache, apt-get, id and sudo."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SCRIPT = HERE / "install_dependencies"

# Stand-ins: the installed packages are files in $STATE/installed, with the version in them, the installable ones in
# $STATE/known. After an update the packages in $STATE/archive become installable. Like the real ones they may say much
# more than was asked for: $STATE/chatter is printed after each answer.
STAND_INS = {
    "dpkg": '[ "$(printf "%s\\n" "$2" "$4" | sort -V | head -n 1)" = "$4" ]',
    "dpkg-query": '''[ -e "$STATE/installed/${!#}" ] || exit 1
        echo -n "installed $(cat "$STATE/installed/${!#}")"''',
    "apt-cache": '[ ! -e "$STATE/known/${!#}" ] || echo "  Candidate: 1.0"; cat "$STATE/chatter"',
    "id": 'cat "$STATE/uid"',
    "apt-get": """echo "apt-get $*" >> "$STATE/log"
        choose() {  # the first installable alternative of a dependency
          tr '|' '\\n' <<< "$1" | while read -r name relation version; do
            [ -e "$STATE/known/$name" ] || continue
            [ -z "$version" ] || dpkg --compare-versions "$(cat "$STATE/known/$name")" ge "${version%)}" || continue
            echo "$name"
            break
          done
        }
        cat "$STATE/chatter"
        case " $* " in
          *" update "*) [ ! -e "$STATE/offline" ] || exit 100; cp "$STATE"/archive/* "$STATE/known/" ;;
          *" satisfy "*)
            chosen=()
            while IFS= read -r dependency; do
              name=$(choose "$dependency")
              [ -n "$name" ] || exit 100
              chosen+=("$name")
            done < <(tr ',' '\\n' <<< "${!#}")
            case " $* " in *" --simulate "*) exit 0 ;; esac
            for name in "${chosen[@]}"; do cp "$STATE/known/$name" "$STATE/installed/$name"; done ;;
        esac""",
    "sudo": 'echo sudo >> "$STATE/log"; [ ! -e "$STATE/refuses" ] || exit 1; [ "$1" = true ] || shift; exec "$@"',
}
TOOLS = ["bash", "cat", "cp", "dirname", "env", "grep", "head", "readlink", "sed", "sort", "tr", "true"]


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
        (self.state / "chatter").touch()

    def add(self, place, *packages, version="1.0"):
        for package in packages:
            (self.state / place / package).write_text(version, encoding="utf-8")

    def installed(self):
        return sorted(path.name for path in (self.state / "installed").iterdir())

    def install(self, *lists):
        """Runs the script on lists of packages; returns its result and the apt-get calls."""
        files = []
        for i, text in enumerate(lists):
            files.append(self.state / f"packages_{i}.txt")
            files[-1].write_text(text, encoding="utf-8")
        result = subprocess.run([SCRIPT, *files], capture_output=True, text=True, check=False,
                                env={"PATH": str(self.state / "bin"), "STATE": str(self.state)})
        log = self.state / "log"
        return result, log.read_text(encoding="utf-8") if log.exists() else ""

    def test_silent_and_without_apt_when_all_is_there(self):
        self.add("installed", "alpha", "beta")
        result, log = self.install("# a list\nalpha  # first\n\nbeta\n")
        self.assertEqual((result.returncode, result.stdout, result.stderr, log), (0, "", "", ""))

    def test_installs_only_what_is_missing(self):
        self.add("installed", "alpha")
        self.add("archive", "alpha", "beta", "gamma")
        result, log = self.install("alpha\nbeta\n", "gamma\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("update", log)
        self.assertTrue(log.endswith("satisfy -y --no-install-recommends beta, gamma\n"), log)

    def test_the_first_alternative_that_the_release_has_is_installed(self):
        self.add("archive", "one", "other")
        result, _ = self.install("one | other\n")
        self.assertEqual((result.returncode, self.installed()), (0, ["one"]), result.stderr)

    def test_an_alternative_unknown_to_the_release_is_passed_over(self):
        self.add("archive", "other")
        result, _ = self.install("one | other\n")
        self.assertEqual((result.returncode, self.installed()), (0, ["other"]), result.stderr)

    def test_an_installed_alternative_is_enough(self):
        self.add("installed", "other")
        self.add("archive", "one", "other")
        result, log = self.install("one | other\n")
        self.assertEqual((result.returncode, result.stderr, log), (0, "", ""))

    def test_an_installed_alternative_that_is_too_old_is_not_enough(self):
        self.add("installed", "whole", version="2.9")
        self.add("archive", "whole", version="2.9")
        self.add("archive", "part")
        result, _ = self.install("whole\npart | whole (>= 3)\n")
        self.assertEqual((result.returncode, self.installed()), (0, ["part", "whole"]), result.stderr)

    def test_an_installed_alternative_that_is_new_enough_is_enough(self):
        self.add("installed", "whole", version="3.1")
        result, log = self.install("whole\npart | whole (>= 3)\n")
        self.assertEqual((result.returncode, result.stderr, log), (0, "", ""))

    def test_programs_that_say_more_than_a_pipe_holds_do_no_harm(self):
        # A reader that stops at its answer kills the writer; under pipefail a known package was then taken for unknown.
        (self.state / "chatter").write_text("much ado\n" * 20000, encoding="utf-8")
        self.add("archive", "alpha", "other")
        for _ in range(5):
            for package in self.installed():
                (self.state / "installed" / package).unlink()
            result, _ = self.install("alpha\none | other\n")
            self.assertEqual((result.returncode, self.installed()), (0, ["alpha", "other"]), result.stderr[-300:])

    def test_what_the_sources_do_not_have_is_named(self):
        self.add("archive", "alpha")
        result, _ = self.install("alpha\nnothing | nowhere\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn("package sources do not have: nothing | nowhere\n", result.stderr)

    def test_offline_names_the_packages_and_the_command(self):
        (self.state / "offline").touch()
        self.add("installed", "alpha")
        result, _ = self.install("alpha\nbeta\ngamma | delta\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn("apt-get satisfy -y --no-install-recommends 'beta, gamma | delta'\n", result.stderr)

    def test_user_without_sudo_is_told_and_apt_is_left_alone(self):
        (self.state / "uid").write_text("1000", encoding="utf-8")
        (self.state / "bin" / "sudo").unlink()
        result, log = self.install("alpha\n")
        self.assertEqual((result.returncode, log), (1, ""))
        self.assertIn("there is no sudo", result.stderr)
        self.assertIn("apt-get update && apt-get satisfy -y --no-install-recommends 'alpha'\n", result.stderr)

    def test_user_whom_sudo_refuses_is_told_and_apt_is_left_alone(self):
        (self.state / "uid").write_text("1000", encoding="utf-8")
        (self.state / "refuses").touch()
        result, log = self.install("alpha\n")
        self.assertEqual((result.returncode, log), (1, "sudo\n"))
        self.assertIn("sudo refuses", result.stderr)

    def test_user_with_sudo_uses_it(self):
        (self.state / "uid").write_text("1000", encoding="utf-8")
        self.add("archive", "alpha")
        result, log = self.install("alpha\n")
        self.assertEqual((result.returncode, self.installed()), (0, ["alpha"]), result.stderr)
        self.assertEqual(log.count("sudo"), 3)

    def test_elsewhere_than_on_debian_the_packages_are_named_and_nothing_is_done(self):
        (self.state / "bin" / "dpkg-query").unlink()
        result, log = self.install("alpha\nbeta\n")
        self.assertEqual((result.returncode, log), (0, ""))
        self.assertIn("please provide yourself: alpha, beta\n", result.stderr)


class Lists(unittest.TestCase):
    DEPENDENCY = re.compile(r"[a-z0-9][a-z0-9.+-]+( \((<<|<=|=|>=|>>) \S+\))?")

    def test_all_entries_are_dependencies_as_in_a_control_file(self):
        for file in sorted(HERE.glob("packages*.txt")):
            for line in file.read_text(encoding="utf-8").splitlines():
                for alternative in filter(None, line.split("#")[0].strip().split(" | ")):
                    self.assertTrue(self.DEPENDENCY.fullmatch(alternative), f"{file.name}: {line}")


if __name__ == "__main__":
    unittest.main()
