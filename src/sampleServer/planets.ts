import { ResourceNotFoundError } from '@modelcontextprotocol/server';

export interface Planet {
  name: string;
  diameterKm: number;
  /** Mean distance from the sun, in millions of kilometres. */
  distance: number;
  moons: number;
  note: string;
}

const planets: readonly Planet[] = [
  { name: 'Mercury', diameterKm: 4879, distance: 57.9, moons: 0, note: 'A year there takes 88 days.' },
  { name: 'Venus', diameterKm: 12104, distance: 108.2, moons: 0, note: 'A day there is longer than a year.' },
  { name: 'Earth', diameterKm: 12756, distance: 149.6, moons: 1, note: 'The one with editors.' },
  { name: 'Mars', diameterKm: 6792, distance: 228, moons: 2, note: 'Its highest mountain stands 22 km tall.' },
  {
    name: 'Jupiter',
    diameterKm: 142984,
    distance: 778.5,
    moons: 95,
    note: 'More massive than all the others together.',
  },
  { name: 'Saturn', diameterKm: 120536, distance: 1432, moons: 274, note: 'Lighter than water would be.' },
  { name: 'Uranus', diameterKm: 51118, distance: 2867, moons: 28, note: 'It rolls around the sun on its side.' },
  { name: 'Neptune', diameterKm: 49528, distance: 4515, moons: 16, note: 'Found by calculation before anyone saw it.' },
];

export function planetsJson(): string {
  return `${JSON.stringify({ planets }, undefined, 2)}\n`;
}

export function suggestPlanets(start: string | undefined): string[] {
  const wanted = (start ?? '').toLowerCase();
  return planets.map(({ name }) => name).filter((name) => name.toLowerCase().startsWith(wanted));
}

/** Throws "resource not found" for a name that is none. */
export function planetNamed(name: string | string[] | undefined, uri: string): Planet {
  const wanted = decodeURIComponent(String(name)).toLowerCase();
  const planet = planets.find((one) => one.name.toLowerCase() === wanted);
  if (planet === undefined) throw new ResourceNotFoundError(uri);
  return planet;
}

export function planetPage({ name, diameterKm, distance, moons, note }: Planet): string {
  return [
    `# ${name}`,
    '',
    note,
    '',
    `- Diameter: ${diameterKm} km`,
    `- Distance from the sun: ${distance} million km`,
    `- Moons: ${moons}`,
    '',
  ].join('\n');
}
