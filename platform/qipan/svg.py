"""The same shapes as an SVG: gradients, circles, paths and text, sharp at any size."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape, quoteattr

from qipan.paint.board import SPREAD, is_round, line_width, slab_box
from qipan.paint.marks import ARCS
from qipan.paint.painter import Painter
from qipan.paint.pieces import FINE, GLYPH, RADIUS, STEP, Face, columns
from qipan.pictures import BOX
from qipan.scene import Disc, Layer, Path, Shape, Sprite, Text, ground
from qipan.theme import Tone

_SERIF = "'Noto Serif CJK SC', 'Source Han Serif SC', STSong, SimSun, serif"
_SANS = "'Noto Sans CJK SC', 'Microsoft YaHei UI', 'PingFang SC', sans-serif"


def to_svg(painter: Painter, shapes: Iterable[Shape]) -> str:
    """The painter's board with shapes on it as one SVG document, as large as the layout in pixels."""
    return _Sheet(painter).document(sorted(shapes, key=lambda shape: shape.layer))


def _tag(name: str, text: str | None = None, /, **attributes: object) -> str:
    """One element; a "_" in an attribute's name is a "-", numbers are rounded to a hundredth."""
    parts = [name]
    for key, value in attributes.items():
        shown = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
        parts.append(f"{key.rstrip('_').replace('_', '-')}={quoteattr(shown)}")
    return f"<{' '.join(parts)}/>" if text is None else f"<{' '.join(parts)}>{text}</{name}>"


def _d(points: Sequence[tuple[float, float]], closed: bool) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points) + ("Z" if closed else "")


