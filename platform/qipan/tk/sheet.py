"""The ttk style sheet: layouts and colours of every named style, set again when the mode changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qipan.tk.style import Style

GROUNDS = {"": "surface", "Bg.": "bg", "Raised.": "raised"}  # a style's prefix names what it stands on


def configure(style: Style) -> None:
    """Lays out and colours all styles for the style's present tokens."""
    s: Any
    s, px, font = style.ttk, style.px, style.font
    s.configure(".", background=style.surface, foreground=style.ink, font=font(14), borderwidth=0, relief="flat",
                focuscolor=style.accent, troughcolor=style.surface, insertcolor=style.ink, fieldbackground=style.raised,
                selectbackground=style.accent, selectforeground=style.on_accent)  # fmt: skip
    for name, (element, options, colours) in _buttons(style).items():
        s.layout(name, _boxed(element, "Button.padding", "Button.label"))
        _set(style, name, {"font": font(14), "anchor": "center", "foreground": style.ink, **options}, colours)
    for name, options in _labels(style).items():
        _set(style, name, options, {})
    _frames(style)
    _inputs(style)
    s.layout("Select.TButton", [("Button.box", {"sticky": "nswe", "children": [
        ("Button.padding", {"sticky": "nswe", "children": [
            ("Chevron.image", {"side": "right", "sticky": ""}), ("Button.label", {"sticky": "nswe"}),
        ]}),
    ]})])  # fmt: skip
    _set(
        style,
        "Select.TButton",
        {"font": font(14), "foreground": style.ink, "padding": (px(12), px(2)), "anchor": "w"},
        {},
    )
    s.configure("Fault.Small.TButton", background=style.red_soft)
    s.configure("FaultInside.TFrame", background=style.red_soft)
    s.configure("NoteInside.TFrame", background=style.accent_soft)
    s.configure("Note.Small.TButton", background=style.accent_soft)
    s.layout("Tag.TLabel", _boxed("Tag", "Label.padding", "Label.label"))
    s.configure("Tag.TLabel", font=font(12), foreground=style.ink2, padding=(px(6), px(2)))
    _set(style, "Tag.TLabel", {}, {})
    s.layout("Tip.TLabel", _boxed("Tip", "Label.padding", "Label.label"))
    s.configure("Tip.TLabel", font=font(12), foreground=style.surface, background=style.ink, padding=(px(8), px(5)))


def _boxed(element: str, *inner: str) -> Any:
    children: Any = []
    for part in reversed(inner):
        children = [(part, {"sticky": "nswe", **({"children": children} if children else {})})]
    return [(f"{element}.box", {"sticky": "nswe", "children": children})]


def _set(style: Style, name: str, options: Mapping[str, Any], colours: Mapping[str, str]) -> None:
    """Configures a style on each ground; ``colours``: state -> foreground."""
    s: Any = style.ttk
    for prefix, ground in GROUNDS.items():
        s.configure(prefix + name, **{"background": style.tokens.colour(ground), **options})
        s.map(
            prefix + name,
            foreground=[*((*state.split(), colour) for state, colour in colours.items()), ("disabled", style.control)],
        )


def _buttons(style: Style) -> dict[str, tuple[str, dict[str, Any], dict[str, str]]]:
    px, font = style.px, style.font
    on = {"selected !disabled": style.accent}
    return {
        "TButton": ("Button", {"padding": (px(13), px(2))}, {}),
        "Icon.TButton": ("Button", {"padding": (px(8), px(2))}, {}),
        "Small.TButton": ("Small", {"padding": (px(11), px(1))}, {}),
        "Primary.TButton": (
            "Primary", {"padding": (px(16), px(2)), "font": font(16, True), "foreground": style.on_accent}, {}),
        "Accent.TButton": (
            "Accent", {"padding": (px(14), px(2)), "font": font(14, True), "foreground": style.on_accent}, {}),
        "Large.TButton": ("Large", {"padding": (px(12), px(2))}, {}),
        "Clear.TButton": ("Clear", {"padding": px(2)}, {}),
        "Small.Danger.TButton": ("SmallDanger", {"padding": (px(11), px(1)), "foreground": style.red}, {}),
        "Large.Danger.TButton": ("LargeDanger", {"padding": (px(12), px(2)), "foreground": style.red}, {}),
        "Danger.TButton": ("Danger", {"padding": (px(13), px(2)), "foreground": style.red}, {}),
        "Link.TButton": ("Tool", {"padding": (px(8), px(2)), "foreground": style.accent}, {}),
        "Tool.TButton": ("Tool", {"padding": (px(7), px(2)), "foreground": style.ink2}, on),
        "Option.TButton": ("Option", {"padding": (px(10), px(2)), "anchor": "w"}, on),
        "Chip.Toolbutton": ("Chip", {"padding": (px(12), px(1)), "font": font(13)},
                            {"selected !disabled": style.on_accent}),
        "Segment.Toolbutton": ("Segment", {"padding": (px(14), px(1)), "font": font(13)},
                               {"selected !disabled": style.on_accent}),
    }  # fmt: skip


