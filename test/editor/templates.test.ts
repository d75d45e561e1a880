import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../until';
import { Cleanup, configure, freshId, stdioServer, type StdioServer } from './ours';
import { page } from './page';

const uriTemplate = 'repo://{owner}/{+path}{?rev}';
const scenario = {
  templates: [
    {
      uriTemplate,
      title: 'File',
      mimeType: 'text/plain',
      text: 'the text of {uri}',
      completions: {
        owner: ['grace', 'ada'],
        path: { dependsOn: 'owner', values: { ada: ['src/', 'src/engine.txt'] } },
      },
    },
    { uriTemplate: 'bad://{id:}' },
  ],
};

describe('templates', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  for (const era of ['legacy', 'modern'] as const) {
    describe(era, () => {
      let server: StdioServer;
      let done: Thenable<unknown>;

      const use = async (template: string) => {
        server = cleanup.add(stdioServer(scenario, era));
        const id = freshId();
        const ours = await configure({ [id]: server.entry });
        await ours.connect(id);
        await ours.templates(id);
        const node = {
          kind: 'template',
          group: { kind: 'templateGroup', server: { kind: 'server', connection: { id } } },
          entry: { uriTemplate: template, name: 'x' },
        };
        done = vscode.commands.executeCommand('mcpResources.openTemplate', node);
        return { ours, id };
      };
      const choices = async (wanted: readonly string[]) => {
        let now: string[] = [];
        await until(`the rows ${wanted.join(' | ')}`, async () => {
          now = await page!.call<string[]>('choices');
          return now.join('\n') === wanted.join('\n');
        }).catch((error: unknown) => {
          throw new Error(`${String(error)}; there are ${now.join(' | ')}`);
        });
      };
      const reads = async () => (await server.control.requests('resources/read')).map(({ params }) => params?.uri);
      const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);

      it('T3, T7, T8: typed and suggested values make the URI that is read and opened', async function () {
        if (!page) {
          this.skip();
        }
        const { ours, id } = await use(uriTemplate);
        await choices(['Type a value for owner', 'grace', 'ada']);
        // Typed and accepted at once, before any answer.
        await page.call('enter', 'ada');
        await choices(['Type a value for path', 'src/', 'src/engine.txt']);
        await page.call('choose', 'src/');
        await choices(['Use “src/”', 'src/engine.txt']);
        await page.call('enter', 'src/a b/日.txt');
        await choices(['Leave Out']);
        await page.call('press', 'Enter');
        await done;
        const uri = 'repo://ada/src/a%20b/%E6%97%A5.txt';
        const document = await until('its editor', () => {
          const active = vscode.window.activeTextEditor?.document;
          return active && ours.resourceOf(active.uri)?.uri === uri ? active : null;
        });
        assert.equal(document.getText(), `the text of ${uri}`);
        assert.equal(ours.resourceOf(document.uri)?.serverId, id);
        assert.deepEqual(await reads(), [uri]);
        const asked = (await server.control.requests('completion/complete')).map(({ params }) => params);
        const second = asked.find((params) => (params?.argument as { name: string }).name === 'path');
        assert.deepEqual(second?.context, { arguments: { owner: 'ada' } });
      });

      it('Escape gives up without a request and without a tab', async function () {
        if (!page) {
          this.skip();
        }
        await use(uriTemplate);
        await choices(['Type a value for owner', 'grace', 'ada']);
        await page.call('press', 'Escape');
        await done;
        assert.deepEqual(await reads(), []);
        assert.equal(tabs().length, 0);
      });

      it('T4: a bad template is refused and costs nothing', async () => {
        const { ours, id } = await use('bad://{id:}');
        await done;
        assert.deepEqual(
          (await ours.templates(id)).map((each) => each.uriTemplate),
          [uriTemplate, 'bad://{id:}'],
        );
        assert.deepEqual(await reads(), []);
        assert.equal(tabs().length, 0);
      });
    });
  }
});
