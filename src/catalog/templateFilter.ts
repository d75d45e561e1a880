import type { ResourceEntry, TemplateEntry } from '../connection/wire';
import { filledLabel } from './filledLabel';
import { filterBy, type ListingFacts } from './listing';
import { isFiltering, type ListingFilter } from './listingOptions';
import type { TemplateInstance } from './templateInstances';
import { excludesNothing } from './uriGlobs';

/** What a filter keeps of templates and of what was made of them. */
export interface TemplateFilter {
  keeps(this: void, entry: TemplateEntry, made: readonly TemplateInstance[]): boolean;
  keptOf(this: void, entry: TemplateEntry, made: readonly TemplateInstance[]): readonly TemplateInstance[];
}

const keepsAll: TemplateFilter = { keeps: () => true, keptOf: (_, made) => made };

/**
 * A template is kept for its own words, or for something that was made of it. One that does not say its MIME type may lead to
 * any; one by itself neither changes nor is live. Words may be spread over a template and what was made of it.
 */
export function templateFilter(filter: ListingFilter, facts: ListingFacts): TemplateFilter {
  if (!isFiltering(filter)) {
    return keepsAll;
  }
  // Globs leave out what a server lists, not what a person made.
  const own = { ...facts, isExcluded: excludesNothing };
  const ofKnownType = filterBy(filter, own);
  const ofAnyType = filterBy({ ...filter, mimeType: undefined }, own);
  const passes = (entry: ResourceEntry): boolean => (entry.mimeType === undefined ? ofAnyType : ofKnownType)(entry);
  const keptOf: TemplateFilter['keptOf'] = (template, made) => {
    const { title, name, uriTemplate, description, mimeType, annotations } = template;
    const texts = [title, name, uriTemplate, description].join('\n');
    return made.filter((instance) =>
      passes({ uri: instance.uri, name: filledLabel(instance), description: texts, mimeType, annotations }),
    );
  };
  return {
    keeps: (entry, made) => passes({ ...entry, uri: entry.uriTemplate }) || keptOf(entry, made).length > 0,
    keptOf,
  };
}