class _Sheet:
    """One document being written."""

    def __init__(self, painter: Painter) -> None:
        self.painter, self.theme, self.layout = painter, painter.theme, painter.layout
        self.cell = float(painter.layout.cell)
        self._defs: dict[str, str] = {}

    def document(self, shapes: Sequence[Shape]) -> str:
        body = [*self._slab(), *(self._ground(shape) for shape in ground(self.layout.board, self.painter.numerals))]
        for shape in shapes:
            body.append(self._sprite(shape) if isinstance(shape, Sprite) else self._ground(shape))
        width, height = self.layout.size
        inside = "\n".join(["<defs>" + "".join(self._defs.values()) + "</defs>", *body])
        return _tag(
            "svg", inside, xmlns="http://www.w3.org/2000/svg", width=width, height=height,
            viewBox=f"0 0 {width} {height}",
        )  # fmt: skip

    def _gradient(self, light: str, dark: str, *, round_: bool = False) -> str:
        """The fill of a two-stop gradient, defined once."""
        name = f"{'r' if round_ else 'l'}{light[1:]}{dark[1:]}"
        stops = _tag("stop", offset=0, stop_color=light) + _tag("stop", offset=1, stop_color=dark)
        self._defs[name] = (
            _tag("radialGradient", stops, id=name, cx=0.38, cy=0.3, r=0.85)
            if round_
            else _tag("linearGradient", stops, id=name, x1=0.3, y1=0, x2=0.6, y2=1)
        )
        return f"url(#{name})"

    def _slab(self) -> list[str]:
        left, top, right, bottom = slab_box(self.layout)
        wide, high, look, drop = right - left, bottom - top, self.theme.board, 4 * self.layout.unit
        blur = _tag("feGaussianBlur", stdDeviation=6 * self.layout.unit)
        self._defs["soft"] = _tag("filter", blur, id="soft", x="-10%", y="-10%", width="120%", height="120%")
        fill = self._gradient(look.light, look.dark)
        found = [_tag("rect", width=self.layout.width, height=self.layout.height, fill=self.theme.table.colour)]
        if is_round(self.layout):
            place = {"cx": (left + right) / 2, "r": wide / 2}
            middle = (top + bottom) / 2
            found.append(_tag("circle", **place, cy=middle + drop, opacity=0.35, filter="url(#soft)"))
            found.append(_tag("circle", **place, cy=middle, fill=fill))
        else:
            box = {"x": left, "width": wide, "height": high, "rx": 7 * self.layout.unit}
            found.append(_tag("rect", **box, y=top + drop, opacity=0.35, filter="url(#soft)"))
            found.append(_tag("rect", **box, y=top, fill=fill))
        return found

    def _ground(self, shape: Shape) -> str:
        ink = self.theme.ink
        if isinstance(shape, Disc):
            x, y = self.layout.place(shape.x, shape.y)
            return _tag("circle", cx=x, cy=y, r=shape.radius * self.cell, fill=ink.line)
        if isinstance(shape, Text):
            return self._text(shape)
        if not isinstance(shape, Path):
            return ""
        points = [self.layout.place(x, y) for x, y in shape.points]
        if shape.role == "look-back":
            return self._arrow(points, ink.pale, ink.casing)
        if shape.role == "drawn":
            return self._arrow(points, ink.cursor, ink.pale)
        if shape.role.startswith("cell:"):
            fill = getattr(self.theme.board, "cell_" + shape.role[5:])
            return _tag("path", d=_d(points, True), fill=fill, stroke=fill, stroke_width=0.3)
        if shape.role.startswith("region:"):
            share = self.theme.regions.get(shape.role[7:], 0.0)
            return _tag("path", d=_d(points, True), fill=ink.line, fill_opacity=share) if share else ""
        look = self.theme.line(shape.role)
        width = max(2, round(self.theme.board.frame * self.cell)) if shape.role == "frame" else 0
        line = {"d": _d(points, shape.closed), "fill": "none"}
        over = {"stroke": look.colour or ink.line, "stroke_width": width or line_width(look, self.layout.cell)}
        bed = _tag("path", **line, stroke=look.bed_colour, stroke_width=look.bed * self.cell) if look.bed else ""
        dash = {"stroke_dasharray": " ".join(f"{d * self.cell:.1f}" for d in look.dash)} if look.dash else {}
        return bed + _tag("path", **line, **over, **dash, stroke_linecap="butt" if look.dash else "square")

    def _text(self, shape: Text) -> str:
        x, y = self.layout.place(shape.x, shape.y)
        size, river = max(11.0, shape.size * self.cell), shape.role == "river"
        runs = [(shape.text, x)]
        if river:
            middle = (len(shape.text) - 1) / 2
            runs = [(char, x + (n - middle) * SPREAD * size) for n, char in enumerate(shape.text)]
        colour = self.theme.ink.line if river else self.theme.ink.numeral
        share = self.theme.ink.river if river else 1.0
        return "".join(self._letters(text, at, y, size, colour, serif=river, opacity=share) for text, at in runs)

    def _letters(
        self, text: str, x: float, y: float, size: float, colour: str, *, serif: bool, opacity: float = 1.0
    ) -> str:
        return _tag(
            "text", escape(text), x=x, y=y + 0.372 * size, font_size=size, fill=colour, text_anchor="middle",
            font_family=_SERIF if serif else _SANS, font_weight=700 if serif else 400, opacity=opacity,
        )  # fmt: skip

    def _arrow(self, points: list[tuple[float, float]], line: str, casing: str) -> str:
        (ax, ay), (bx, by) = points[-2:]
        length = math.dist(points[-2], points[-1]) or 1.0
        ux, uy, cell = (bx - ax) / length, (by - ay) / length, self.cell
        stop = min(0.49 * cell, length / 2)
        tip = (bx - ux * stop, by - uy * stop)
        foot = (tip[0] - ux * 0.2 * cell, tip[1] - uy * 0.2 * cell)
        wing = (-uy * 0.12 * cell, ux * 0.12 * cell)
        head = _d([tip, (foot[0] + wing[0], foot[1] + wing[1]), (foot[0] - wing[0], foot[1] - wing[1])], True)
        shaft = _d([*points[:-1], foot], False)
        common = {"stroke_linecap": "round", "stroke_linejoin": "round"}
        return (
            _tag("path", d=head, fill=casing, stroke=casing, stroke_width=0.07 * cell, **common)
            + _tag("path", d=shaft, fill="none", stroke=casing, stroke_width=0.125 * cell, **common)
            + _tag("path", d=shaft, fill="none", stroke=line, stroke_width=0.075 * cell, **common)
            + _tag("path", d=head, fill=line)
        )

    # -- what lies on the board ----------------------------------------------------------------------------------
    def _sprite(self, shape: Sprite) -> str:
        x, y = self.layout.place(shape.x, shape.y)
        group, _, name = shape.role.partition(":")
        if group == "piece":
            return self._piece(shape, x, y)
        if group == "mark":
            return self._mark(name, x, y)
        ink, cell = self.theme.ink, self.cell
        text, radius = (name, 0.155) if group == "number" else (shape.text, 0.15 if shape.text else 0.09)
        disc = _tag(
            "circle", cx=x, cy=y, r=radius * cell, fill=ink.pale, stroke=ink.casing, stroke_width=0.026 * cell
        )
        return disc + (self._letters(text, x, y, 0.21 * cell, ink.casing, serif=False) if text else "")

    def _mark(self, word: str, x: float, y: float) -> str:
        cell, ink = self.cell, self.theme.ink

        def ring(colour: str, radius: float, width: float, **more: object) -> str:
            line = {"fill": "none", "stroke": colour, "stroke_width": width}
            return _tag("circle", cx=x, cy=y, r=radius * cell, **line, **more)

        match word:
            case "target" | "target-ring":
                radius = (0.11 if word == "target" else 0.205) * cell
                return _tag("circle", cx=x, cy=y, r=radius, fill=ink.target, stroke=ink.pale, stroke_width=0.022 * cell)
            case "capture":
                arcs = []
                for start, end in ARCS:
                    a, b = (
                        (x + 0.505 * cell * math.cos(math.radians(t)), y + 0.505 * cell * math.sin(math.radians(t)))
                        for t in (start, end)
                    )
                    bow = f"A{0.505 * cell:.2f} {0.505 * cell:.2f} 0 0 1"
                    arcs.append(f"M{a[0]:.2f} {a[1]:.2f}{bow} {b[0]:.2f} {b[1]:.2f}")
                return "".join(
                    _tag("path", d="".join(arcs), fill="none", stroke=colour, stroke_width=width * cell)
                    for colour, width in ((ink.pale, 0.1), (ink.target, 0.055))
                )
            case "origin":
                return ring(ink.last, 0.13, 0.042 * cell)
            case "last":
                reach, arm = 0.485 * cell, 0.16 * cell
                corners = "".join(
                    _d([(x + a * reach, y + b * (reach - arm)), (x + a * reach, y + b * reach),
                        (x + a * (reach - arm), y + b * reach)], False)
                    for a in (-1, 1) for b in (-1, 1)
                )  # fmt: skip
                return _tag("path", d=corners, fill="none", stroke=ink.last, stroke_width=0.05 * cell)
            case "lifted":
                return ring(ink.last, 0.2, 0.03 * cell, stroke_dasharray=f"{0.06 * cell:.2f} {0.045 * cell:.2f}")
            case "check":
                return ring(ink.check, 0.5, 0.05 * cell) + ring(ink.check, 0.57, 0.026 * cell)
            case "fault":
                return ring(ink.check, 0.53, 0.07 * cell)
            case "note":
                around = [(x + a * 0.56 * cell, y + b * 0.56 * cell) for a, b in ((0, -1), (1, 0), (0, 1), (-1, 0))]
                line = {"d": _d(around, True), "fill": "none", "stroke_linejoin": "round"}
                bed = _tag("path", **line, stroke=ink.pale, stroke_width=0.12 * cell)
                return bed + _tag("path", **line, stroke=ink.cursor, stroke_width=0.075 * cell)
            case "cursor":
                return ring(ink.pale, 0.58, 6.0) + ring(ink.cursor, 0.58, 2.0)
            case _:
                return ""

    def _piece(self, shape: Sprite, x: float, y: float) -> str:
        tone, face, look = self.painter.face(shape.role)
        cell, lifted = self.cell * shape.size, shape.layer is Layer.LIFTED
        reach = (RADIUS + STEP * shape.step) * cell
        drop = 0.13 if lifted else 0.05
        found = [_tag("circle", cx=x + 0.02 * cell, cy=y + drop * cell, r=reach, opacity=0.28)]
        if look.shape == "tile":
            wide, high = (0.9, 0.68) if round(shape.turn) % 180 == 0 else (0.68, 0.9)
            box = {"x": x - wide * cell / 2, "y": y - high * cell / 2, "width": wide * cell, "height": high * cell}
            found = [_tag("rect", **box, rx=0.09 * cell, fill=self._gradient(*tone.face), stroke=tone.edge)]
        elif look.shape == "stone":
            fill = self._gradient(*tone.rim, round_=True)
            found.append(_tag("circle", cx=x, cy=y, r=reach, fill=fill, stroke=tone.edge, stroke_width=0.012 * cell))
        else:
            found += self._disc(tone, x, y, reach, cell)
        size = (GLYPH + 2 * STEP * shape.step) * cell
        if face.chinese and not face.image:
            for text, at_x, at_y, high in columns(face.text, look.shape == "tile", shape.turn, x, y, size):
                found.append(self._letters(text, at_x, at_y, high, tone.glyph, serif=True))
        else:
            found.append(self._face(tone, face, x, y, size))
        if shape.text:
            at = (x + 0.3 * cell, y + 0.34 * cell)
            plate = {"width": 0.36 * cell, "height": 0.3 * cell, "rx": 0.15 * cell, "stroke": "#FFFFFF"}
            found.append(_tag("rect", x=at[0] - 0.18 * cell, y=at[1] - 0.15 * cell, **plate, fill="#17212A"))
            found.append(self._letters(shape.text, *at, 0.22 * cell, "#FFFFFF", serif=False))
        return _tag("g", "".join(found))

    def _disc(self, tone: Tone, x: float, y: float, reach: float, cell: float) -> list[str]:
        rim, face = self._gradient(*tone.rim), self._gradient(*tone.face, round_=True)
        found = [
            _tag("circle", cx=x, cy=y, r=reach, fill=rim, stroke=tone.edge, stroke_width=max(0.8, 0.014 * cell)),
            _tag("circle", cx=x, cy=y, r=0.915 * reach, fill=face),
        ]
        rings = ((0.83, 0.026), (0.745, 0.012))[: tone.rings if cell >= FINE else min(1, tone.rings)]
        for radius, width in rings:
            line = {"fill": "none", "stroke": tone.ring, "stroke_width": max(0.7, width * cell)}
            found.append(_tag("circle", cx=x, cy=y, r=radius * reach, **line))
        return found

    def _face(self, tone: Tone, face: Face, x: float, y: float, size: float) -> str:
        if face.image:
            data = base64.b64encode(face.image.read_bytes()).decode("ascii")
            side = size * RADIUS * 2 / GLYPH
            box = {"x": x - side / 2, "y": y - side / 2, "width": side, "height": side}
            return _tag("image", **box, href=f"data:image/png;base64,{data}")
        if face.hidden:
            return _tag("circle", cx=x, cy=y, r=0.3 * size, fill=tone.glyph, opacity=0.85)
        if face.picture:
            scale = size * 1.02 / BOX
            move = f"translate({x - BOX / 2 * scale:.3f} {y - BOX / 2 * scale:.3f}) scale({scale:.4f})"
            path = " ".join(face.picture.path.split())
            return _tag("path", d=path, fill=tone.glyph, fill_rule="evenodd", transform=move)
        if not face.text:
            return ""
        size *= 0.78 if len(face.text) == 1 else 0.5
        return self._letters(face.text, x, y, size, tone.glyph, serif=False)
