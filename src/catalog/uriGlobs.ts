import { globMatcher } from './globMatcher';

/** What a person wants to see of one server. Globs over URIs: `*` ends at a slash, `**` does not. */
export interface UriGlobs {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** What `excludedBy` gives where there are no globs: nothing needs to be asked. */
export const excludesNothing = (): boolean => false;

/** Whether globs leave a URI out. A glob that is not understood matches nothing. */
export function excludedBy({ include = [], exclude = [] }: UriGlobs): (uri: string) => boolean {
  if (include.length === 0 && exclude.length === 0) {
    return excludesNothing;
  }
  const [isIncluded, isExcluded] = [matcher(include), matcher(exclude)];
  return (uri) => (include.length > 0 && !isIncluded(uri)) || isExcluded(uri);
}

function matcher(globs: readonly string[]): (uri: string) => boolean {
  const tests = globs.flatMap((glob) => globMatcher(glob) ?? []);
  return (uri) => tests.some((test) => test(uri));
}
