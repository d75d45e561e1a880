import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { until } from '../until';
import { environment } from './benchWindow';
import { now } from './clock';
import type { Lane } from './liveLanes';
import type { Announcement, RequestCounts, UpdateAnswer, UpdateRequest } from './liveServer';

/** Sends updates of the resources of a lane. */
export interface Source {
  send(request: UpdateRequest): Promise<UpdateAnswer>;
  /** Requests on the wire so far that name one of these resources. */
  requests(uris: readonly string[]): Promise<number>;
}

/** What a server announced about itself; a stdio server does so when it is first subscribed to. */
export function announcementOf({ server = '' }: Lane): Promise<Announcement> {
  const file = join(environment('FOLDER'), `${server}.json`);
  return until(`the server ${server}`, () => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Announcement;
    } catch {
      return undefined;
    }
  });
}

/** A server, reached beside the protocol. */
export function serverSource(lane: Lane): Source {
  let found: Promise<Announcement> | undefined;
  const ask = async (body?: UpdateRequest): Promise<unknown> => {
    const { updates } = await (found ??= announcementOf(lane));
    const response = await fetch(updates, body ? { method: 'POST', body: JSON.stringify(body) } : {});
    return response.json();
  };
  return {
    send: async (request) => (await ask(request)) as UpdateAnswer,
    requests: async (uris) => {
      const counts = (await ask()) as RequestCounts;
      return uris.reduce((sum, uri) => sum + (counts[uri] ?? 0), 0);
    },
  };
}

/** The floor: documents of a file system that knows its own changes, so that nothing is measured but VS Code's way. */
export class FloorFileSystem implements vscode.FileSystemProvider, Source {
  static readonly scheme = 'bench';
  private readonly emitter = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly files = new Map<string, { readonly bytes: Uint8Array; readonly mtime: number }>();

  readonly onDidChangeFile = this.emitter.event;

  async send({ uri, texts, everyMs }: UpdateRequest): Promise<UpdateAnswer> {
    let sentAt = 0;
    for (const [index, text] of texts.entries()) {
      if (index > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
      sentAt = now();
      const mtime = Math.max(Date.now(), (this.files.get(uri)?.mtime ?? 0) + 1);
      this.files.set(uri, { bytes: Buffer.from(text, 'utf8'), mtime });
      this.emitter.fire([{ type: vscode.FileChangeType.Changed, uri: vscode.Uri.parse(uri) }]);
    }
    return { sentAt, told: 1 };
  }

  requests(): Promise<number> {
    return Promise.resolve(0);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { bytes, mtime } = this.file(uri);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime,
      size: bytes.byteLength,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.file(uri).bytes;
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotADirectory(uri);
  }

  createDirectory = refuse;
  writeFile = refuse;
  delete = refuse;
  rename = refuse;

  private file(uri: vscode.Uri): { readonly bytes: Uint8Array; readonly mtime: number } {
    const file = this.files.get(uri.toString());
    if (!file) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }
}

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}
