/** How resources lie in a server's node: one list, or folders by the parts of their URIs. */
export type Grouping = 'flat' | 'path';
/** `listed` is the server's own order. */
export type SortKey = 'listed' | 'name' | 'priority' | 'lastModified' | 'size';

/** What is shown of all lists. What is absent lets everything through. */
export interface ListingFilter {
  /** Words that must all occur in title, name, URI or description. */
  readonly text?: string;
  readonly mimeType?: string;
  /** Meant for one of them, or for nobody in particular (specification: server/resources, annotations). */
  readonly audience?: 'user' | 'assistant';
  /** Changed since it was last seen. */
  readonly changed?: true;
  /** Its server tells when it changes. */
  readonly live?: true;
}

export interface ListingOptions {
  readonly grouping: Grouping;
  readonly sort: SortKey;
  readonly filter: ListingFilter;
}

export const defaultListing: ListingOptions = { grouping: 'flat', sort: 'listed', filter: {} };

const groupings: readonly unknown[] = ['flat', 'path'] satisfies Grouping[];
const sortKeys: readonly unknown[] = ['listed', 'name', 'priority', 'lastModified', 'size'] satisfies SortKey[];

/** What was remembered, as far as it is understood. */
export function listingOptionsFrom(remembered: unknown): ListingOptions {
  const { grouping, sort, filter } = Object(remembered) as Partial<ListingOptions>;
  const { text, mimeType, audience, changed, live } = Object(filter) as Partial<Record<keyof ListingFilter, unknown>>;
  return {
    grouping: groupings.includes(grouping) ? grouping! : defaultListing.grouping,
    sort: sortKeys.includes(sort) ? sort! : defaultListing.sort,
    filter: {
      ...(typeof text === 'string' && text.trim() !== '' && { text }),
      ...(typeof mimeType === 'string' && { mimeType }),
      ...((audience === 'user' || audience === 'assistant') && { audience }),
      ...(changed === true && { changed }),
      ...(live === true && { live }),
    },
  };
}

/** Whether a filter lets everything through. */
export function isFiltering(filter: ListingFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
