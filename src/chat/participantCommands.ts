import { posix } from 'node:path';
import * as vscode from 'vscode';
import { withoutStop } from '../base/sentence';
import { labelOf } from '../catalog/labelOf';
import type { ResourceRef } from '../connection/connectionPool';
import { commandIds } from '../ids';
import { anchorLabel, inertMarkdown } from './chatWords';
import { textOf } from './contextText';
import { fenced } from './dataFrame';
import type { SourceSurroundings } from './participantSources';
import type { Pins } from './pins';
import { type FoundResource, ResourceFinder } from './resourceFinder';

/** How many resources `/list` shows. */
const MOST_LISTED = 200;
/** How much of a text `/read` shows. Characters. */
const LONGEST_SHOWN = 20_000;

interface Asked {
  readonly request: vscode.ChatRequest;
  readonly stream: vscode.ChatResponseStream;
  readonly signal: AbortSignal;
}

interface CommandSurroundings extends SourceSurroundings {
  readonly pins: Pins;
}

/** `/list`, `/read` and `/pin`: what the participant does without a model. */
export class ParticipantCommands {
  private readonly finder: ResourceFinder;

  constructor(private readonly around: CommandSurroundings) {
    this.finder = new ResourceFinder(around.pool, around.catalog);
  }

  async list({ request, stream, signal }: Asked): Promise<void> {
    const words = request.prompt.trim();
    const found = await this.finder.matching(words, MOST_LISTED + 1, signal);
    if (found.length === 0) {
      stream.markdown(inertMarkdown(this.nothingFound(words)));
      this.offerServers(stream);
      return;
    }
    const shown = found.slice(0, MOST_LISTED);
    for (const serverId of new Set(shown.map(({ ref }) => ref.serverId))) {
      stream.markdown(`\n\n**${inertMarkdown(serverId)}**\n\n`);
      this.links(
        stream,
        shown.filter(({ ref }) => ref.serverId === serverId),
      );
    }
    if (found.length > MOST_LISTED) {
      stream.markdown('\n\n');
      stream.markdown(inertMarkdown(vscode.l10n.t('Only {0} are shown. A word after /list shows fewer.', MOST_LISTED)));
    }
  }

  async read(asked: Asked): Promise<void> {
    for (const ref of await this.wanted(asked)) {
      await this.show(ref, asked);
    }
  }

  async pin(asked: Asked): Promise<void> {
    const { catalog, pins } = this.around;
    for (const ref of await this.wanted(asked)) {
      const label = labelOf(catalog.entryOf(ref) ?? ref);
      await pins.pin(ref, label);
      asked.stream.markdown(`${vscode.l10n.t('Pinned:')} `);
      this.link(asked.stream, ref, label);
      asked.stream.markdown('\n\n');
    }
  }

  /** What is named, else what is attached. Says what is missing where neither is clear. */
  private async wanted({ request, stream, signal }: Asked): Promise<readonly ResourceRef[]> {
    const words = request.prompt.trim();
    if (words === '') {
      const attached = request.references.flatMap(({ value }) => {
        const uri = value instanceof vscode.Location ? value.uri : value;
        return uri instanceof vscode.Uri ? (this.around.documents.targetOf(uri)?.ref ?? []) : [];
      });
      if (attached.length === 0) {
        stream.markdown(
          inertMarkdown(vscode.l10n.t('Say which resource: its URI or its name after the command, or attach it.')),
        );
      }
      return attached;
    }
    const [found, ...others] = await this.finder.find(words, signal);
    if (!found) {
      stream.markdown(inertMarkdown(this.nothingFound(words)));
      this.offerServers(stream);
      return [];
    }
    if (others.length > 0) {
      stream.markdown(inertMarkdown(vscode.l10n.t('Several resources fit. Say which one, by its URI:')));
      stream.markdown('\n\n');
      this.links(stream, [found, ...others], { uris: true });
      return [];
    }
    return [found.ref];
  }

  private async show(ref: ResourceRef, { stream, signal }: Asked): Promise<void> {
    const { catalog, content } = this.around;
    const snapshot = await content.read(ref, { purpose: 'open', initiative: 'person', signal });
    this.link(stream, ref, labelOf(catalog.entryOf(ref) ?? ref));
    stream.reference(this.around.documents.uriOf(ref));
    const { parts } = snapshot.content;
    if (parts.length === 0) {
      stream.markdown('\n\n');
      stream.markdown(inertMarkdown(vscode.l10n.t('It is empty.')));
    }
    for (const part of parts) {
      stream.markdown('\n\n');
      if (parts.length > 1) {
        stream.markdown(inertMarkdown(part.uri));
        stream.markdown('\n\n');
      }
      if (part.failure !== undefined) {
        stream.markdown(inertMarkdown(vscode.l10n.t('This part cannot be shown: {0}.', withoutStop(part.failure))));
        continue;
      }
      if (!part.isText) {
        const kind = part.mimeType ?? 'application/octet-stream';
        stream.markdown(
          inertMarkdown(vscode.l10n.t('No text, but {0}, {1} bytes. Open it to see it.', kind, part.bytes.byteLength)),
        );
        continue;
      }
      const text = textOf(part);
      stream.markdown(`${fenced(text.slice(0, LONGEST_SHOWN))}\n\n`);
      if (text.length > LONGEST_SHOWN) {
        stream.markdown(
          inertMarkdown(
            vscode.l10n.t('The first {0} of {1} characters. Open it to see the rest.', LONGEST_SHOWN, text.length),
          ),
        );
      }
    }
  }

  private links(stream: vscode.ChatResponseStream, found: readonly FoundResource[], { uris = false } = {}): void {
    for (const { ref, title } of found) {
      stream.markdown('- ');
      this.link(stream, ref, title);
      stream.markdown(uris ? ` ${inertMarkdown(ref.uri)}\n` : '\n');
    }
  }

  /** A link to our document, which the editor makes. It shows the name of the document, so the label stands beside it. */
  private link(stream: vscode.ChatResponseStream, ref: ResourceRef, label: string): void {
    const document = this.around.documents.uriOf(ref);
    stream.anchor(document, anchorLabel(label));
    if (posix.basename(document.path) !== label) {
      stream.markdown(` ${inertMarkdown(label, 120)}`);
    }
  }

  private nothingFound(words: string): string {
    if (!this.around.pool.all.some(({ state }) => state.kind === 'connected')) {
      return vscode.l10n.t('No MCP server is connected, so there is nothing to look through.');
    }
    return words === ''
      ? vscode.l10n.t('The connected servers list no resources.')
      : vscode.l10n.t('No resource of a connected server fits “{0}”.', words);
  }

  private offerServers(stream: vscode.ChatResponseStream): void {
    if (this.around.pool.all.some(({ state }) => state.kind !== 'connected')) {
      stream.button({ command: commandIds.start, title: vscode.l10n.t('Start Server') });
    }
  }
}
