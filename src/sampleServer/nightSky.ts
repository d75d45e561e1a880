import { paintPng, type Colour } from './png';

const WIDTH = 240;
const HEIGHT = 120;
const PLANET = { x: 166, y: 58, radius: 30 };
/** The ring: an ellipse around the planet, tilted. */
const RING = { inner: 38, outer: 54, flatness: 0.26, tilt: -0.35 };
const STARS = 70;

/** A ringed planet among stars, as a PNG of 240 × 120 pixels. */
export function nightSky(): Buffer {
  const stars = scatterStars();
  return paintPng(WIDTH, HEIGHT, (x, y) => {
    const ring = ringAt(x, y);
    if (ring?.inFront === true) return ring.colour;
    return planetAt(x, y) ?? ring?.colour ?? stars.get(y * WIDTH + x) ?? skyAt(y);
  });
}

function skyAt(y: number): Colour {
  return mix([14, 18, 52], [84, 52, 122], y / HEIGHT);
}

function planetAt(x: number, y: number): Colour | undefined {
  const dx = (x - PLANET.x) / PLANET.radius;
  const dy = (y - PLANET.y) / PLANET.radius;
  const distance = Math.hypot(dx, dy);
  if (distance > 1) return undefined;
  const depth = Math.sqrt(1 - distance * distance);
  const light = Math.min(1, Math.max(0.12, -0.55 * dx - 0.45 * dy + 0.7 * depth));
  const bands = 0.5 + 0.5 * Math.sin((dy - 0.3 * dx) * 14);
  return mix([30, 16, 40], mix([244, 168, 96], [250, 214, 150], bands), light);
}

function ringAt(x: number, y: number): { colour: Colour; inFront: boolean } | undefined {
  const dx = x - PLANET.x;
  const dy = y - PLANET.y;
  const along = dx * Math.cos(RING.tilt) + dy * Math.sin(RING.tilt);
  const across = -dx * Math.sin(RING.tilt) + dy * Math.cos(RING.tilt);
  const radius = Math.hypot(along, across / RING.flatness);
  if (radius < RING.inner || radius > RING.outer) return undefined;
  const shade = 0.55 + 0.45 * Math.sin(radius * 1.3);
  return { colour: mix([120, 104, 150], [226, 210, 236], shade), inFront: across > 0 };
}

function scatterStars(): Map<number, Colour> {
  const stars = new Map<number, Colour>();
  let state = 20260728;
  const next = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (let count = 0; count < STARS; count++) {
    const place = Math.floor(next() * HEIGHT) * WIDTH + Math.floor(next() * WIDTH);
    stars.set(place, mix([150, 150, 190], [255, 255, 240], next()));
  }
  return stars;
}

function mix(from: Colour, to: Colour, share: number): Colour {
  const between = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * share;
  return [between(0), between(1), between(2)];
}
