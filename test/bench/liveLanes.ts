/** Who follows a resource: our document, VS Code's own, the SDK's client alone, or a document that no server stands behind. */
export type Side = 'ours' | 'vscode' | 'bare' | 'floor';

/** How a server is reached, and which family of the protocol it speaks. */
export interface Wire {
  readonly transport: 'http' | 'stdio';
  readonly era: 'legacy' | 'modern';
}

/** One way from an update to whoever shows it. Resources belong to one lane alone, so that an update is for it alone. */
export interface Lane {
  readonly name: string;
  readonly side: Side;
  /** None of the floor's. */
  readonly wire?: Wire;
  /** Name of the server in `mcp.json`, and of what it announces. HTTP servers are shared, stdio servers never. */
  readonly server?: string;
}

export const wires: readonly Wire[] = [
  { transport: 'http', era: 'legacy' },
  { transport: 'stdio', era: 'legacy' },
  { transport: 'http', era: 'modern' },
  { transport: 'stdio', era: 'modern' },
];

export const floorLane: Lane = { name: 'floor', side: 'floor' };

/** By turns in this order. VS Code hears of updates only from servers of the legacy era. */
export const lanes: readonly Lane[] = [
  ...wires.flatMap((wire) => [
    lane('ours', wire),
    ...(wire.era === 'legacy' ? [lane('vscode', wire)] : []),
    lane('bare', wire),
  ]),
  floorLane,
];

export const lanesOf = (side: Side): readonly Lane[] => lanes.filter((each) => each.side === side);

/** What the resources of a lane are for; each lane has as many of a kind. */
export const resourceCounts = {
  /** Shown all the time. Several of VS Code's own, because each takes one update in three seconds only. */
  steady: 4,
  fresh: 4,
  hidden: 3,
  cover: 1,
  many: 5,
} as const;

export type Kind = keyof typeof resourceCounts;

export function resourceUri({ name }: Lane, kind: Kind, index = 0): string {
  return `bench://${name}/${kind}${index}.txt`;
}

export function resourceUris(lane: Lane): readonly string[] {
  return Object.entries(resourceCounts).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index) => resourceUri(lane, kind as Kind, index)),
  );
}

function lane(side: Side, wire: Wire): Lane {
  const name = `${side}-${wire.transport}-${wire.era}`;
  return { name, side, wire, server: wire.transport === 'http' ? `http-${wire.era}` : name };
}
