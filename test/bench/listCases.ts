/** A list to walk: so many resources in pages of so many. */
export interface ListCase {
  readonly count: number;
  readonly page: number;
}

/** From small to large. */
export const listCases: readonly ListCase[] = [100, 10_000, 100_000].flatMap((count) =>
  [100, 1000].map((page) => ({ count, page })),
);

/** What is browsed beside VS Code's own. */
export const browsed: ListCase = { count: 5000, page: 100 };

/** The label of a row. */
export const listedLabel = (index: number): string => `book ${index}`;

/** A number whose last digit, typed into the filter, makes another resource the first: nothing else holds its digits. */
export const filteredNumber = ({ count }: ListCase): string => (count === 100 ? '97' : '4321');

/** Milliseconds from the key to the first row of a resource, and to the end of the list. */
export interface BrowseTimes {
  readonly first: number;
  readonly all: number;
}
