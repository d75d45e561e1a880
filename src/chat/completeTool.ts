import * as vscode from 'vscode';
import { expandTemplate } from '../catalog/expandTemplate';
import { parseTemplate, type UriTemplate } from '../catalog/uriTemplate';
import type { ServerCatalog } from '../catalog/serverCatalog';
import { shownValue } from './dataFrame';
import { suggestionsText } from './suggestionsText';
import { withinBudget } from './tokenBudget';
import type { ToolGrants } from './toolGrants';
import { ToolError } from './toolInput';
import { listsOf, serverNamed, type ToolAnswer, type ToolCall, type ToolParts } from './toolParts';

const MOST_CHARACTERS = 20_000;
const MOST_NAMES = 50;

type Values = ReadonlyMap<string, string | readonly string[]>;

/** Fills in a template for a model: suggestions of the server for one variable, and the URI once the values are there. */
export class CompleteTool {
  constructor(
    private readonly parts: ToolParts,
    private readonly grants: ToolGrants,
  ) {}

  async run({ input, budget, signal }: ToolCall): Promise<ToolAnswer> {
    const serverId = input.text('server');
    const uriTemplate = input.text('uriTemplate');
    const values = input.texts('values');
    const variable = input.optionalText('variable');
    const lists = await listsOf(serverNamed(serverId, this.parts), this.parts);
    const template = await templateOf(lists, uriTemplate);
    requireNames([...values.keys(), ...(variable ? [variable] : [])], template);
    const header = [`- Template: ${shownValue(uriTemplate)}`, `- Server: ${shownValue(serverId)}`];
    const missing = template.variables.filter(({ name, optional }) => !optional && !values.has(name));
    header.push(
      missing.length > 0
        ? `- Values still needed: ${namesOf(missing)}`
        : `- URI with these values: ${shownValue(expandTemplate(template, Object.fromEntries(values)))}`,
    );
    if (!variable) {
      return { text: [...header, ''].join('\n') };
    }
    // What is suggested for depends on the values, so they go to the server: the person sees to it that they may.
    const value = input.optionalText('value') ?? '';
    const ref = { serverId, uri: uriTemplate };
    await this.parts.consent.ask(
      {
        ref,
        question: vscode.l10n.t('Let the chat ask this server for suggestions?'),
        remarks: [vscode.l10n.t('What was filled in so far goes to the server.')],
        scopes: ['server', 'window'],
        isGranted: () => this.grants.allowsServer(serverId),
      },
      signal,
    );
    signal.throwIfAborted();
    const context = contextOf(values, variable);
    const found = await lists.completer.suggest({ uriTemplate, argument: variable, value, context }, signal);
    return withinBudget(
      (limit) => ({ text: suggestionsText(header, { variable, found }, limit) }),
      ({ text }) => text,
      { most: MOST_CHARACTERS, least: 200, budget },
    );
  }
}

async function templateOf({ templates }: ServerCatalog, uriTemplate: string): Promise<UriTemplate> {
  await templates.load();
  if (!templates.find(uriTemplate)) {
    throw new ToolError(
      'The server lists no such template. Look up its exact text with the tool that lists resources.',
    );
  }
  const parsed = parseTemplate(uriTemplate);
  if (!parsed.ok) {
    throw new ToolError(`The server's template cannot be understood: ${shownValue(parsed.reason)}.`);
  }
  return parsed.template;
}

function requireNames(names: readonly string[], { variables }: UriTemplate): void {
  const unknown = names.find((each) => !variables.some(({ name }) => name === each));
  if (unknown !== undefined) {
    const known = namesOf(variables) || 'none';
    throw new ToolError(`The template has no variable ${shownValue(unknown.slice(0, 200))}; it has ${known}.`);
  }
}

function namesOf(variables: UriTemplate['variables']): string {
  const names = variables.slice(0, MOST_NAMES).map(({ name }) => shownValue(name.slice(0, 200)));
  const more = variables.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function contextOf(values: Values, variable: string): Readonly<Record<string, string>> {
  const others = [...values].filter(([name]) => name !== variable);
  return Object.fromEntries(others.map(([name, value]) => [name, typeof value === 'string' ? value : value.join(',')]));
}