def _labels(style: Style) -> dict[str, dict[str, Any]]:
    font = style.font
    return {
        "TLabel": {"font": font(14), "foreground": style.ink},
        "Bold.TLabel": {"font": font(14, True), "foreground": style.ink},
        "Secondary.TLabel": {"font": font(13), "foreground": style.ink2},
        "Label.TLabel": {"font": font(12), "foreground": style.ink3},
        "Caption.TLabel": {"font": font(13), "foreground": style.ink3},
        "Title.TLabel": {"font": font(16, True), "foreground": style.ink},
        "Page.TLabel": {"font": font(20, True), "foreground": style.ink},
        "Hint.TLabel": {"font": font(14), "foreground": style.ink3},
        "Empty.TLabel": {"font": font(14), "foreground": style.ink2},
        "Other.TLabel": {"font": font(16), "foreground": style.ink3},
        "Red.TLabel": {"font": font(13), "foreground": style.red},
        "Good.TLabel": {"font": font(13), "foreground": style.good},
        "Warn.TLabel": {"font": font(13), "foreground": style.warn},
    }


def _frames(style: Style) -> None:
    s: Any = style.ttk
    for prefix, ground in GROUNDS.items():
        s.configure(f"{prefix}TFrame", background=style.tokens.colour(ground))
    s.configure("Line.TFrame", background=style.line)
    for name in ("Card", "Field", "Fault", "Note", "Group"):
        s.layout(f"{name}.TFrame", [(f"{name}.box", {"sticky": "nswe"})])
        for prefix, ground in GROUNDS.items():
            s.configure(f"{prefix}{name}.TFrame", background=style.tokens.colour(ground))
    for name, colour, bold in (
        ("Fault", style.red, False),
        ("FaultTitle", style.red, True),
        ("FaultText", style.ink, False),
    ):
        s.configure(f"{name}.TLabel", background=style.red_soft, foreground=colour, font=style.font(13, bold))
    s.configure("Note.TLabel", background=style.accent_soft, foreground=style.ink, font=style.font(13))
    s.configure("PopupEdge.TFrame", background=style.control)


def _inputs(style: Style) -> None:
    s: Any
    s, px = style.ttk, style.px
    s.layout("TEntry", _boxed("Field", "Entry.padding", "Entry.textarea"))
    _set(style, "TEntry", {"foreground": style.ink, "padding": (px(11), px(2))}, {})
    s.layout(
        "Bare.TEntry", [("Entry.padding", {"sticky": "nswe", "children": [("Entry.textarea", {"sticky": "nswe"})]})]
    )
    s.configure("Bare.TEntry", background=style.raised, foreground=style.ink, padding=0)
    s.layout("Switch.TCheckbutton", [
        ("Checkbutton.padding", {"sticky": "nswe", "children": [
            ("Switch.box", {"side": "right", "sticky": ""}),
            ("Checkbutton.label", {"side": "left", "sticky": "nswe"}),
        ]}),
    ])  # fmt: skip
    _set(style, "Switch.TCheckbutton", {"font": style.font(14), "foreground": style.ink, "padding": (0, px(4))}, {})
    s.layout("Horizontal.TScale", [
        ("Trough.trough", {"sticky": "we"}), ("Thumb.slider", {"side": "left", "sticky": ""}),
    ])  # fmt: skip
    _set(style, "Horizontal.TScale", {}, {})
    for orient in ("Vertical", "Horizontal"):
        side = {"sticky": "ns" if orient == "Vertical" else "we"}
        s.layout(f"{orient}.TScrollbar", [
            (f"{orient}.Scrollbar.trough", {**side, "children": [("Grip.thumb", {"expand": True, "sticky": "nswe"})]}),
        ])  # fmt: skip
        for prefix, ground in GROUNDS.items():
            colour = style.tokens.colour(ground)
            s.configure(f"{prefix}{orient}.TScrollbar", background=colour, troughcolor=colour, borderwidth=0,
                        troughrelief="flat")  # fmt: skip
