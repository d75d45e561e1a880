import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { ServerDefinition } from './config/serverDefinition';
import type { ResourceRef } from './connection/connectionPool';

const STATE_KEY = 'sampleServer';

/** The bundled sample server: configured when a person asked for it, in every window until it is removed. */
export class SampleDefinition {
  static readonly id = 'sample';
  /** The page that a newcomer sees first. */
  static readonly welcome: ResourceRef = { serverId: SampleDefinition.id, uri: 'sample://welcome' };

  constructor(
    private readonly extensionPath: string,
    private readonly state: vscode.Memento,
  ) {}

  get definitions(): readonly ServerDefinition[] {
    return this.state.get(STATE_KEY) === true ? [this.definition] : [];
  }

  /** Whether the sample server is to be configured, in this and every later window. */
  async want(wanted: boolean): Promise<void> {
    await this.state.update(STATE_KEY, wanted || undefined);
  }

  /** What commands need: to have it or not, with those told who follow the definitions. */
  withChanges(apply: (definitions: readonly ServerDefinition[]) => Promise<void>): {
    readonly id: string;
    readonly welcome: ResourceRef;
    want(wanted: boolean): Promise<void>;
  } {
    const want = async (wanted: boolean): Promise<void> => {
      await this.want(wanted);
      await apply(this.definitions);
    };
    return { id: SampleDefinition.id, welcome: SampleDefinition.welcome, want };
  }

  /** Run by the extension host's own Node (on the desktop: Electron, told to be one). */
  private get definition(): ServerDefinition {
    return {
      id: SampleDefinition.id,
      name: SampleDefinition.id,
      source: { kind: 'sample', label: 'MCP Resources itself' },
      launch: {
        type: 'stdio',
        command: process.execPath,
        args: [join(this.extensionPath, 'dist', 'sampleServer.js')],
        cwd: this.extensionPath,
        env: { ELECTRON_RUN_AS_NODE: '1' },
      },
      shadows: [],
    };
  }
}
