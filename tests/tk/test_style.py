"""The look: tokens that can be read, elements in every state, icons inside their grid, widgets that obey."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

import pytest
from PIL import Image

from qipan.tk import icons
from qipan.tk.app import App
from qipan.tk.elements import ELEMENTS, Box, box_image, rounded, stretched
from qipan.tk.select import Popup, Select
from qipan.tk.style import screen_scale
from qipan.tk.tokens import DARK, LIGHT, MODES, Tokens, mix
from qipan.tk.widgets import Segments, Tip, slider, switch

Wait = Callable[[App, Callable[[], object]], None]


def luminance(colour: str) -> float:
    """The relative luminance of #RRGGBB, as WCAG 2 defines it."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    r, g, b = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("tokens", MODES.values(), ids=MODES)
def test_every_text_can_be_read_on_every_ground(tokens: Tokens) -> None:
    for ground in (tokens.bg, tokens.surface, tokens.raised):
        for text in (tokens.ink, tokens.ink2, tokens.ink3, tokens.accent, tokens.red, tokens.good, tokens.warn):
            assert contrast(text, ground) >= 4.5, (text, ground)
        assert contrast(tokens.control, ground) >= 2.9, ground
    assert contrast(tokens.on_accent, tokens.accent) >= 4.5
    assert contrast(tokens.accent, tokens.accent_soft) >= 4.5
    assert contrast(tokens.red, tokens.red_soft) >= 4.5
    assert contrast(tokens.on_accent, tokens.accent_hover) >= 4.5


def test_colours_are_mixed_by_percent() -> None:
    assert mix("#000000", "#FFFFFF", 0.5) == "#808080"
    assert LIGHT.colour("raised") == "#FFFFFF"
    assert LIGHT.colour("raised+12") == mix(LIGHT.raised, LIGHT.accent, 0.12)


def test_each_state_of_a_button_is_drawn_another_way() -> None:
    for name in ("Button", "Primary", "Tool", "Chip", "Field", "Switch"):
        element = ELEMENTS[name]
        boxes = {element.normal, *(box for state, box in element.states if state in ("focus", "active", "disabled"))}
        pictures = {box_image(LIGHT, 60, 36, element.radius, box).tobytes() for box in boxes}
        assert len(pictures) == len(boxes) >= 3 - (name == "Field"), name


def test_a_box_has_round_corners_and_the_colours_of_its_mode() -> None:
    for tokens in (LIGHT, DARK):
        image = box_image(tokens, 48, 36, 6, Box("raised", "line"))
        assert image.getpixel((0, 0)) == (0, 0, 0, 0)
        assert "#{:02X}{:02X}{:02X}".format(*image.getpixel((24, 18))[:3]) == tokens.raised  # type: ignore[index]
        assert "#{:02X}{:02X}{:02X}".format(*image.getpixel((24, 0))[:3]) == tokens.line  # type: ignore[index]
    ring = box_image(LIGHT, 48, 36, 6, Box("accent", ring=True))
    assert [ring.getpixel((24, y))[3] for y in (0, 1, 2, 3, 4)] == [255, 255, 0, 0, 255]  # type: ignore[index]


def test_a_picture_is_stretched_in_its_middle_alone() -> None:
    image = box_image(LIGHT, 24, 36, 6, Box("raised", "line"))
    wide = stretched(image, 160, 0)
    assert wide.size == (160, 36)
    assert wide.crop((0, 0, 12, 36)).tobytes() == image.crop((0, 0, 12, 36)).tobytes()
    assert wide.crop((148, 0, 160, 36)).tobytes() == image.crop((12, 0, 24, 36)).tobytes()


def test_top_corners_are_cut_out_and_bottom_ones_are_not() -> None:
    cut = rounded(Image.new("RGB", (40, 30), "#FF0000"), 8, corners="top")
    assert cut.getpixel((0, 0))[3] == 0  # type: ignore[index]
    assert cut.getpixel((0, 29))[3] == 255  # type: ignore[index]


@pytest.mark.parametrize("name", icons.names())
def test_icons_are_inked_inside_their_grid(name: str) -> None:
    mask = icons.mask(name, 40)
    box = mask.getbbox()
    assert box is not None
    assert min(box[0], box[1]) >= 2, box
    assert max(box[2], box[3]) <= 38, box
    assert mask.getextrema()[1] == 255
    assert icons.mask(name, 20).getextrema()[1] > 200  # type: ignore[operator]


def test_an_unknown_stroke_is_refused() -> None:
    with pytest.raises(ValueError, match="z"):
        icons.strokes("z 1,1")


