import type { Catalog } from '../catalog/catalog';
import type { ServerCatalog } from '../catalog/serverCatalog';
import { type TemplateFilter, templateFilter } from '../catalog/templateFilter';
import type { TemplateInstance, TemplateInstances } from '../catalog/templateInstances';
import type { TemplateEntry } from '../connection/wire';
import type { ListingChoice } from './listingChoice';
import type { ResourceNode, TemplateGroupNode, TemplateNode } from './nodes';
import { filledNodes } from './templateNodes';
import type { FilteredCount } from './treeItem';

interface TemplateListsParts {
  readonly catalog: Catalog;
  readonly choice: ListingChoice;
  readonly instances: TemplateInstances;
}

/** What of a server's templates becomes nodes: those that the filter keeps, with what it keeps of what was made of them. */
export class TemplateLists {
  constructor(private readonly parts: TemplateListsParts) {}

  childrenOf(group: TemplateGroupNode): TemplateNode[] {
    const catalog = this.parts.catalog.of(group.server.connection);
    return catalog ? this.shownOf(catalog).map((entry) => ({ kind: 'template', group, entry })) : [];
  }

  /** What was made of a template. */
  filledOf(template: TemplateNode): ResourceNode[] {
    const { entry, group } = template;
    const serverId = group.server.connection.id;
    return filledNodes(template, this.filterOf(serverId).keptOf(entry, this.madeOf(serverId, entry)));
  }

  countOf(catalog: ServerCatalog | undefined): FilteredCount {
    return catalog
      ? { shown: this.shownOf(catalog).length, total: catalog.templates.items.length }
      : { shown: 0, total: 0 };
  }

  private shownOf(catalog: ServerCatalog): readonly TemplateEntry[] {
    const { id } = catalog.connection;
    const { items } = catalog.templates;
    if (!this.parts.choice.isFiltering) {
      return items;
    }
    const filter = this.filterOf(id);
    // Most templates of a long list have nothing below them.
    const used = new Set(this.parts.instances.ofServer(id).map(({ uriTemplate }) => uriTemplate));
    return items.filter((entry) => filter.keeps(entry, used.has(entry.uriTemplate) ? this.madeOf(id, entry) : []));
  }

  private filterOf(serverId: string): TemplateFilter {
    const { choice } = this.parts;
    return templateFilter(choice.options.filter, choice.factsOf(serverId));
  }

  private madeOf(serverId: string, { uriTemplate }: TemplateEntry): readonly TemplateInstance[] {
    return this.parts.instances.of(serverId, uriTemplate);
  }
}
