/** Deeper URIs than this are hostile: the nearest parents are enough. */
const MOST = 64;
/** Longer ones are taken to lie nowhere: to look up what is above each of them in a flood of updates takes seconds. */
const LONGEST = 8192;

/**
 * The URIs whose sub-resource a URI can be, nearest first: everything before each of its slashes, with and without the
 * slash itself (specification: server/resources, subscriptions). Compared by segment: `x://h/ab` does not lie in `x://h/a`.
 */
export function ancestorsOf(uri: string): readonly string[] {
  const found: string[] = [];
  if (uri.length > LONGEST) {
    return found;
  }
  for (
    let at = uri.lastIndexOf('/', uri.length - 2);
    at > 0 && found.length < MOST;
    at = uri.lastIndexOf('/', at - 1)
  ) {
    found.push(uri.slice(0, at + 1), uri.slice(0, at));
  }
  return found;
}
