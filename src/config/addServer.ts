import type { Node } from 'jsonc-parser';
import { HumanError } from '../base/errors';
import { indentOf, insertProperty, type JsonLayout } from './insertProperty';
import { propertiesOf, readJson } from './jsonDocument';

/** The new text of an `mcp.json` and the range of the new server's name, to be selected. */
export interface AddedServer {
  readonly text: string;
  readonly name: string;
  /** UTF-16 offset of the name, behind its opening quote, as an editor counts (a byte order mark does not). */
  readonly offset: number;
}

const snippet = { type: 'stdio', command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] };

/**
 * Adds an example server to the text of an `mcp.json`, which may be empty; comments and formatting stay.
 * Throws `HumanError` where the text is not one that can be added to.
 */
export function addServer(text: string): AddedServer {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(mark.length);
  const { root, faults } = readJson(body);
  const [fault] = faults;
  if (fault) {
    throw new HumanError(`The file is not valid JSON: ${fault.message} (line ${fault.line}). Mend it first.`);
  }
  if (root && root.type !== 'object') {
    throw new HumanError('The file must be an object with "servers". Mend it first.');
  }
  const lists = root ? propertiesOf(root).filter(({ name }) => name === 'servers' || name === 'mcpServers') : [];
  const key = lists.find(({ name }) => name === 'servers') ?? lists[0];
  if (key?.value && key.value.type !== 'object') {
    throw new HumanError(`"${key.name}" must be an object. Mend it first.`);
  }
  const list = key?.name ?? 'servers';
  const name = freeName(key?.value ? propertiesOf(key.value).map((property) => property.name) : []);

  const layout = layoutOf(body, root);
  // What is only white space or comments has no root to add to: the new object goes behind it.
  const comments = body.trim() && (body.endsWith('\n') ? body : body + layout.eol);
  const start = root ? body : `${comments}{}${layout.eol}`;
  const object = root ?? readJson(start).root;
  const added = key?.value
    ? insertProperty(start, key.value, [name, snippet], layout, 1)
    : object
      ? insertProperty(start, object, [list, { [name]: snippet }], layout, 0)
      : start;
  const after = readJson(added).root;
  const within = after && propertiesOf(after).find((property) => property.name === list)?.value;
  const entry = within && propertiesOf(within).find((property) => property.name === name);
  return { text: mark + added, name, offset: (entry?.offset ?? 0) + 1 };
}

function freeName(taken: readonly string[]): string {
  const base = 'my-server';
  let name = base;
  for (let number = 2; taken.includes(name); number++) {
    name = `${base}-${number}`;
  }
  return name;
}

/** The indentation and line ends of a text; tabs where it shows none, as VS Code writes its own `mcp.json`. */
function layoutOf(text: string, root: Node | undefined): JsonLayout {
  const first = root?.children?.[0];
  const own = first && indentOf(text, first.offset);
  const unit = (own === '' ? undefined : own) ?? /^([ \t]+)\S/m.exec(text)?.[1] ?? '\t';
  return { unit, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}
