/** A colour as the style sheet takes it: `#rrggbb`. */
type Color = string;

interface Accent {
  /** For the button and the initials. */
  fill: Color;
  /** For their edge: stands out from the background (3:1). */
  edge: Color;
  /** Black or white, whichever can be read on the fill (4.5:1). */
  onFill: Color;
  /** For links, focus rings and other thin things (4.5:1). */
  ink: Color;
}

const DEFAULT: Color = '#2f4ad0';
// A mid grey looks switched off, so grey merchants get the ends of the scale.
const GREYS = { light: '#1c212b', dark: '#e9ecf1' } as const;
const BLACK: Color = '#000000';
const WHITE: Color = '#ffffff';

/** The background of each scheme that leaves the least contrast, as in checkout.css. */
export const hardestBackground = { light: '#f5f6f8', dark: '#1b1f27' } as const;

/** A merchant's colour made readable in light and dark: WCAG AA holds for any colour. Without a valid colour, ours is used. */
export function accentsOf(color: string | null): { light: Accent; dark: Accent } {
  const own = color !== null && /^#[\da-f]{6}$/i.test(color) ? color.toLowerCase() : DEFAULT;
  const { light, dark } = isGrey(own) ? GREYS : { light: own, dark: own };
  return { light: lightAccent(light), dark: darkAccent(dark) };
}

/** A pale fill stays the merchant's own and gets a darker edge. */
function lightAccent(color: Color): Accent {
  const background = hardestBackground.light;
  const edge = movedUntil(color, BLACK, (candidate) => contrast(candidate, background) >= 3);
  const ink = movedUntil(color, BLACK, (candidate) => contrast(candidate, background) >= 4.5);
  const { fill, onFill } = readable(color);
  return { fill, onFill, edge: contrast(fill, background) >= 3 ? fill : edge, ink };
}

/** A dark fill would be lost in the dark, so it is lightened. */
function darkAccent(color: Color): Accent {
  const background = hardestBackground.dark;
  const { fill, onFill } = readable(movedUntil(color, WHITE, (candidate) => contrast(candidate, background) >= 3));
  return {
    fill,
    onFill,
    edge: fill,
    ink: movedUntil(color, WHITE, (candidate) => contrast(candidate, background) >= 4.5),
  };
}

/** With white text if a little darkening makes it readable, as brands do; else with black. */
function readable(color: Color): Pick<Accent, 'fill' | 'onFill'> {
  if (contrast(color, WHITE) < 3) return { fill: color, onFill: BLACK };
  return { fill: movedUntil(color, BLACK, (candidate) => contrast(candidate, WHITE) >= 4.5), onFill: WHITE };
}

/** The first colour that will do on the way between two. */
function movedUntil(from: Color, to: Color, willDo: (candidate: Color) => boolean): Color {
  for (let step = 0; step < 50; step += 1) {
    const candidate = mixed(from, to, step / 50);
    if (willDo(candidate)) return candidate;
  }
  return to;
}

const channels = (color: Color) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

const isGrey = (color: Color) => Math.max(...channels(color)) - Math.min(...channels(color)) < 32;

function mixed(from: Color, to: Color, share: number): Color {
  const target = channels(to);
  const values = channels(from).map((value, i) => Math.round(value + ((target[i] ?? 0) - value) * share));
  return `#${values.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of WCAG 2: from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}
