import { encodeReserved, parseTemplate, type TemplateExpression } from './uriTemplate';

/**
 * Whether a URI may have been made of a template. A guess, good enough to find the server that is meant: values are not
 * taken apart. Takes time in proportion to the texts' length.
 */
export function fitsTemplate(uriTemplate: string, uri: string): boolean {
  const parsed = parseTemplate(uriTemplate);
  if (!parsed.ok) {
    return false;
  }
  const text = encodeReserved(uri);
  const { parts } = parsed.template;
  let at = 0;
  let takesSlashes = false;
  let takesAny = false;
  for (const [index, part] of parts.entries()) {
    if (typeof part !== 'string') {
      takesAny = true;
      takesSlashes ||= mayHoldSlashes(part);
      continue;
    }
    // The last literal has to be the end of the URI, the others stand where they come first.
    const found = index === parts.length - 1 && takesAny ? text.length - part.length : text.indexOf(part, at);
    const fits = found >= at && text.startsWith(part, found) && (takesAny || found === at);
    if (!fits || (!takesSlashes && text.slice(at, found).includes('/'))) {
      return false;
    }
    at = found + part.length;
    takesAny = takesSlashes = false;
  }
  return at === text.length || (takesAny && (takesSlashes || !text.slice(at).includes('/')));
}

/** A query is the end of a URI in practice: a slash in it is nothing to count. */
function mayHoldSlashes({ operator }: TemplateExpression): boolean {
  return operator.reserved || operator.first === '/' || operator.named;
}
