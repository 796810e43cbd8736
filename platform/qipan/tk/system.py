"""What the system says of the player's wishes: dark or light windows, and the language."""

from __future__ import annotations

import locale
import os
import shutil
import subprocess
import sys

from qipan.tk.tokens import Mode

_ASK = {
    "darwin": ("defaults", "read", "-g", "AppleInterfaceStyle"),
    "linux": ("gsettings", "get", "org.gnome.desktop.interface", "color-scheme"),
}


def language() -> str:
    """ "zh" where the system speaks Chinese, else "en"."""
    spoken = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    if not spoken and sys.platform in ("win32", "darwin"):
        spoken = locale.getlocale()[0] or ""
    return "zh" if spoken.lower().startswith(("zh", "chinese")) else "en"


def mode() -> Mode:
    """The mode of the system's own windows where it can be known, else light."""
    if sys.platform == "win32":
        return _windows_mode()
    if "dark" in os.environ.get("GTK_THEME", "").lower():
        return "dark"
    ask = _ASK.get(sys.platform)
    if ask is None or not shutil.which(ask[0]):
        return "light"
    try:
        answer = subprocess.run(ask, capture_output=True, text=True, timeout=0.5, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return "light"
    return "dark" if "dark" in answer.lower() else "light"


def _windows_mode() -> Mode:
    if sys.platform == "win32":
        import winreg

        place = r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"
        try:
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, place) as key:
                return "light" if winreg.QueryValueEx(key, "AppsUseLightTheme")[0] else "dark"
        except OSError:
            return "light"
    return "light"


def be_sharp() -> None:
    """On Windows: asks for real pixels instead of a stretched window; to be called before the first window."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.shcore.SetProcessDpiAwareness(1)