def test_lengths_and_fonts_follow_the_scale(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    assert screen_scale(app.root, 1.5) == 1.5
    monkeypatch.setenv("QIPAN_SCALE", "2")
    assert screen_scale(app.root, 1.5) == 2
    monkeypatch.setenv("QIPAN_SCALE", "nonsense")
    assert screen_scale(app.root, 1.25) == 1.25
    assert app.style.px(10) == 10
    app.set_text_scale(1.5)
    assert app.style.px(10) == 15
    assert app.root.tk.call("font", "configure", app.style.font(14), "-size") == -21


def test_a_long_text_is_cut_to_its_room(app: App) -> None:
    text = "The horse's leg is blocked and much more is said"
    cut = app.style.fit(text, 120)
    assert cut.endswith("...")
    assert app.style.measure(cut) <= 120
    assert text.startswith(cut[:-3])
    assert app.style.fit("short", 120) == "short"


def test_the_mode_repaints_pictures_in_place(app: App) -> None:
    icon = app.style.icon("tick", "ink")
    label = ttk.Label(app.root, image=icon)
    before = app.root.tk.call(str(icon), "get", 8, 14)
    app.set_mode("dark")
    after = app.root.tk.call(str(icon), "get", 8, 14)
    assert app.style.icon("tick", "ink") is icon
    assert before != after
    label.destroy()


def open_select(app: App, got: list[str]) -> Select:
    """A select with three choices at the top of the window."""
    select = Select(app, app.root, [("a", "Alpha"), ("b", "Beta"), ("c", "Gamma")], "a", got.append)
    select.place(x=300, y=300, width=200)
    app.root.update()
    select.focus_force()
    select.event_generate("<Down>")
    app.root.update()
    assert isinstance(app.popup, Popup)
    return select


def test_a_list_is_walked_by_keys_and_gives_what_is_chosen(app: App) -> None:
    got: list[str] = []
    select = open_select(app, got)
    assert select.popup is not None
    rows = select.popup.rows
    assert app.root.focus_get() is rows["a"]
    rows["a"].event_generate("<Down>")
    rows["b"].event_generate("<Down>")
    rows["c"].event_generate("<Return>")
    app.root.update()
    assert got == ["c"]
    assert select.value == "c"
    assert app.popup is None
    select.destroy()


def test_a_list_closes_on_escape_and_on_a_click_elsewhere(app: App) -> None:
    got: list[str] = []
    select = open_select(app, got)
    assert select.popup is not None
    select.popup.rows["a"].event_generate("<Escape>")
    app.root.update()
    assert app.popup is None
    select.event_generate("<Down>")
    app.root.update()
    assert app.popup is not None
    assert app.page is not None
    app.page.event_generate("<Button-1>", x=500, y=700)
    app.root.update()
    assert app.popup is None
    assert not got
    select.destroy()


def test_a_slider_goes_where_it_is_clicked(app: App) -> None:
    got: list[float] = []
    made = slider(app, app.root, 0, 100, 0, got.append)
    made.place(x=300, y=300, width=216)
    app.root.update()
    made.event_generate("<Button-1>", x=108, y=8)
    assert got[-1] == pytest.approx(50, abs=1)
    made.event_generate("<Button-1>", x=216, y=8)
    assert got[-1] == 100
    made.destroy()


def test_switch_and_segments_tell_their_new_value(app: App) -> None:
    told: list[object] = []
    made = switch(app, app.root, "sound", False, told.append)
    made.invoke()
    made.invoke()
    segments = Segments(app, app.root, [("x", "keep"), ("y", "discard")], "x", told.append)
    segments.buttons["y"].invoke()
    assert told == [True, False, "y"]
    assert segments.buttons["y"].instate(["selected"])
    assert str(segments.buttons["x"].cget("text")) == "Keep"
    for widget in (made, segments):
        widget.destroy()


def test_a_tip_names_its_key_and_stays_inside_the_window(app: App) -> None:
    corner = ttk.Button(app.root, text="x")
    corner.place(x=1240, y=760, width=40, height=40)
    app.root.update()
    tip = Tip(app, corner, "help", "F1")
    tip.show()
    app.root.update()
    assert tip.shown is not None
    assert "F1" in str(tip.shown.cget("text"))
    assert tip.shown.winfo_x() + tip.shown.winfo_width() <= 1280
    assert tip.shown.winfo_y() + tip.shown.winfo_height() <= 800
    tip.hide()
    corner.destroy()


def test_no_widget_keeps_a_grey_of_tk(app: App) -> None:
    for mode in ("dark", "light"):
        app.set_mode(mode)
        app.root.update()
        known = {value.lower() for value in app.style.tokens}

        def look(widget: tk.Misc, known: set[str] = known) -> None:
            if isinstance(widget, tk.Canvas | tk.Text):
                assert str(widget.cget("background")).lower() in known, widget
            for child in widget.winfo_children():
                look(child)

        look(app.root)
